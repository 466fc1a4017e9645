//! Single-player Monte-Carlo tree search on small boards of SameGame, whose optimum is known by
//! enumeration.

use crate::common::{Blocks, Events, Piles, finish, replay};
use unriddle_core::{
    Outcome, Playout, Progress, Puzzle, Quota, Rng, Score, Search, TreeShape, Uniform,
};
use unriddle_search::spmcts::{Count, Final, Per, Roots, Spmcts, SpmctsConfig, Subtree, Values};

fn small(seed: u64) -> Blocks {
    Blocks::random(3, 4, 3, &mut Rng::new(seed))
}

fn large() -> Blocks {
    Blocks::random(5, 5, 3, &mut Rng::new(77))
}

fn default() -> SpmctsConfig {
    SpmctsConfig::default()
}

/// The configurations that the general tests run: every option is switched on somewhere.
fn configurations() -> Vec<SpmctsConfig> {
    let few = SpmctsConfig { nodes: 700, seed: 5, ..default() };
    let mut list = vec![
        few,
        SpmctsConfig { t: 0, ..few },
        SpmctsConfig { rave: 20.0, ..few },
        SpmctsConfig { widen_c: 1.0, ..few },
        SpmctsConfig { values: Values::Scaled, scale: 200.0, c: 0.5, d: 0.01, ..few },
        SpmctsConfig { restarts: 5, share: true, ..few },
        SpmctsConfig { solve: false, ..few },
        SpmctsConfig { solve: false, per: Per::Move, moves: 10, ..few },
        SpmctsConfig { solve: false, count: Count::Nodes, nodes: 300, ..few },
        SpmctsConfig { solve: false, count: Count::Nodes, per: Per::Move, moves: 10, ..few },
        SpmctsConfig {
            restarts: 0,
            restart_nodes: 90,
            rave: 5.0,
            share: true,
            widen_c: 2.0,
            ..few
        },
    ];
    for final_move in [Final::Top, Final::Visits, Final::Average] {
        for (per, subtree) in
            [(Per::Game, Subtree::Keep), (Per::Move, Subtree::Keep), (Per::Move, Subtree::Drop)]
        {
            list.push(SpmctsConfig {
                final_move,
                per,
                subtree,
                moves: 10,
                restarts: 2,
                share: per == Per::Game,
                ..few
            });
        }
    }
    list
}

fn outcome(puzzle: &Blocks, config: SpmctsConfig) -> Outcome<u8> {
    finish(&mut Spmcts::coded(puzzle, &Uniform, config).unwrap(), &mut ())
}

fn value(puzzle: &Blocks, config: SpmctsConfig) -> Score {
    let outcome = outcome(puzzle, config);
    let best = outcome.best().unwrap();
    assert_eq!(replay(puzzle, &best.actions), best.value, "{config:?}");
    best.value
}

#[test]
fn small_boards_are_proved() {
    for seed in 0..25 {
        let puzzle = small(seed);
        let optimum = puzzle.optimum();
        for config in configurations() {
            // Where each move has a share of its own, only a first move's can prove anything.
            let config = SpmctsConfig { nodes: 0, per: Per::Game, solve: true, ..config };
            let endless = config.restart_nodes == 0 && config.final_move != Final::Top;
            let config = SpmctsConfig {
                nodes: if endless { 1_000_000 } else { 0 },
                restarts: 1,
                restart_nodes: 0,
                ..config
            };
            let mut search = Spmcts::coded(&puzzle, &Uniform, config).unwrap();
            let mut events = Events::new();
            let Outcome::Solved { best, proof, bound } = finish(&mut search, &mut events) else {
                panic!("{config:?}")
            };
            assert!(proof, "{config:?}");
            assert_eq!((best.value, bound), (optimum, Some(optimum)), "{config:?}");
            assert_eq!(replay(&puzzle, &best.actions), optimum);
            assert_eq!(search.bound(), Some(optimum));
            assert_eq!(events.bounds.len(), 1);
            assert_eq!(events.improved.last().unwrap().0, best);
        }
    }
}

#[test]
fn a_first_move_with_enough_playouts_proves_the_optimum() {
    let puzzle = small(3);
    for final_move in [Final::Top, Final::Visits, Final::Average] {
        let config =
            SpmctsConfig { per: Per::Move, final_move, nodes: 10_000_000, moves: 2, ..default() };
        let outcome = outcome(&puzzle, config);
        assert!(outcome.is_optimal());
        assert_eq!(outcome.best().unwrap().value, puzzle.optimum());
    }
}

