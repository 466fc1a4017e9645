//! Heuristics by name: the entry of one, and a heuristic whose type is known no longer.
//!
//! A heuristic's concrete type is known only where it is made. IDA* is compiled for it there, behind [`EachState::ida_star`]. All other
//! searches take it boxed: those that estimate many states at a time as a [`BatchHeuristic`], those that follow paths as a
//! [`PathHeuristic`].

use crate::{
    bind::{Bound, bind, find},
    goal::Goal,
    instance::{Report, Request, SolveError},
    learning::Learning,
    listed::{Costs, DeclaredPuzzle as _},
    net,
    solver::{Runner, not_wired},
    spec::Spec,
};
use std::cell::RefCell;
use unriddle_core::{
    BatchHeuristic, Cost, Domain, GoalPuzzle, Guarantee, Heuristic, Info, Parameter, Role, Row,
    Scalar, Successor,
};
use unriddle_search::{
    idastar::{IdaStar, parallel::ParallelIdaStar},
    memos::PathHeuristic,
    pairwise::Comparison,
    qbeam::ActionValues,
};
use unriddle_tables::{Cache, cache::Build};

/// The tables that a heuristic needs, to be built or opened.
pub type Tables = Result<Vec<Box<dyn Build>>, SolveError>;

/// A heuristic of a puzzle: its declaration, and what makes it for an instance.
pub struct HeuristicOf<P: GoalPuzzle> {
    /// Its declaration.
    pub info: &'static Info,
    /// Makes it.
    pub make: fn(&P, &Setup<'_>) -> Result<ErasedHeuristic<P>, SolveError>,
    /// Its tables, for building ahead: those of an instance, or without one those of the puzzle as it is by default.
    pub tables: fn(Option<&P>, &Bound<'_>) -> Tables,
}

impl<P: Goal> HeuristicOf<P> {
    /// A heuristic without tables.
    pub const fn new(
        info: &'static Info,
        make: fn(&P, &Setup<'_>) -> Result<ErasedHeuristic<P>, SolveError>,
    ) -> Self {
        Self { info, make, tables: |_, _| Ok(Vec::new()) }
    }
}

/// What a heuristic is made with.
pub struct Setup<'a> {
    /// Its parameters.
    pub given: &'a Bound<'a>,
    /// What is to be solved, and how.
    pub request: &'a Request<'a>,
    /// The networks that were loaded so far, each as its file and the hash of the bytes that were read.
    pub(crate) networks: &'a RefCell<Vec<String>>,
}

impl Setup<'_> {
    /// Where tables come from.
    #[must_use]
    pub fn cache(&self) -> &Cache {
        self.request.cache
    }
}

/// A heuristic whose type is known no longer.
pub enum ErasedHeuristic<P: GoalPuzzle> {
    /// One that estimates a state at a time.
    Each(Box<dyn EachState<P>>),
    /// One that estimates many states at a time and none alone, such as a network.
    Batch(Box<dyn BatchHeuristic<P>>),
}

impl<P: Goal> ErasedHeuristic<P> {
    /// A heuristic that estimates a state at a time.
    pub fn each(heuristic: impl Heuristic<P>) -> Self {
        Self::Each(Box::new(heuristic))
    }

    /// The heuristic for a search that estimates a state at a time.
    ///
    /// # Errors
    /// It estimates many states at a time and none alone.
    fn into_each(self, name: &str) -> Result<Box<dyn EachState<P>>, SolveError> {
        match self {
            Self::Each(heuristic) => Ok(heuristic),
            Self::Batch(_) => Err(SolveError::Unsupported(format!(
                "`{name}` estimates many states at a time: it goes with the searches that do so, astar, greedy, bwas, beam and \
                 staged"
            ))),
        }
    }

