//! Level of nested roll-out policy adaptation.

use super::policy::{Entry, Step, Weight};
use crate::memory::bytes;
use std::mem::swap;
use unriddle_core::Score;

/// Line with all actions that were legal on it.
pub(super) struct Line<A> {
    pub(super) actions: Vec<A>,
    pub(super) steps: Vec<Step>,
    /// Legal actions, as indices of entries.
    pub(super) choices: Vec<u32>,
    pub(super) entries: Vec<Entry>,
    pub(super) value: Score,
}

impl<A> Line<A> {
    pub(super) fn new() -> Self {
        Self {
            actions: Vec::new(),
            steps: Vec::new(),
            choices: Vec::new(),
            entries: Vec::new(),
            value: Score::MIN,
        }
    }

    pub(super) fn bytes(&self) -> u64 {
        bytes!(self.actions, self.steps, self.choices, self.entries)
    }

    pub(super) fn clear(&mut self) {
        self.actions.clear();
        self.steps.clear();
        self.choices.clear();
        self.entries.clear();
    }
}

/// Run of a level.
pub(super) struct Level<A> {
    pub(super) best: Line<A>,
    found: bool,
    pub(super) iterations: u32,
    /// Number of repetitions of the best line.
    pub(super) repeats: u32,
    /// Whether the policy contains the codes of the best line's actions.
    pub(super) admitted: bool,
    /// Policy with which the level below begins; empty at level 1, which uses the policy itself.
    pub(super) saved: Vec<Weight>,
}

impl<A: PartialEq> Level<A> {
    pub(super) fn new() -> Self {
        Self {
            best: Line::new(),
            found: false,
            iterations: 0,
            repeats: 0,
            admitted: false,
            saved: Vec::new(),
        }
    }

    pub(super) fn bytes(&self) -> u64 {
        bytes!(self.best, self.saved)
    }

    /// Begins another run.
    pub(super) fn begin(&mut self) {
        self.found = false;
        self.iterations = 0;
        self.repeats = 0;
        self.admitted = false;
    }

    /// Keeps the line of the level below if it is not worse; the other line is returned in its
    /// buffer.
    pub(super) fn take(&mut self, line: &mut Line<A>) {
        if self.found && line.value < self.best.value {
            return;
        }
        if self.found && line.value == self.best.value && line.actions == self.best.actions {
            self.repeats = self.repeats.saturating_add(1);
            return;
        }
        swap(&mut self.best, line);
        self.found = true;
        self.admitted = false;
        self.repeats = 0;
    }
}
