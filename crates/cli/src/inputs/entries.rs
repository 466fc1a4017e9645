//! Instances of a command, read before any search. An instance that is refused does not spoil the
//! others.

use super::text::{is_of_records, name_of, read, solved};
use crate::{
    args::shared::Instances,
    exit::{Failure, INPUT, UNSUPPORTED, USAGE, refused},
};
use std::{
    collections::{HashMap, HashSet},
    io::IsTerminal as _,
    ops::RangeInclusive,
    path::{Path, PathBuf},
};
use unriddle_catalog::{
    AnyPuzzle, Family, Instance, ParseError, Spec,
    input::{self, Named, Piece},
};

/// An instance, or the reason why its text is refused.
pub(crate) type Entry = Result<Named, Refused>;

/// An instance that its puzzle refused.
#[derive(Clone, Debug)]
pub(crate) struct Refused {
    pub(crate) id: String,
    /// Text of the instance as it was given.
    pub(crate) text: String,
    /// The error, with the file or argument, the line and the column.
    pub(crate) why: String,
}

/// Most characters of a refused text, and of the reason, that are kept. A text that is too large is
/// mostly another kind of file.
const MOST_SHOWN: usize = 2000;

/// The beginning of a text that is too long.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(MOST_SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

impl Refused {
    fn new(id: String, text: &str, why: &str) -> Self {
        Self { id, text: shortened(text.trim()), why: shortened(why) }
    }

    fn failure(&self) -> Failure {
        Failure::new(INPUT, self.why.clone())
    }
}

/// Name of an entry.
fn id_of(entry: &Entry) -> &str {
    match entry {
        Ok(named) => &named.id,
        Err(refused) => &refused.id,
    }
}

/// The instances of a command, in order: numbered deals, which are made on demand, then the others.
pub(crate) struct Entries<'p> {
    puzzle: &'p dyn AnyPuzzle,
    deals: Option<RangeInclusive<u64>>,
    others: Vec<Entry>,
    /// Indices of the entries that remain; all of them if `None`.
    left: Option<Vec<usize>>,
}

/// An entry that is stored, or that was made for this call.
pub(crate) enum Lent<'e> {
    Stored(&'e Entry),
    Made(Box<Entry>),
}

impl std::ops::Deref for Lent<'_> {
    type Target = Entry;

    fn deref(&self) -> &Entry {
        match self {
            Self::Stored(entry) => entry,
            Self::Made(entry) => entry,
        }
    }
}

impl<'p> Entries<'p> {
    /// Entries without deals.
    pub(crate) fn new(puzzle: &'p dyn AnyPuzzle, others: Vec<Entry>) -> Self {
        Self { puzzle, deals: None, others, left: None }
    }

    /// Number of deals. A range that no machine can count is as long as the largest number.
    fn deals(&self) -> usize {
        let count = |deals: &RangeInclusive<u64>| (deals.end() - deals.start()).saturating_add(1);
        self.deals.as_ref().map_or(0, |deals| usize::try_from(count(deals)).unwrap_or(usize::MAX))
    }

    /// Number of entries that remain.
    pub(crate) fn len(&self) -> usize {
        let all = || self.deals().saturating_add(self.others.len());
        self.left.as_ref().map_or_else(all, Vec::len)
    }

    /// Indices of the remaining entries that are not deals.
    pub(crate) fn given(&self) -> std::ops::Range<usize> {
        match &self.left {
            None => self.deals()..self.len(),
            Some(_) => 0..0,
        }
    }

    /// Indices of the remaining entries among all.
    pub(crate) fn left(&self) -> Vec<usize> {
        self.left.clone().unwrap_or_else(|| (0..self.len()).collect())
    }

    /// Keeps only the entries of some indices among all.
    pub(crate) fn keep(&mut self, left: Vec<usize>) {
        self.left = Some(left);
    }

