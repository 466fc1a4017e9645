//! Rules against a naive reading of the board, along random games on boards of many sizes.

use super::{bounds::*, generate::uniform, playout::*, *};
use proptest::prelude::*;
use unriddle_core::playout::{Coded, Menu};
use unriddle_core::{GoalPuzzle, Layered, Notation, Playout, Regret, Rng, Uniform, UpperBound};

type Columns = Vec<Vec<u8>>;

/// The groups of a board, each a sorted list of (column, row).
fn groups(columns: &Columns) -> Vec<Vec<(usize, usize)>> {
    let mut seen = std::collections::HashSet::new();
    let mut all = Vec::new();
    for (column, cells) in columns.iter().enumerate() {
        for row in 0..cells.len() {
            if !seen.insert((column, row)) {
                continue;
            }
            let mut group = vec![(column, row)];
            let mut next = 0;
            while next < group.len() {
                let (c, r) = group[next];
                next += 1;
                let beside =
                    [(c.wrapping_sub(1), r), (c + 1, r), (c, r.wrapping_sub(1)), (c, r + 1)];
                for (c, r) in beside {
                    let colour = columns.get(c).and_then(|cells| cells.get(r));
                    if colour == Some(&cells[row]) && seen.insert((c, r)) {
                        group.push((c, r));
                    }
                }
            }
            group.sort_unstable();
            if group.len() > 1 {
                all.push(group);
            }
        }
    }
    all
}

fn play(columns: &Columns, group: &[(usize, usize)]) -> Columns {
    let stays = |column: usize, cells: &Vec<u8>| -> Vec<u8> {
        let kept = cells.iter().enumerate();
        kept.filter(|(row, _)| !group.contains(&(column, *row)))
            .map(|(_, &colour)| colour)
            .collect()
    };
    let all = columns.iter().enumerate().map(|(c, cells)| stays(c, cells));
    all.filter(|cells| !cells.is_empty()).collect()
}

fn walks<const N: usize, const L: u32>(sizes: &[(usize, usize)]) {
    for (seed, &(width, height)) in sizes.iter().cycle().take(60).enumerate() {
        let mut rng = Rng::new(seed as u64);
        let colours = 2 + rng.below(7) as u8;
        let layout = uniform(width, height, colours, &mut rng);
        let puzzle = SameGame::<N, L>::new(&layout, Scoring::Paper).unwrap();
        let mut board = puzzle.initial_state();
        let mut columns = layout.columns.clone();
        let mut menu = Menu::new(board);
        puzzle.list(&mut menu);
        loop {
            assert_eq!(board.columns(), columns);
            assert_eq!(Board::<N, L>::new(&columns), board);
            let groups = groups(&columns);
            let actions: Vec<Group> = puzzle.actions(&board).collect();
            let firsts: Vec<Group> = groups
                .iter()
                .map(|group| Group {
                    cell: (group[0].0 * L as usize + group[0].1) as u16,
                    size: group.len() as u16,
                    colour: columns[group[0].0][group[0].1],
                })
                .collect();
            assert_eq!(actions, firsts);
            assert_eq!(puzzle.is_terminal(&board), groups.is_empty());
            let live = menu.live.iter().map(|&id| menu.entries[id as usize]);
            let mut listed: Vec<(Group, u64)> = live.map(|e| (e.action, e.code)).collect();
            listed.sort_unstable();
            let coded = |&first| (first, puzzle.code(&board, first));
            let mut expected: Vec<(Group, u64)> = firsts.iter().map(coded).collect();
            expected.sort_unstable();
            assert_eq!(listed, expected);
            assert_eq!(menu.state, board);
            if groups.is_empty() {
                break;
            }
            let pick = rng.below(groups.len() as u64) as usize;
            assert_eq!(puzzle.reward(&board, actions[pick]), points(groups[pick].len() as u32));
            columns = play(&columns, &groups[pick]);
            let group = board.links().group(actions[pick].cell);
            let (mut after, mut links) = (board, board.links());
            let closed_up = after.take_out(&group);
            after.relink(&mut links, &group, closed_up);
            board = puzzle.apply(&board, actions[pick]);
            assert_eq!(after, board);
            assert_eq!(links, board.links());
            let played = |&id: &u32| menu.entries[id as usize].action == actions[pick];
            let choice = menu.live.iter().position(played).unwrap();
            puzzle.follow(&mut menu, choice);
        }
        let mut left = [0i64; 8];
        columns.iter().flatten().for_each(|&c| left[usize::from(c)] += 1);
        let expected: i64 = match columns.is_empty() {
            true => 1000,
            false => -left.iter().filter(|&&n| n > 0).map(|n| (n - 2).pow(2)).sum::<i64>(),
        };
        assert_eq!(puzzle.terminal_bonus(&board), expected);
    }
}

