//! The solver: a plan backwards, a search forwards along it, by turns.

use super::{
    backward::{Backward, Sink, Style},
    blocks::Blocks,
    corral::Corrals,
    dead::Board,
    forward::{Forward, Step, Taste},
    hot::Hot,
    macros::{Destination, Kind, Sweep},
    map::{FREE, Map, mix},
    plan::Plan,
    rooms::Rooms,
};
use crate::level::{End, Id, Level, Move, NONE, Way};
use std::sync::Arc;
use unriddle_core::{
    Info, Observer, Options as _, Outcome, Progress, Quota, Role, Search, SearchError, Solution,
    Stats, options,
};

/// Declaration of `fess`.
pub const FESS: Info = Info {
    version: 2,
    guarantee: "none: solutions are replayed, but not the shortest; complete with `exact`, while the memory lasts",
    requires: "sokoban",
    reference: "Shoham and Schaeffer 2020, The FESS algorithm: a feature based approach to single-agent search, IEEE Conference on Games",
    parameters: FessConfig::PARAMETERS,
    ..Info::new(
        Role::Search,
        "fess",
        "a solution of large levels by feature-space search along an order of packing that is found backwards",
    )
};

options! {
    /// Options of `fess`: the parts of the search that take part.
    #[derive(Copy)]
    pub struct FessConfig of FESS {
        plan: bool = "on", "search backwards for an order of packing";
        sink: bool = "on", "remove boxes out of the way in the backward search";
        advisors: bool = "on", "try moves that advisors name first";
        freeze: bool = "on", "prune boxes that hold each other";
        bipartite: bool = "on", "prune boxes that cannot be assigned to different goals";
        retrograde: bool = "on", "prune goals that are packed too early",
            "Prunes positions in which boxes will hold each other once all goals are filled, \
             because they could never be pulled out of the filled goals.";
        pi_corral: bool = "on", "PI-corral pruning",
            "Where a corral must be opened before anything else, only moves that open it are \
             tried.";
        corral: bool = "on", "search corrals separately for dead ends";
        portfolio: bool = "on", "let several planning strategies take turns";
        corral_limit: usize = "50" in 1..=100_000, "positions of a search of a corral";
        exact: bool = "off", "search exactly where nothing is left to try",
            "Where the search has nothing left to try and no solution, `push-optimal` begins, \
             which finds a solution or proves that the level is unsolvable. After 20,000 expansions \
             without an end the two searches take turns.";
    }
    also {
        /// Restricts the search to one strategy, for comparisons of strategies.
        only: Option<Style> = None;
    }
}

/// Tables that all parts of the search share.
pub(crate) struct Table {
    pub(crate) map: Map,
    pub(crate) rooms: Rooms,
    pub(crate) hot: Hot,
    /// The rules that take part.
    pub(crate) rules: FessConfig,
    pub(crate) dead_board: Board,
    pub(crate) corrals: Corrals,
    pub(crate) generated: u64,
}

/// Expansions of the first strategy before the others begin.
const FIRST: u64 = 2_000;

/// Expansions of the shortest try with another plan.
const TRY: u64 = 1_000;

/// Expansions for each percent of the first round.
const ROUND: u64 = 40;

/// The search.
pub struct Fess {
    level: Arc<Level>,
    config: FessConfig,
    work: Option<Box<Work>>,
    stats: Stats,
    outcome: Option<Outcome<Move>>,
}

struct Work {
    table: Table,
    strategies: Vec<Strategy>,
    /// The current strategy, and its remaining expansions in this turn.
    turn: (usize, u64),
    rounds: u32,
}

impl Work {
    fn bytes(&self) -> u64 {
        let table = &self.table;
        let strategies: u64 = self.strategies.iter().map(Strategy::bytes).sum();
        table.map.bytes()
            + table.hot.bytes()
            + table.rooms.bytes()
            + table.corrals.bytes()
            + table.dead_board.bytes(&table.map)
            + strategies
    }
}

