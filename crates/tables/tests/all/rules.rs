//! Tables and rules: costs of actions, and rules that change under a stored table.

use std::{
    fs,
    path::Path,
    sync::{Arc, Mutex},
};
use unriddle_core::{Backward, Cost, GoalPuzzle, Heuristic, Numbers, Puzzle};
use unriddle_tables::{
    Build, Cache, Database, Distances, Pattern, Policy, TableError, Width, cache::Event, file,
};

const MARKS: u8 = 60;

/// Two dials with sixty marks. An action turns the first dial, the second, or both, by `by` marks.
#[derive(Clone, Copy)]
struct Dials {
    by: u8,
    /// Costs of the three actions.
    costs: [Cost; 3],
}

const UNIT: Dials = Dials { by: 1, costs: [1, 1, 1] };

impl Dials {
    fn turned(self, state: [u8; 2], dial: u8, by: u8) -> [u8; 2] {
        let turn = |index: u8| match dial == 2 || dial == index {
            true => (state[usize::from(index)] + by) % MARKS,
            false => state[usize::from(index)],
        };
        [turn(0), turn(1)]
    }
}

impl Puzzle for Dials {
    type State = [u8; 2];
    type Action = u8;
    type Actions = Numbers;

    fn initial_state(&self) -> [u8; 2] {
        [1, 1]
    }
    fn actions(&self, _: &[u8; 2]) -> Numbers {
        Numbers::new(0, 2)
    }
    fn apply(&self, state: &[u8; 2], dial: u8) -> [u8; 2] {
        self.turned(*state, dial, self.by)
    }
}

impl GoalPuzzle for Dials {
    fn is_goal(&self, state: &[u8; 2]) -> bool {
        *state == [0, 0]
    }
    fn action_cost(&self, _: &[u8; 2], dial: u8) -> Cost {
        self.costs[usize::from(dial)]
    }
}

impl Backward for Dials {
    fn predecessors(&self, state: &[u8; 2], visit: &mut dyn FnMut([u8; 2], u8)) {
        for dial in 0..3 {
            visit(self.turned(*state, dial, MARKS - self.by), dial);
        }
    }
    fn goal_states(&self) -> Vec<[u8; 2]> {
        vec![[0, 0]]
    }
}

/// The whole state.
#[derive(Clone, Copy)]
struct Both {
    version: u32,
    least: Cost,
}

const BOTH: Both = Both { version: 0, least: 1 };

impl Pattern<Dials> for Both {
    fn name(&self) -> String {
        "two-dials".to_owned()
    }
    fn version(&self) -> u32 {
        self.version
    }
    fn least_cost(&self) -> Cost {
        self.least
    }
    fn ranks(&self) -> u64 {
        u64::from(MARKS).pow(2)
    }
    fn rank(&self, state: &[u8; 2]) -> u64 {
        u64::from(state[0]) * u64::from(MARKS) + u64::from(state[1])
    }
    fn unrank(&self, rank: u64) -> [u8; 2] {
        [(rank / u64::from(MARKS)) as u8, (rank % u64::from(MARKS)) as u8]
    }
    fn width(&self) -> Width {
        Width::Byte
    }
}

fn estimate(dials: Dials, pattern: Both, cache: &Cache) -> Result<Option<Cost>, TableError> {
    let database = Database::new(&dials, [pattern], cache)?;
    Ok(database.root(&dials, &dials.initial_state()).map(|(h, ())| h))
}

/// A cache in a folder, and the reasons for which it called tables stale.
fn observed(folder: &Path) -> (Cache, Arc<Mutex<Vec<String>>>) {
    let notes: Arc<Mutex<Vec<String>>> = Arc::default();
    let shared = Arc::clone(&notes);
    let cache = Cache::new(Some(folder.to_owned()), 1, Policy::Reuse);
    let cache = cache.with_observer(Box::new(move |key, event| {
        if let Event::Stale { path, why } = event {
            let note = format!("{key} at {}: {why}", path.display());
            shared.lock().expect("no panic").push(note);
        }
        true
    }));
    (cache, notes)
}

