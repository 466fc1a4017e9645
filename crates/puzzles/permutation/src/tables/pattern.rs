//! Pattern of some pieces: the rank of their slots and orientations.
//!
//! Pieces of the same kind are interchangeable: their slots are a combination, the slots of
//! different kinds a placement on the remaining slots. If a pattern contains all pieces of a class
//! whose turns preserve their sum, the orientation of the last one follows from the others.

use crate::{
    puzzle::{Labels, Permutation},
    rules::Rules,
};
use std::sync::Arc;
use unriddle_tables::{pattern::Pattern, table::Width};
use xxhash_rust::xxh3::xxh3_64;

/// Most pieces of a pattern.
pub(crate) const MOST_PIECES: usize = 32;

/// Most slots of a class in patterns, whose free slots are a bit set.
pub(crate) const MOST_PLACES: usize = 128;

/// Most coordinates of a class in patterns: memos store a coordinate in a byte.
pub(crate) const MOST_COORDINATES: usize = 256;

/// All slots of the largest class.
const PLACES: [u8; MOST_PLACES] = {
    let mut places = [0; MOST_PLACES];
    let mut place = 0;
    while place < MOST_PLACES {
        places[place] = place as u8;
        place += 1;
    }
    places
};

/// Coordinates of the pieces of a pattern, in the order of its kinds.
pub(crate) type Coordinates = [u8; MOST_PIECES];

/// Kinds of one class in a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    /// Number of the class.
    pub(crate) class: usize,
    /// Numbers of the kinds, in ascending order.
    pub(crate) kinds: Vec<usize>,
}

/// Kind with the numbers of its rank.
#[derive(Clone, Debug)]
struct Counted {
    kind: usize,
    count: usize,
    turns: u64,
    /// Number of combinations of slots for its pieces.
    combinations: u64,
    /// For each coordinate, its number among the orientations with different labels.
    digits: Vec<u8>,
    /// For each orientation and slot, the coordinate.
    coordinates: Vec<u8>,
}

/// Part with the numbers of its rank.
#[derive(Clone, Debug)]
struct Ranked {
    class: usize,
    places: usize,
    /// Number of coordinates of a slot.
    turns: usize,
    kinds: Vec<Counted>,
    /// Sum of all orientations, if it decides the last one.
    sum: Option<usize>,
    ranks: u64,
    /// Number of pieces.
    pieces: usize,
    /// Number of combinations of orientations.
    all_turns: u64,
    /// For each piece, if no two are interchangeable.
    single: Option<Vec<Single>>,
}

/// Piece of which there is one.
#[derive(Clone, Debug)]
struct Single {
    /// Share of a slot in the rank.
    weight: u64,
    /// For each coordinate, its slot and its share in the rank if all slots were free.
    at: Box<[Share; MOST_COORDINATES]>,
}

/// Share of a coordinate in a rank.
#[derive(Clone, Copy, Debug, Default)]
struct Share {
    /// Bits of the slots below its slot.
    below: u128,
    share: u64,
    place: u8,
}

/// Pattern of pieces of a puzzle.
#[derive(Clone, Debug)]
pub(crate) struct Pieced {
    rules: Arc<Rules>,
    parts: Vec<Ranked>,
    width: Width,
    /// For each part and move, the coordinate from which the move leads to each coordinate.
    before: Vec<Vec<[u8; MOST_COORDINATES]>>,
}

/// Binomial coefficient, saturated.
pub(crate) fn binomial(n: usize, k: usize) -> u64 {
    (0..k.min(n + 1))
        .fold(1_u64, |product, at| product.saturating_mul((n - at) as u64) / (at as u64 + 1))
}

/// Number of ranks of a part; saturated.
pub(crate) fn part_ranks(rules: &Rules, part: &Part) -> u64 {
    let pieces = rules.pieces();
    let class = &pieces.classes[part.class];
    let mut free = class.slots();
    let mut ranks = 1_u64;
    for &kind in &part.kinds {
        let kind = &pieces.kinds[kind];
        ranks = ranks.saturating_mul(binomial(free, kind.count));
        let turns = (kind.turns as u64).checked_pow(kind.count as u32);
        ranks = ranks.saturating_mul(turns.unwrap_or(u64::MAX));
        free -= kind.count;
    }
    match sum_decides(rules, part) {
        true => ranks / class.turns as u64,
        false => ranks,
    }
}

/// Number of pieces of a part.
pub(crate) fn part_pieces(rules: &Rules, part: &Part) -> usize {
    part.kinds.iter().map(|&kind| rules.pieces().kinds[kind].count).sum()
}