#[test]
fn random_games_follow_the_rules() {
    walks::<4, 16>(&[(15, 15), (16, 16), (1, 16), (16, 1), (4, 5), (3, 3), (13, 16), (2, 2)]);
    walks::<16, 32>(&[(15, 15), (32, 32), (1, 32), (32, 1), (20, 17), (5, 4)]);
}

#[test]
fn playouts_are_games_and_policies_differ() {
    let layout = uniform(15, 15, 5, &mut Rng::new(3));
    for scoring in Scoring::ALL {
        let puzzle = Small::new(&layout, scoring).unwrap();
        let start = puzzle.initial_state();
        let mut means = Vec::new();
        for policy in Policy::ALL {
            let games = Games { policy, ..Games::default() };
            let mut rng = Rng::new(1);
            let mut sum = 0;
            for _ in 0..400 {
                let mut actions = Vec::new();
                let score = games.play(&puzzle, &start, &mut rng, &mut actions);
                sum += score;
                let mut board = start;
                let mut total = 0;
                for &action in &actions {
                    assert!(puzzle.actions(&board).any(|listed| listed == action));
                    total += puzzle.reward(&board, action);
                    board = puzzle.apply(&board, action);
                }
                assert!(puzzle.is_terminal(&board));
                assert_eq!(score, total + puzzle.terminal_bonus(&board));
                let text = puzzle.solution_text(&actions);
                assert_eq!(puzzle.parse_solution(&text), Ok(actions));
            }
            means.push(sum);
        }
        if scoring == Scoring::Paper {
            assert!(means[0] < means[1] && means[1] < means[2], "{means:?}");
        }
    }
}

/// Every group is drawn as often as every other.
#[test]
fn groups_are_drawn_evenly() {
    let layout = uniform(6, 6, 3, &mut Rng::new(8));
    let puzzle = Small::new(&layout, Scoring::Paper).unwrap();
    let start = puzzle.initial_state();
    let count = puzzle.actions(&start).count();
    let games = Games { policy: Policy::Random, ..Games::default() };
    let mut drawn = std::collections::HashMap::new();
    let mut rng = Rng::new(5);
    let rounds = 20_000;
    for _ in 0..rounds {
        let mut actions = Vec::new();
        games.play(&puzzle, &start, &mut rng, &mut actions);
        *drawn.entry(actions[0]).or_insert(0u32) += 1;
    }
    let expected = f64::from(rounds) / count as f64;
    assert_eq!(drawn.len(), count);
    // Five standard deviations.
    for n in drawn.values() {
        assert!((f64::from(*n) - expected).abs() < 5.0 * expected.sqrt(), "{drawn:?}");
    }
    // And so does the general play-out.
    let mut actions = Vec::new();
    Uniform.play(&puzzle, &start, &mut rng, &mut actions);
    assert!(!actions.is_empty());
}

