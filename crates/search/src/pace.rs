//! Widths of a sequence of beams under a time limit, judged by the time that its own beams took.
//!
//! The first beam is narrow, so that it answers within a tenth of the limit. If it takes longer,
//! it pauses, and two others take their turns, a quarter and four times as wide: a narrower beam is
//! faster, and a wider one may find a way where a narrow one circles. The three take turns until
//! one of them finds a solution. Each further beam is two or four times as wide as the previous
//! one, as long as two more beams fit into the rest of the time; the last one fills most of it.

use crate::beam::MAX_WIDTH;
use std::{collections::VecDeque, time::Duration};

/// Width of the first beam, unless the configured one is smaller.
const FIRST: usize = 32;
/// Ratio of the widths of the beams that take turns.
const RATIO: usize = 4;
/// Part of the limit in which the first beam answers, and the length of a turn.
const TENTH: u32 = 10;
/// Number of beams that take turns.
const RACERS: u32 = 3;

/// A beam.
#[derive(Clone, Copy)]
struct Racer {
    width: usize,
    /// Time of its earlier turns; after its end, of all turns.
    took: Duration,
}

/// Change of the searching beam.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Turn {
    /// Another beam begins.
    New,
    /// The beam that has waited longest resumes.
    Waiting,
}

/// Clock of the beams, and the rule by which their widths follow from it.
pub(crate) struct Pace<'a> {
    limit: Duration,
    clock: Box<dyn Fn() -> Duration + 'a>,
    /// Time of all steps so far.
    spent: Duration,
    /// Reading of the clock at the beginning of the present step.
    since: Option<Duration>,
    /// The searching beam.
    current: Option<Racer>,
    /// Time at which its turn began.
    begun: Duration,
    /// Beams that wait for their turn.
    waiting: VecDeque<Racer>,
    /// Number of beams that have begun, before the first of them ended.
    racers: u32,
    /// The last beam that ended.
    ended: Option<Racer>,
}

impl<'a> Pace<'a> {
    /// Creates a pace for a search of at most `limit`. The readings of `clock` never decrease.
    pub(crate) fn new(limit: Duration, clock: impl Fn() -> Duration + 'a) -> Self {
        Self {
            limit,
            clock: Box::new(clock),
            spent: Duration::ZERO,
            since: None,
            current: None,
            begun: Duration::ZERO,
            waiting: VecDeque::new(),
            racers: 0,
            ended: None,
        }
    }

    /// Begins a step of the search. Time between steps does not count.
    pub(crate) fn enter(&mut self) {
        self.since = Some((self.clock)());
    }

    /// Ends a step of the search.
    pub(crate) fn leave(&mut self) {
        self.spent = self.now();
        self.since = None;
    }

    /// Time of the search.
    fn now(&self) -> Duration {
        let step = self.since.map_or(Duration::ZERO, |since| (self.clock)().saturating_sub(since));
        self.spent + step
    }

    /// Begins a beam, and returns its width; `None` if the last beam had the largest width.
    /// `configured` is the width of the beam without a time limit.
    pub(crate) fn begin(&mut self, configured: usize) -> Option<usize> {
        let now = self.now();
        let first = FIRST.min(configured);
        let width = match (self.racers, self.ended) {
            (0, None) => first,
            (1, None) if first >= RATIO => first / RATIO,
            (_, None) => first * RATIO,
            (_, Some(ended)) if ended.width < MAX_WIDTH => {
                wider(ended, self.limit.saturating_sub(now))
            }
            (_, Some(_)) => return None,
        };
        self.racers += 1;
        self.current = Some(Racer { width, took: Duration::ZERO });
        self.begun = now;
        Some(width)
    }

    /// Another beam whose turn it is, as long as nothing is solved. The searching beam then waits.
    pub(crate) fn turn(&mut self) -> Option<Turn> {
        let (current, used) = (self.current?, self.now().saturating_sub(self.begun));
        if used <= self.limit / TENTH {
            return None;
        }
        let turn = match self.waiting.is_empty() {
            _ if self.ended.is_none() && self.racers < RACERS => Turn::New,
            false => Turn::Waiting,
            true => return None,
        };
        self.waiting.push_back(Racer { took: current.took + used, ..current });
        self.current = None;
        if turn == Turn::Waiting {
            self.resume();
        }
        Some(turn)
    }

    /// The beam that has waited longest takes its turn.
    fn resume(&mut self) {
        self.current = self.waiting.pop_front();
        self.begun = self.now();
    }