/// A planning strategy with its backward and forward search.
struct Strategy {
    style: Style,
    backward: Option<Backward>,
    forward: Option<Forward>,
    /// Boxes that the current plan does not assign to a goal.
    left: u32,
    /// Numbers of backward and forward expansions so far.
    spent: [u64; 2],
    /// Numbers of backward and forward expansions that the current round allows.
    round: [u64; 2],
    is_over: bool,
}

impl Strategy {
    const fn new(style: Style) -> Self {
        Self {
            style,
            backward: None,
            forward: None,
            left: u32::MAX,
            spent: [0; 2],
            round: [400, 1600],
            is_over: false,
        }
    }

    /// Whether the backward search continues.
    fn plans(&self) -> bool {
        let goes_on = |b: &Backward| b.done.is_none() && !b.is_over;
        self.style.plans && self.backward.as_ref().is_none_or(goes_on)
    }

    /// Restarts with another plan after increasing numbers of expansions.
    fn restart(&mut self) {
        let spent = self.spent[0] + self.spent[1];
        if self.style.seed == 0 || !self.is_over && spent < TRY * luby(self.style.seed) {
            return;
        }
        let seed = self.style.seed + 1;
        let drawn = mix(seed);
        let is = |bit: u32| drawn >> bit & 1 == 1;
        *self = Self::new(Style {
            seed,
            sink: match self.style.sink {
                Sink::None => Sink::None,
                _ if is(0) => Sink::All,
                _ => Sink::Largest,
            },
            assigns: is(1),
            taste: Taste {
                advisors: self.style.taste.advisors && (is(2) || is(3)),
                opener: is(4),
                hotspots: is(5),
                explorer: is(6) || is(7),
                near: is(8),
            },
            ..self.style
        });
    }

    /// Performs one expansion.
    fn step(&mut self, table: &mut Table) -> Step {
        self.restart();
        while self.spent[1] >= self.round[1] {
            self.round[1] *= 2;
            self.round[0] *= 2;
        }
        if self.plans() && self.spent[0] < self.round[0] {
            self.spent[0] += 1;
            let style = self.style;
            let backward = self.backward.get_or_insert_with(|| Backward::new(table, style));
            backward.step(table);
            return Step::More;
        }
        let open = self.backward.as_ref().filter(|backward| backward.done.is_none());
        let left = open.map_or(0, Backward::left);
        let forward = match &mut self.forward {
            // A plan that assigns more boxes to goals replaces the current one.
            Some(forward) if left >= self.left => forward,
            forward => {
                let plan = match &self.backward {
                    Some(backward) => backward.plan(&table.map),
                    None => Plan::none(&table.map),
                };
                self.left = left;
                forward.insert(Forward::new(table, plan, self.style.taste))
            }
        };
        self.spent[1] += 1;
        forward.step(table)
    }

    fn bytes(&self) -> u64 {
        let backward = self.backward.as_ref().map_or(0, Backward::bytes);
        let forward = |f: &Forward| f.tree.bytes() + f.plan.bytes();
        backward + self.forward.as_ref().map_or(0, forward)
    }

    /// Upper bound of the bytes by which one expansion grows the strategy.
    fn growth(&self, most: usize) -> u64 {
        let backward = self.backward.as_ref().map_or(0, |b| b.growth(most));
        let forward = self.forward.as_ref().map_or(0, |f| f.tree.growth(most));
        // An upper bound for a new tree.
        backward.max(forward).max((most * 64) as u64)
    }
}

/// The Luby sequence 1, 1, 2, 1, 1, 2, 4, …: relative lengths of the tries of a restarted search
/// (Luby, Sinclair and Zuckerman 1993).
fn luby(mut i: u64) -> u64 {
    loop {
        let power = (i + 1).next_power_of_two();
        if power == i + 1 {
            return power / 2;
        }
        i -= power / 2 - 1;
    }
}

