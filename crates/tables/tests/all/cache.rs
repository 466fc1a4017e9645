//! The cache folder: one build per table, with other threads and processes, and with leftovers in
//! the folder.

use std::{
    collections::HashMap,
    fs::{self, File},
    path::{Path, PathBuf},
    process::Command,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};
use tempfile::TempDir;
use unriddle_tables::{Build, Cache, Policy, Store, Table, TableError, Work, cache::Event};
use unriddle_tiles::sliding::Pattern;

/// A table that takes its time and counts how often it is built.
struct Slow {
    builds: AtomicUsize,
    /// A folder to leave a mark in, one file per build.
    marks: Option<PathBuf>,
}

impl Slow {
    fn new() -> Self {
        Self { builds: AtomicUsize::new(0), marks: None }
    }
    fn builds(&self) -> usize {
        self.builds.load(Ordering::Relaxed)
    }
}

const PAYLOAD: [u8; 3] = [0x21, 0x43, 0x05];

impl Build for Slow {
    fn key(&self) -> String {
        "slow".into()
    }
    fn file_stem(&self) -> String {
        "slow".into()
    }
    fn entries(&self) -> u64 {
        5
    }
    fn build(&self, work: &Work<'_>) -> Result<Vec<u8>, TableError> {
        self.builds.fetch_add(1, Ordering::Relaxed);
        if let Some(folder) = &self.marks {
            let mark = folder.join(std::process::id().to_string());
            fs::write(mark, "").expect("a writable folder");
        }
        for done in 0..10 {
            if !work.goes_on(done, 10) {
                return Err(TableError::Cancelled);
            }
            thread::sleep(Duration::from_millis(10));
        }
        Ok(PAYLOAD.to_vec())
    }
}

fn folder() -> TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

fn cache(folder: &Path, policy: Policy) -> Cache {
    Cache::new(Some(folder.to_owned()), 1, policy)
}

/// Words of the events that an observer received.
type Log = Arc<Mutex<Vec<String>>>;

/// A cache in a folder that writes its events down.
fn observed(folder: &Path, policy: Policy) -> (Cache, Log) {
    events(cache(folder, policy))
}

/// The same cache, which writes its events down.
fn events(cache: Cache) -> (Cache, Log) {
    let log = Log::default();
    let shared = Arc::clone(&log);
    let cache = cache.with_observer(Box::new(move |key, event| {
        let word = match event {
            Event::Waiting => "waiting",
            Event::Building { .. } => "building",
            Event::Progress(_) => return true,
            Event::Built { stored: Ok(_) } => "stored",
            Event::Built { stored: Err(_) } => "not stored",
            Event::Opened => "opened",
            Event::Stale { .. } => "stale",
            Event::TooSlow => "too slow",
        };
        shared.lock().expect("no panic").push(format!("{key} {word}"));
        true
    }));
    (cache, log)
}

fn words(log: &Log) -> Vec<String> {
    std::mem::take(&mut *log.lock().expect("no panic"))
}

