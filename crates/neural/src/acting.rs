//! Networks with outputs of actions, together with the numbers that a puzzle gives its actions.
//!
//! The network has an output for every action ([`Head`]). Only the puzzle knows which actions are
//! legal in a state. An [`Acting`] therefore has a function that calls a sink with the numbers of a
//! state's legal actions.

use crate::batch::Pool;
use crate::error::RowError;
use crate::head::Head;
use crate::net::{MOST, Net};
use unriddle_core::{BatchHeuristic, Features, Guarantee, Row};

/// Network of actions, with a function that names the legal actions of a state.
///
/// As a batch heuristic it estimates a state by the [value](Head::has_value) if the network has
/// one, otherwise by the least output over the legal actions. A state without legal actions is
/// estimated at a million, because infinity would claim a proved dead end. A goal is estimated like
/// any other state; searches know that it costs nothing more.
///
/// ```
/// # use unriddle_core::{BatchHeuristic, Features, Numbers, Puzzle, Row};
/// # use unriddle_neural::{
/// #     Acting, Activation, Architecture, Block, Head, Header, Model, Net, Network, Training,
/// # };
/// # struct Stairs;
/// # impl Puzzle for Stairs {
/// #     type State = u8;
/// #     type Action = u8;
/// #     type Actions = Numbers;
/// #     fn initial_state(&self) -> u8 { 5 }
/// #     fn actions(&self, stair: &u8) -> Numbers { Numbers::new(1, (*stair).min(2)) }
/// #     fn apply(&self, stair: &u8, steps: u8) -> u8 { stair - steps }
/// # }
/// # impl Features for Stairs {
/// #     fn feature_len(&self) -> usize { 6 }
/// #     fn active(&self, stair: &u8, sink: &mut dyn FnMut(u32)) { sink(u32::from(*stair)) }
/// # }
/// # let architecture = Architecture {
/// #     inputs: 6,
/// #     groups: 1,
/// #     grid: None,
/// #     skip: false,
/// #     blocks: vec![Block::dense(8, Activation::Leaky), Block::head(Head::Actions(2))],
/// # };
/// # let (puzzle, size, goal, input) = ("stairs".into(), "5".into(), "down".into(), String::new());
/// # let training = Training::default();
/// # let header = Header { puzzle, size, goal, input, sharing: None, architecture, training };
/// # let model = Model::random(header, 1).unwrap();
/// // One or two steps down, as far as there are any: actions 0 and 1.
/// let legal = |puzzle: &Stairs, stair: &u8, sink: &mut dyn FnMut(u32)| {
///     puzzle.actions(stair).for_each(|steps| sink(u32::from(steps) - 1));
/// };
/// let net = Net::new(Network::new(&model).unwrap());
/// let acting = Acting::new(net, legal);
/// acting.fits(&Stairs).unwrap();
/// let rows = [Row { puzzle: &Stairs, state: &5 }, Row { puzzle: &Stairs, state: &1 }];
/// let (mut all, mut estimates) = ([0.0; 4], [0.0; 2]);
/// acting.action_values(&rows, &mut all).unwrap();
/// acting.evaluate(&rows, &mut estimates);
/// assert_eq!(estimates, [all[0].min(all[1]), all[2]]);
/// ```
pub struct Acting<L> {
    net: Net,
    legal: L,
    /// For each action and for each input index, its number in the mirror image.
    mirror: Option<(Vec<u32>, Vec<u32>)>,
    pool: Pool<Scratch>,
}

/// Active indices of rows, and all outputs of these rows.
type Scratch = (Vec<u32>, Vec<f32>, Vec<f32>);

impl<L> Acting<L> {
    /// Heuristic of `net`. `legal` calls its sink with the numbers of a state's legal actions.
    #[must_use]
    pub fn new(net: Net, legal: L) -> Self {
        Self { net, legal, mirror: None, pool: Pool::default() }
    }

    /// The same heuristic with the mean of the outputs of a state and of its mirror image
    /// ([`Net::with_images`]). `inputs` maps each index of the input to its index in the mirror
    /// image. `actions` maps each action to the action with the same effect in the mirror image.
    #[must_use]
    pub fn with_mirror(mut self, inputs: Vec<u32>, actions: Vec<u32>) -> Self {
        self.net = self.net.with_images(vec![inputs.clone()]);
        self.mirror = Some((actions, inputs));
        self
    }

    /// The network.
    #[must_use]
    pub fn net(&self) -> &Net {
        &self.net
    }

    /// Number of actions that have an output.
    #[must_use]
    pub fn actions(&self) -> usize {
        self.net.engine().head().actions()
    }