/// The strategies, each with its share of a round.
fn strategies(config: &FessConfig) -> Vec<Strategy> {
    if let Some(only) = config.only {
        return vec![Strategy::new(only)];
    }
    // Chosen on the levels of Microban II and III by the example `sokoban_strategies`.
    let sink = if config.sink { Sink::Largest } else { Sink::None };
    let first = Style {
        sink,
        assigns: true,
        plans: config.plan,
        taste: Taste { advisors: config.advisors, opener: false, near: true, ..Taste::USUAL },
        seed: 0,
        share: 25,
    };
    let mut styles = vec![first];
    if config.portfolio {
        let scattered = Style {
            sink: Sink::None,
            assigns: false,
            taste: Taste { explorer: false, near: false, ..first.taste },
            share: 20,
            ..first
        };
        let unadvised =
            Style { taste: Taste { advisors: false, ..first.taste }, share: 15, ..first };
        styles.extend([
            Style { seed: 1, share: 30, ..first },
            scattered,
            unadvised,
            Style { seed: 1, share: 10, ..scattered },
        ]);
    }
    styles.into_iter().map(Strategy::new).collect()
}

impl Fess {
    /// A search for any solution.
    ///
    /// # Errors
    /// An option that is out of its bounds; a level with other numbers of boxes and goals.
    pub fn new(level: Arc<Level>, config: FessConfig) -> Result<Self, SearchError> {
        config.check()?;
        if level.end != End::Even {
            let message = "fess: expected as many boxes as goals; other levels are solved by \
                           push-optimal, move-optimal or astar(assignment)";
            return Err(SearchError::BadOption(message.to_owned()));
        }
        Ok(Self { level, config, work: None, stats: Stats::default(), outcome: None })
    }

    fn begin(&mut self) {
        if self.level.unsolvable.is_some() {
            self.outcome = Some(Outcome::Unsolvable);
            return;
        }
        let map = Map::new(&self.level);
        if map.is_hopeless {
            self.outcome = Some(Outcome::Exhausted { best: None });
            return;
        }
        if map.starts.iter().all(|&c| map.is_goal[usize::from(c)]) {
            self.solve(Vec::new());
            return;
        }
        let table = Table {
            rooms: Rooms::new(&map),
            hot: Hot::new(&map),
            rules: self.config,
            dead_board: Board::default(),
            corrals: Corrals::default(),
            generated: 0,
            map,
        };
        self.work = Some(Box::new(Work {
            table,
            strategies: strategies(&self.config),
            turn: (0, FIRST),
            rounds: 0,
        }));
    }

    fn solve(&mut self, actions: Vec<Move>) {
        let value = actions.len() as i64;
        let best = Solution { actions, value };
        self.outcome = Some(Outcome::Solved { best, proof: false, bound: None });
    }

    /// Performs one expansion.
    fn expand(&mut self) {
        let Some(work) = &mut self.work else {
            return self.begin();
        };
        if work.turn.1 == 0 {
            work.turn.0 += 1;
            if work.turn.0 == work.strategies.len() {
                work.turn.0 = 0;
                work.rounds += 1;
            }
            let share = work.strategies[work.turn.0].style.share;
            work.turn.1 = (share * ROUND) << work.rounds.min(4);
        }
        work.turn.1 -= 1;
        let strategy = &mut work.strategies[work.turn.0];
        if strategy.is_over && strategy.style.seed == 0 {
            work.turn.1 = 0;
            return;
        }
        match strategy.step(&mut work.table) {
            Step::More => {}
            Step::End => {
                strategy.is_over = true;
                let mut others = work.strategies.iter().filter(|s| s.style.seed == 0);
                if others.all(|strategy| strategy.is_over) {
                    self.outcome = Some(Outcome::Exhausted { best: None });
                }
            }
            Step::Found(node, child) => {
                if let Some(forward) = &strategy.forward
                    && let Some(actions) = pushes(&work.table.map, forward, node, child)
                    && replays(&self.level, &actions)
                {
                    self.solve(actions);
                }
            }
        }
    }