    /// Ends the beam, with or without a solution. Returns whether a waiting beam resumes.
    pub(crate) fn end(&mut self, is_solved: bool) -> bool {
        let Some(Racer { width, took }) = self.current.take() else { return false };
        let ended = Racer { width, took: took + self.now().saturating_sub(self.begun) };
        if is_solved {
            self.waiting.clear();
            self.ended = Some(ended);
            return false;
        }
        // The next beam is wider than all beams that found nothing.
        if self.ended.is_none_or(|before| before.width < width) {
            self.ended = Some(ended);
        }
        self.resume();
        self.current.is_some()
    }
}

/// Width of the next beam, with `left` of the time.
fn wider(Racer { width, took }: Racer, left: Duration) -> usize {
    // Number of further beams like the last one.
    let beams = left.as_secs_f64() / took.as_secs_f64().max(1e-9);
    let factor = match beams {
        40.0.. => 4.0,
        6.0.. => 2.0,
        // The last beam: the rest of the time is enough, although wide beams take longer.
        1.7.. => 0.7 * beams,
        // The time hardly suffices for anything new.
        _ => 2.0,
    };
    ((width as f64 * factor) as usize).clamp(width + 1, MAX_WIDTH)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    const MS: Duration = Duration::from_millis(1);

    /// Widths of the beams within a second and whether each has ended, if a beam takes `each` per
    /// unit of its width, and finds a solution if it is at least `needed` wide.
    fn widths(each: Duration, configured: usize, needed: usize) -> Vec<(usize, bool)> {
        let now = Cell::new(Duration::ZERO);
        let mut pace = Pace::new(1000 * MS, || now.get());
        // Beams with the rest of their time, the searching one last.
        let (mut beams, mut found, mut is_solved) = (VecDeque::new(), Vec::new(), false);
        while now.get() < 1000 * MS {
            if beams.is_empty() {
                let Some(width) = pace.begin(configured) else { break };
                found.push((width, false));
                beams.push_back((found.len() - 1, each * width as u32));
            }
            pace.enter();
            let (index, left) = beams.back_mut().unwrap();
            let step = (*left).min(5 * MS);
            now.set(now.get() + step);
            *left -= step;
            if left.is_zero() {
                let (width, ended) = &mut found[*index];
                *ended = true;
                is_solved |= *width >= needed;
                beams.pop_back();
                if is_solved {
                    beams.clear();
                }
                if pace.end(is_solved) {
                    beams.rotate_left(1);
                }
            } else if !is_solved {
                match pace.turn() {
                    Some(Turn::New) => {
                        let width = pace.begin(configured).unwrap();
                        found.push((width, false));
                        beams.push_back((found.len() - 1, each * width as u32));
                    }
                    Some(Turn::Waiting) => beams.rotate_left(1),
                    None => {}
                }
            }
            pace.leave();
        }
        found
    }

    #[test]
    fn beams_widen_while_there_is_time() {
        let all = widths(Duration::from_micros(10), 65_536, 0);
        assert_eq!(all[0], (32, true));
        assert!(all.is_sorted_by(|a, b| a.0 < b.0), "{all:?}");
        // A width of 100,000 would take all of the time.
        let widest = all.iter().filter(|beam| beam.1).map(|beam| beam.0).max();
        assert!(widest.unwrap() > 25_000, "{all:?}");
        assert_eq!(widths(MS / 10, 4, 0)[0], (4, true));
    }

    #[test]
    fn slow_beams_take_turns() {
        assert_eq!(widths(10 * MS, 65_536, 0)[..2], [(32, false), (8, true)]);
        // The narrower beam finds nothing, and the first one has its turn again.
        assert_eq!(widths(5 * MS, 65_536, 32)[..2], [(32, true), (8, true)]);
        let all = widths(20 * MS, 65_536, 32);
        assert_eq!(all[..3], [(32, false), (8, true), (128, false)]);
        assert_eq!(widths(100 * MS, 2, 0)[..2], [(2, true), (8, false)]);
    }

    /// Beams that find nothing are followed by wider ones.
    #[test]
    fn widths_without_a_solution_are_not_tried_again() {
        let all = widths(MS, 65_536, 100);
        assert!(all.is_sorted_by(|a, b| a.0 < b.0), "{all:?}");
        assert!(all.iter().any(|&(width, ended)| width >= 100 && ended), "{all:?}");
    }

    #[test]
    fn the_largest_width_is_the_last() {
        let mut pace = Pace::new(1000 * MS, || Duration::ZERO);
        let mut last = 0;
        while let Some(width) = pace.begin(8) {
            assert!(width > last);
            last = width;
            pace.end(true);
        }
        assert_eq!(last, MAX_WIDTH);
    }
}
