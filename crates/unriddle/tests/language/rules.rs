//! The rules that a machine can check, each with an example that it finds and a better sentence.

use crate::source::{self, Kind, Text};
use std::{collections::BTreeSet, fmt};

/// Finding of a rule in a text.
#[derive(Clone, Debug)]
pub(crate) struct Finding {
    pub(crate) area: String,
    pub(crate) path: String,
    pub(crate) line: usize,
    pub(crate) rule: &'static str,
    pub(crate) phrase: String,
    pub(crate) text: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text: String = self.text.split_whitespace().collect::<Vec<_>>().join(" ");
        let shown: String = text.chars().take(240).collect();
        write!(f, "{}:{}: [{}] {}: {shown}", self.path, self.line, self.rule, self.phrase)
    }
}

/// Rule of the language.
pub(crate) struct Rule {
    pub(crate) name: &'static str,
    /// Phrases in lower case: words separated by spaces, alternatives by `|`. `^` matches the begin
    /// of a sentence.
    phrases: &'static [&'static str],
    /// Phrases that contain one of `phrases` and are correct.
    allowed: &'static [&'static str],
    /// Which texts are read: the area, the path and the text.
    applies: fn(&str, &str, &Text) -> bool,
    /// File name and content that the rule finds, and the content as it should be.
    pub(crate) example_path: &'static str,
    pub(crate) example: &'static str,
    pub(crate) better: &'static str,
}

/// Exception of a rule: a text in a file, and why it stays.
pub(crate) struct Exception {
    pub(crate) path: &'static str,
    /// Part of the text that is excepted.
    pub(crate) text: &'static str,
    pub(crate) reason: &'static str,
}

pub(crate) const EXCEPTIONS: &[Exception] = &[];

const RUST: &str = "crates/core/src/example.rs";
const TESTS: &str = "crates/core/tests/example.rs";

fn everywhere(_: &str, _: &str, _: &Text) -> bool {
    true
}

/// Decisions tell how they came about.
fn present(_: &str, path: &str, text: &Text) -> bool {
    !path.starts_with("docs/adr/") && text.kind != Kind::Message
}

/// Playing cards are cards.
fn without_playing_cards(area: &str, path: &str, text: &Text) -> bool {
    const GAME: &[&str] = &["freecell", "deck", "suit", "playing card", "cascade", "collectible"];
    let lower = text.text.to_lowercase();
    !["freecell", "party", "check"].contains(&area)
        && !path.contains("freecell")
        && !GAME.iter().any(|word| lower.contains(word))
}

/// Pictures are images.
fn without_pictures(_: &str, path: &str, _: &Text) -> bool {
    !path.contains("/draw")
}

pub(crate) const RULES: &[Rule] = &[
    Rule {
        name: "fronted-of",
        phrases: &["^ of"],
        allowed: &[],
        applies: everywhere,
        example_path: RUST,
        example: "/// Value. Of each row the least one.\nfn f() {}\n",
        better: "/// Least value of each row.\nfn f() {}\n",
    },
    Rule {
        name: "what",
        phrases: &["what"],
        allowed: &["what to"],
        applies: everywhere,
        example_path: RUST,
        example: "// Returns what is stored.\n",
        better: "// Returns the stored value.\n",
    },
    Rule {
        name: "pronoun",
        phrases: &[
            "that of",
            "those of",
            "one that",
            "ones that",
            "one of which",
            "those that",
            "is|are|be|was|were none",
            "that is none",
            "so many",
            "so much",
        ],
        allowed: &[],
        applies: everywhere,
        example_path: TESTS,
        example: "#[test]\nfn levels_that_are_none_are_refused() {}\n",
        better: "#[test]\nfn invalid_levels_are_rejected() {}\n",
    },
    Rule {
        name: "verb",
        phrases: &[
            "lie|lies|lying|lain",
            "stand|stands|stood|standing",
            "tell|tells|told|telling",
            "say|says|said|saying",
            "go|goes|gone|going|went on",
            "come|comes|came of",
            "go|goes|gone|went through",
            "meet|meets|met|meeting",
        ],
        allowed: &["standing still"],
        applies: everywhere,
        example_path: RUST,
        example: "// The table lies in the cache.\n",
        better: "// The table is stored in the cache.\n",
    },
    Rule {
        name: "card",
        phrases: &["card|cards"],
        allowed: &[],
        applies: without_playing_cards,
        example_path: RUST,
        example: "// Runs on the card.\n",
        better: "// Runs on the GPU.\n",
    },
    Rule {
        name: "image",
        phrases: &["image|images"],
        allowed: &["mirror image|images"],
        applies: without_pictures,
        example_path: RUST,
        example: "// The image of a state.\n",
        better: "// The symmetric state.\n",
    },
    Rule {
        name: "place",
        phrases: &["place|places"],
        allowed: &[
            "in place",
            "take|takes|took|taken place",
            "to place",
            "decimal place|places",
            "first place",
        ],
        applies: everywhere,
        example_path: RUST,
        example: "// The place of a state in the list.\n",
        better: "// The index of a state in the list.\n",
    },
    Rule {
        name: "glossary",
        phrases: &[
            "processor|processors",
            "lesson|lessons",
            "recheck|rechecks|rechecked",
            "dearer|dearest",
            "two-ended",
            "from both ends",
            "room",
            "known no longer",
            "costs most",
        ],
        allowed: &["room of", "rooms"],
        applies: |area, path, _| area != "sokoban" && !path.contains("sokoban"),
        example_path: RUST,
        example: "// There is no room for the dearest path.\n",
        better: "// The memory budget does not suffice for the costliest path.\n",
    },
    Rule {
        name: "filler",
        phrases: &["alone", "in the place of", "as a whole", "unless said otherwise", "too$"],
        allowed: &["stand-alone"],
        applies: everywhere,
        example_path: RUST,
        example: "// Counts leaves alone, and nodes, too.\n",
        better: "// Counts only leaves.\n",
    },
    Rule {
        name: "chronicle",
        phrases: &[
            "today",
            "yesterday",
            "was|were tried",
            "has|have not been",
            "not yet",
            "used to be",
            "was|were not run",
        ],
        allowed: &[],
        applies: present,
        example_path: RUST,
        example: "// Another hash was tried.\n",
        better: "// The hash is fast on short keys.\n",
    },
];

