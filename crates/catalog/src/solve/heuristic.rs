//! Heuristics by name: the general ones, and how a spec becomes a heuristic.

use super::net;
use crate::{
    bind::{Bound, bind, find},
    declare::{
        goal::Goal,
        heuristic::{EachState, ErasedHeuristic, HeuristicOf, Setup, Tables},
        learning::{FromNetwork, Learning},
        listed::{Costs, DeclaredPuzzle},
        solver::{Runner, not_wired},
    },
    interface::{
        pending::PendingSolve,
        values::{Request, SolveError},
    },
    spec::Spec,
};
use std::cell::RefCell;
use unriddle_core::{
    BatchHeuristic, Cost, Domain, GoalPuzzle, Guarantee, Heuristic, Info, Parameter, Puzzle, Role,
    Row, Scalar, Solution, Successor,
};
use unriddle_search::{
    idastar::{IdaStar, IdaStarConfig, parallel::ParallelIdaStar},
    pairwise::Comparison,
    qbeam::ActionValues,
};

impl<P: GoalPuzzle, H: Heuristic<P>> EachState<P> for H {
    fn guarantee(&self) -> Guarantee {
        Heuristic::guarantee(self)
    }
    fn estimate(&self, puzzle: &P, state: &P::State) -> Option<Cost> {
        self.root(puzzle, state).map(|(h, _)| h)
    }
    fn bytes(&self) -> u64 {
        Heuristic::bytes(self)
    }
    fn into_batch(self: Box<Self>) -> Box<dyn BatchHeuristic<P>> {
        Box::new(Scalar(*self))
    }
    fn ida_star<'s, 'a: 's>(
        &'s self,
        mut run: Runner<'a, P, Costs>,
        config: IdaStarConfig,
        known: Option<Solution<<P as Puzzle>::Action>>,
    ) -> PendingSolve<'s>
    where
        P: DeclaredPuzzle<Costs, Action = <P as Puzzle>::Action>,
    {
        let (puzzle, request) = (run.puzzle, run.request);
        let Request { threads, ranks, journal, .. } = *request;
        Box::pin(async move {
            if threads > 1 || ranks.is_some() || journal.is_some() {
                run.parallel = true;
                let search = ParallelIdaStar::new(puzzle, self, threads)?.with(config)?;
                let mut search = search.knowing(known).on_ranks(ranks).with_journal(journal);
                run.search(&mut search).await
            } else {
                let search = IdaStar::new(puzzle, self)?.with(config)?;
                run.search(&mut search.knowing(known)).await
            }
        })
    }
}

/// Heuristics of every goal puzzle, and of every puzzle whose distances networks learn.
pub const GENERAL_HEURISTICS: &[&Info] = &[&BLIND, &MAX, &net::INFO];

/// The general heuristics of a puzzle.
pub(crate) fn general<P: Goal>() -> Vec<&'static Info> {
    let mut infos = GENERAL_HEURISTICS.to_vec();
    infos.retain(|info| info.name != net::NAME || P::LEARNING.is_some());
    #[cfg(feature = "arrays")]
    if P::LEARNING.is_some_and(|learning| learning.arrays.is_some()) {
        infos.push(&super::arrays::INFO);
    }
    infos
}

pub(super) const BLIND: Info = Info {
    guarantee: "consistent",
    requires: "any goal puzzle",
    ..Info::new(Role::Heuristic, "blind", "no knowledge: 0 everywhere")
};

const MAX: Info = Info {
    guarantee: "as the weakest of its parts",
    requires: "any goal puzzle",
    parameters: &[Parameter::variadic("h", Domain::Heuristic, "the parts")],
    ..Info::new(
        Role::Heuristic,
        "max",
        "the largest of several heuristics, each computed from scratch",
    )
};

/// The heuristics of a puzzle by name: the general ones and its own.
fn entry<P: Goal>(name: &str) -> Option<&'static HeuristicOf<P>> {
    let mut all = General::<P>::ENTRIES.iter().chain(P::HEURISTICS);
    all.find(|entry| entry.info.name == name)
}

struct General<P>(P);

