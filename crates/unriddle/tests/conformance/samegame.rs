//! SameGame of both shapes against the checker, in texts, along random games.

use crate::{any_action, sorted};
use unriddle_core::{Notation, Puzzle, Rng, ScorePuzzle, search::check_state_size};
use unriddle_samegame::{Layout, SameGame, Scoring, generate::uniform};

/// Both know the same moves, which lead to the same boards, and count the same points.
fn games_agree<const N: usize, const L: u32>(sizes: &[(usize, usize, u8)]) {
    check_state_size::<SameGame<N, L>>().unwrap();
    let rng = &mut Rng::new(9);
    for &(width, height, colours) in sizes {
        for scoring in Scoring::ALL {
            let spec = scoring.spec();
            let layout = uniform(width, height, colours, rng);
            let read = |text: &str| {
                let layout = Layout::parse(text).unwrap();
                SameGame::<N, L>::new(&layout, scoring).unwrap()
            };
            let start = read(&layout.text());
            let mut state = start.initial_state();
            let (mut actions, mut score) = (Vec::new(), 0);
            loop {
                let text = start.state_text(&state);
                let here = read(&text);
                assert_eq!(here.state_text(&here.initial_state()), text);
                let ours = here
                    .actions(&state)
                    .map(|action| here.solution_text(&[action]));
                let theirs = unriddle_check::legal_actions(&spec, &text).unwrap();
                assert_eq!(sorted(ours), sorted(theirs), "{text}");
                let Some(action) = any_action(&start, &state, rng) else {
                    break;
                };
                score += start.reward(&state, action);
                state = start.apply(&state, action);
                let child = start.state_text(&state);
                let name = start.solution_text(&[action]);
                assert_eq!(unriddle_check::apply(&spec, &text, &name), Ok(child));
                actions.push(action);
            }
            score += start.terminal_bonus(&state);
            let solution = start.solution_text(&actions);
            assert_eq!(start.parse_solution(&solution).as_ref(), Ok(&actions));
            let verdict = unriddle_check::verify(&spec, &layout.text(), &solution).unwrap();
            assert_eq!(
                (verdict.value, verdict.length),
                (score, actions.len() as u64)
            );
        }
    }
}

#[test]
fn small_boards() {
    games_agree::<4, 16>(&[(15, 15, 5), (4, 3, 2), (16, 16, 8), (1, 5, 2), (7, 2, 3)]);
}

#[test]
fn large_boards() {
    games_agree::<16, 32>(&[(20, 18, 5), (32, 32, 8), (3, 31, 2)]);
}