/// First words of a doc comment without a noun.
const HEADLESS: &[&str] = &[
    "what", "those", "that", "of", "so", "none", "how", "told", "asked", "which", "who", "where",
    "one",
];

/// Greatest width of a comment and of a line of a document, and greatest length of a table's cell.
const COMMENT_WIDTH: usize = 100;
const DOCUMENT_WIDTH: usize = 120;
const CELL: usize = 200;
/// Greatest length of an option's short text.
const SHORT: usize = 60;

/// All findings in a file.
pub(crate) fn findings(area: &str, path: &str, content: &str) -> Vec<Finding> {
    checked(area, path, content).into_iter().filter(|f| exception(f).is_none()).collect()
}

/// The exceptions that match a finding in a file.
pub(crate) fn used_exceptions(path: &str, content: &str) -> BTreeSet<&'static str> {
    let all = checked("", path, content);
    all.iter().filter_map(exception).map(|exception| exception.text).collect()
}

fn exception(finding: &Finding) -> Option<&'static Exception> {
    EXCEPTIONS.iter().find(|e| finding.path.ends_with(e.path) && finding.text.contains(e.text))
}

fn checked(area: &str, path: &str, content: &str) -> Vec<Finding> {
    let is_rust = path.ends_with(".rs") || path.ends_with(".cu");
    let texts = if is_rust {
        source::texts(content, path.contains("/src/") && !path.ends_with("tests.rs"))
    } else {
        document(content)
    };
    let mut all = Vec::new();
    let mut add = |rule: &'static str, line: usize, phrase: &str, text: &str| {
        let (area, path) = (area.to_owned(), path.to_owned());
        all.push(Finding {
            area,
            path,
            line,
            rule,
            phrase: phrase.to_owned(),
            text: text.to_owned(),
        });
    };
    for text in &texts {
        let sentences = sentences(&text.text, matches!(text.kind, Kind::Message | Kind::Short));
        for rule in RULES.iter().filter(|rule| (rule.applies)(area, path, text)) {
            for phrase in sentences.iter().flat_map(|words| matches(rule, words)) {
                add(rule.name, text.line, &phrase, &text.text);
            }
        }
        let first = sentences.first().and_then(|words| words.first());
        if text.kind == Kind::Doc && first.is_some_and(|word| HEADLESS.contains(&word.as_str())) {
            add("headless", text.line, first.map_or("", String::as_str), &text.text);
        }
        if text.kind == Kind::Short
            && (text.text.chars().count() > SHORT
                || text.text.contains(';')
                || first.is_some_and(|word| HEADLESS.contains(&word.as_str())))
        {
            add("short-text", text.line, &text.text.chars().count().to_string(), &text.text);
        }
    }
    let mut fenced = false;
    for (at, line) in content.lines().enumerate() {
        let width = line.chars().count();
        if is_rust {
            // A row of a table cannot be broken.
            let text = line.trim_start();
            let is_row = text.trim_start_matches(['/', '!', ' ']).starts_with('|');
            let is_comment = text.starts_with("//") && !is_row;
            // Commands in a block of code are one line.
            fenced = text.starts_with("//")
                && (fenced ^ text.trim_start_matches(['/', '!', ' ']).starts_with("```"));
            let is_link = line.contains("](http") || line.contains("https://");
            if is_comment && !fenced && !is_link && width > COMMENT_WIDTH {
                add("width", at + 1, &width.to_string(), line.trim_start());
            }
        } else {
            fenced ^= line.trim_start().starts_with("```");
            let is_row = line.starts_with('|');
            let cell = line.split('|').map(|cell| cell.trim().chars().count()).max().unwrap_or(0);
            let is_link = line.contains("](") && line.split("](").count() == 2 && width < 200;
            if !fenced && !is_row && !is_link && width > DOCUMENT_WIDTH {
                add("width", at + 1, &width.to_string(), line);
            }
            if is_row && cell > CELL {
                add("cell", at + 1, &cell.to_string(), line);
            }
        }
    }
    all
}