#[test]
fn played_out_positions_are_entered_again_without_solve() {
    let puzzle = small(3);
    let config = SpmctsConfig { nodes: 20_000, ..default() };
    let mut on = Spmcts::new(&puzzle, &Uniform, config).unwrap();
    assert!(finish(&mut on, &mut ()).is_optimal());
    assert!(on.stats().expanded < config.nodes);
    let mut off = Spmcts::new(&puzzle, &Uniform, SpmctsConfig { solve: false, ..config }).unwrap();
    let outcome = finish(&mut off, &mut ());
    assert_eq!((off.stats().expanded, outcome.is_optimal()), (config.nodes, false));
    assert_eq!(outcome.best().unwrap().value, puzzle.optimum());
    // Play-outs that end in the tree add no node.
    assert!(off.tree().unwrap().nodes < config.nodes);
}

#[test]
fn a_size_in_nodes_ends_at_as_many_nodes_or_when_no_node_is_left() {
    let config =
        SpmctsConfig { nodes: 2000, c: 50.0, solve: false, count: Count::Nodes, ..default() };
    let ended = |puzzle: &Blocks| {
        let mut search = Spmcts::new(puzzle, &Uniform, config).unwrap();
        assert!(!finish(&mut search, &mut ()).is_optimal());
        (search.tree().unwrap().nodes, search.stats().expanded)
    };
    let (nodes, playouts) = ended(&large());
    assert_eq!(nodes, config.nodes);
    assert!(playouts > nodes, "{playouts}");
    // The whole tree of a board of few lines is smaller.
    let (nodes, playouts) = ended(&Blocks::random(2, 3, 2, &mut Rng::new(1)));
    assert!(nodes < config.nodes && playouts >= config.nodes, "{nodes}, {playouts}");
}

#[test]
fn the_shape_of_the_tree_counts_a_node_for_each_playout_that_leaves_it() {
    let puzzle = large();
    let config = SpmctsConfig { t: 0, solve: false, ..default() };
    let mut search = Spmcts::new(&puzzle, &Uniform, config).unwrap();
    assert_eq!(search.tree(), Some(TreeShape::default()));
    assert_eq!(TreeShape::default().average_depth(), None);
    let first = puzzle.actions(&puzzle.start).count() as u64;
    // Every action of the start gets its node before a second layer begins.
    search.step(first, &mut ());
    let layer = TreeShape { nodes: first, depths: first, deepest: 1 };
    assert_eq!(search.tree(), Some(layer));
    search.step(1, &mut ());
    let next = TreeShape { nodes: 1, depths: 2, deepest: 2 };
    assert_eq!(search.tree(), Some(layer.with(next)));
    let mut roots =
        Roots::new(&puzzle, &Uniform, SpmctsConfig { roots: 3, nodes: 30, ..config }, 2).unwrap();
    finish(&mut roots, &mut ());
    assert_eq!(roots.tree().unwrap().nodes, 30);
}

#[test]
fn a_start_without_moves_is_solved_at_once() {
    let mut puzzle = small(0);
    let columns = [[1, 2, 3, 1], [3, 1, 2, 3], [1, 2, 3, 1]];
    for (to, from) in puzzle.start.iter_mut().zip(columns) {
        to[..4].copy_from_slice(&from);
    }
    assert!(puzzle.actions(&puzzle.start).next().is_none());
    for config in configurations() {
        let mut search = Spmcts::coded(&puzzle, &Uniform, config).unwrap();
        let outcome = finish(&mut search, &mut ());
        assert!(outcome.is_optimal());
        assert!(outcome.best().unwrap().actions.is_empty());
        assert_eq!(outcome.best().unwrap().value, puzzle.optimum());
        assert_eq!(search.stats().expanded, 0);
        let config = SpmctsConfig { roots: 3, ..config };
        let mut roots = Roots::coded(&puzzle, &Uniform, config, 2).unwrap();
        assert_eq!(finish(&mut roots, &mut ()), outcome);
    }
}

#[test]
fn single_steps_equal_one_run() {
    for puzzle in [large(), small(1)] {
        for config in configurations() {
            let make = || Spmcts::coded(&puzzle, &Uniform, config).unwrap();
            let (mut once, mut again) = (make(), make());
            let (mut events, mut other_events) = (Events::new(), Events::new());
            let outcome = finish(&mut once, &mut events);
            let other = loop {
                let before = again.stats();
                match again.step(1, &mut other_events) {
                    Progress::Finished(outcome) => break outcome,
                    Progress::Running => {
                        assert_eq!(again.stats().expanded, before.expanded + 1);
                    }
                    Progress::OutOfMemory | Progress::Failed(_) => {
                        panic!("there is no memory limit")
                    }
                }
            };
            assert_eq!(outcome, other, "{config:?}");
            assert_eq!(once.stats(), again.stats(), "{config:?}");
            assert_eq!(events, other_events, "{config:?}");
            for (best, _) in &events.improved {
                assert_eq!(replay(&puzzle, &best.actions), best.value, "{config:?}");
            }
            let values: Vec<_> = events.improved.iter().map(|(best, _)| best.value).collect();
            assert!(values.is_sorted_by(|a, b| a < b));
            assert_eq!(*values.last().unwrap(), outcome.best().unwrap().value);
        }
    }
}

