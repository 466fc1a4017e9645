//! Sequences of turns that come to the same, and their lengths in both metrics.

use crate::{Metric, Turn};

/// Turns of two opposite faces in a row, which may be made in any order.
struct Run {
    axis: u8,
    /// Quarter turns of the face whose number is the axis, and of the opposite one.
    quarters: [u8; 2],
}

/// Normal form of a sequence. Turns of opposite faces are ordered by face, and successive turns of
/// a face are combined; in quarter turns, a half turn is two clockwise turns. Sequences that differ
/// only in these respects have the same normal form.
pub(crate) fn canonical(turns: &[Turn], metric: Metric) -> Vec<Turn> {
    let mut runs: Vec<Run> = Vec::new();
    for turn in turns {
        let (axis, side) = (turn.face() % 3, usize::from(turn.face() / 3));
        if runs.last().is_none_or(|run| run.axis != axis) {
            let quarters = [0; 2];
            runs.push(Run { axis, quarters });
        }
        if let Some(run) = runs.last_mut() {
            run.quarters[side] = (run.quarters[side] + turn.quarters()) % 4;
            if run.quarters == [0; 2] {
                runs.pop();
            }
        }
    }
    let mut out = Vec::new();
    for run in runs {
        for (side, quarters) in (0..).zip(run.quarters) {
            let turn = |quarters| Turn(3 * (run.axis + 3 * side) + quarters - 1);
            match (quarters, metric) {
                (0, _) => {}
                (2, Metric::Quarter) => out.extend([turn(1); 2]),
                _ => out.push(turn(quarters)),
            }
        }
    }
    out
}

/// Length of a sequence in a metric.
pub(crate) fn length(turns: &[Turn], metric: Metric) -> u64 {
    canonical(turns, metric).len() as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cube, pieces::SOLVED};
    use unriddle_core::Notation as _;

    #[test]
    fn sequences_that_come_to_the_same_are_written_in_one_way() {
        let cube = |metric| Cube::<3>::new(SOLVED, metric);
        for (text, metric, canon) in [
            ("D U' L R L", Metric::Half, "U' D R L2"),
            ("D U' L R L", Metric::Quarter, "U' D R L L"),
            ("F' F' R2", Metric::Quarter, "F F R R"),
            ("F' F' R2", Metric::Half, "F2 R2"),
            ("R L R' L' U", Metric::Half, "U"),
            ("U R R' D", Metric::Half, "U D"),
        ] {
            let turns = cube(metric).parse_solution(text).unwrap();
            let canon = cube(metric).parse_solution(canon).unwrap();
            assert_eq!(canonical(&turns, metric), canon, "{text}");
        }
    }
}