impl<P: Goal> General<P> {
    const ENTRIES: &'static [HeuristicOf<P>] = &[
        // IDA* would be compiled once more for another type.
        HeuristicOf::new(&BLIND, |_, _| Ok(ErasedHeuristic::each(Largest(Vec::new())))),
        HeuristicOf {
            info: &MAX,
            make: |puzzle, setup| {
                let make = Maker { puzzle, request: setup.request, networks: setup.networks };
                let part = |spec| make.heuristic(spec);
                let parts: Result<Vec<_>, _> = setup.given.exprs("h").map(part).collect();
                Ok(largest(parts?))
            },
            tables: |puzzle, given| {
                let part = |spec| tables::<P>(puzzle, spec);
                let parts: Result<Vec<_>, _> = given.exprs("h").map(part).collect();
                Ok(parts?.into_iter().flatten().collect())
            },
        },
        HeuristicOf::new(&net::INFO, |puzzle, setup| match P::LEARNING {
            Some(learning) => (learning.net)(puzzle, setup),
            None => Err(not_wired("heuristic", net::NAME)),
        }),
        #[cfg(feature = "arrays")]
        HeuristicOf::new(&super::arrays::INFO, |puzzle, setup| {
            match P::LEARNING.and_then(|learning| learning.arrays) {
                Some(functions) => (functions.heuristic)(puzzle, setup),
                None => Err(not_wired("heuristic", super::arrays::NAME)),
            }
        }),
    ];
}

fn bound<P: Goal>(spec: &Spec) -> Result<(Bound<'static>, &'static HeuristicOf<P>), SolveError> {
    let infos = P::declared().expressions();
    let bound = bind(find(&infos, Role::Heuristic, spec)?, spec)?;
    match entry::<P>(bound.info().name) {
        Some(entry) => Ok((bound, entry)),
        None => Err(bound.refused("this heuristic is not one of the puzzle").into()),
    }
}

/// Maker of the heuristics of a solve.
pub(crate) struct Maker<'a, P> {
    pub(crate) puzzle: &'a P,
    pub(crate) request: &'a Request<'a>,
    /// The networks that were loaded so far.
    pub(crate) networks: &'a RefCell<Vec<String>>,
}

impl<P: Goal> Maker<'_, P> {
    fn setup<'s>(&'s self, given: &'s Bound<'s>) -> Setup<'s> {
        Setup { given, request: self.request, networks: self.networks }
    }

    /// The heuristic of a spec: a general heuristic or a heuristic of the puzzle.
    pub(crate) fn heuristic(&self, spec: &Spec) -> Result<ErasedHeuristic<P>, SolveError> {
        let (given, entry) = bound::<P>(spec)?;
        if self.request.budget.memory.is_some() {
            let tables = (entry.tables)(Some(self.puzzle), &given)?;
            self.request.cache.admit(tables.iter().map(|table| &**table))?;
        }
        (entry.make)(self.puzzle, &self.setup(&given))
    }

    /// The heuristic of a spec for a search that estimates one state at a time.
    pub(crate) fn each(&self, spec: &Spec) -> Result<Box<dyn EachState<P>>, SolveError> {
        self.heuristic(spec)?.into_each(spec.name())
    }

    /// The network of a spec as estimates of actions.
    pub(crate) fn actions(&self, spec: &Spec) -> Result<Box<dyn ActionValues<P>>, SolveError> {
        #[cfg(feature = "arrays")]
        if spec.name() == super::arrays::NAME
            && let Some(functions) = P::LEARNING.and_then(|learning| learning.arrays)
        {
            let (given, _) = bound::<P>(spec)?;
            return (functions.actions)(self.puzzle, &self.setup(&given));
        }
        let needs = "estimates of actions need a network with outputs of actions";
        self.network(spec, needs, |learning| learning.actions)
    }

    /// The network of a spec as comparisons of states.
    pub(crate) fn pairs(&self, spec: &Spec) -> Result<Box<dyn Comparison<P>>, SolveError> {
        let needs = "`compare=pairs` needs a network that compares states";
        self.network(spec, needs, |learning| learning.pairs)
    }

    /// A value made from the network of a spec; `needs` is the error where the spec is not a
    /// network.
    fn network<T>(
        &self,
        spec: &Spec,
        needs: &str,
        make: fn(&Learning<P>) -> FromNetwork<P, T>,
    ) -> Result<T, SolveError> {
        let (given, entry) = bound::<P>(spec)?;
        match P::LEARNING.filter(|_| entry.info.name == net::NAME) {
            Some(learning) => make(&learning)(self.puzzle, &self.setup(&given)),
            None => Err(SolveError::Unsupported(format!(
                "{needs}, `net(FILE)`, and not `{}`",
                spec.name()
            ))),
        }
    }
}