    /// The remaining entry of an index.
    pub(crate) fn get(&self, index: usize) -> Lent<'_> {
        self.whole(self.left.as_ref().map_or(index, |left| left[index]))
    }

    /// The entry of an index among all entries.
    fn whole(&self, index: usize) -> Lent<'_> {
        let deals = self.deals();
        let Some(range) = self.deals.as_ref().filter(|_| index < deals) else {
            return Lent::Stored(&self.others[index - deals]);
        };
        let number = range.start() + index as u64;
        let id = number.to_string();
        Lent::Made(Box::new(match self.puzzle.deal(number) {
            Some(Ok(instance)) => Ok(Named::new(id, instance)),
            deal => {
                let why = deal.and_then(Result::err).unwrap_or_else(|| "no such deal".to_owned());
                Err(Refused { text: id.clone(), id, why: format!("--deals: {why}") })
            }
        }))
    }

    /// Index of each name among all entries: a function, since the deals are not stored.
    pub(crate) fn positions(&self) -> impl Fn(&str) -> Option<usize> + use<> {
        let deals = self.deals();
        let numbers = self.deals.clone();
        let others = self.others.iter().enumerate();
        let known: HashMap<String, usize> =
            others.map(|(i, entry)| (id_of(entry).to_owned(), deals + i)).collect();
        move |id| {
            let deal = || {
                let number: u64 = id.parse().ok()?;
                let numbers = numbers.as_ref().filter(|numbers| numbers.contains(&number))?;
                Some((number - numbers.start()) as usize)
            };
            known.get(id).copied().or_else(deal)
        }
    }

    /// The entry of an index among all entries, for changes; `None` for a deal.
    pub(crate) fn stored(&mut self, index: usize) -> Option<&mut Entry> {
        let deals = self.deals();
        self.others.get_mut(index.checked_sub(deals)?)
    }

    /// Forgets the known solutions of all instances.
    pub(crate) fn forget_solutions(&mut self) {
        self.others.iter_mut().flatten().for_each(|named| named.solution = None);
    }

    /// Forgets the entries of a set of indices.
    pub(crate) fn forget(&mut self, done: &HashSet<usize>) {
        if !done.is_empty() {
            self.left = Some((0..self.len()).filter(|index| !done.contains(index)).collect());
        }
    }

    /// The instances, none of which is refused.
    ///
    /// # Errors
    /// The first refused instance.
    fn into_named(self) -> Result<Vec<Named>, Failure> {
        let entries = self.into_entries().into_iter();
        entries.map(|entry| entry.map_err(|refused| refused.failure())).collect()
    }

    /// All entries; the deals are made.
    pub(crate) fn into_entries(self) -> Vec<Entry> {
        let deals = (0..self.deals()).filter_map(|index| match self.whole(index) {
            Lent::Made(deal) => Some(*deal),
            Lent::Stored(_) => None,
        });
        let mut entries: Vec<Entry> = deals.collect();
        entries.extend(self.others);
        entries
    }

    /// Makes all names distinct.
    fn name_apart(&mut self) {
        let deals = self.deals.clone();
        let of_deal = |id: &str| {
            let number = id.parse::<u64>().ok();
            deals.as_ref().zip(number).is_some_and(|(deals, number)| deals.contains(&number))
        };
        let ids = self.others.iter_mut().map(|entry| match entry {
            Ok(named) => &mut named.id,
            Err(refused) => &mut refused.id,
        });
        let mut ids: Vec<&mut String> = ids.collect();
        for id in &mut ids {
            if of_deal(id) {
                id.push_str("-2");
            }
        }
        input::distinct(ids);
    }
}

/// Reads a piece of a text from `source`.
fn piece(puzzle: &dyn AnyPuzzle, source: &str, piece: Piece) -> Entry {
    let Piece { id, text, line, column, solution } = piece;
    match puzzle.load(&text) {
        Ok(instance) => Ok(Named { id, instance, solution }),
        Err(error) => {
            let why = refused(source, &input::moved(error, line, column)).message;
            Err(Refused::new(id, &text, &why))
        }
    }
}

/// Reads all instances of a file.
///
/// # Errors
/// The file cannot be read, or contains no instance.
fn file(puzzle: &dyn AnyPuzzle, path: &Path) -> Result<Vec<Entry>, Failure> {
    let (name, text) = (name_of(path), read(path)?);
    let pieces = puzzle.split(&text);
    // The pieces are copies; each of them is dropped when its instance is read.
    drop(text);
    if pieces.is_empty() {
        return Err(refused(&name, &ParseError::at(1, 1, "the text contains no instance")));
    }
    Ok(pieces.into_iter().map(|cut| piece(puzzle, &name, cut)).collect())
}