#[test]
fn counters_follow_from_the_options() {
    let puzzle = large();
    let played = |config: SpmctsConfig| {
        let mut search = Spmcts::new(&puzzle, &Uniform, config).unwrap();
        let outcome = finish(&mut search, &mut ());
        assert!(!outcome.is_optimal());
        let stats = search.stats();
        assert_eq!(stats.expanded, stats.evaluated);
        assert!(stats.generated > stats.expanded && stats.peak_bytes > 0);
        (stats.expanded, outcome.best().unwrap().actions.len() as u64)
    };
    let config = SpmctsConfig { nodes: 1000, ..default() };
    assert_eq!(played(config).0, 1000);
    let restarts = 7;
    assert_eq!(played(SpmctsConfig { restarts, ..config }).0, 1000);
    let restart_nodes = 300;
    let many = SpmctsConfig { restart_nodes, ..config };
    assert_eq!(played(many).0, 1000);
    // A line that leaves the tree costs one more.
    let final_move = Final::Visits;
    let line = SpmctsConfig { final_move, ..config };
    assert!((1000..=1001).contains(&played(line).0));
    // As many as moves are played, except where the end of the game is known before.
    let per = Per::Move;
    let (made, moves) = played(SpmctsConfig { per, moves: 100, ..config });
    assert!(made <= 10 * moves && made + 30 > 10 * moves, "{made} {moves}");
}

#[test]
fn endless_restarts_end_at_the_quota() {
    let config = SpmctsConfig {
        nodes: 0,
        restarts: 0,
        restart_nodes: 40,
        per: Per::Move,
        moves: 10,
        ..default()
    };
    let puzzle = large();
    let mut search = Spmcts::new(&puzzle, &Uniform, config).unwrap();
    assert_eq!(search.step(3000, &mut ()), Progress::Running);
    let early = search.best().unwrap().value;
    assert_eq!(search.step(3000, &mut ()), Progress::Running);
    assert_eq!(search.stats().expanded, 6000);
    assert!(search.best().unwrap().value >= early);
    let quota = Quota { generated: search.stats().generated + 1, ..Quota::UNLIMITED };
    assert_eq!(search.advance(&quota, &mut ()), Progress::Running);
    assert_eq!(search.stats().expanded, 6001);
}

#[test]
fn the_top_score_beats_visits_and_average() {
    let mut sums = [0; 3];
    for seed in 0..20 {
        let puzzle = Blocks::random(5, 5, 4, &mut Rng::new(seed));
        for (sum, final_move) in sums.iter_mut().zip([Final::Top, Final::Visits, Final::Average]) {
            let config = SpmctsConfig {
                nodes: 300,
                per: Per::Move,
                moves: 10,
                final_move,
                seed,
                ..default()
            };
            *sum += value(&puzzle, config);
        }
    }
    assert!(sums[0] > sums[1] && sums[0] > sums[2], "{sums:?}");
}

#[test]
fn a_tree_beats_plain_playouts() {
    let (mut tree, mut alone) = (0, 0);
    for seed in 0..10 {
        let puzzle = Blocks::random(5, 5, 4, &mut Rng::new(seed));
        let nodes = 200;
        tree += value(&puzzle, SpmctsConfig { nodes, seed, ..default() });
        alone += (0..nodes)
            .map(|i| {
                let mut rng = Rng::stream(seed, i);
                Uniform.play(&puzzle, &puzzle.start, &mut rng, &mut Vec::new())
            })
            .max()
            .unwrap();
    }
    assert!(tree > alone, "{tree} {alone}");
}