    /// Upper bound of the bytes that the next expansion allocates.
    fn needed(&self) -> u64 {
        let Some(work) = &self.work else {
            let cells = self.level.cells() as u64;
            return cells * cells * 3 + cells * 512;
        };
        let table = &work.table;
        let caches = table.rooms.bytes() + table.corrals.bytes();
        let most = table.map.n * table.map.starts.len() * 4;
        let growth = work.strategies.iter().map(|s| s.growth(most)).max();
        work.bytes() + caches + (table.map.n * 16) as u64 + growth.unwrap_or(0)
    }

    fn account(&mut self) {
        if let Some(work) = &self.work {
            let table = &work.table;
            self.stats.peak_bytes = self.stats.peak_bytes.max(work.bytes());
            self.stats.generated = table.generated;
            self.stats.evaluated = table.generated;
        }
    }
}

/// The single pushes that lead to a child.
fn pushes(map: &Map, forward: &Forward, node: u32, child: u32) -> Option<Vec<Move>> {
    let mut line = forward.tree.line(node);
    line.push((node, child));
    let (mut blocks, mut sweep) = (Blocks::default(), Sweep::default());
    let (mut occupied, mut boxes) = (map.walls(), Vec::new());
    let mut actions = Vec::new();
    for (node, child) in line {
        let of = &forward.tree.children[child as usize];
        map.load(forward.tree.board(node), &mut occupied, &mut boxes);
        occupied[usize::from(of.from)] = FREE;
        blocks.build(map, &occupied);
        let player = forward.tree.nodes[node as usize].player;
        sweep.run(map, &occupied, &blocks, Kind::Push, of.from, Some(player), |_| true);
        let is_it = |found: &Destination| found.to == of.to && found.player == of.player;
        let entry = sweep.found.iter().position(is_it)?;
        for (cell, way) in sweep.path(entry) {
            actions.push(Move { onto: map.ids[usize::from(cell)], way: Way(way) });
        }
    }
    Some(actions)
}

/// Whether these pushes can be played on the level and solve it.
fn replays(level: &Level, actions: &[Move]) -> bool {
    let at = |cell: Id| usize::from(cell);
    let mut boxes = vec![false; level.cells()];
    level.boxes().iter().for_each(|&cell| boxes[at(cell)] = true);
    let mut player = level.player;
    for &Move { onto, way } in actions {
        let (stands, to) = (level.beside(onto, way.back()), level.beside(onto, way));
        if stands == NONE || to == NONE || !boxes[at(onto)] || boxes[at(to)] || boxes[at(stands)] {
            return false;
        }
        if !level.reach(player, |cell| !boxes[cell])[at(stands)] {
            return false;
        }
        boxes.swap(at(onto), at(to));
        player = onto;
    }
    level.goals.iter().all(|&goal| boxes[at(goal)])
}

impl Search for Fess {
    type Action = Move;

    fn advance(&mut self, quota: &Quota, observer: &mut dyn Observer<Move>) -> Progress<Move> {
        loop {
            if let Some(outcome) = &self.outcome {
                return Progress::Finished(outcome.clone());
            }
            if quota.is_used_up(&self.stats) {
                return Progress::Running;
            }
            if quota.bytes != u64::MAX && self.needed() > quota.bytes {
                return Progress::OutOfMemory;
            }
            self.expand();
            self.stats.expanded += 1;
            self.account();
            if let Some(Outcome::Solved { best, .. }) = &self.outcome {
                observer.improved(best, &self.stats);
            }
        }
    }

    fn stats(&self) -> Stats {
        self.stats
    }

    fn best(&self) -> Option<&Solution<Move>> {
        self.outcome.as_ref().and_then(Outcome::best)
    }
}
