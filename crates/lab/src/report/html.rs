//! HTML: converts the Markdown of a report to one self-contained page without scripts.

use super::markdown::anchor;
use pulldown_cmark::{CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};
use std::collections::HashMap;
use unriddle_catalog::diagram::html_text;

const STYLE: &str = "\
:root{color-scheme:light dark;--ink:#1d2329;--paper:#fff;--line:#d5dae0;--soft:#f3f5f7;--link:#0b5cad}
@media (prefers-color-scheme:dark){:root{--ink:#dfe4e9;--paper:#15191d;--line:#39424b;--soft:#1f252b;\
--link:#7ab8f5}}
body{font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper);max-width:72rem;\
margin:2rem auto;padding:0 1rem}
h1,h2,h3{line-height:1.25}
h2{border-bottom:1px solid var(--line);margin-top:2.5rem;padding-bottom:.2rem}
a{color:var(--link)}
code{background:var(--soft);border-radius:3px;padding:.1em .3em;font-size:.9em;overflow-wrap:anywhere}
.table{overflow-x:auto;margin:1rem 0}
table{border-collapse:collapse;font-variant-numeric:tabular-nums;font-size:.92em}
th,td{padding:.3rem .7rem;border-bottom:1px solid var(--line);vertical-align:top}
td[style*=right]{white-space:nowrap}
th{background:var(--soft);text-align:left}
.figure{display:block;margin:1rem 0 .3rem}
.figure svg{max-width:100%;height:auto;background:#fff;border-radius:4px}
";

/// Makes the page. Plots in the folder `name` are replaced by `figures`, plots in other folders of
/// reports are linked, and other pictures are removed. Sections to which the page links get an id.
pub(crate) fn page(
    title: &str,
    markdown: &str,
    name: &str,
    figures: &[(String, String)],
) -> String {
    let figures: HashMap<String, &str> =
        figures.iter().map(|(file, svg)| (format!("{name}/{file}"), svg.as_str())).collect();
    let mut anchors = markdown.lines().filter_map(|line| line.strip_prefix("## ")).map(anchor);
    let mut inside_image = false;
    let events = Parser::new_ext(markdown, Options::ENABLE_TABLES).filter_map(|event| {
        match event {
            Event::Start(Tag::Image { dest_url, .. }) => {
                inside_image = true;
                let figure = figures.get(&*dest_url).map(|svg| (*svg).to_owned());
                // Plot of another report.
                let link = || format!("<img alt=\"\" src=\"{dest_url}\">");
                let figure = figure.or_else(|| is_beside(&dest_url).then(link));
                figure.map(|figure| raw(format!("<span class=\"figure\">{figure}</span>")))
            }
            Event::End(TagEnd::Image) => {
                inside_image = false;
                None
            }
            _ if inside_image => None,
            // HTML in a text is shown as text.
            Event::Html(text) | Event::InlineHtml(text) => Some(Event::Text(text)),
            Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
                Some(Event::Start(Tag::Link {
                    link_type,
                    dest_url: if is_harmless(&dest_url) { dest_url } else { CowStr::Borrowed("#") },
                    title,
                    id,
                }))
            }
            Event::Start(Tag::Heading { level: HeadingLevel::H2, classes, attrs, .. }) => {
                let anchor = anchors.next();
                let anchor = anchor.filter(|anchor| markdown.contains(&format!("](#{anchor})")));
                let id = anchor.map(CowStr::from);
                Some(Event::Start(Tag::Heading { level: HeadingLevel::H2, id, classes, attrs }))
            }
            event => Some(event),
        }
    });
    // Wide tables scroll in a box of their own.
    let events = events.flat_map(|event| match event {
        Event::Start(Tag::Table(_)) => vec![raw("<div class=\"table\">\n".to_owned()), event],
        Event::End(TagEnd::Table) => vec![event, raw("</div>\n".to_owned())],
        event => vec![event],
    });
    let mut body = String::new();
    html::push_html(&mut body, events);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n{body}</body>\n</html>\n",
        html_text(title)
    )
}

fn raw(text: String) -> Event<'static> {
    Event::InlineHtml(CowStr::from(text))
}

/// Whether a link leads to a page or to a position on this page.
fn is_harmless(link: &str) -> bool {
    let lower = link.trim().to_ascii_lowercase();
    !lower.contains(':') || ["http://", "https://", "mailto:"].iter().any(|s| lower.starts_with(s))
}

/// Whether a link leads to a plot in a folder beside this page's folder.
fn is_beside(link: &str) -> bool {
    let is_plain = |b: u8| b.is_ascii_alphanumeric() || b"-_./".contains(&b);
    link.strip_prefix("../").is_some_and(|rest| {
        rest.ends_with(".svg") && !rest.contains("..") && rest.bytes().all(is_plain)
    })
}

#[cfg(test)]
mod tests {
    use super::page;

    #[test]
    fn sections_that_are_linked_have_an_id() {
        let html = page("t", "- [B b](#b-b)\n\n## A\n\n## B b\n", "n", &[]);
        assert!(html.contains("<h2>A</h2>") && html.contains("<h2 id=\"b-b\">B b</h2>"), "{html}");
    }

    #[test]
    fn html_and_scripts_in_markdown_are_escaped() {
        let markdown = "# T\n\n<script>x</script>\n\n[a](javascript:x) ![f](n/f.svg)\n\n\
                        | a | b |\n|---|--:|\n| \\<i\\> | 1 |\n";
        let figures = [("f.svg".to_owned(), "<svg>1</svg>".to_owned())];
        let html = page("a < b", markdown, "n", &figures);
        for part in [
            "<title>a &lt; b</title>",
            "&lt;script&gt;",
            "<a href=\"#\">a</a>",
            "<span class=\"figure\"><svg>1</svg></span>",
            "<td>&lt;i&gt;</td>",
            "text-align: right",
        ] {
            assert!(html.contains(part), "{part}: {html}");
        }
        assert!(!html.contains("<script") && !html.contains("<i>"));
    }
}
