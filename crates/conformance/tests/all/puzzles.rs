//! The suites find every broken promise of a puzzle: a correct toy passes, and each of its faults
//! is found.

use std::{
    collections::BTreeSet,
    hash::{Hash, Hasher},
    sync::atomic::{AtomicU32, Ordering},
};
use unriddle_conformance::{
    Subject, Violation, backward, features, goal, notation, puzzle, ranked, reading, reversible,
    symmetric,
};
use unriddle_core::{
    Backward, Cost, Features, GoalPuzzle, Notation, ParseError, Puzzle, Ranked, Reversible,
    Symmetric, text,
};

/// Fault of a dial.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fault {
    None,
    /// `is_inverse` takes a second turn for one back.
    Inverse,
    /// `actions_after` leaves out a turn further.
    LeftOut,
    /// The successor of an action is not deterministic.
    Unsteady,
    /// An action is listed twice.
    Twice,
    /// A copy of the cursor has another position than the cursor.
    Cursor,
    /// Equal states have different hashes.
    Hashes,
    /// Every pair of actions is left out.
    Commuting,
    /// Both actions have the same code.
    Codes,
    /// Marks are of two classes, and turns lead from one to the other.
    Classes,
    /// The same action costs more each time.
    Cost,
    /// The inverse of an action is the action itself.
    Undo,
    /// A predecessor is missing.
    Predecessor,
    /// A goal state is not a goal.
    Goal,
    /// `delta` omits indices that become inactive.
    Delta,
    /// An index is out of range.
    Index,
    /// All states have the same rank.
    Rank,
    /// Every state represents itself, although opposite states are symmetric.
    Symmetry,
    /// All states have the same text.
    Texts,
    /// Solutions are read without their last action.
    Solutions,
}

/// A dial with marks from 0 to `size − 1` that is turned by one mark; 0 is the goal.
struct Dial {
    size: u8,
    start: u8,
    fault: Fault,
    asked: AtomicU32,
}

#[derive(Clone, Copy, Debug)]
struct Mark {
    at: u8,
    /// Part of the hash and not of the identity: 0 in a dial without a fault.
    dust: u8,
}

impl PartialEq for Mark {
    fn eq(&self, other: &Self) -> bool {
        self.at == other.at
    }
}
impl Eq for Mark {}
impl Hash for Mark {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write(&[self.at, self.dust]);
    }
}

/// Turns by 1, or by −1.
#[derive(Clone, Copy)]
struct Turns {
    list: [i8; 3],
    next: u8,
    len: u8,
    broken: bool,
}

impl Iterator for Turns {
    type Item = i8;
    fn next(&mut self) -> Option<i8> {
        // The cursor skips an action that was pending when it was suspended.
        if self.broken && self.next == 1 {
            self.next = 2;
        }
        let turn = (self.next < self.len).then(|| self.list[usize::from(self.next)]);
        self.next += 1;
        turn
    }
}

impl Dial {
    fn new(fault: Fault) -> Self {
        Self { size: 7, start: 3, fault, asked: AtomicU32::new(0) }
    }

    /// A number that is another one each time.
    fn asked(&self) -> u32 {
        self.asked.fetch_add(1, Ordering::Relaxed)
    }

    fn turn(&self, at: u8, by: i8) -> u8 {
        (at as i8 + by).rem_euclid(self.size as i8) as u8
    }
}

impl Puzzle for Dial {
    type State = Mark;
    type Action = i8;
    type Actions = Turns;