#[test]
fn memory_is_never_exceeded_and_the_best_is_kept() {
    let puzzle = large();
    let endless = |config| SpmctsConfig {
        nodes: 0,
        restarts: 1,
        restart_nodes: 0,
        moves: 10,
        final_move: Final::Top,
        per: Per::Game,
        subtree: Subtree::Keep,
        ..config
    };
    let mut configurations: Vec<_> = configurations().into_iter().map(endless).collect();
    configurations.dedup();
    for config in configurations {
        let make = || Spmcts::coded(&puzzle, &Uniform, config).unwrap();
        let mut search = make();
        let mut quota = Quota { bytes: 0, ..Quota::UNLIMITED };
        assert_eq!(search.advance(&quota, &mut ()), Progress::OutOfMemory);
        assert_eq!(search.stats().expanded, 0);
        quota.expanded = 6000;
        let progress = loop {
            quota.bytes += 200_000;
            match search.advance(&quota, &mut ()) {
                Progress::OutOfMemory => assert!(search.stats().peak_bytes <= quota.bytes),
                other => break other,
            }
        };
        // As if it had never run out.
        let mut other = make();
        quota.bytes = u64::MAX;
        assert_eq!(other.advance(&quota, &mut ()), progress);
        assert_eq!(search.best(), other.best(), "{config:?}");
        assert_eq!(search.stats().generated, other.stats().generated);
        let best = search.best().unwrap();
        assert_eq!(replay(&puzzle, &best.actions), best.value);
    }
}

#[test]
fn piles_with_traps_are_solved() {
    for seed in 0..40 {
        let puzzle = Piles::random(2 + seed as usize % 7, &mut Rng::new(seed));
        let config = SpmctsConfig { nodes: 0, seed, ..default() };
        let mut search = Spmcts::new(&puzzle, &Uniform, config).unwrap();
        let outcome = finish(&mut search, &mut ());
        assert!(outcome.is_optimal());
        let best = outcome.best().unwrap();
        assert_eq!(puzzle.play(&best.actions), best.value);
        assert_eq!(best.value, puzzle.best((1 << puzzle.values.len()) - 1));
    }
}

#[test]
fn roots_do_not_depend_on_threads_or_cuts() {
    for puzzle in [large(), small(2)] {
        for config in configurations() {
            let config = SpmctsConfig { roots: 5, nodes: 3000, ..config };
            let make = |threads| Roots::coded(&puzzle, &Uniform, config, threads).unwrap();
            let mut once = make(1);
            let outcome = finish(&mut once, &mut ());
            let best = outcome.best().unwrap();
            assert_eq!(replay(&puzzle, &best.actions), best.value, "{config:?}");
            for (threads, cut) in [(2, 3000), (3, 37), (8, 501)] {
                let mut other = make(threads);
                let end = loop {
                    match other.step(cut, &mut ()) {
                        Progress::Finished(outcome) => break outcome,
                        Progress::Running => {}
                        Progress::OutOfMemory | Progress::Failed(_) => {
                            panic!("there is no memory limit")
                        }
                    }
                };
                assert_eq!(outcome, end, "{threads} {config:?}");
                let counters = |s: unriddle_core::Stats| (s.expanded, s.generated, s.evaluated);
                assert_eq!(counters(once.stats()), counters(other.stats()));
                assert_eq!(once.bound(), other.bound());
            }
        }
    }
}

#[test]
fn roots_stop_at_any_quota_alike() {
    let puzzle = large();
    let config = SpmctsConfig { roots: 3, nodes: 0, restart_nodes: 50, ..default() };
    let make = || Roots::new(&puzzle, &Uniform, config, 2).unwrap();
    let (mut once, mut pieces) = (make(), make());
    assert_eq!(once.step(1000, &mut ()), Progress::Running);
    for cut in [1, 2, 4, 300, 301, 392] {
        assert_eq!(pieces.step(cut, &mut ()), Progress::Running);
    }
    assert_eq!(once.stats().expanded, 1000);
    assert_eq!(once.stats().generated, pieces.stats().generated);
    assert_eq!(once.best(), pieces.best());
    // Generated states are counted exactly: no play-out begins once they are made.
    let quota = Quota { generated: once.stats().generated + 100, ..Quota::UNLIMITED };
    assert_eq!(once.advance(&quota, &mut ()), Progress::Running);
    let over = once.stats().generated - quota.generated;
    assert!(over < 25, "{over}");
    // Every root has an equal part of the memory.
    let quota = Quota { bytes: 100_000, ..Quota::UNLIMITED };
    assert_eq!(make().advance(&quota, &mut ()), Progress::OutOfMemory);
    let single = SpmctsConfig { roots: 1, ..config };
    let quota = Quota { expanded: 400, ..Quota::UNLIMITED };
    let mut root = Roots::new(&puzzle, &Uniform, single, 4).unwrap();
    let mut plain = Spmcts::new(&puzzle, &Uniform, single).unwrap();
    root.advance(&quota, &mut ());
    plain.advance(&quota, &mut ());
    assert_eq!(root.best(), plain.best());
    assert_eq!(root.stats(), plain.stats());
}
