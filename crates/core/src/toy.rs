//! Toy puzzles for the examples in the documentation and for tests of several crates.
//!
//! `toy!(Stairs: GoalPuzzle)` declares a puzzle in the example or the test itself, which can
//! implement further abilities for it.

/// Declares a toy puzzle and implements the listed abilities.
///
/// `Dial` has seven marks and is turned by 1, or by 6, which is 1 back.
/// `Stairs(n)` go down from stair n to 0, by one or two at a time.
/// `Line` leads from a number to a goal by −1, +1 and doubling. Five actions from 3 to 40 are the
/// fewest.
/// `Points` gives a point for the second of two actions. `left` counts the rest of a game, which
/// may be endless.
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

    (Line) => {
        #[derive(Clone)]
        struct Line {
            from: u64,
            goal: u64,
        }

        impl Line {
            /// The difference to the goal, which doubling changes by more than 1.
            fn difference(&self, number: &u64) -> Option<$crate::Cost> {
                Some(number.abs_diff(self.goal) as $crate::Cost)
            }
        }

        impl $crate::Puzzle for Line {
            type State = u64;
            type Action = u8;
            type Actions = $crate::Numbers;

            fn initial_state(&self) -> u64 {
                self.from
            }
            fn actions(&self, number: &u64) -> $crate::Numbers {
                $crate::Numbers::new(u8::from(*number == 0), 2 - u8::from(*number > 1000))
            }
            fn apply(&self, number: &u64, action: u8) -> u64 {
                match action {
                    0 => number - 1,
                    1 => number + 1,
                    _ => number * 2,
                }
            }
        }
    };
    (@Line GoalPuzzle) => {
        impl $crate::GoalPuzzle for Line {
            fn is_goal(&self, number: &u64) -> bool {
                *number == self.goal
            }
        }
    };

    (Points) => {
        #[derive(Clone)]
        struct Points {
            left: u64,
            /// Kind of the game. A game of any other kind ends.
            kind: u64,
        }

        impl Points {
            /// A game that ends after `left` actions.
            const ENDS: u64 = 0;
            /// A game without an end.
            const ENDLESS: u64 = 1;
            /// A game without an end whose actions lead to higher layers.
            const RISING: u64 = 2;
            /// A game of scores beyond 64 bits.
            const HUGE: u64 = 3;
        }

        impl $crate::Puzzle for Points {
            type State = u64;
            type Action = u8;
            type Actions = $crate::Numbers;

            fn initial_state(&self) -> u64 {
                self.left
            }
            fn actions(&self, left: &u64) -> $crate::Numbers {
                let is_over = *left == 0 && ![Self::ENDLESS, Self::RISING].contains(&self.kind);
                $crate::Numbers::new(1, if is_over { 0 } else { 2 })
            }
            fn apply(&self, left: &u64, _: u8) -> u64 {
                if self.kind == Self::RISING { left + 1 } else { left.saturating_sub(1) }
            }
        }
    };
    (@Points ScorePuzzle) => {
        impl $crate::ScorePuzzle for Points {
            fn reward(&self, _: &u64, action: u8) -> $crate::Score {
                let points = if self.kind == Self::HUGE { 1 << 62 } else { 1 };
                points * $crate::Score::from(action - 1)
            }
        }
    };
    (@Points Coded) => {
        impl $crate::Coded for Points {
            type Shape = ();
            fn code(&self, left: &u64, action: u8) -> u64 {
                left << 2 | u64::from(action)
            }
        }
    };
    (@Points Layered) => {
        impl $crate::Layered for Points {
            fn layer(&self, left: &u64) -> usize {
                *left as usize
            }
        }
    };
}
