//! Toy puzzles for the examples in the documentation.
//!
//! `toy!(Dial: GoalPuzzle)` declares a puzzle in the example itself, so that the example can
//! implement further abilities for it.

/// Declares a toy puzzle and implements the listed abilities.
///
/// `Dial` has seven marks and is turned by 1, or by 6, which is 1 back; its goal is mark 0.
/// `Stairs(n)` go down from stair n to 0, by one or two at a time.
///
/// ```
/// unriddle_core::toy!(Stairs: GoalPuzzle);
/// use unriddle_core::{GoalPuzzle, Puzzle};
///
/// assert!(Stairs(2).is_goal(&Stairs(2).apply(&2, 2)));
/// ```
#[doc(hidden)]
#[macro_export]
macro_rules! toy {
    ($name:ident: $($ability:ident),+) => {
        $crate::toy!($name);
        $($crate::toy!(@$name $ability);)+
    };

    (Dial) => {
        #[derive(Clone)]
        struct Dial;

        #[derive(Clone, Copy)]
        struct Turns(u8);

        impl Iterator for Turns {
            type Item = u8;

            fn next(&mut self) -> Option<u8> {
                let turn = [1, 6].get(usize::from(self.0)).copied();
                self.0 += 1;
                turn
            }
        }

        impl $crate::Puzzle for Dial {
            type State = u8;
            type Action = u8;
            type Actions = Turns;

            fn initial_state(&self) -> u8 {
                3
            }
            fn actions(&self, _: &u8) -> Turns {
                Turns(0)
            }
            fn apply(&self, mark: &u8, turn: u8) -> u8 {
                (mark + turn) % 7
            }
            fn is_inverse(&self, last: u8, next: u8) -> bool {
                last + next == 7
            }
        }
    };
    (@Dial GoalPuzzle) => {
        impl $crate::GoalPuzzle for Dial {
            fn is_goal(&self, mark: &u8) -> bool {
                *mark == 0
            }
        }
    };
    (@Dial Reversible) => {
        impl $crate::Reversible for Dial {
            fn inverse(&self, turn: u8) -> u8 {
                7 - turn
            }
        }
    };
    (@Dial Invertible) => {
        impl $crate::Invertible for Dial {
            fn inverted(&self, mark: &u8) -> u8 {
                (7 - mark) % 7
            }
            fn space(&self) -> String {
                "dial 7".to_owned()
            }
        }
    };
    (@Dial Backward) => {
        impl $crate::Backward for Dial {
            fn predecessors(&self, mark: &u8, visit: &mut dyn FnMut(u8, u8)) {
                for turn in [1, 6] {
                    visit((mark + 7 - turn) % 7, turn);
                }
            }
            fn goal_states(&self) -> Vec<u8> {
                vec![0]
            }
        }
    };
    (@Dial Features) => {
        impl $crate::Features for Dial {
            fn feature_len(&self) -> usize {
                7
            }
            fn active(&self, mark: &u8, sink: &mut dyn FnMut(u32)) {
                sink(u32::from(*mark));
            }
        }
    };
    (@Dial Notation) => {
        impl $crate::Notation for Dial {
            fn state_text(&self, mark: &u8) -> String {
                mark.to_string()
            }
            fn solution_text(&self, turns: &[u8]) -> String {
                turns.iter().map(u8::to_string).collect::<Vec<_>>().join(" ")
            }
            fn parse_solution(&self, text: &str) -> Result<Vec<u8>, $crate::ParseError> {
                $crate::text::read(text, |word| {
                    word.parse().map_err(|_| "expected a turn".to_owned())
                })
            }
        }
    };

    (Stairs) => {
        #[derive(Clone)]
        struct Stairs(u8);

        impl $crate::Puzzle for Stairs {
            type State = u8;
            type Action = u8;
            type Actions = $crate::Numbers;

            fn initial_state(&self) -> u8 {
                self.0
            }
            fn actions(&self, stair: &u8) -> $crate::Numbers {
                $crate::Numbers::new(1, (*stair).min(2))
            }
            fn apply(&self, stair: &u8, steps: u8) -> u8 {
                stair - steps
            }
        }
    };
    (@Stairs GoalPuzzle) => {
        impl $crate::GoalPuzzle for Stairs {
            fn is_goal(&self, stair: &u8) -> bool {
                *stair == 0
            }
        }
    };
    (@Stairs ScorePuzzle) => {
        impl $crate::ScorePuzzle for Stairs {
            fn reward(&self, stair: &u8, steps: u8) -> $crate::Score {
                $crate::Score::from(stair % 3) * $crate::Score::from(steps)
            }
        }
    };
}