    /// The heuristic for a search that estimates many states at a time.
    pub(crate) fn into_batch(self) -> Box<dyn BatchHeuristic<P>> {
        match self {
            Self::Each(heuristic) => heuristic.into_batch(),
            Self::Batch(heuristic) => heuristic,
        }
    }
}

/// A heuristic behind a pointer, state by state. Implemented for every [`Heuristic`].
///
/// ```
/// use unriddle_catalog::heuristic::EachState;
/// use unriddle_core::{Estimate, Guarantee, Puzzle};
/// use unriddle_hanoi::{Hanoi, misplaced};
///
/// let puzzle = Hanoi::parse("1 1 3", 3)?;
/// let estimate = Estimate::new(Guarantee::Consistent, misplaced);
/// // Its type is known no longer.
/// let estimate: Box<dyn EachState<Hanoi>> = Box::new(estimate);
/// assert_eq!(estimate.estimate(&puzzle, &puzzle.initial_state()), Some(2));
/// # Ok::<(), unriddle_core::ParseError>(())
/// ```
pub trait EachState<P: GoalPuzzle>: PathHeuristic<P> {
    /// What it promises.
    fn guarantee(&self) -> Guarantee;
    /// The estimate of a state from scratch.
    fn estimate(&self, puzzle: &P, state: &P::State) -> Option<Cost>;
    /// Memory that it holds, in bytes.
    fn bytes(&self) -> u64;
    /// The same for many states at a time.
    fn into_batch(self: Box<Self>) -> Box<dyn BatchHeuristic<P>>;
    /// Runs IDA*, which is compiled for its type.
    ///
    /// # Errors
    /// The search refused or failed.
    fn ida_star(&self, run: Runner<'_, '_, P, Costs>) -> Result<Report, SolveError>
    where
        P: Goal;
}

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
    fn ida_star(&self, mut run: Runner<'_, '_, P, Costs>) -> Result<Report, SolveError>
    where
        P: Goal,
    {
        let (puzzle, threads) = (run.puzzle, run.request.threads);
        if threads > 1 {
            run.parallel = true;
            run.search(&mut ParallelIdaStar::new(puzzle, self, threads)?)
        } else {
            run.search(&mut IdaStar::new(puzzle, self)?)
        }
    }
}

/// Heuristics of every goal puzzle, and of every one whose distances networks learn.
pub const GENERAL_HEURISTICS: &[&Info] = &[&BLIND, &MAX, &net::INFO];

/// Those of them that a puzzle has.
pub(crate) fn general<P: Goal>() -> Vec<&'static Info> {
    let mut infos = GENERAL_HEURISTICS.to_vec();
    infos.retain(|info| info.name != net::NAME || P::LEARNING.is_some());
    infos
}

const BLIND: Info = Info {
    name: "blind",
    role: Role::Heuristic,
    version: 1,
    summary: "no knowledge: 0 everywhere",
    guarantee: "consistent",
    requires: "any goal puzzle",
    reference: "",
    parameters: &[],
};

const MAX: Info = Info {
    name: "max",
    role: Role::Heuristic,
    version: 1,
    summary: "the largest of several heuristics, each computed from scratch",
    guarantee: "as the weakest of its parts",
    requires: "any goal puzzle",
    reference: "",
    parameters: &[Parameter::variadic("h", Domain::Heuristic, "the parts")],
};

/// The heuristics of a puzzle by name: the general ones and its own.
fn entry<P: Goal>(name: &str) -> Option<&'static HeuristicOf<P>> {
    let mut all = General::<P>::ENTRIES.iter().chain(P::HEURISTICS);
    all.find(|entry| entry.info.name == name)
}

struct General<P>(P);

