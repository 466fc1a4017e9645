//! Play-out: selection, play, expansion and back-propagation.
//!
//! Nothing is changed before all memory is reserved, so that a play-out that does not fit can be
//! repeated, the same, with more memory.

use super::{Count, Final, Formula, Position, Spmcts, Step};
use crate::{
    memory::{Accounted, Full, reserve, vec_bytes},
    report::{Halt, ObserverOf, gives_up},
};
use unriddle_core::{Quota, Rng, Score, ScorePuzzle};

impl<P: ScorePuzzle> Spmcts<'_, P> {
    /// The position after an action.
    #[inline]
    pub(super) fn after(&self, at: &Position<P::State>, action: P::Action) -> Position<P::State> {
        Position {
            state: self.puzzle.apply(&at.state, action),
            score: at.score.saturating_add(self.puzzle.reward(&at.state, action)),
        }
    }

    fn visit(&mut self, limit: u64, node: u32, at: Position<P::State>) -> Result<(), Full> {
        self.grow(limit, |s, room| reserve(&mut s.path, 1, room))?;
        self.path.push(Step { node, at });
        Ok(())
    }

    /// Number of actions of a node without a child.
    fn missing(&mut self, node: u32, state: &P::State) -> u32 {
        let puzzle = self.puzzle;
        self.tree.missing(node, || puzzle.actions(state).count())
    }

    /// An action of a node by the formula, and its child if it exists. Actions without a child come
    /// first, in random order, as far as the widening allows; solved children are never chosen.
    fn select(
        &mut self,
        node: u32,
        state: &P::State,
        rng: &mut Rng,
    ) -> Option<(P::Action, Option<u32>)> {
        let missing = self.missing(node, state);
        let visits = self.tree.node(node).tally.visits;
        let allowed = self.formula.children(visits);
        let mut best = None;
        if missing == 0 || allowed < u64::MAX {
            let logarithm = Formula::logarithm(visits);
            let mut count = 0;
            let mut highest = f64::NEG_INFINITY;
            for (id, child) in self.tree.children(node) {
                count += 1;
                if self.tree.is_solved(id) {
                    continue;
                }
                let value = self.formula.value(&child.tally, self.tree.amaf(id), logarithm);
                if best.is_none() || value > highest {
                    highest = value;
                    best = child.action.map(|action| (action, Some(id)));
                }
            }
            if best.is_some() && (missing == 0 || count >= allowed) {
                return best;
            }
        }
        let tree = &self.tree;
        let mut without =
            self.puzzle.actions(state).filter(|&action| tree.child(node, action).is_none());
        let chosen = without.nth(rng.below(u64::from(missing)) as usize);
        chosen.map(|action| (action, None)).or(best)
    }

    /// Makes one play-out from the root.
    pub(super) fn playout(
        &mut self,
        quota: &Quota,
        observer: &mut ObserverOf<'_, P>,
    ) -> Result<(), Halt> {
        let limit = quota.bytes;
        let mut rng = Rng::stream(self.config.seed, self.stats.expanded);
        self.path.clear();
        self.line.clear();
        let (mut node, mut at) = (self.tree.root(), self.root);
        self.visit(limit, node, at)?;
        // The first position outside the tree, and its action.
        let mut leaf = None;
        while self.tree.node(node).tally.visits >= self.config.t {
            let Some((action, child)) = self.select(node, &at.state, &mut rng) else { break };
            at = self.after(&at, action);
            self.grow(limit, |s, room| reserve(&mut s.line, 1, room))?;
            self.line.push(action);
            let Some(child) = child else {
                leaf = Some((action, at));
                break;
            };
            node = child;
            self.visit(limit, node, at)?;
        }
        let value = at.score.saturating_add(self.play(quota, &at.state, &mut rng)?);
        // Below the threshold the play-out chooses the moves, also in the tree.
        while leaf.is_none() && self.path.len() <= self.line.len() {
            let action = self.line[self.path.len() - 1];
            at = self.after(&at, action);
            match self.tree.child(node, action) {
                Some(child) => {
                    node = child;
                    self.visit(limit, node, at)?;
                }
                None => leaf = Some((action, at)),
            }
        }
        self.prepare(limit, leaf.as_ref().map(|(_, at)| &at.state), value)?;
        let mut grown = false;
        if let Some((action, at)) = leaf {
            let tally = self.inherit(&at);
            let code = self.code.map_or(0, |code| {
                let parent = &self.path[self.path.len() - 1].at.state;
                code(self.puzzle, parent, action)
            });
            node = self.tree.add(node, action, tally, code);
            self.shape.add((self.played.len() + self.path.len()) as u64);
            self.path.push(Step { node, at });
            grown = true;
        }
        self.stats.expanded += 1;
        self.stats.evaluated += 1;
        self.stats.generated += self.line.len() as u64;
        if grown || self.config.count == Count::Playouts {
            self.done += 1;
            self.idle = 0;
        } else {
            self.idle += 1;
        }
        self.back(value);
        let ends_in_tree = self.path.len() > self.line.len();
        if self.config.solve && ends_in_tree && (grown || self.path.len() == 1) {
            self.close();
        }
        if self.config.final_move == Final::Top {
            self.note(value, observer);
        }
        Ok(())
    }

    /// Plays from a state to the end and appends the actions to the line. The line has memory for
    /// as many as any before; a longer one is given up if it does not fit, or is not over when the
    /// time is.
    pub(super) fn play(
        &mut self,
        quota: &Quota,
        state: &P::State,
        rng: &mut Rng,
    ) -> Result<Score, Halt> {
        let limit = quota.bytes;
        let longest = self.longest.saturating_sub(self.line.len());
        self.grow(limit, |s, room| reserve(&mut s.line, longest, room))?;
        let others = self.bytes() - vec_bytes(&self.line);
        let mut why = Halt::Full;
        let mut continues = |bytes: u64| match gives_up(quota, others.saturating_add(bytes)) {
            None => true,
            Some(halt) => {
                why = halt;
                false
            }
        };
        let score =
            self.playout.play_while(self.puzzle, state, rng, &mut self.line, &mut continues);
        let Some(score) = score.filter(|_| self.bytes() <= limit) else {
            self.line = Vec::new();
            return Err(why);
        };
        self.longest = self.longest.max(self.line.len());
        self.stats.peak_bytes = self.stats.peak_bytes.max(self.bytes());
        Ok(score)
    }

    /// Reserves memory for all changes of the play-out.
    fn prepare(&mut self, limit: u64, leaf: Option<&P::State>, value: Score) -> Result<(), Full> {
        if let Some(state) = leaf {
            self.grow(limit, |s, room| s.tree.reserve(room))?;
            self.grow(limit, |s, room| reserve(&mut s.path, 1, room))?;
            self.reserve_shared(limit, state)?;
        }
        if self.code.is_some() {
            let len = self.line.len();
            self.codes.clear();
            self.grow(limit, |s, room| reserve(&mut s.codes, len, room))?;
        }
        let len = self.played.len() + self.line.len();
        match self.config.final_move {
            Final::Top => self.room_for(limit, len, value),
            _ => Ok(()),
        }
    }

    /// Notes the reward of the play-out in the nodes of its path.
    fn back(&mut self, value: Score) {
        for step in &self.path {
            self.tree.tally_mut(step.node).add(value);
        }
        if let Some(shared) = &mut self.shared {
            for step in &self.path {
                shared.add(&step.at.state, value.saturating_sub(step.at.score));
            }
        }
        let Some(code) = self.code else { return };
        // The last index of each code, for which memory is reserved.
        let mut state = self.root.state;
        for (i, &action) in self.line.iter().enumerate() {
            self.codes.push((code(self.puzzle, &state, action), i as u32));
            state = self.puzzle.apply(&state, action);
        }
        self.codes.sort_unstable_by_key(|&(code, i)| (code, !i));
        self.codes.dedup_by_key(|&mut (code, _)| code);
        for (depth, step) in self.path.iter().enumerate() {
            let mut next = self.tree.first_child(step.node);
            while let Some(id) = next {
                next = self.tree.sibling(id);
                let Some(amaf) = self.tree.amaf_mut(id) else { break };
                let found = self.codes.binary_search_by_key(&amaf.code, |&(code, _)| code);
                if found.is_ok_and(|i| self.codes[i].1 as usize >= depth) {
                    amaf.visits += 1;
                    amaf.sum += value as f64;
                }
            }
        }
    }

    /// Marks the last node of the path, where the game ends, as solved, and every ancestor whose
    /// actions all have solved children.
    fn close(&mut self) {
        for i in (0..self.path.len()).rev() {
            let Step { node, at } = self.path[i];
            if i + 1 < self.path.len() {
                let open = self.missing(node, &at.state) > 0;
                let tree = &self.tree;
                if open || tree.children(node).any(|(id, _)| !tree.is_solved(id)) {
                    return;
                }
            }
            self.tree.solve(node);
        }
    }

    /// Keeps the line as a solution if it is the best of this game, and of all.
    fn note(&mut self, value: Score, observer: &mut ObserverOf<'_, P>) {
        if self.follows() && self.game.as_ref().is_none_or(|game| value > game.value) {
            self.game = Some(self.solution(value));
        }
        self.improve(value, observer);
    }

    /// Keeps the line as the best solution if its value is higher.
    pub(super) fn improve(&mut self, value: Score, observer: &mut ObserverOf<'_, P>) {
        if self.best.as_ref().is_none_or(|best| value > best.value) {
            let best = self.solution(value);
            observer.improved(&best, &self.stats);
            self.best = Some(best);
        }
    }

    /// Reserves memory for the shared statistics of a state.
    pub(super) fn reserve_shared(&mut self, limit: u64, state: &P::State) -> Result<(), Full> {
        self.grow(limit, |s, room| match &mut s.shared {
            Some(shared) => shared.reserve(state, room),
            None => Ok(()),
        })
    }
}