    /// Checks that a puzzle's start fits the network's input, and that its legal actions have
    /// outputs.
    ///
    /// # Errors
    /// Another number of active indices, an index out of range, a network without outputs of
    /// actions, or a legal action without an output.
    pub fn fits<P: Features>(&self, puzzle: &P) -> Result<(), RowError>
    where
        L: Fn(&P, &P::State, &mut dyn FnMut(u32)),
    {
        let (engine, start) = (self.net.engine(), puzzle.initial_state());
        let mut active = Vec::new();
        puzzle.active(&start, &mut |index| active.push(index));
        engine.check(&active, 1)?;
        let head = engine.head();
        if head.actions() == 0 {
            return Err(RowError::NoActions(head));
        }
        let (mut bad, actions) = (None, head.actions());
        (self.legal)(puzzle, &start, &mut |action| {
            bad = bad.or((action as usize >= actions).then_some(action));
        });
        bad.map_or(Ok(()), |action| Err(RowError::Action { action, actions }))
    }

    /// Writes the outputs of all [`actions`](Self::actions) of every row, row after row, including
    /// illegal actions. Costs are limited as in [`Net`], with `less` subtracted; the logits of a
    /// policy are unchanged.
    ///
    /// # Errors
    /// Rows that do not fit the network, or a length of `out` that is not `rows * actions`; `out`
    /// is unchanged.
    pub fn action_values<P: Features>(
        &self,
        rows: &[Row<'_, P>],
        out: &mut [f32],
    ) -> Result<(), RowError> {
        let (engine, actions) = (self.net.engine(), self.actions());
        let (head, found) = (engine.head(), out.len());
        if actions == 0 {
            return Err(RowError::NoActions(head));
        }
        if found != rows.len() * actions {
            let outputs = actions;
            return Err(RowError::Outputs { found, outputs });
        }
        let (width, values) = (head.outputs(), head.outputs() - actions);
        self.pool.with(|(active, all, _)| {
            Net::active(rows, active);
            if let Some((_, inputs)) = &self.mirror {
                let own = active.len();
                Net::add_image(active, own, inputs);
            }
            let copies = 1 + usize::from(self.mirror.is_some());
            all.resize(copies * rows.len() * width, 0.0);
            engine.evaluate_all(active, all, self.net.threads())?;
            let (own, mirrored) = all.split_at(rows.len() * width);
            let lines = out.chunks_exact_mut(actions).zip(own.chunks_exact(width));
            for (row, (out, own)) in lines.enumerate() {
                out.copy_from_slice(&own[values..]);
                if let Some((of, _)) = &self.mirror {
                    let mirrored = &mirrored[row * width + values..][..actions];
                    for (out, &action) in out.iter_mut().zip(of) {
                        // Actions without a mirrored action keep their value.
                        let other = mirrored.get(action as usize).unwrap_or(out);
                        *out = 0.5 * (*out + other);
                    }
                }
            }
            if head.is_cost() {
                out.iter_mut().for_each(|h| *h = self.net.estimate(*h));
            }
            Ok(())
        })
    }
}

impl<P: Features, L> BatchHeuristic<P> for Acting<L>
where
    L: Fn(&P, &P::State, &mut dyn FnMut(u32)) + Send + Sync,
{
    fn guarantee(&self) -> Guarantee {
        Guarantee::None
    }

    /// If a row does not fit the network ([`Acting::fits`]), its whole batch is estimated at 0.
    fn evaluate(&self, rows: &[Row<'_, P>], out: &mut [f32]) {
        let head = self.net.engine().head();
        if !matches!(head, Head::Actions(_)) {
            return self.net.evaluate(rows, out);
        }
        let actions = self.actions();
        let count = rows.len().min(out.len());
        let (rows, out) = (&rows[..count], &mut out[..count]);
        // `action_values` takes a buffer from the pool itself, so this call holds only the vector.
        let mut all = self.pool.with(|(_, _, all)| std::mem::take(all));
        all.resize(count * actions, 0.0);
        if self.action_values(rows, &mut all).is_err() {
            out.fill(0.0);
        } else {
            let lines = rows.iter().zip(all.chunks_exact(actions));
            for (out, (row, values)) in out.iter_mut().zip(lines) {
                *out = MOST;
                (self.legal)(row.puzzle, row.state, &mut |action| {
                    // Actions without an output are skipped.
                    if let Some(&value) = values.get(action as usize) {
                        *out = out.min(value);
                    }
                });
            }
        }
        self.pool.with(|(_, _, kept)| *kept = all);
    }

    fn preferred_batch(&self) -> usize {
        BatchHeuristic::<P>::preferred_batch(&self.net)
    }

    fn bytes(&self) -> u64 {
        BatchHeuristic::<P>::bytes(&self.net)
    }
}

impl<L> std::fmt::Debug for Acting<L> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Acting")
            .field("net", &self.net)
            .field("mirror", &self.mirror.is_some())
            .finish_non_exhaustive()
    }
}