fn names(folder: &Path) -> Vec<String> {
    let listing = fs::read_dir(folder).expect("a folder");
    let name = |e: std::io::Result<fs::DirEntry>| e.expect("a file").file_name();
    let mut names: Vec<String> = listing.map(|e| name(e).to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn a_table_is_built_stored_and_opened() {
    let folder = folder();
    let inner = folder.path().join("made/when/needed");
    let slow = Slow::new();
    let (first, log) = observed(&inner, Policy::Reuse);
    assert_eq!(first.entries().expect("no folder is an empty one").len(), 0);
    let table = first.get(&slow).expect("a table");
    assert_eq!(table.packed(), PAYLOAD);
    assert_eq!(words(&log), ["slow building", "slow stored"]);
    // Once opened it is shared.
    assert!(Arc::ptr_eq(&table, &first.get(&slow).expect("a table")));
    assert_eq!(words(&log), [""; 0]);
    // Another process opens the file.
    let (second, log) = observed(&inner, Policy::Reuse);
    assert_eq!(second.get(&slow).expect("a table").packed(), PAYLOAD);
    assert_eq!(words(&log), ["slow opened"]);
    assert_eq!(slow.builds(), 1);
    let entries = second.entries().expect("a folder");
    assert_eq!(entries.len(), 1);
    assert_eq!(entries[0].path, inner.join("slow.table"));
    assert_eq!(Some(&entries[0].path), second.path(&slow).as_ref());
    assert_eq!(entries[0].bytes, 4096 + 3);
    let header = entries[0].header.as_ref().expect("a good file");
    assert_eq!((header.key.as_str(), header.entries), ("slow", 5));
}

#[test]
fn without_a_folder_tables_stay_in_memory() {
    let cache = Cache::new(None, 1, Policy::Reuse);
    let slow = Slow::new();
    let table = cache.get(&slow).expect("a table");
    assert!(Arc::ptr_eq(&table, &cache.get(&slow).expect("a table")));
    assert_eq!((table.packed(), slow.builds()), (&PAYLOAD[..], 1));
    assert!(cache.path(&slow).is_none() && cache.folder().is_none());
    assert_eq!(cache.entries().expect("nothing").len(), 0);
    assert_eq!(cache.clean().expect("nothing"), (0, 0));
}

#[test]
fn threads_with_one_cache_build_once() {
    let folder = folder();
    let cache = cache(folder.path(), Policy::Reuse);
    let slow = Slow::new();
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| assert_eq!(cache.get(&slow).expect("a table").packed(), PAYLOAD));
        }
    });
    assert_eq!(slow.builds(), 1);
}

/// The lock of a file belongs to whoever opened it, so that two caches of one process lock each
/// other out as two processes do.
#[test]
fn caches_of_one_folder_build_once() {
    let folder = folder();
    let slow = Slow::new();
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let (cache, log) = observed(folder.path(), Policy::Reuse);
                assert_eq!(cache.get(&slow).expect("a table").packed(), PAYLOAD);
                let words = words(&log);
                assert!(
                    words == ["slow building", "slow stored"]
                        || words == ["slow waiting", "slow opened"]
                        || words == ["slow opened"],
                    "{words:?}"
                );
            });
        }
    });
    assert_eq!(slow.builds(), 1);
}

const FOLDER: &str = "UNRIDDLE_CACHE_TEST";

/// Work of every process of the next test.
#[test]
#[ignore = "run by processes_build_once"]
fn one_process() {
    let Some(folder) = std::env::var_os(FOLDER).map(PathBuf::from) else {
        return;
    };
    let slow = Slow { marks: Some(folder.join("marks")), ..Slow::new() };
    let cache = cache(&folder.join("cache"), Policy::Reuse);
    assert_eq!(cache.get(&slow).expect("a table").packed(), PAYLOAD);
}

#[test]
fn processes_build_once() {
    let folder = folder();
    let marks = folder.path().join("marks");
    fs::create_dir(&marks).expect("a writable folder");
    let program = std::env::current_exe().expect("this program");
    let start = |_| {
        Command::new(&program)
            .args(["--exact", "cache::one_process", "--ignored", "--quiet"])
            .env(FOLDER, folder.path())
            .stdout(std::process::Stdio::null())
            .spawn()
            .expect("this program runs")
    };
    let children: Vec<_> = (0..3).map(start).collect();
    for mut child in children {
        assert!(child.wait().expect("it ends").success());
    }
    assert_eq!(names(&marks).len(), 1);
}