/// No action gives away less than nothing of a bound, on 10⁵ random edges of either.
#[test]
fn over_estimators_are_consistent() {
    fn edges<U: UpperBound<Small> + Copy>(upper: U, scoring: Scoring) {
        let mut rng = Rng::new(17);
        let mut edges = 0;
        while edges < 100_000 / 3 {
            let (width, height) = (2 + rng.below(9) as usize, 2 + rng.below(9) as usize);
            let colours = 1 + rng.below(5) as u8;
            let layout = uniform(width, height, colours, &mut rng);
            let puzzle = Small::new(&layout, scoring).unwrap();
            let regret = Regret::new(puzzle.clone(), upper);
            let mut board = puzzle.initial_state();
            loop {
                let actions: Vec<Group> = puzzle.actions(&board).collect();
                if actions.is_empty() {
                    break;
                }
                for &action in &actions {
                    regret.action_cost(&board, action);
                    assert_eq!(regret.fault(), None);
                    edges += 1;
                }
                board = puzzle.apply(&board, actions[rng.below(actions.len() as u64) as usize]);
            }
        }
    }
    for scoring in Scoring::ALL {
        edges(OneGroupEach::<false>, scoring);
        edges(OneGroupEach::<true>, scoring);
    }
}

/// The best plays of a board by each rule of points, and bounds that no play exceeds.
#[test]
fn every_rule_has_its_points() {
    // A group of three 1s, one of two 2s, a single 1 that joins two others or remains.
    let layout = Layout::parse(". . 1\n1 2 1\n1 2 2").unwrap();
    fn best(puzzle: &Small, board: &Board<4, 16>, upper: &dyn UpperBound<Small>) -> i64 {
        let plays = puzzle.actions(board).map(|group| {
            puzzle.reward(board, group) + best(puzzle, &puzzle.apply(board, group), upper)
        });
        let most = plays.max().unwrap_or_else(|| puzzle.terminal_bonus(board));
        assert!(most <= upper.upper(puzzle, board));
        most
    }
    // The 2s first, then four 1s.
    let expected = [
        (Scoring::Paper, 1 + 4 + 1000),
        (Scoring::Contest, 1 + 4 + 1000),
        (Scoring::Clickomania, 0),
        (Scoring::Product, 6 + 12),
        (Scoring::Square, 9 + 16),
        (Scoring::LessOne, 4 + 9),
        (Scoring::LessTwo, 1 + 4),
        (Scoring::Clicks, -2),
    ];
    assert_eq!(expected.map(|(scoring, _)| scoring), Scoring::ALL);
    for (scoring, points) in expected {
        let puzzle = Small::new(&layout, scoring).unwrap();
        let start = puzzle.initial_state();
        assert_eq!(best(&puzzle, &start, &OneGroupEach::<true>), points, "{scoring:?}");
        for seed in 0..40 {
            let layout = uniform(3, 4, 3, &mut Rng::new(seed));
            let puzzle = Small::new(&layout, scoring).unwrap();
            best(&puzzle, &puzzle.initial_state(), &OneGroupEach::<false>);
            best(&puzzle, &puzzle.initial_state(), &OneGroupEach::<true>);
        }
    }
}

#[test]
fn boards_in_both_spellings_and_refusals() {
    let spaced = Layout::parse("position 7\n0 1 2\n# remark\n1 1 0\n").unwrap();
    assert_eq!(Layout::parse("012\n110"), Ok(spaced.clone()));
    assert_eq!(Layout::parse(&spaced.text()), Ok(spaced.clone()));
    let holes = Layout::parse(". . .\n1 . .\n1 2 .").unwrap();
    assert_eq!(holes.columns, [vec![1, 1], vec![2]]);
    assert_eq!(holes.text(), ". . .\n1 . .\n1 2 .");
    for (text, line, column, part) in [
        ("", 1, 1, "no row"),
        ("title", 1, 1, "no row"),
        ("0 1\n0 1 2", 2, 1, "3 cells, the first one 2"),
        ("0 8", 1, 3, "0 to 7, found 8"),
        ("0 x", 1, 3, "found `x`"),
        ("0 07", 1, 3, "0 to 7, found 07"),
        ("* 1\n1 1", 1, 1, "found `*`"),
        ("0 1\n\n0 1", 2, 1, "blank line"),
        ("01x", 1, 3, "found `x`"),
        ("1 1\n. 1", 1, 1, "no cell beneath"),
        (". 1\n. 1", 2, 1, "column is empty"),
    ] {
        let error = Layout::parse(text).unwrap_err();
        assert_eq!((error.line, error.column), (line, column), "{text:?}: {error}");
        assert!(error.message.contains(part), "{text:?}: {error}");
    }
    let wide = ["0"; 33].join(" ");
    assert!(Layout::parse(&wide).unwrap_err().message.contains("32 columns"));
    let high = ["0 1"; 33].join("\n");
    assert_eq!(Layout::parse(&high).unwrap_err().line, 33);
    assert!(Small::new(&uniform(17, 2, 2, &mut Rng::new(1)), Scoring::Paper).is_none());
}