/// Whether the orientation of the last piece of a part follows from the others.
fn sum_decides(rules: &Rules, part: &Part) -> bool {
    let pieces = rules.pieces();
    let class = &pieces.classes[part.class];
    class.turns > 1
        && class.preserves_sum()
        && part_pieces(rules, part) == class.slots()
        && part.kinds.iter().all(|&kind| pieces.kinds[kind].turns == class.turns)
}

/// The pieces of kinds of which there is one each; `None` if there are others.
fn single(kinds: &[Counted], turns: usize, is_last_decided: bool) -> Option<Vec<Single>> {
    if kinds.iter().any(|kind| kind.count != 1) {
        return None;
    }
    let number_of_turns = |number: usize| match is_last_decided && number + 1 == kinds.len() {
        true => 1,
        false => kinds[number].turns,
    };
    let all_turns: u64 = (0..kinds.len()).map(number_of_turns).product();
    let of_kind = |(number, kind): (usize, &Counted)| {
        let weight =
            all_turns * kinds[number + 1..].iter().map(|later| later.combinations).product::<u64>();
        let turn_weight: u64 = (number + 1..kinds.len()).map(number_of_turns).product();
        let mut at = Box::new([Share::default(); MOST_COORDINATES]);
        for (coordinate, &digit) in kind.digits.iter().enumerate() {
            let place = coordinate / turns;
            let turn = if number_of_turns(number) == 1 { 0 } else { u64::from(digit) };
            at[coordinate] = Share {
                below: (1 << place) - 1,
                share: place as u64 * weight + turn * turn_weight,
                place: place as u8,
            };
        }
        Single { weight, at }
    };
    Some(kinds.iter().enumerate().map(of_kind).collect())
}

impl Ranked {
    fn new(rules: &Rules, part: &Part) -> Self {
        let pieces = rules.pieces();
        let class = &pieces.classes[part.class];
        let mut free = class.slots();
        let counted = |&number: &usize| {
            let kind = &pieces.kinds[number];
            let combinations = binomial(free, kind.count);
            free -= kind.count;
            let mut digits = vec![0; class.positions.len()];
            let mut coordinates = vec![0; kind.turns * class.slots()];
            for place in 0..class.slots() {
                let of_place = place * class.turns..(place + 1) * class.turns;
                let first = of_place.clone().filter(|&at| usize::from(kind.seen[at]) == at);
                for (digit, seen) in first.enumerate() {
                    for at in of_place.clone().filter(|&at| usize::from(kind.seen[at]) == seen) {
                        digits[at] = digit as u8;
                    }
                    if let Some(slot) = coordinates.get_mut(digit * class.slots() + place) {
                        *slot = seen as u8;
                    }
                }
            }
            let turns = kind.turns as u64;
            Counted { kind: number, count: kind.count, turns, combinations, digits, coordinates }
        };
        let kinds = part.kinds.iter().map(counted).collect();
        let sum = sum_decides(rules, part).then(|| {
            let goal = &rules.definition.goal;
            let turn = |place: usize| {
                let mut all = part.kinds.iter();
                all.find_map(|&kind| pieces.kinds[kind].coordinate(class, goal, place))
            };
            (0..class.slots()).filter_map(turn).map(|at| at % class.turns).sum::<usize>()
                % class.turns
        });
        let kinds: Vec<Counted> = kinds;
        let all: u64 = kinds.iter().map(|kind| kind.turns.pow(kind.count as u32)).product();
        Self {
            class: part.class,
            places: class.slots(),
            turns: class.turns,
            single: single(&kinds, class.turns, sum.is_some()),
            pieces: kinds.iter().map(|kind| kind.count).sum(),
            all_turns: if sum.is_some() { all / class.turns as u64 } else { all },
            kinds,
            sum,
            ranks: part_ranks(rules, part),
        }
    }

    /// The rank of the coordinates of the part's pieces.
    #[inline]
    fn rank(&self, coordinates: &[u8]) -> u64 {
        let Some(single) = &self.single else { return self.rank_of_sets(coordinates) };
        let (mut rank, mut taken) = (0, 0_u128);
        // Indexed: adapters of such short slices are not inlined.
        for number in 0..single.len() {
            let piece = &single[number];
            let Share { below, share, place } = piece.at[usize::from(coordinates[number])];
            // A taken slot below is no choice.
            rank += share - u64::from((taken & below).count_ones()) * piece.weight;
            taken |= 1 << place;
        }
        rank
    }

