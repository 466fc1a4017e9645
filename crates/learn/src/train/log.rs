//! The log of a training: a line of numbers at every checkpoint.

use crate::figure::{Curve, curves};
use serde::{Deserialize, Serialize};
use unriddle_catalog::{units::show_count, work::WorkError};

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
    /// The error on examples that are not trained on, if there are any: the root of the mean
    /// squared error in moves, or the share of wrong choices.
    pub error: Option<f64>,
    /// Mean margin of good paths, if it is measured: the greatest excess of the estimate of a
    /// path's state over the greatest estimate that a narrow beam keeps in the state's layer.
    #[serde(default)]
    pub margin: Option<f64>,
    /// Number of renewals of the target network.
    pub renewals: u64,
    /// Most steps of the walks that the network solves, where it does.
    pub steps: Option<u64>,
    /// Shares of walks that greedy best-first search solves within 1,000 expansions, by the numbers
    /// of steps that the puzzle declares.
    pub solved: Vec<f64>,
}

impl Line {
    /// A note about the checkpoint, for the line above the progress bar.
    pub(super) fn note(&self, depths: &[u64]) -> String {
        let steps = self.steps.map(|steps| format!(", walks of {steps} steps"));
        format!(
            "{} examples: {}, {} renewals{}",
            show_count(self.examples),
            self.summary(depths),
            self.renewals,
            steps.unwrap_or_default(),
        )
    }

    /// A summary of the run, if this is its last line.
    pub(super) fn summary(&self, depths: &[u64]) -> String {
        let error = self.error.map(|error| format!(", error {error:.3}"));
        let margin = self.margin.map(|margin| format!(", margin {margin:.2}"));
        let pace = self.examples as f64 / self.seconds.max(1e-9);
        let solved: Vec<String> =
            (self.solved.iter()).map(|share| format!("{:.0}", 100.0 * share)).collect();
        let depths: Vec<String> = depths.iter().map(u64::to_string).collect();
        format!(
            "loss {:.4}{}{}, {} examples a second; greedy search solves {} % of walks of {} steps",
            self.loss,
            error.unwrap_or_default(),
            margin.unwrap_or_default(),
            show_count(pace as u64),
            solved.join("/"),
            depths.join("/")
        )
    }
}

/// The log as a table.
pub(super) fn table(lines: &[Line], depths: &[u64]) -> String {
    let depths: Vec<String> = depths.iter().map(|depth| format!("solved_{depth}")).collect();
    let mut out = format!(
        "updates,examples,seconds,rate,loss,error,renewals,steps,{},margin\n",
        depths.join(",")
    );
    for line in lines {
        let Line { updates, examples, seconds, rate, loss, renewals, steps, solved, .. } = line;
        let [error, margin] = [line.error, line.margin]
            .map(|number| number.map_or(String::new(), |number| format!("{number:.4}")));
        let steps = steps.map_or(String::new(), |steps| steps.to_string());
        let solved: Vec<String> = solved.iter().map(|share| format!("{share:.3}")).collect();
        out += &format!(
            "{updates},{examples},{seconds:.1},{rate:.3e},{loss:.5},{error},{renewals},{steps},{},{margin}\n",
            solved.join(",")
        );
    }
    out
}

/// Plots of the share of walks that greedy search solves, by their length (DeepCubeA's Figure 3),
/// and of the loss.
///
/// # Errors
/// A plot that cannot be drawn.
pub(super) fn plots(
    lines: &[Line],
    depths: &[u64],
) -> Result<[(&'static str, String); 2], WorkError> {
    let curve = |name: String, value: &dyn Fn(&Line) -> f64| Curve {
        name,
        points: lines.iter().map(|line| (line.examples as f64, value(line))).collect(),
    };
    let solved = depths.iter().enumerate().map(|(i, depth)| {
        let value = |line: &Line| 100.0 * line.solved.get(i).copied().unwrap_or(f64::NAN);
        curve(format!("{depth} steps"), &value)
    });
    let loss = curve("loss".to_owned(), &|line| line.loss);
    let label = "walks solved by greedy search (%)";
    Ok([
        ("solved.svg", curves("Solved", "examples", label, solved.collect())?),
        ("loss.svg", curves("Loss", "examples", "loss since the point before", vec![loss])?),
    ])
}
