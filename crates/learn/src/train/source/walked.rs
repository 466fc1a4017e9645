//! Examples from random walks: states of the walks, and states of searches from their ends.

use super::{
    super::{
        recipe::{Source, WalkSource, WalkTarget},
        target::Target,
    },
    Batch, ExampleSource, Known, SourceContext,
};
use unriddle_catalog::training_data::{Backup, NO_ACTION, Narrow, States};
use unriddle_core::Rng;

/// Random walks from goals, and the searches from their ends.
pub(super) struct Walked<'a> {
    pub declared: &'a Source,
    pub context: &'a SourceContext<'a>,
    pub seed: u64,
}

/// Labels of the rows of a batch.
#[derive(Default)]
struct Rows {
    /// Upper bounds, or targets that are known.
    known: Vec<f32>,
    /// The actions that lead back along walks.
    right: Vec<u16>,
}

impl Walked<'_> {
    /// Adds states with their labels until there are `rows`.
    fn states(
        &self,
        rows: usize,
        target: Option<&Target>,
        rng: &mut Rng,
    ) -> (Box<dyn States>, Rows) {
        let mut states = self.context.training_data.list();
        let mut of = Rows::default();
        let net = target.map(|target| &target.net);
        while states.len() < rows {
            let before = states.len();
            match (self.declared, net) {
                (Source::Walks(WalkSource { walks, per_walk, .. }), _) => {
                    let count = (*per_walk).min(rows - before);
                    let mut stops: Vec<u64> = (0..count).map(|_| walks.draw(rng)).collect();
                    stops.sort_unstable();
                    let right =
                        self.context.training_data.walk(&stops, walks.kind, rng, &mut *states);
                    let steps = stops[..right.len()].iter();
                    of.known.extend(steps.map(|&steps| steps as f32));
                    of.right.extend(right);
                }
                (Source::Beams(source), Some(net)) => {
                    let end = source.walks.end(self.context.training_data, rng);
                    let beam = Narrow { width: source.width, depth: source.depth };
                    end.evaluated(0, net, beam, source.every, &mut *states);
                }
                (Source::Greedy(source), Some(net)) => {
                    source.walks.end(self.context.training_data, rng).greedy_walk(
                        0,
                        net,
                        source.steps,
                        &mut *states,
                    );
                }
                (Source::Backups(source), Some(net)) => {
                    let end = source.walks.end(self.context.training_data, rng);
                    let backup = Backup {
                        expansions: source.expansions,
                        weight: source.weight,
                        to_goal: source.to_goal,
                        most: Some(source.most).filter(|most| most.is_finite()),
                    };
                    end.backed_up(0, net, backup, &mut *states, &mut of.known);
                }
                _ => break,
            }
            states.truncate(rows);
            if states.len() == before {
                // A puzzle without goals to walk back from.
                break;
            }
        }
        of.known.truncate(rows);
        (states, of)
    }
}

impl ExampleSource for Walked<'_> {
    fn add(&self, number: u64, rows: usize, target: Option<&Target>, batch: &mut Batch) {
        let mut rng = Rng::stream(self.seed, number);
        let (states, Rows { known, right }) = self.states(rows, target, &mut rng);
        let (asks, clips) = match self.declared {
            Source::Walks(source) => match source.target {
                WalkTarget::Bellman => (true, false),
                WalkTarget::Clipped => (true, true),
                WalkTarget::Length | WalkTarget::Step => (false, false),
            },
            Source::Backups(_) => (false, false),
            _ => (true, false),
        };
        let head = self.context.head;
        let asked = target.filter(|_| asks);
        let through = match asked.filter(|_| head.actions() > 0) {
            Some(target) => target.through(&*states),
            None => Vec::new(),
        };
        let targets = match asked {
            None => known,
            Some(target) => {
                let mut targets = target.look_ahead(&*states);
                if clips {
                    for (target, most) in targets.iter_mut().zip(known) {
                        *target = target.min(most);
                    }
                }
                targets
            }
        };
        // A state from which no action leads on has no target.
        for (row, &left) in targets.iter().enumerate().filter(|(_, t)| t.is_finite()) {
            let known = Known {
                left,
                through: through.get(row).map_or(&[], Vec::as_slice),
                right: right.get(row).copied().filter(|&action| action != NO_ACTION),
            };
            batch.push(&*states, row, head, known);
        }
    }
}