    fn initial_state(&self) -> Mark {
        Mark { at: self.start, dust: 0 }
    }
    fn actions(&self, _: &Mark) -> Turns {
        Turns {
            list: [1, -1, 1],
            next: 0,
            len: if self.fault == Fault::Twice { 3 } else { 2 },
            broken: self.fault == Fault::Cursor && self.asked().is_multiple_of(2),
        }
    }
    fn actions_after(&self, mark: &Mark, last: i8) -> Turns {
        match self.fault {
            Fault::LeftOut => Turns { list: [-last; 3], next: 0, len: 1, broken: false },
            _ => self.actions(mark),
        }
    }
    fn apply(&self, mark: &Mark, by: i8) -> Mark {
        let further = match self.fault {
            Fault::Unsteady => self.asked().is_multiple_of(3),
            _ => false,
        };
        Mark {
            at: self.turn(mark.at, if further { 2 * by } else { by }),
            dust: match self.fault {
                Fault::Hashes => by as u8,
                _ => 0,
            },
        }
    }
    fn is_inverse(&self, last: i8, next: i8) -> bool {
        match self.fault {
            Fault::Inverse => last == next,
            _ => last == -next,
        }
    }
    fn commutes_after(&self, _: i8, _: i8) -> bool {
        self.fault == Fault::Commuting
    }
    fn generic_states(&self) -> Vec<Mark> {
        match self.fault {
            Fault::Classes => [0, 1].map(|at| Mark { at, dust: 0 }).to_vec(),
            _ => vec![Mark { at: 0, dust: 0 }],
        }
    }
    fn legality_class(&self, mark: &Mark) -> usize {
        usize::from(self.fault == Fault::Classes && mark.at > 0)
    }
    fn action_code(&self, by: i8) -> u8 {
        u8::from(by > 0 && self.fault != Fault::Codes)
    }
}

impl GoalPuzzle for Dial {
    fn is_goal(&self, mark: &Mark) -> bool {
        mark.at == 0
    }
    fn action_cost(&self, _: &Mark, _: i8) -> Cost {
        match self.fault {
            Fault::Cost => self.asked(),
            _ => 1,
        }
    }
}

impl Reversible for Dial {
    fn inverse(&self, by: i8) -> i8 {
        if self.fault == Fault::Undo { by } else { -by }
    }
}

impl Backward for Dial {
    fn predecessors(&self, mark: &Mark, visit: &mut dyn FnMut(Mark, i8)) {
        let turns: &[i8] = match self.fault {
            Fault::Predecessor => &[1],
            _ => &[1, -1],
        };
        for &by in turns {
            let at = self.turn(mark.at, -by);
            visit(Mark { at, dust: 0 }, by);
        }
    }
    fn goal_states(&self) -> Vec<Mark> {
        let at = u8::from(self.fault == Fault::Goal);
        vec![Mark { at, dust: 0 }]
    }
}

impl Features for Dial {
    fn feature_len(&self) -> usize {
        usize::from(self.size)
    }
    fn active(&self, mark: &Mark, sink: &mut dyn FnMut(u32)) {
        let beyond = if self.fault == Fault::Index { self.size } else { 0 };
        sink(u32::from(mark.at + beyond));
    }
    fn delta(&self, mark: &Mark, by: i8, sink: &mut dyn FnMut(u32, bool)) {
        if self.fault != Fault::Delta {
            sink(mark.at.into(), false);
        }
        sink(self.turn(mark.at, by).into(), true);
    }
}

impl Ranked for Dial {
    fn ranks(&self) -> u64 {
        self.size.into()
    }
    fn rank(&self, mark: &Mark) -> u64 {
        match self.fault {
            Fault::Rank => 0,
            _ => mark.at.into(),
        }
    }
    fn unrank(&self, rank: u64) -> Option<Mark> {
        let at = u8::try_from(rank).ok().filter(|&at| at < self.size)?;
        Some(Mark { at, dust: 0 })
    }
}

impl Symmetric for Dial {
    fn canonical(&self, mark: &Mark) -> Mark {
        let at = match self.fault {
            // Not an orbit: 1 has other neighbours than 0.
            Fault::Symmetry => mark.at / 2,
            _ => mark.at.min((self.size - mark.at) % self.size),
        };
        Mark { at, dust: 0 }
    }
}

