//! The tabu of play-outs that learn: a colour that is kept together until nothing else is left.
//!
//! Groups of the tabu colour are not played while another group is there, but for pairs after the
//! first moves: a lone pair of the tabu colour costs nothing and may free the way for others. The
//! colour is the most frequent one of the start; each restart of a search takes the next most
//! frequent one.
//!
//! Reference: T. Cazenave 2016, Nested rollout policy adaptation with selective policies (CGW),
//! section on SameGame.

use super::{Board, Group, SameGame, board::COLOURS};
use unriddle_core::Selective;

/// Moves after which pairs of the tabu colour may be played.
const PAIRS_AFTER: usize = 10;

/// Keeps a colour together; every run takes the next one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tabu {
    /// Rank by frequency of the tabu colour of the first run; 0 is the most frequent colour.
    pub first: u64,
}

/// The colours that occur on a board, the most frequent first.
#[must_use]
pub fn by_frequency<const N: usize, const L: u32>(board: &Board<N, L>) -> Vec<u8> {
    let counts = board.counts();
    let mut colours: Vec<u8> =
        (0..COLOURS as u8).filter(|&colour| counts[usize::from(colour)] > 0).collect();
    colours.sort_by_key(|&colour| std::cmp::Reverse(counts[usize::from(colour)]));
    colours
}

impl<const N: usize, const L: u32> Selective<SameGame<N, L>> for Tabu {
    type Memo = u8;

    fn begin(&self, _: &SameGame<N, L>, board: &Board<N, L>, run: u64) -> u8 {
        let colours = by_frequency(board);
        match colours.len() as u64 {
            0 => 0,
            n => colours[((self.first + run) % n) as usize],
        }
    }

    #[inline(always)]
    fn tier(
        &self,
        _: &SameGame<N, L>,
        _: &Board<N, L>,
        group: Group,
        depth: usize,
        tabu: &mut u8,
    ) -> u8 {
        u8::from(group.colour == *tabu && (group.size > 2 || depth < PAIRS_AFTER))
    }
}
