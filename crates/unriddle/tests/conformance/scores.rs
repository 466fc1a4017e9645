//! Score puzzles against the checker, in texts, along random games.

use crate::{Sample, any_action, sorted};
use unriddle_core::{Notation, Rng, ScorePuzzle, search::check_state_size};

/// Both know the same moves, which lead to the same states, and count the same points.
pub(crate) fn games_agree<P: ScorePuzzle + Notation>(sample: &Sample<P>) {
    check_state_size::<P>().unwrap();
    sample.each(|spec, start| {
        let rng = &mut Rng::new(9);
        let mut state = start.initial_state();
        let begin = start.state_text(&state);
        let (mut actions, mut score) = (Vec::new(), 0);
        loop {
            let text = start.state_text(&state);
            let here = (sample.read)(spec, &text);
            assert_eq!(here.state_text(&here.initial_state()), text);
            let ours = here
                .actions(&state)
                .map(|action| here.solution_text(&[action]));
            let theirs = unriddle_check::legal_actions(spec, &text).unwrap();
            assert_eq!(sorted(ours), sorted(theirs), "{spec}: {text}");
            let is_end = unriddle_check::is_goal(spec, &text);
            assert_eq!(is_end, Ok(here.is_terminal(&state)), "{spec}: {text}");
            let Some(action) = any_action(&start, &state, rng) else {
                break;
            };
            score += start.reward(&state, action);
            state = start.apply(&state, action);
            let child = start.state_text(&state);
            let name = start.solution_text(&[action]);
            assert_eq!(unriddle_check::apply(spec, &text, &name), Ok(child));
            actions.push(action);
        }
        score += start.terminal_bonus(&state);
        let solution = start.solution_text(&actions);
        assert_eq!(start.parse_solution(&solution).as_ref(), Ok(&actions));
        let verdict = unriddle_check::verify(spec, &begin, &solution).unwrap();
        assert_eq!(
            (verdict.value, verdict.length),
            (score, actions.len() as u64)
        );
    });
}
