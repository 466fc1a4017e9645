//! Toy puzzles for the examples in the documentation.
//!
//! `toy!(Stairs: GoalPuzzle)` declares a puzzle in the example itself, so that the example can
//! implement further abilities for it.

/// Declares a toy puzzle and implements the listed abilities.
///
/// `Dial` has seven marks and is turned by 1, or by 6, which is 1 back.
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