#[cfg(feature = "cuda")]
impl<'p, P: Goal> Maker<'p, P> {
    /// Constructor of bidirectional beams that run entirely on the GPU, by the network of a spec;
    /// `None` where the GPU only estimates.
    pub(crate) fn on_gpu(
        &self,
        spec: &Spec,
        ends: unriddle_core::Inverses<P>,
        goal_table: u64,
    ) -> Result<Option<crate::declare::ends::MakeBeam<'p, P>>, SolveError> {
        let (given, _) = bound::<P>(spec)?;
        match P::LEARNING.filter(|_| given.info().name == net::NAME) {
            Some(learning) => (learning.on_gpu)(self.puzzle, ends, goal_table, &self.setup(&given)),
            None => Ok(None),
        }
    }
}

/// The tables of a heuristic.
pub(crate) fn tables<P: Goal>(puzzle: Option<&P>, spec: &Spec) -> Tables {
    let (given, entry) = bound::<P>(spec)?;
    (entry.tables)(puzzle, &given)
}

/// The largest of several heuristics. It estimates one state at a time if all parts do.
fn largest<P: Goal>(parts: Vec<ErasedHeuristic<P>>) -> ErasedHeuristic<P> {
    let is_each = |part: &ErasedHeuristic<P>| matches!(part, ErasedHeuristic::Each(_));
    if !parts.iter().all(is_each) {
        let parts = parts.into_iter().map(ErasedHeuristic::into_batch);
        return ErasedHeuristic::Batch(Box::new(LargestOfMany(parts.collect())));
    }
    let parts = parts.into_iter().filter_map(|part| match part {
        ErasedHeuristic::Each(heuristic) => Some(heuristic),
        ErasedHeuristic::Batch(_) => None,
    });
    ErasedHeuristic::each(Largest(parts.collect()))
}

/// The largest of several heuristics, each computed from scratch; 0 without parts.
struct Largest<P: GoalPuzzle>(Vec<Box<dyn EachState<P>>>);

impl<P: Goal> Heuristic<P> for Largest<P> {
    type Memo = ();

    fn guarantee(&self) -> Guarantee {
        let all = self.0.iter().map(|h| h.guarantee());
        all.min().unwrap_or(Guarantee::Consistent)
    }
    fn root(&self, puzzle: &P, state: &P::State) -> Option<(Cost, ())> {
        let mut largest = 0;
        for h in &self.0 {
            largest = largest.max(h.estimate(puzzle, state)?);
        }
        Some((largest, ()))
    }
    fn bytes(&self) -> u64 {
        self.0.iter().map(|h| h.bytes()).sum()
    }
}

/// The largest of several heuristics for many states at a time.
struct LargestOfMany<P: GoalPuzzle>(Vec<Box<dyn BatchHeuristic<P>>>);

impl<P: Goal> LargestOfMany<P> {
    /// Writes the largest estimates of the parts, each of which is written by `part`.
    fn write(&self, out: &mut [f32], part: impl Fn(&dyn BatchHeuristic<P>, &mut [f32])) {
        out.fill(0.0);
        let mut of_part = vec![0.0; out.len()];
        for h in &self.0 {
            part(&**h, &mut of_part);
            for (out, &h) in out.iter_mut().zip(&of_part) {
                *out = out.max(h);
            }
        }
    }
}

impl<P: Goal> BatchHeuristic<P> for LargestOfMany<P> {
    fn guarantee(&self) -> Guarantee {
        let all = self.0.iter().map(|h| h.guarantee());
        all.min().unwrap_or(Guarantee::Consistent)
    }
    fn evaluate(&self, rows: &[Row<'_, P>], out: &mut [f32]) {
        self.write(out, |h, out| h.evaluate(rows, out));
    }
    fn evaluate_successors(
        &self,
        parents: &[Row<'_, P>],
        successors: &[Successor<P::Action>],
        out: &mut [f32],
    ) {
        self.write(out, |h, out| {
            h.evaluate_successors(parents, successors, out);
        });
    }
    fn preferred_batch(&self) -> usize {
        let all = self.0.iter().map(|h| h.preferred_batch());
        all.max().unwrap_or(1)
    }
    fn bytes(&self) -> u64 {
        self.0.iter().map(|h| h.bytes()).sum()
    }
}
