//! Play-outs: random games that keep a colour together.
//!
//! [`Random`](Policy::Random) plays every group with the same probability.
//! [`TabuRandom`](Policy::TabuRandom) draws a colour at the start of the play-out and does not play
//! it unless nothing else is left, so that it grows into large groups;
//! [`TabuColorRandom`](Policy::TabuColorRandom) takes the most frequent colour. With probability ε
//! a move is drawn from all groups nevertheless. [`Roulette`](Policy::Roulette) (MC-RWS) draws the
//! colour of every move, rare colours more often than frequent ones: colour c with n_c of n cells
//! has the weight (1 − n_c / n)^p.
//!
//! A move is drawn without listing the groups: a cell is drawn among the corners of all allowed
//! groups ([`Links::corners`](super::board::Links::corners)), and kept with probability one in the
//! number of its group's corners, so that every group is as likely as any other. Nothing is
//! allocated but the list of moves.
//!
//! References: Schadd et al. 2012, section 4.1; Takes and Kosters 2009, Solving SameGame and its
//! chessboard variant (BNAIC).

use super::{
    Board, Group, SameGame,
    board::{COLOURS, Cells, Links, count, is_empty, nth},
};
use unriddle_core::{Playout, Rng, Score, ScorePuzzle};

/// Policy of a play-out: the groups from which it draws.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Policy {
    /// All.
    Random,
    /// Groups of all colours except one drawn at the start.
    TabuRandom,
    /// Groups of all colours except the most frequent one at the start.
    #[default]
    TabuColorRandom,
    /// Groups of one colour, drawn anew for each move, rare colours more often.
    Roulette,
}

impl Policy {
    /// The words of the option `playout`.
    pub const NAMES: [&'static str; 4] = ["random", "tabu_random", "tabu_color", "roulette"];

    /// All, in the order of their words.
    pub const ALL: [Self; 4] =
        [Self::Random, Self::TabuRandom, Self::TabuColorRandom, Self::Roulette];
}

/// Play-outs of a policy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Games {
    /// Policy: the groups from which moves are drawn.
    pub policy: Policy,
    /// Probability of a move drawn from all groups (ε).
    pub epsilon: f64,
    /// Exponent p of the roulette wheel.
    pub power: f64,
}

impl Default for Games {
    fn default() -> Self {
        Self { policy: Policy::default(), epsilon: 0.003, power: 2.0 }
    }
}

/// Draws a group among those with a corner in `from`, each with the same probability. The corners
/// must not be empty and hold all corners of their groups.
#[inline(always)]
fn draw<const N: usize, const L: u32>(
    links: &Links<N, L>,
    from: &Cells<N>,
    rng: &mut Rng,
) -> Cells<N> {
    let total = count(from);
    loop {
        // The bias of a multiplication without rejection is 225 in 2³², far below the resolution of
        // play-outs.
        let random = rng.next_u64();
        let pick = (((random & 0xffff_ffff) * u64::from(total)) >> 32) as u32;
        let cell = nth(from, pick);
        let group = links.group(cell);
        let corners: Cells<N> = std::array::from_fn(|i| group[i] & from[i]);
        let corners = count(&corners);
        if corners == 1 || (random >> 32) * u64::from(corners) < 1 << 32 {
            return group;
        }
    }
}

impl Games {
    /// The colour that is not played, at the start of a play-out.
    fn tabu<const N: usize, const L: u32>(&self, board: &Board<N, L>, rng: &mut Rng) -> Option<u8> {
        let counts = board.counts();
        match self.policy {
            Policy::Random | Policy::Roulette => None,
            Policy::TabuRandom => {
                let mut present = (0..COLOURS as u8).filter(|&c| counts[usize::from(c)] > 0);
                let drawn = rng.below(present.clone().count() as u64);
                present.nth(drawn as usize)
            }
            Policy::TabuColorRandom => {
                let most = counts.iter().max()?;
                Some(counts.iter().position(|n| n == most)? as u8)
            }
        }
    }

    /// Corners of the groups of one colour, drawn by the roulette wheel among the colours that have
    /// groups.
    fn spin<const N: usize, const L: u32>(
        &self,
        board: &Board<N, L>,
        corners: &Cells<N>,
        rng: &mut Rng,
    ) -> Cells<N> {
        let total = f64::from(count(board.cells()));
        let mut sets = [[0; N]; COLOURS];
        let mut weights = [0.0; COLOURS];
        for colour in 0..COLOURS {
            let cells = board.of_colour(colour as u8);
            sets[colour] = std::array::from_fn(|i| cells[i] & corners[i]);
            if !is_empty(&sets[colour]) {
                let share = f64::from(count(&cells)) / total;
                // The only colour on the board must keep a positive weight.
                weights[colour] = (1.0 - share).powf(self.power).max(1e-9);
            }
        }
        let mut at = rng.unit() * weights.iter().sum::<f64>();
        let mut drawn = *corners;
        for (set, weight) in sets.iter().zip(weights) {
            if weight > 0.0 {
                drawn = *set;
                if at < weight {
                    break;
                }
                at -= weight;
            }
        }
        drawn
    }
}

impl<const N: usize, const L: u32> Playout<SameGame<N, L>> for Games {
    /// Plays to the end. The reward of a move depends only on the scoring.
    fn play(
        &self,
        puzzle: &SameGame<N, L>,
        board: &Board<N, L>,
        rng: &mut Rng,
        actions: &mut Vec<Group>,
    ) -> Score {
        let mut board = *board;
        let mut score = 0;
        let tabu = self.tabu(&board, rng);
        let exception = (self.epsilon.clamp(0.0, 1.0) * 4_294_967_296.0) as u64;
        let mut links = board.links();
        loop {
            let corners = links.corners();
            if is_empty(&corners) {
                return score + puzzle.terminal_bonus(&board);
            }
            let mut from = corners;
            if self.policy != Policy::Random
                && (exception == 0 || rng.next_u64() & 0xffff_ffff >= exception)
            {
                if let Some(tabu) = tabu {
                    let kept = board.of_colour(tabu);
                    let others = std::array::from_fn(|i| corners[i] & !kept[i]);
                    if !is_empty(&others) {
                        from = others;
                    }
                } else {
                    from = self.spin(&board, &corners, rng);
                }
            }
            let group = draw(&links, &from, rng);
            score += puzzle.points(count(&group));
            actions.push(Group::of(&board, &group));
            let closed_up = board.take_out(&group);
            board.relink(&mut links, &group, closed_up);
        }
    }
}