/// Leftovers of a killed process: a lock that nobody holds, and the beginning of a file.
#[test]
fn leftovers_do_no_harm() {
    let folder = folder();
    fs::write(folder.path().join("slow.lock"), "old").expect("a writable folder");
    fs::write(folder.path().join("slow.partial"), vec![7; 100_000]).expect("a writable folder");
    let slow = Slow::new();
    let cache = cache(folder.path(), Policy::Reuse);
    assert_eq!(cache.get(&slow).expect("a table").packed(), PAYLOAD);
    assert_eq!(names(folder.path()), ["slow.lock", "slow.table"]);
    let again = Cache::new(Some(folder.path().to_owned()), 1, Policy::Reuse);
    assert_eq!(again.get(&slow).expect("a table").packed(), PAYLOAD);
    assert_eq!(slow.builds(), 1);
}

/// Nothing can be stored below a file, whoever asks.
#[test]
fn where_no_folder_can_be_the_table_stays_in_memory() {
    let folder = folder();
    let file = folder.path().join("file");
    fs::write(&file, "").expect("a writable folder");
    let (cache, log) = observed(&file.join("cache"), Policy::Reuse);
    let slow = Slow::new();
    let table = cache.get(&slow).expect("a table in memory");
    assert_eq!(table.packed(), PAYLOAD);
    assert_eq!(words(&log), ["slow building", "slow not stored"]);
    assert!(Arc::ptr_eq(&table, &cache.get(&slow).expect("a table")));
}

/// The lock can be had, the file cannot be written.
#[test]
fn a_table_that_cannot_be_stored_stays_in_memory() {
    let folder = folder();
    fs::create_dir(folder.path().join("slow.partial")).expect("a writable folder");
    let (cache, log) = observed(folder.path(), Policy::Reuse);
    assert_eq!(cache.get(&Slow::new()).expect("a table in memory").packed(), PAYLOAD);
    assert_eq!(words(&log), ["slow building", "slow not stored"]);
    assert_eq!(names(folder.path()), ["slow.lock", "slow.partial"]);
}

#[cfg(unix)]
#[test]
fn a_read_only_folder_serves_its_tables() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder();
    let pattern = Pattern::new(2, &[0, 1], 3).expect("a pattern");
    cache(folder.path(), Policy::Reuse).get(&pattern).expect("a table");
    let set = |mode| fs::set_permissions(folder.path(), fs::Permissions::from_mode(mode));
    set(0o555).expect("our own folder");
    // Permissions do not bind every user.
    let binds = File::create(folder.path().join("probe")).is_err();
    let (cache, log) = observed(folder.path(), Policy::Reuse);
    cache.get(&pattern).expect("the stored table");
    assert_eq!(words(&log), [format!("{} opened", pattern.key())]);
    let table = cache.get(&Slow::new());
    set(0o755).expect("our own folder");
    assert_eq!(table.expect("a table").packed(), PAYLOAD);
    let stored = if binds { "slow not stored" } else { "slow stored" };
    assert_eq!(words(&log), ["slow building", stored]);
}

#[test]
fn a_broken_file_is_refused_and_named_until_it_is_rebuilt() {
    let folder = folder();
    let slow = Slow::new();
    let path = folder.path().join("slow.table");
    cache(folder.path(), Policy::Reuse).get(&slow).expect("a table");
    let mut bytes = fs::read(&path).expect("a file");
    *bytes.last_mut().expect("bytes") ^= 1;
    fs::write(&path, &bytes).expect("a writable file");
    match cache(folder.path(), Policy::Reuse).get(&slow).expect_err("a broken file") {
        TableError::Unusable { path: named, reason } => {
            assert_eq!(named, path);
            assert!(matches!(*reason, TableError::Corrupted("entries")));
        }
        other => panic!("{other}"),
    }
    let (rebuild, log) = observed(folder.path(), Policy::Rebuild);
    rebuild.get(&slow).expect("a table");
    rebuild.get(&slow).expect("the same table");
    assert_eq!(words(&log), ["slow building", "slow stored"]);
    assert_eq!(slow.builds(), 2);
    let table = cache(folder.path(), Policy::Reuse).get(&slow).expect("a good file again");
    assert_eq!((table.packed(), slow.builds()), (&PAYLOAD[..], 2));
}