    /// The rank of coordinates, some of which are of interchangeable pieces.
    fn rank_of_sets(&self, coordinates: &[u8]) -> u64 {
        let mut free = u128::MAX;
        let (mut rank, mut turns_rank) = (0, 0);
        let mut at = 0;
        let last = self.pieces - 1;
        for kind in &self.kinds {
            let mut chosen = 0_u128;
            let mut of_kind = [0_u8; MOST_PIECES];
            let of_kind = &mut of_kind[..kind.count];
            of_kind.copy_from_slice(&coordinates[at..at + kind.count]);
            if kind.count > 1 {
                // Coordinates of a kind are a set.
                of_kind.sort_unstable();
            }
            let mut combination = 0;
            for (number, &coordinate) in of_kind.iter().enumerate() {
                let place = usize::from(coordinate) / self.turns;
                let below = (free & ((1 << place) - 1)).count_ones() as usize;
                combination += match kind.count {
                    1 => below as u64,
                    _ => binomial(below, number + 1),
                };
                chosen |= 1 << place;
                if self.sum.is_none() || at + number != last {
                    turns_rank =
                        turns_rank * kind.turns + u64::from(kind.digits[usize::from(coordinate)]);
                }
            }
            free &= !chosen;
            rank = rank * kind.combinations + combination;
            at += kind.count;
        }
        rank * self.all_turns + turns_rank
    }

    /// The coordinates of a rank.
    fn unrank(&self, rank: u64, coordinates: &mut [u8]) {
        let (mut rank, mut turns_rank) = (rank / self.all_turns, rank % self.all_turns);
        let mut combinations = [0_u64; MOST_PIECES];
        for (at, kind) in self.kinds.iter().enumerate().rev() {
            combinations[at] = rank % kind.combinations;
            rank /= kind.combinations;
        }
        let mut places = [0_usize; MOST_PIECES];
        let mut free = PLACES;
        let mut left = self.places;
        let mut at = 0;
        for (kind, &combination) in self.kinds.iter().zip(&combinations) {
            let mut rest = combination;
            let mut chosen = [0_usize; MOST_PIECES];
            for number in (0..kind.count).rev() {
                let place = match kind.count {
                    1 => rest as usize,
                    // The largest slot whose combinations are not above the rest.
                    _ => (0..left).rev().find(|&p| binomial(p, number + 1) <= rest).unwrap_or(0),
                };
                rest = rest.saturating_sub(binomial(place, number + 1));
                chosen[number] = place;
            }
            for number in 0..kind.count {
                places[at + number] = usize::from(free[chosen[number]]);
            }
            for &place in chosen[..kind.count].iter().rev() {
                free.copy_within(place + 1..left, place);
                left -= 1;
            }
            at += kind.count;
        }
        let pieces = self.pieces;
        let mut sum = 0;
        let mut at = pieces;
        for kind in self.kinds.iter().rev() {
            for _ in 0..kind.count {
                at -= 1;
                let mut digit = 0;
                if self.sum.is_none() || at != pieces - 1 {
                    digit = (turns_rank % kind.turns) as usize;
                    turns_rank /= kind.turns;
                    sum += digit;
                }
                coordinates[at] = kind.coordinates[digit * self.places + places[at]];
            }
        }
        if let (Some(all), Some(kind)) = (self.sum, self.kinds.last()) {
            let digit = (all + self.turns * pieces - sum % self.turns) % self.turns;
            coordinates[pieces - 1] = kind.coordinates[digit * self.places + places[pieces - 1]];
        }
    }
}

impl Pieced {
    /// The pattern of parts, each of another class.
    pub(crate) fn new(rules: &Arc<Rules>, parts: &[Part], width: Width) -> Self {
        let before = |part: &Part| {
            let class = &rules.pieces().classes[part.class];
            let inverted = |moved: &Vec<u16>| {
                let mut before = [0; MOST_COORDINATES];
                moved.iter().zip(0..).for_each(|(&to, from)| before[usize::from(to)] = from as u8);
                before
            };
            class.moved.iter().map(inverted).collect()
        };
        Self {
            before: parts.iter().map(before).collect(),
            parts: parts.iter().map(|part| Ranked::new(rules, part)).collect(),
            rules: Arc::clone(rules),
            width,
        }
    }

    /// The same with another width of entries.
    pub(crate) fn with_width(self, width: Width) -> Self {
        Self { width, ..self }
    }

    /// Number of its pieces.
    pub(crate) fn pieces(&self) -> usize {
        self.parts.iter().map(|part| part.pieces).sum()
    }