/// Reads an argument, which is the text of one instance. Returns its name, if it has one, and the
/// instance.
fn argument(
    puzzle: &dyn AnyPuzzle,
    source: &str,
    text: &str,
) -> Result<(Option<String>, Box<dyn Instance>), Failure> {
    if text.trim().is_empty() {
        let message = format!("{source}: the argument is empty; expected an instance");
        return Err(Failure::new(INPUT, message));
    }
    let mut pieces = puzzle.split(text);
    let cut = match (pieces.pop(), pieces.is_empty()) {
        (Some(cut), true) => cut,
        // A text that is not one instance is refused by the puzzle's reader.
        _ => Piece { text: text.to_owned(), line: 1, ..Piece::default() },
    };
    // A piece without a name of its own is the first of its file.
    let id = Some(cut.id.clone()).filter(|id| !id.is_empty() && id != "1");
    match piece(puzzle, source, cut) {
        Ok(named) => Ok((id, named.instance)),
        Err(refused) => Err(refused.failure()),
    }
}

/// Whether an argument names a file. This is so for families whose instances are too large for a
/// command line, unless it is `-` (standard input) or is itself the text of an instance.
fn is_file(family: &Family, text: &str) -> bool {
    !family.inline && text != "-" && !text.contains(['\n', '{'])
}

/// Whether an argument that is no instance is an existing file with an extension of the puzzle.
fn is_own_file(family: &Family, text: &str) -> bool {
    let path = Path::new(text);
    let extension = path.extension().and_then(|extension| extension.to_str());
    let is_own = |extension: &str| {
        family.extensions.iter().any(|known| known.eq_ignore_ascii_case(extension))
    };
    extension.is_some_and(is_own) && path.is_file()
}

/// Adds a hint to the message about a refused argument.
fn with_hint(failure: Failure, puzzle: &dyn AnyPuzzle, text: &str, all: &[String]) -> Failure {
    let hint = if !text.contains('\n') && Path::new(text).is_file() {
        format!("; `{text}` is a file: read its instances with --file {text}")
    } else if all.len() > 1 && argument(puzzle, "", &all.join(" ")).is_ok() {
        "; the arguments together are one instance: write it in quotes".to_owned()
    } else {
        return failure;
    };
    Failure::new(failure.code, failure.message + &hint)
}

/// Reads one instance given as an argument (`-` is standard input).
pub(crate) fn one(
    family: &Family,
    puzzle: &dyn AnyPuzzle,
    text: &str,
) -> Result<Box<dyn Instance>, Failure> {
    let of_file = |path: &Path| {
        let mut named = Entries::new(puzzle, file(puzzle, path)?).into_named()?;
        match named.len() {
            1 => Ok(named.swap_remove(0).instance),
            n => {
                Err(Failure::new(INPUT, format!("{}: {n} instances, expected one", name_of(path))))
            }
        }
    };
    if is_file(family, text) {
        return of_file(Path::new(text));
    }
    if text == "-" {
        return Ok(argument(puzzle, "standard input", &read(Path::new("-"))?)?.1);
    }
    match argument(puzzle, "instance", text) {
        Err(_) if is_own_file(family, text) => of_file(Path::new(text)),
        Err(failure) => Err(with_hint(failure, puzzle, text, &[])),
        Ok((_, instance)) => Ok(instance),
    }
}