/// A table that is in use is replaced by a new file, not written over.
#[test]
fn rebuilding_keeps_tables_in_use() {
    let folder = folder();
    let slow = Slow::new();
    let old = cache(folder.path(), Policy::Reuse).get(&slow).expect("a table");
    let new = cache(folder.path(), Policy::Rebuild).get(&slow).expect("a table");
    assert_eq!((old.packed(), new.packed()), (&PAYLOAD[..], &PAYLOAD[..]));
}

#[test]
fn a_file_of_something_else_is_refused() {
    let folder = folder();
    let pattern = Pattern::new(2, &[0, 1], 3).expect("a pattern");
    let cache = cache(folder.path(), Policy::Reuse);
    cache.get(&pattern).expect("a table");
    let (from, to) = (cache.path(&pattern), cache.path(&Slow::new()));
    fs::copy(from.expect("a path"), to.expect("a path")).expect("a writable folder");
    let error = cache.get(&Slow::new()).expect_err("another table");
    assert!(matches!(
        error,
        TableError::Unusable { reason, .. } if matches!(*reason, TableError::WrongKey { .. })
    ));
}

#[test]
fn cancelling_leaves_nothing() {
    let folder = folder();
    for wanted in 0..2 {
        let cache = cache(folder.path(), Policy::Reuse).with_observer(Box::new(move |_, e| {
            !matches!((e, wanted), (Event::Building { .. }, 0) | (Event::Progress(_), 1))
        }));
        assert!(matches!(cache.get(&Slow::new()), Err(TableError::Cancelled)));
        assert_eq!(names(folder.path()), ["slow.lock"]);
    }
    // The cache is as good as new.
    cache(folder.path(), Policy::Reuse).get(&Slow::new()).expect("a table");
}

#[test]
fn cleaning_removes_tables_and_leftovers() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    let cache = cache(folder.path(), Policy::Reuse);
    let pattern = Pattern::new(2, &[0, 1], 3).expect("a pattern");
    let table = cache.get(&pattern).expect("a table");
    fs::write(at("broken.table"), "no table").expect("a writable folder");
    fs::write(at("killed.partial"), [0; 100]).expect("a writable folder");
    fs::write(at("notes.txt"), "mine").expect("a writable folder");
    let entries = cache.entries().expect("a folder");
    assert_eq!(entries.len(), 2);
    assert!(matches!(entries[0].header, Err(TableError::Foreign)));
    // A table that another process is just building stays.
    fs::write(at("busy.partial"), "half").expect("a writable folder");
    let lock = File::create(at("busy.lock")).expect("a writable folder");
    lock.lock().expect("nobody else holds it");
    let (bytes, files) = cache.clean().expect("a writable folder");
    assert_eq!((bytes, files), (4096 + table.bytes() + 8 + 100, 3));
    assert_eq!(names(folder.path()), ["busy.lock", "busy.partial", "notes.txt"]);
    // Mapped tables outlive their files.
    assert_eq!(table.entries(), 12);
    drop(lock);
    assert_eq!(cache.clean().expect("a writable folder"), (4, 1));
    assert_eq!(names(folder.path()), ["notes.txt"]);
}

/// Counts levels 0 to 9, keeps its state after each, and notes in `first` the level that it began
/// with.
struct Levels {
    first: AtomicUsize,
}

impl Build for Levels {
    fn key(&self) -> String {
        "levels".into()
    }
    fn file_stem(&self) -> String {
        "levels".into()
    }
    fn entries(&self) -> u64 {
        5
    }
    fn build(&self, work: &Work<'_>) -> Result<Vec<u8>, TableError> {
        let kept = work.resume(&mut |from| {
            let mut level = [0];
            from.read_exact(&mut level)?;
            Ok(level[0])
        });
        let first = kept.unwrap_or(0);
        self.first.store(first.into(), Ordering::Relaxed);
        for level in first..10 {
            if !work.goes_on(level.into(), 10) {
                return Err(TableError::Cancelled);
            }
            work.keep(&mut |to| to.write_all(&[level + 1]));
        }
        Ok(PAYLOAD.to_vec())
    }
}