/// A turn of one dial is free, a turn of both costs 1. A table would count actions: it is refused.
#[test]
fn free_actions_have_no_tables() {
    let cache = Cache::new(None, 1, Policy::Reuse);
    let free = Dials { costs: [0, 0, 1], ..UNIT };
    let error = estimate(free, BOTH, &cache).expect_err("a free action");
    let text = error.to_string();
    assert!(matches!(error, TableError::BadPattern(_)), "{text}");
    assert!(text.contains("two-dials") && text.contains("an action costs 0"), "{text}");
    let error = estimate(free, Both { least: 0, ..BOTH }, &cache).expect_err("a free action");
    assert!(error.to_string().contains("actions that cost nothing"), "{error}");
    // One of them is enough.
    let free = Dials { costs: [2, 0, 1], ..UNIT };
    assert!(estimate(free, BOTH, &cache).is_err());
}

/// Distances are multiplied by the least cost of an action.
#[test]
fn distances_are_multiplied_by_the_least_cost() {
    let costly = Dials { costs: [3, 4, 5], ..UNIT };
    let at = |least| estimate(costly, Both { least, ..BOTH }, &Cache::new(None, 1, Policy::Reuse));
    // Both dials have 59 marks to go.
    assert_eq!(at(1).expect("a table"), Some(59));
    assert_eq!(at(3).expect("a table"), Some(177));
    let error = at(4).expect_err("a cheaper action");
    assert!(
        error.to_string().contains("an action costs 3, which is less than the least cost 4"),
        "{error}"
    );
}

/// A table of other costs is stored under the same name: the costs are looked at whenever it is
/// opened.
#[test]
fn costs_of_a_stored_table_are_noticed() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (cache, _) = observed(folder.path());
    estimate(UNIT, BOTH, &cache).expect("a table");
    let (cache, _) = observed(folder.path());
    assert!(estimate(Dials { costs: [1, 0, 1], ..UNIT }, BOTH, &cache).is_err());
}

/// The rules change under a stored table: an action turns by seven marks.
#[test]
fn changed_rules_are_noticed_without_a_new_version() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (cache, notes) = observed(folder.path());
    assert_eq!(estimate(UNIT, BOTH, &cache).expect("a table"), Some(59));
    assert_eq!(notes.lock().expect("no panic").len(), 0);
    let (cache, notes) = observed(folder.path());
    let changed = Dials { by: 7, ..UNIT };
    // 17 turns by 7 lead from 1 to 0.
    assert_eq!(estimate(changed, BOTH, &cache).expect("a table"), Some(17));
    let notes = notes.lock().expect("no panic");
    assert_eq!(notes.len(), 1);
    assert!(notes[0].starts_with("distances of the pattern two-dials at "), "{}", notes[0]);
    assert!(notes[0].contains("but an action leads from it to rank"), "{}", notes[0]);
    // The new table is stored.
    let (cache, notes) = observed(folder.path());
    assert_eq!(estimate(changed, BOTH, &cache).expect("a table"), Some(17));
    assert_eq!(notes.lock().expect("no panic").len(), 0);
}

#[test]
fn a_new_version_builds_the_table_again() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (cache, _) = observed(folder.path());
    estimate(UNIT, BOTH, &cache).expect("a table");
    let (cache, notes) = observed(folder.path());
    estimate(UNIT, Both { version: 2, ..BOTH }, &cache).expect("a table");
    let notes = notes.lock().expect("no panic");
    assert!(notes[0].contains("version 0, and the program's version 2"), "{}", notes[0]);
}

/// Every fourth entry is raised by two, with right checksums: the sum finds accidents, the
/// comparison with the rules finds this.
#[test]
fn forged_tables_are_noticed() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (cache, _) = observed(folder.path());
    let builder = Distances { puzzle: UNIT, pattern: BOTH };
    let honest = cache.get(&builder).expect("a table");
    let mut forged = honest.packed().to_vec();
    forged.iter_mut().step_by(4).skip(1).for_each(|entry| *entry += 2);
    let path = cache.path(&builder).expect("a path");
    fs::remove_file(&path).expect("our own file");
    file::write(&path, &builder.key(), builder.entries(), &forged).expect("a writable folder");
    let (cache, notes) = observed(folder.path());
    assert_eq!(cache.get(&builder).expect("a table").packed(), honest.packed());
    assert_eq!(notes.lock().expect("no panic").len(), 1);
}