/// The lines of a document outside of code blocks; lines of a paragraph are one text.
fn document(content: &str) -> Vec<Text> {
    let mut all: Vec<Text> = Vec::new();
    let (mut fenced, mut begins) = (false, true);
    for (at, line) in content.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
            begins = true;
            continue;
        }
        let text = line.trim();
        if fenced || text.is_empty() {
            begins = true;
            continue;
        }
        let is_item = text.starts_with(['|', '-', '*', '#', '>'])
            || text.starts_with(|c: char| c.is_ascii_digit());
        match all.last_mut().filter(|_| !begins && !is_item) {
            Some(before) => before.text = format!("{} {text}", before.text),
            None => all.push(Text { kind: Kind::Document, line: at + 1, text: text.to_owned() }),
        }
        begins = false;
    }
    all
}

/// The sentences of a text, each as its words in lower case. Code, link targets and placeholders
/// are one word without letters; `too$` is a "too" behind a comma or at the end.
fn sentences(text: &str, is_message: bool) -> Vec<Vec<String>> {
    let mut plain = String::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '`' => {
                let ends = |c: &char| *c != '`';
                let _ = chars.by_ref().take_while(ends).count();
                plain += " _ ";
            }
            '{' if is_message => {
                let _ = chars.by_ref().take_while(|c| *c != '}').count();
                plain += " _ ";
            }
            ']' if chars.peek() == Some(&'(') => {
                let _ = chars.by_ref().take_while(|c| *c != ')').count();
                plain.push(' ');
            }
            '\\' if is_message => {
                let escaped = chars.next();
                plain.push(if escaped == Some('n') { '\n' } else { ' ' });
            }
            _ => plain.push(c),
        }
    }
    let mut all = vec![Vec::new()];
    let mut word = String::new();
    let mut comma = false;
    let close = |word: &mut String, all: &mut Vec<Vec<String>>, comma: bool, end: bool| {
        if word.is_empty() {
            return;
        }
        let is_too = word == "too" && (comma || end);
        let word = std::mem::take(word);
        all.last_mut().unwrap().push(if is_too { "too$".to_owned() } else { word });
    };
    let mut before = ' ';
    let mut behind = plain.chars().peekable();
    while let Some(c) = behind.next() {
        if c.is_alphanumeric() || matches!(c, '_' | '-' | '\'' | '’') {
            if word.is_empty() {
                comma = before == ',';
            }
            word.extend(c.to_lowercase());
        } else {
            let next_is_gap = behind.peek().is_none_or(|next| next.is_whitespace());
            let ends = c == '\n' || (matches!(c, '.' | '!' | '?' | ':' | ';' | '|') && next_is_gap);
            close(&mut word, &mut all, comma, ends);
            if c == '\n' || (matches!(c, '.' | '!' | '?' | '|') && next_is_gap) {
                all.push(Vec::new());
            }
            if !c.is_whitespace() {
                before = c;
            } else if before != ',' {
                before = ' ';
            }
            continue;
        }
        before = c;
    }
    close(&mut word, &mut all, comma, true);
    all.retain(|words| words.iter().any(|word| word.chars().any(char::is_alphanumeric)));
    all
}

/// The phrases of a rule in a sentence.
fn matches(rule: &Rule, words: &[String]) -> Vec<String> {
    let mut found = Vec::new();
    for at in 0..words.len() {
        for phrase in rule.phrases {
            let Some(length) = begins(phrase, words, at) else { continue };
            let is_allowed = rule.allowed.iter().any(|allowed| {
                let first = at.saturating_sub(allowed.split(' ').count() - 1);
                (first..=at).any(|begin| begins(allowed, words, begin).is_some())
            });
            if !is_allowed {
                found.push(words[at..at + length].join(" "));
            }
        }
    }
    found
}

/// The number of words of `phrase`, if the sentence continues with it at a word.
fn begins(phrase: &str, words: &[String], at: usize) -> Option<usize> {
    let (phrase, at_begin) = phrase.strip_prefix("^ ").map_or((phrase, false), |rest| (rest, true));
    if at_begin && at > 0 {
        return None;
    }
    let mut length = 0;
    for alternatives in phrase.split(' ') {
        let word = words.get(at + length)?;
        alternatives.split('|').find(|alternative| alternative == word)?;
        length += 1;
    }
    Some(length)
}