impl<P: Goal> General<P> {
    const ENTRIES: &'static [HeuristicOf<P>] = &[
        // A type of its own would be compiled into IDA*.
        HeuristicOf::new(&BLIND, |_, _| Ok(ErasedHeuristic::each(Largest(Vec::new())))),
        HeuristicOf {
            info: &MAX,
            make: |puzzle, setup| {
                let part = |spec| heuristic(puzzle, spec, setup.request, setup.networks);
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

/// Makes the heuristic of a spec: a general one or one of the puzzle's own.
pub(crate) fn heuristic<P: Goal>(
    puzzle: &P,
    spec: &Spec,
    request: &Request<'_>,
    networks: &RefCell<Vec<String>>,
) -> Result<ErasedHeuristic<P>, SolveError> {
    let (given, entry) = bound::<P>(spec)?;
    let setup = Setup { given: &given, request, networks };
    (entry.make)(puzzle, &setup)
}

/// The beam from both ends of a spec that is a network, on a GPU as a whole; `None` where the GPU only estimates.
#[cfg(feature = "cuda")]
pub(crate) fn on_gpu<'p, P: Goal>(
    puzzle: &'p P,
    spec: &Spec,
    (ends, near): (unriddle_core::Inverses<P>, u64),
    (request, networks): (&Request<'_>, &RefCell<Vec<String>>),
) -> Result<Option<crate::on_gpu::OnGpu<'p, P::Action>>, SolveError> {
    let (given, _) = bound::<P>(spec)?;
    let Some(learning) = P::LEARNING.filter(|_| given.info().name == crate::net::NAME) else {
        return Ok(None);
    };
    let setup = Setup { given: &given, request, networks };
    (learning.on_gpu)(puzzle, (ends, near), &setup)
}

/// The same for a search that estimates a state at a time.
pub(crate) fn each<P: Goal>(
    puzzle: &P,
    spec: &Spec,
    request: &Request<'_>,
    networks: &RefCell<Vec<String>>,
) -> Result<Box<dyn EachState<P>>, SolveError> {
    heuristic(puzzle, spec, request, networks)?.into_each(spec.name())
}

/// The network of a spec as estimates of actions.
pub(crate) fn actions<P: Goal>(
    puzzle: &P,
    spec: &Spec,
    request: &Request<'_>,
    networks: &RefCell<Vec<String>>,
) -> Result<Box<dyn ActionValues<P>>, SolveError> {
    let takes = "`choose=actions` takes a network with outputs of actions";
    network(puzzle, spec, (request, networks), takes, |l| l.actions)
}

/// The network of a spec as comparisons of states.
pub(crate) fn pairs<P: Goal>(
    puzzle: &P,
    spec: &Spec,
    request: &Request<'_>,
    networks: &RefCell<Vec<String>>,
) -> Result<Box<dyn Comparison<P>>, SolveError> {
    let takes = "`compare=pairs` takes a network that compares states";
    network(puzzle, spec, (request, networks), takes, |l| l.pairs)
}

/// What makes something of a network.
type Make<P, T> = fn(&P, &Setup<'_>) -> Result<T, SolveError>;

/// What a puzzle's networks give; `takes` says what the search takes where the spec is no network.
fn network<P: Goal, T>(
    puzzle: &P,
    spec: &Spec,
    (request, networks): (&Request<'_>, &RefCell<Vec<String>>),
    takes: &str,
    make: fn(&Learning<P>) -> Make<P, T>,
) -> Result<T, SolveError> {
    let (given, entry) = bound::<P>(spec)?;
    let setup = Setup { given: &given, request, networks };
    match P::LEARNING.filter(|_| entry.info.name == net::NAME) {
        Some(learning) => make(&learning)(puzzle, &setup),
        None => {
            Err(SolveError::Unsupported(format!("{takes}, `net(FILE)`, and not `{}`", spec.name())))
        }
    }
}

/// The tables of a heuristic.
pub(crate) fn tables<P: Goal>(puzzle: Option<&P>, spec: &Spec) -> Tables {
    let (given, entry) = bound::<P>(spec)?;
    (entry.tables)(puzzle, &given)
}

/// The largest of several heuristics: for searches that estimate a state at a time, unless one of them is for many at a time alone.
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

/// The largest of several heuristics, each computed from scratch; 0 of none.
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

/// The same for many states at a time.
struct LargestOfMany<P: GoalPuzzle>(Vec<Box<dyn BatchHeuristic<P>>>);

impl<P: Goal> LargestOfMany<P> {
    /// Writes the largest of what the parts write.
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