/// A build resumes from a saved state if the state is complete and belongs to the same table.
/// Afterwards the state is gone.
#[test]
fn a_build_resumes_from_its_saved_state() {
    let folder = folder();
    let file = folder.path().join("levels.unfinished");
    let until = |last: u64| {
        Cache::new(Some(folder.path().into()), 1, Policy::Reuse)
            .keeping(Duration::ZERO)
            .with_observer(Box::new(
                move |_, event| !matches!(event, Event::Progress(p) if p.done >= last),
            ))
    };
    let levels = Levels { first: AtomicUsize::new(99) };
    let began = |last| {
        let built = until(last).get(&levels).is_ok();
        (built, levels.first.load(Ordering::Relaxed))
    };
    assert_eq!(began(4), (false, 0));
    assert!(file.exists());
    assert_eq!(began(7), (false, 4));
    let whole = fs::read(&file).expect("it was kept");
    // A byte that is wrong anywhere, or the end missing: the build begins anew.
    for at in [0, 9, whole.len() - 10, whole.len() - 1] {
        let mut broken = whole.clone();
        broken[at] ^= 1;
        fs::write(&file, &broken).expect("a writable folder");
        assert_eq!(began(0), (false, 0), "byte {at}");
        fs::write(&file, &whole[..at]).expect("a writable folder");
        assert_eq!(began(0), (false, 0), "byte {at}");
    }
    fs::write(&file, &whole).expect("a writable folder");
    assert_eq!(began(100), (true, 7));
    assert!(!file.exists());
    // Nothing is kept before its time.
    let seldom = Cache::new(Some(folder.path().into()), 1, Policy::Rebuild);
    assert!(seldom.get(&levels).is_ok() && !file.exists());
}

/// A table that does not fit is rejected before it is built.
#[test]
fn a_table_that_does_not_fit_is_rejected() {
    struct Huge;
    impl Build for Huge {
        fn key(&self) -> String {
            "huge".into()
        }
        fn file_stem(&self) -> String {
            "huge".into()
        }
        fn entries(&self) -> u64 {
            u64::MAX
        }
        fn build(&self, _: &Work<'_>) -> Result<Vec<u8>, TableError> {
            unreachable!("there is no such machine")
        }
    }
    let cache = Cache::new(None, 1, Policy::Reuse);
    assert!(matches!(cache.has_room(&Huge), Err(TableError::NoRoom { .. })));
    let Err(error) = cache.get(&Huge) else {
        panic!("it was built");
    };
    let said = error.to_string();
    assert!(said.contains("the table (huge) does not fit"), "{said}");
}

/// Pattern of version 1, whose version and entries can be changed.
#[derive(Clone)]
struct Versioned {
    version: u32,
    entries: Vec<u8>,
    /// Whether an opened table must have these entries.
    is_checked: bool,
}

impl Build for Versioned {
    fn key(&self) -> String {
        "versioned".into()
    }
    fn file_stem(&self) -> String {
        "versioned".into()
    }
    fn version(&self) -> u32 {
        self.version
    }
    fn entries(&self) -> u64 {
        2 * self.entries.len() as u64
    }
    fn build(&self, work: &Work<'_>) -> Result<Vec<u8>, TableError> {
        let kept = work.resume(&mut |from| {
            let mut entries = vec![0; self.entries.len()];
            from.read_exact(&mut entries)?;
            Ok(entries)
        });
        let entries = kept.unwrap_or_else(|| self.entries.clone());
        work.keep(&mut |to| to.write_all(&entries));
        match work.goes_on(1, 1) {
            true => Ok(entries),
            false => Err(TableError::Cancelled),
        }
    }
    fn check(&self, table: &unriddle_tables::Table) -> Result<(), String> {
        match !self.is_checked || table.packed() == self.entries {
            true => Ok(()),
            false => Err("entry 0 is wrong".into()),
        }
    }
}