/// Reads all instances. A refused instance is an entry of its own, unless all of them are refused.
///
/// # Errors
/// A file that cannot be read, a range without deals, no instance at all.
pub(crate) fn all<'p>(
    family: &Family,
    puzzle: &'p dyn AnyPuzzle,
    options: &Instances,
) -> Result<Entries<'p>, Failure> {
    let mut entries = Entries::new(puzzle, Vec::new());
    if let Some((first, last)) = options.deals {
        // The last deal is made first: a range that leads too far is refused before any work.
        for number in [last, first] {
            let deal = puzzle.deal(number).ok_or_else(|| {
                Failure::new(UNSUPPORTED, format!("{} has no numbered deals", family.info.name))
            })?;
            deal.map_err(|why| Failure::new(INPUT, format!("--deals: {why}")))?;
        }
        entries.deals = Some(first..=last);
    }
    let mut files = options.file.clone();
    for (i, text) in options.instances.iter().enumerate() {
        if text == "-" || is_file(family, text) {
            files.push(PathBuf::from(text));
            continue;
        }
        let source = format!("instance {}", i + 1);
        let number = (i + 1).to_string();
        entries.others.push(match argument(puzzle, &source, text) {
            Ok((id, instance)) => {
                let id = id.or_else(|| instance.name()).unwrap_or(number);
                Ok(Named::new(id, instance))
            }
            Err(_) if is_own_file(family, text) => {
                files.push(PathBuf::from(text));
                continue;
            }
            Err(failure) => {
                let failure = with_hint(failure, puzzle, text, &options.instances);
                Err(Refused::new(number, text, &failure.message))
            }
        });
    }
    if options.instances.is_empty() && files.is_empty() && options.deals.is_none() {
        if std::io::stdin().is_terminal() {
            let message = "no instance given: as an argument, with --file, or on standard input";
            return Err(Failure::new(USAGE, message));
        }
        files.push(PathBuf::from("-"));
    }
    for path in &files {
        entries.others.extend(file(puzzle, path)?);
    }
    // Several files may use the same names.
    entries.name_apart();
    let is_read = entries.deals() > 0 || entries.others.iter().any(Result::is_ok);
    match (is_read, entries.others.first()) {
        (false, Some(Err(first))) => {
            let mut failure = first.failure();
            if entries.len() > 1 && options.instances.is_empty() {
                failure.message += &format!(" (none of {} instances is read)", entries.len());
            }
            Err(failure)
        }
        _ => Ok(entries),
    }
}

/// Reads all instances for a command that needs each of them.
///
/// # Errors
/// Errors of [`all`], and the first refused instance.
pub(crate) fn strict(
    family: &Family,
    puzzle: &dyn AnyPuzzle,
    options: &Instances,
) -> Result<Vec<Named>, Failure> {
    all(family, puzzle, options)?.into_named()
}

/// The instance of a name, or the only one.
pub(crate) fn pick(mut named: Vec<Named>, id: Option<&str>) -> Result<Box<dyn Instance>, Failure> {
    let ids: Vec<&str> = named.iter().map(|named| &*named.id).collect();
    let at = match id {
        Some(id) => ids.iter().position(|known| *known == id),
        None => Some(0).filter(|_| ids.len() == 1),
    };
    let Some(at) = at else {
        const SHOWN: usize = 10;
        let more = if ids.len() > SHOWN { ", …" } else { "" };
        let known = ids[..ids.len().min(SHOWN)].join(", ");
        let message = match id {
            Some(id) => format!("--id {id}: no instance has this name (known: {known}{more})"),
            None => format!("{} instances: choose one with --id ({known}{more})", ids.len()),
        };
        return Err(Failure::new(USAGE, message));
    };
    Ok(named.swap_remove(at).instance)
}

/// The instances of a file with their solutions: records, or a file of the puzzle with solutions.
///
/// # Errors
/// The first instance or record that is refused, or a record of another puzzle.
pub(crate) fn with_solutions(
    family: &Family,
    puzzle: &dyn AnyPuzzle,
    path: &Path,
) -> Result<Vec<Named>, Failure> {
    let (name, content) = (name_of(path), read(path)?);
    if !is_of_records(&content) {
        return input::load(puzzle, &content).map_err(|error| refused(&name, &error));
    }
    let mut named = Vec::new();
    for (i, row) in solved(&name, &content)?.into_iter().enumerate() {
        let id = if row.id.is_empty() { (i + 1).to_string() } else { row.id };
        let of = Spec::parse(&row.puzzle);
        if of.is_ok_and(|spec| spec.name() != family.info.name) {
            let message = format!(
                "{name}: the record of `{id}` is of {}, not of {}",
                row.puzzle, family.info.name
            );
            return Err(Failure::new(INPUT, message));
        }
        let instance = puzzle.load(&row.instance);
        let instance = instance.map_err(|error| refused(&format!("{name}: {id}"), &error))?;
        named.push(Named {
            solution: row.solution.filter(|solution| !solution.trim().is_empty()),
            ..Named::new(id, instance)
        });
    }
    Ok(named)
}
