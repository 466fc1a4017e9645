//! What a run tells of itself as it goes: a line of numbers at every checkpoint.

use crate::figure::{Curve, curves};
use serde::{Deserialize, Serialize};
use unriddle_catalog::work::WorkError;

/// Lengths of the walks that a greedy search is tried on.
pub(super) const DEPTHS: [u64; 6] = [10, 20, 50, 100, 200, 500];

/// A line of the log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// Updates so far.
    pub updates: u64,
    /// Examples so far.
    pub examples: u64,
    /// Seconds of training so far, of all runs together.
    pub seconds: f64,
    /// Learning rate.
    pub rate: f64,
    /// Mean loss since the line before.
    pub loss: f64,
    /// The error on examples that are not trained on, if there are any: the root of the mean squared
    /// error in moves, or the share of wrong choices.
    pub error: Option<f64>,
    /// How often the target was renewed.
    pub renewals: u64,
    /// Most steps of the walks that the network solves, where it does.
    pub steps: Option<u64>,
    /// Shares of walks of [`DEPTHS`] steps that greedy best-first search brings home within 1,000 expansions.
    pub solved: Vec<f64>,
}

/// The log as a table.
pub(super) fn table(lines: &[Line]) -> String {
    let depths: Vec<String> = DEPTHS
        .iter()
        .map(|depth| format!("solved_{depth}"))
        .collect();
    let mut out = format!(
        "updates,examples,seconds,rate,loss,error,renewals,steps,{}\n",
        depths.join(",")
    );
    for line in lines {
        let error = line
            .error
            .map_or(String::new(), |error| format!("{error:.4}"));
        let steps = line.steps.map_or(String::new(), |steps| steps.to_string());
        let solved: Vec<String> = line
            .solved
            .iter()
            .map(|share| format!("{share:.3}"))
            .collect();
        out += &format!(
            "{},{},{:.1},{:.3e},{:.5},{error},{},{steps},{}\n",
            line.updates,
            line.examples,
            line.seconds,
            line.rate,
            line.loss,
            line.renewals,
            solved.join(",")
        );
    }
    out
}

/// Plots of the share of walks that greedy search solves, by their length (DeepCubeA's Figure 3), and
/// of the loss.
///
/// # Errors
/// A plot that cannot be drawn.
pub(super) fn plots(lines: &[Line]) -> Result<[(&'static str, String); 2], WorkError> {
    let curve = |name: String, value: &dyn Fn(&Line) -> f64| Curve {
        name,
        points: lines
            .iter()
            .map(|line| (line.examples as f64, value(line)))
            .collect(),
    };
    let solved = DEPTHS.iter().enumerate().map(|(i, depth)| {
        let value = |line: &Line| 100.0 * line.solved.get(i).copied().unwrap_or(f64::NAN);
        curve(format!("{depth} steps"), &value)
    });
    let loss = curve("loss".to_owned(), &|line| line.loss);
    let label = "% of walks that greedy search solves";
    Ok([
        (
            "solved.svg",
            curves("Solved", "examples", label, solved.collect())?,
        ),
        (
            "loss.svg",
            curves(
                "Loss",
                "examples",
                "loss since the point before",
                vec![loss],
            )?,
        ),
    ])
}