/// A stale table is built again, with a note. The new one is stored.
#[test]
fn stale_tables_are_built_again() {
    let folder = folder();
    let old = Versioned { version: 1, entries: vec![1, 2], is_checked: true };
    let changes = [
        ("version", Versioned { version: 2, ..old.clone() }),
        ("entries", Versioned { version: 2, entries: vec![2, 2], is_checked: true }),
        ("size", Versioned { version: 2, entries: vec![2, 2, 2], is_checked: false }),
    ];
    let get = |what: &Versioned| {
        let (cache, log) = observed(folder.path(), Policy::Reuse);
        let table = cache.get(what).expect("a table");
        assert_eq!(table.packed(), what.entries);
        words(&log)
    };
    assert_eq!(get(&old), ["versioned building", "versioned stored"]);
    assert_eq!(get(&old), ["versioned opened"]);
    for (name, new) in changes {
        let again = ["versioned stale", "versioned building", "versioned stored"];
        assert_eq!(get(&new), again, "{name}");
        assert_eq!(get(&new), ["versioned opened"], "{name}");
    }
}

/// A saved state of other rules is noticed, and the build begins anew.
#[test]
fn a_saved_state_of_other_rules_is_not_used() {
    let folder = folder();
    let cache = |goes_on: bool| {
        Cache::new(Some(folder.path().into()), 1, Policy::Reuse)
            .keeping(Duration::ZERO)
            .with_observer(Box::new(move |_, event| {
                goes_on || !matches!(event, Event::Progress(_))
            }))
    };
    let old = Versioned { version: 0, entries: vec![1, 2], is_checked: true };
    assert!(matches!(cache(false).get(&old), Err(TableError::Cancelled)));
    assert!(folder.path().join("versioned.unfinished").exists());
    let new = Versioned { entries: vec![3, 4], ..old };
    assert_eq!(cache(true).get(&new).expect("a table").packed(), [3, 4]);
}

/// Entries that differ from the rules right after the build belong to a builder that is wrong.
#[test]
fn a_builder_that_contradicts_its_rules_is_refused() {
    struct Wrong(Versioned);
    impl Build for Wrong {
        fn key(&self) -> String {
            "wrong".into()
        }
        fn file_stem(&self) -> String {
            "wrong".into()
        }
        fn entries(&self) -> u64 {
            self.0.entries()
        }
        fn build(&self, work: &Work<'_>) -> Result<Vec<u8>, TableError> {
            self.0.build(work)
        }
        fn check(&self, _: &unriddle_tables::Table) -> Result<(), String> {
            Err("rank 3 is too far".into())
        }
    }
    let wrong = Wrong(Versioned { version: 0, entries: vec![1], is_checked: false });
    let error = Cache::new(None, 1, Policy::Reuse).get(&wrong).expect_err("a wrong builder");
    assert_eq!(error.to_string(), "wrong: rank 3 is too far");
}

/// A table that the memory limit of a solve forbids is not built, and the message names it.
#[test]
fn tables_beyond_the_memory_limit_are_not_built() {
    let table = |entries| Versioned { version: 0, entries, is_checked: false };
    let (small, large) = (table(vec![0; 40]), Slow::new());
    let (cache, log) = observed(folder().path(), Policy::Reuse);
    for limit in [0, 1, 3] {
        let error = cache.within(Some(limit)).get(&large).expect_err("a limit");
        let TableError::OverLimit { ref key, bytes: 3, others: 0, limit: named } = error else {
            panic!("{error}");
        };
        assert_eq!((&**key, named), ("slow", limit));
        let text = error.to_string();
        assert!(text.contains("the table (slow) takes 3 bytes"), "{text}");
        assert!(matches!(
            cache.within(Some(limit)).has_room(&large),
            Err(TableError::OverLimit { .. })
        ));
    }
    assert_eq!(words(&log), [""; 0]);
    // The limit is of all tables together; a table that is asked for again counts once.
    let limited = cache.within(Some(42));
    for _ in 0..2 {
        limited.get(&large).expect("a table within the limit");
    }
    let error = limited.get(&small).expect_err("a limit");
    assert!(error.to_string().contains("40 bytes beside 3 bytes of other tables"), "{error}");
    assert!(limited.admit([&small as &dyn Build]).is_err());
    let all: [&dyn Build; 2] = [&large, &small];
    assert!(cache.within(Some(43)).admit(all).is_err());
    assert!(cache.within(Some(44)).admit(all).is_ok());
    assert!(cache.within(None).admit(all).is_ok());
    assert_eq!(words(&log), ["slow building", "slow stored"]);
    // Open tables are shared with other solves.
    cache.within(Some(44)).get(&large).expect("an open table");
    assert_eq!(words(&log), [""; 0]);
}