impl Notation for Dial {
    fn state_text(&self, mark: &Mark) -> String {
        match self.fault {
            Fault::Texts => "a mark".to_owned(),
            _ => mark.at.to_string(),
        }
    }
    fn solution_text(&self, turns: &[i8]) -> String {
        let words: Vec<String> = turns.iter().map(i8::to_string).collect();
        words.join(" ")
    }
    fn parse_solution(&self, solution: &str) -> Result<Vec<i8>, ParseError> {
        let mut turns = text::read(solution, |word| match word {
            "1" => Ok(1),
            "-1" => Ok(-1),
            _ => Err("expected 1 or -1".to_owned()),
        })?;
        if self.fault == Fault::Solutions {
            turns.pop();
        }
        Ok(turns)
    }
}

/// All suites.
fn suites(dial: &Dial) -> Result<(), Violation> {
    let subject = Subject::written(dial).named("the dial");
    puzzle(&subject)?;
    goal(&subject)?;
    reversible(&subject)?;
    backward(&subject)?;
    features(&subject)?;
    ranked(&subject)?;
    symmetric(&subject)?;
    notation(&subject)
}

#[test]
fn a_sound_puzzle_passes() -> Result<(), Violation> {
    suites(&Dial::new(Fault::None))?;
    reading("4", |text| {
        let start = text.parse::<u8>().map_err(|error| error.to_string())?;
        let fault = Fault::None;
        Ok::<_, String>(Dial { start, ..Dial::new(fault) })
    })
}

#[test]
fn every_fault_is_found() {
    use Fault::*;
    let faults = [
        (Inverse, "`is_inverse` holds for an action that does not lead back"),
        (LeftOut, "leaves out an action that is no inverse"),
        (Unsteady, "leads to another state when it is applied again"),
        (Twice, "an action is listed twice"),
        (Cursor, "when they are listed again"),
        (Hashes, "two equal states have different hashes"),
        (Commuting, "`commutes_after` leaves out two actions"),
        (Codes, "two actions have the same code"),
        (Classes, "a state and the generic state of its class have different actions"),
        (Cost, "an action costs more at times"),
        (Undo, "the inverse of an action does not undo it"),
        (Predecessor, "an edge is not found backward"),
        (Goal, "a goal state is no goal"),
        (Delta, "does not lead to the active indices"),
        (Index, "not below `feature_len`"),
        (Rank, "`unrank` returns another state for the rank of a state"),
        (Symmetry, "representative"),
        (Texts, "two states have the same text"),
        (Solutions, "a solution is not parsed"),
    ];
    let tried: BTreeSet<Fault> = faults.iter().map(|(fault, _)| *fault).collect();
    assert_eq!(tried.len(), faults.len());
    assert_eq!(tried.last(), Some(&Solutions), "the last fault there is");
    assert_eq!(tried.len(), Solutions as usize);
    for (fault, what) in faults {
        let found = suites(&Dial::new(fault)).expect_err("the fault is found");
        assert!(found.what().contains(what), "{fault:?}: {found}");
        assert_eq!(found.fact("instance"), Some("the dial"), "{fault:?}");
    }
}

/// A violation names the instance, the state, the action and the successor.
#[test]
fn an_edge_is_named() {
    let dial = Dial::new(Fault::Undo);
    let found = reversible(&Subject::written(&dial)).unwrap_err();
    assert_eq!(
        found.to_string(),
        "the inverse of an action does not undo it\n  instance: 3\n  state: 3\n  action: 1\n  \
         child: 4\n  inverse: 1"
    );
    assert_eq!(format!("{found:?}"), found.to_string());
}

#[test]
fn a_text_that_reads_as_another_state_is_found() {
    // Every text is read as the mark before.
    let read = |text: &str| {
        let start = text.parse::<u8>().map_err(|error| error.to_string())?;
        Ok::<_, String>(Dial { start: start.saturating_sub(1), ..Dial::new(Fault::None) })
    };
    let found = reading("4", read).unwrap_err();
    assert!(found.what().contains("reads as another state"), "{found}");
    let found = reading("dial", read).unwrap_err();
    assert!(found.what().contains("is refused"), "{found}");
}