#[test]
fn illegal_moves_are_rejected_with_a_reason() {
    let layout = Layout::parse("0 1\n0 2").unwrap();
    let puzzle = Small::new(&layout, Scoring::Paper).unwrap();
    let first = Group { cell: 0, size: 2, colour: 0 };
    assert_eq!(puzzle.parse_solution("0,1"), Ok(vec![first]));
    for (text, part) in [
        ("1,0", "no neighbour"),
        ("0,0 1,1", "`1,1` is illegal: there is no cell"),
        ("5,0", "2 columns and 2 rows"),
        ("x", "expected column,row"),
        ("+0,0", "expected column,row"),
    ] {
        let error = puzzle.parse_solution(text).unwrap_err();
        assert!(error.message.contains(part), "{text}: {error}");
    }
}

/// The successors of a beam equal the results of the actions, and an evaluation counts pieces
/// correctly.
#[test]
fn successors_and_pieces_agree_with_a_naive_implementation() {
    let (mut pieces, mut exact) = (0, 0);
    for i in 0..20 {
        let mut rng = Rng::stream(5, i);
        let layout = uniform(9, 8, 3, &mut rng);
        let puzzle = Small::new(&layout, Scoring::Paper).unwrap();
        let mut board = puzzle.initial_state();
        loop {
            let mut successors = Vec::new();
            puzzle.successors(&board, &mut successors);
            let expected: Vec<_> = puzzle
                .actions(&board)
                .map(|action| (action, puzzle.apply(&board, action)))
                .collect();
            assert_eq!(successors, expected);
            for (_, after) in &successors {
                assert!(puzzle.layer(after) < puzzle.layer(&board));
            }
            let columns = board.columns();
            assert_eq!(board.width() as usize, columns.len());
            let mut of_colour = [[0; 3]; 8];
            for group in self::groups(&columns) {
                of_colour[usize::from(columns[group[0].0][group[0].1])][1] += 1;
                of_colour[usize::from(columns[group[0].0][group[0].1])][2] += group.len();
            }
            let links = board.links();
            for colour in 0..3 {
                let cells = board.of_colour(colour);
                let [_, groups, in_groups] = of_colour[usize::from(colour)];
                let singles = count(&cells) as usize - in_groups;
                if !board::is_empty(&cells) {
                    let (k, s) = value::pieces(&cells, &links);
                    assert_eq!(s as usize, singles);
                    // A ring counts one short.
                    assert!(k as usize <= groups + singles);
                    pieces += 1;
                    exact += usize::from(k as usize == groups + singles);
                }
            }
            if expected.is_empty() {
                break;
            }
            board = expected[rng.below(expected.len() as u64) as usize].1;
        }
    }
    assert!(exact > pieces * 9 / 10, "{exact} of {pieces}");
}

proptest! {
    #[test]
    fn readers_never_panic(text in "(\\PC|\n){0,200}") {
        let _ = Layout::read(&text, Scoring::Paper);
        let _ = pieces::split(&text);
    }

    #[test]
    fn boards_are_no_panic(text in "[0-3xcsr:#,.\\- \nab]{0,80}") {
        for piece in pieces::split(&text) {
            let _ = Layout::read(&piece.text, Scoring::Clicks);
        }
    }

    #[test]
    fn game_ids_are_no_panic(text in "[1-4]x[1-4](c[0-9]{0,2})?(s[0-9])?r?[:#][0-9, ]{0,40}") {
        let _ = Layout::read(&text, Scoring::Paper);
    }
}