/// A table that a solve can do without is given up if its build would take too long.
#[test]
fn slow_builds_are_given_up() {
    let slow = Slow::new();
    let (cache, log) = observed(folder().path(), Policy::Reuse);
    for _ in 0..2 {
        let table = cache.within(Some(4)).get_soon(&slow, Duration::from_nanos(1));
        assert!(table.expect("no error").is_none());
    }
    // The second one was not even begun.
    assert_eq!(
        (words(&log), slow.builds()),
        (vec!["slow building".to_owned(), "slow too slow".to_owned()], 1)
    );
    // Who needs the table waits for it.
    assert_eq!(cache.get(&slow).expect("a table").packed(), PAYLOAD);
    let (cache, log) = observed(folder().path(), Policy::Reuse);
    let table = cache.get_soon(&slow, Duration::from_secs(3600)).expect("no error");
    assert_eq!(table.expect("enough time").packed(), PAYLOAD);
    assert_eq!(words(&log), ["slow building", "slow stored"]);
}

/// An impossible folder: the table is used from memory.
#[cfg(target_os = "linux")]
#[test]
fn a_folder_without_space_does_not_refuse_tables() {
    let (cache, log) = observed(Path::new("/proc/x"), Policy::Reuse);
    let slow = Slow::new();
    assert_eq!(cache.get(&slow).expect("a table in memory").packed(), PAYLOAD);
    assert_eq!(words(&log), ["slow building", "slow not stored"]);
}

/// Fifos with the names of a table, of its lock and of a saved state make nobody wait.
#[cfg(unix)]
#[test]
fn fifos_in_the_cache_folder_make_nobody_wait() {
    let folder = folder();
    let fifo = |name: &str| {
        let path = folder.path().join(name);
        let made = Command::new("mkfifo").arg(&path).status();
        made.is_ok_and(|status| status.success()).then_some(path)
    };
    let Some(path) = fifo("slow.table") else { return };
    let error = cache(folder.path(), Policy::Reuse).get(&Slow::new()).expect_err("a fifo");
    assert!(matches!(error, TableError::NotAFile(named) if named == path));
    let entries = cache(folder.path(), Policy::Reuse).entries().expect("a folder");
    assert!(matches!(entries[0].header, Err(TableError::NotAFile(_))));
    fs::remove_file(&path).expect("our own file");
    fifo("slow.lock");
    let (cache, log) = observed(folder.path(), Policy::Reuse);
    assert_eq!(cache.get(&Slow::new()).expect("a table in memory").packed(), PAYLOAD);
    assert_eq!(words(&log), ["slow building", "slow not stored"]);
    fs::remove_file(folder.path().join("slow.lock")).expect("our own file");
    fifo("levels.unfinished");
    let levels = Levels { first: AtomicUsize::new(99) };
    assert_eq!(cache.get(&levels).expect("a table").packed(), PAYLOAD);
}

/// A store in memory, which writes down the keys that it is asked for.
#[derive(Default)]
struct Memory {
    stored: Mutex<HashMap<String, Vec<u8>>>,
    asked: Log,
}