    /// The class of each piece.
    pub(crate) fn classes(&self) -> impl Iterator<Item = usize> + '_ {
        self.parts.iter().flat_map(|part| std::iter::repeat_n(part.class, part.pieces))
    }

    /// The rank of coordinates.
    #[inline]
    pub(crate) fn rank_of(&self, coordinates: &[u8]) -> u64 {
        let (mut rank, mut at) = (0, 0);
        for part in &self.parts {
            rank = rank * part.ranks + part.rank(&coordinates[at..at + part.pieces]);
            at += part.pieces;
        }
        rank
    }

    fn coordinates_of(&self, mut rank: u64) -> Coordinates {
        let mut coordinates = [0; MOST_PIECES];
        let mut at = self.pieces();
        for part in self.parts.iter().rev() {
            let pieces = part.pieces;
            part.unrank(rank % part.ranks, &mut coordinates[at - pieces..at]);
            rank /= part.ranks;
            at -= pieces;
        }
        coordinates
    }

    /// The coordinates of its pieces in a state.
    pub(crate) fn located(&self, state: &[u8], coordinates: &mut [u8]) {
        let pieces = self.rules.pieces();
        let mut at = 0;
        for part in &self.parts {
            let class = &pieces.classes[part.class];
            for counted in &part.kinds {
                let kind = &pieces.kinds[counted.kind];
                let found =
                    (0..part.places).filter_map(|place| kind.coordinate(class, state, place));
                let slots = &mut coordinates[at..at + counted.count];
                slots.iter_mut().zip(found).for_each(|(slot, found)| *slot = found as u8);
                at += counted.count;
            }
        }
    }
}

impl<const N: usize> Pattern<Permutation<N>> for Pieced {
    fn name(&self) -> String {
        let kinds = self.parts.iter().flat_map(|part| &part.kinds);
        let kinds: Vec<String> = kinds.map(|kind| kind.kind.to_string()).collect();
        let hash = xxh3_64(kinds.join(" ").as_bytes());
        format!("permutation-{:016x}-{hash:016x}-{}", self.rules.id, self.width.bits())
    }

    fn ranks(&self) -> u64 {
        self.parts.iter().map(|part| part.ranks).product()
    }

    fn rank(&self, state: &Labels<N>) -> u64 {
        let mut coordinates = [0; MOST_PIECES];
        self.located(state, &mut coordinates);
        self.rank_of(&coordinates)
    }

    /// The other pieces of its classes are on the slots that are left, in any order.
    fn unrank(&self, rank: u64) -> Labels<N> {
        let coordinates = self.coordinates_of(rank);
        let pieces = self.rules.pieces();
        let mut state = [0; N];
        state[..self.rules.positions()].copy_from_slice(&self.rules.definition.goal);
        let mut at = 0;
        for part in &self.parts {
            let class = &pieces.classes[part.class];
            let mut is_taken = vec![false; part.places];
            let mut put = |state: &mut Labels<N>, kind: usize, coordinate: usize| {
                let positions = &class.positions[coordinate];
                for (&position, &label) in positions.iter().zip(&pieces.kinds[kind].labels) {
                    state[usize::from(position)] = label;
                }
                is_taken[coordinate / part.turns] = true;
            };
            let mut is_kept = vec![false; pieces.kinds.len()];
            for counted in &part.kinds {
                is_kept[counted.kind] = true;
                for &coordinate in &coordinates[at..at + counted.count] {
                    put(&mut state, counted.kind, coordinate.into());
                }
                at += counted.count;
            }
            let others = pieces.kinds.iter().enumerate();
            let others = others.filter(|&(at, kind)| kind.class == part.class && !is_kept[at]);
            let others = others.flat_map(|(at, kind)| std::iter::repeat_n(at, kind.count));
            let free: Vec<usize> = (0..part.places).filter(|&place| !is_taken[place]).collect();
            for (kind, place) in others.zip(free) {
                for (&position, &label) in
                    class.positions[place * part.turns].iter().zip(&pieces.kinds[kind].labels)
                {
                    state[usize::from(position)] = label;
                }
            }
        }
        state
    }

    fn before(&self, puzzle: &Permutation<N>, rank: u64, visit: &mut impl FnMut(u64)) {
        let coordinates = self.coordinates_of(rank);
        let moves = puzzle.definition().moves.len();
        let mut before = [0; MOST_PIECES];
        for step in 0..moves {
            let mut at = 0;
            for number in 0..self.parts.len() {
                let table = &self.before[number][step];
                let end = at + self.parts[number].pieces;
                while at < end {
                    before[at] = table[usize::from(coordinates[at])];
                    at += 1;
                }
            }
            visit(self.rank_of(&before));
        }
    }

    fn width(&self) -> Width {
        self.width
    }
}
