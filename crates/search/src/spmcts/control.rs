//! Control between play-outs: plays moves, ends games, restarts searches.

use super::{Final, Per, Position, Spmcts, Subtree, tree::Tally};
use crate::{
    memory::{Accounted, Full, reserve},
    report::{Halt, ObserverOf},
};
use unriddle_core::{Outcome, Quota, Rng, ScorePuzzle};

impl<P: ScorePuzzle> Spmcts<'_, P> {
    /// Makes a position the root of a new tree.
    pub(super) fn plant(&mut self, limit: u64, at: Position<P::State>) -> Result<(), Full> {
        self.grow(limit, |s, room| s.tree.reserve(room))?;
        self.reserve_shared(limit, &at.state)?;
        let tally = self.inherit(&at);
        self.tree.plant(tally);
        self.begin_at(at);
        Ok(())
    }

    /// Gives the root of the tree its position. The root is solved if the game is over.
    fn begin_at(&mut self, at: Position<P::State>) {
        self.root = at;
        if self.puzzle.is_terminal(&at.state) {
            self.tree.solve(self.tree.root());
        }
    }

    /// Whether this search has its size or no longer grows, or its root is solved. Per move each
    /// move has a search.
    pub(super) fn share_is_over(&self) -> bool {
        let allowance = self.config.allowance(self.searches);
        self.tree.is_solved(self.tree.root())
            || allowance.is_some_and(|all| self.done >= all || self.idle >= all)
    }

    /// Plays the move, ends the game or ends the search.
    pub(super) fn turn(
        &mut self,
        quota: &Quota,
        observer: &mut ObserverOf<'_, P>,
    ) -> Result<(), Halt> {
        let solved = self.tree.is_solved(self.tree.root());
        if self.config.per == Per::Move && !solved {
            self.play_move(quota.bytes)?;
            return Ok(());
        }
        let start = self.played.is_empty();
        // The lines to the solutions of `top` were noted, except for a start without actions.
        if (self.config.final_move != Final::Top || self.best.is_none())
            && !self.play_line(quota, observer)?
        {
            return Err(Halt::Quota);
        }
        if solved && start {
            if let Some(best) = &self.best {
                observer.bound(best.value, &self.stats);
                self.outcome = Some(Outcome::proved(best.clone()));
            }
            return Ok(());
        }
        if self.config.searches() == Some(self.searches + 1) {
            self.outcome =
                self.best.clone().map(|best| Outcome::Solved { best, proof: false, bound: None });
            return Ok(());
        }
        let state = self.puzzle.initial_state();
        self.plant(quota.bytes, Position { state, score: 0 })?;
        self.searches += 1;
        self.played.clear();
        self.game = None;
        (self.done, self.idle) = (0, 0);
        Ok(())
    }

    /// The child of a node that is played: for a solved node the best, else by the rule of final
    /// moves.
    fn final_child(&self, node: u32) -> Option<u32> {
        let rule = if self.tree.is_solved(node) { Final::Top } else { self.config.final_move };
        let value = |tally: &Tally| match rule {
            Final::Top => tally.top as f64,
            Final::Visits => tally.visits as f64,
            Final::Average => tally.sum / tally.visits.max(1) as f64,
        };
        let children = self.tree.children(node);
        children
            .max_by(|(_, a), (_, b)| value(&a.tally).total_cmp(&value(&b.tally)))
            .map(|(id, _)| id)
    }

    /// Plays a move from a root that is not solved.
    fn play_move(&mut self, limit: u64) -> Result<(), Full> {
        let root = self.tree.root();
        let next = self.played.len();
        let (child, action) = match &self.game {
            Some(game) => match game.actions.get(next) {
                Some(&action) => (self.tree.child(root, action), Some(action)),
                None => (None, None),
            },
            None => {
                let child = self.final_child(root);
                (child, child.and_then(|id| self.tree.node(id).action))
            }
        };
        // Every play-out from a root with actions leaves a child there.
        let Some(action) = action else {
            self.tree.solve(root);
            return Ok(());
        };
        self.grow(limit, |s, room| reserve(&mut s.played, 1, room))?;
        let at = self.after(&self.root, action);
        match child.filter(|_| self.config.subtree == Subtree::Keep) {
            Some(child) => {
                self.tree.descend(child);
                self.begin_at(at);
            }
            None => self.plant(limit, at)?,
        }
        self.played.push(action);
        (self.done, self.idle) = (0, 0);
        Ok(())
    }

    /// Follows the final moves to the end of the tree, completes the line by a play-out, and keeps
    /// the solution if it is the best. Returns `false` if the quota does not allow the play-out.
    fn play_line(&mut self, quota: &Quota, observer: &mut ObserverOf<'_, P>) -> Result<bool, Halt> {
        let limit = quota.bytes;
        let (mut node, mut at) = (self.tree.root(), self.root);
        self.line.clear();
        while let Some(child) = self.final_child(node) {
            let Some(action) = self.tree.node(child).action else { break };
            self.grow(limit, |s, room| reserve(&mut s.line, 1, room))?;
            self.line.push(action);
            at = self.after(&at, action);
            node = child;
        }
        let known = self.line.len();
        let ended = self.puzzle.is_terminal(&at.state);
        let value = if ended {
            at.score.saturating_add(self.puzzle.terminal_bonus(&at.state))
        } else if quota.is_used_up(&self.stats) {
            return Ok(false);
        } else {
            let mut rng = Rng::stream(self.config.seed, self.stats.expanded);
            at.score.saturating_add(self.play(quota, &at.state, &mut rng)?)
        };
        self.room_for(limit, self.played.len() + self.line.len(), value)?;
        if !ended {
            self.stats.expanded += 1;
            self.stats.evaluated += 1;
            self.stats.generated += (self.line.len() - known) as u64;
        }
        self.improve(value, observer);
        Ok(true)
    }
}