impl Memory {
    fn with(key: &str, bytes: Vec<u8>) -> Arc<Self> {
        let store = Self::default();
        store.stored.lock().expect("no panic").insert(key.to_owned(), bytes);
        Arc::new(store)
    }

    fn bytes(&self, key: &str) -> Option<Vec<u8>> {
        self.stored.lock().expect("no panic").get(key).cloned()
    }
}

impl Store for Memory {
    fn announce(&self, key: &str) {
        self.asked.lock().expect("no panic").push(format!("{key} announced"));
    }

    fn read(&self, key: &str) -> Option<Vec<u8>> {
        self.asked.lock().expect("no panic").push(format!("{key} read"));
        self.bytes(key)
    }

    fn write(&self, key: &str, header: Vec<u8>, table: &Arc<Table>) {
        let bytes = [&header, table.packed()].concat();
        self.stored.lock().expect("no panic").insert(key.to_owned(), bytes);
    }
}

/// A cache without a folder, with a store.
fn stored(store: &Arc<Memory>) -> (Cache, Log) {
    let (cache, log) = events(Cache::new(None, 1, Policy::Reuse));
    (cache.with_store(Arc::<Memory>::clone(store)), log)
}

#[test]
fn a_store_gives_a_table_to_the_next_cache() {
    let (store, slow) = (Arc::new(Memory::default()), Slow::new());
    let (first, log) = stored(&store);
    let table = first.get(&slow).expect("a table");
    assert_eq!(words(&log), ["slow building"]);
    assert!(Arc::ptr_eq(&table, &first.get(&slow).expect("a table")));
    assert_eq!(store.bytes("slow").map(|bytes| bytes.len()), Some(4096 + 3));
    // Announced are the tables of a solve with a limit of memory.
    let (second, log) = stored(&store);
    let second = second.within(Some(1_000));
    words(&store.asked);
    second.admit([&slow as &dyn Build]).expect("a small table");
    assert_eq!(second.get(&slow).expect("a table").packed(), PAYLOAD);
    assert_eq!(words(&log), ["slow opened"]);
    assert_eq!(
        (words(&store.asked).join(", "), slow.builds()),
        ("slow announced, slow read".into(), 1)
    );
    // The stored form is a file.
    let folder = folder();
    let path = folder.path().join("slow.table");
    fs::write(&path, store.bytes("slow").expect("a stored table")).expect("a writable folder");
    assert_eq!(cache(folder.path(), Policy::Reuse).get(&slow).expect("a table").packed(), PAYLOAD);
    assert_eq!(slow.builds(), 1);
}

#[test]
fn a_damaged_or_stale_table_of_a_store_is_built_again() {
    let store = Arc::new(Memory::default());
    stored(&store).0.get(&Slow::new()).expect("a table");
    let good = store.bytes("slow").expect("a stored table");
    let folder = folder();
    let stale = |key: &str, version, entries, payload: &[u8]| {
        let path = folder.path().join("made.table");
        unriddle_tables::file::write_version(&path, key, version, entries, payload)
            .expect("a writable folder");
        fs::read(path).expect("a readable file")
    };
    let mut flipped = good.clone();
    flipped[4097] ^= 1;
    for bytes in [
        flipped,
        good[..good.len() - 1].to_vec(),
        [&good[..], &[0]].concat(),
        good[..100].to_vec(),
        Vec::new(),
        stale("slower", 0, 5, &PAYLOAD),
        stale("slow", 1, 5, &PAYLOAD),
        stale("slow", 0, 3, &[1, 2]),
    ] {
        let (store, slow) = (Memory::with("slow", bytes), Slow::new());
        let (cache, log) = stored(&store);
        assert_eq!(cache.get(&slow).expect("a table").packed(), PAYLOAD);
        assert_eq!(words(&log), ["slow stale", "slow building"]);
        assert_eq!(store.bytes("slow").as_ref(), Some(&good));
    }
}
