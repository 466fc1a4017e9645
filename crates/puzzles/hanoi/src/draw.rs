//! Drawings: the disks of each peg as text, or as an image.

use super::{Hanoi, State, Step};
use std::fmt::Write as _;
use unriddle_catalog::Style;

/// Width of a peg with its disks in an image, and height of a disk.
pub(crate) const WIDTH: usize = 140;
const DISK: usize = 24;

/// Space above the highest tower, height of the ground, and height of the numbers below it.
const ABOVE: usize = 26;
const GROUND: usize = 8;
const BELOW: usize = 30;

/// Widths of the narrowest and of the widest disk.
const NARROW: usize = 34;
const WIDE: usize = 128;

/// Height of an image with a number of disks.
pub(crate) fn height(disks: usize) -> usize {
    ABOVE + disks * DISK + GROUND + BELOW
}

/// The disks of each peg, the largest first, with numbers from 1 for the smallest disk.
pub(crate) fn piles(puzzle: &Hanoi, state: &State) -> Vec<Vec<usize>> {
    let mut piles = vec![Vec::new(); puzzle.pegs.into()];
    for (disk, &peg) in puzzle.disks(state).iter().enumerate().rev() {
        piles[usize::from(peg)].push(disk + 1);
    }
    piles
}

/// The drawing of a state after a last step, if any.
pub(crate) fn drawn(puzzle: &Hanoi, state: &State, last: Option<Step>, style: Style) -> String {
    let piles = piles(puzzle, state);
    if style == Style::Svg {
        return svg(&piles, puzzle.disks, last);
    }
    let peg = |(peg, disks): (usize, &Vec<usize>)| {
        let disks: String = disks.iter().map(|disk| format!(" {disk}")).collect();
        format!("{} |{disks}\n", peg + 1)
    };
    piles.iter().enumerate().map(peg).collect()
}

/// The pegs as a self-contained SVG image. Disks at the goal are green. The disk that the step
/// `last` moved is framed.
fn svg(piles: &[Vec<usize>], disks: usize, last: Option<Step>) -> String {
    let (width, height) = (piles.len() * WIDTH, height(disks));
    let ground = height - BELOW - GROUND;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         role=\"img\" font-family=\"system-ui, sans-serif\" font-size=\"15\" text-anchor=\"middle\">\n\
         <rect class=\"paper\" width=\"{width}\" height=\"{height}\" fill=\"#faf9f6\"/>\n\
         <rect class=\"wall\" x=\"4\" y=\"{ground}\" width=\"{}\" height=\"{GROUND}\" rx=\"4\" fill=\"#8d8a82\"/>\n",
        width - 8
    );
    for (peg, pile) in piles.iter().enumerate() {
        let middle = peg * WIDTH + WIDTH / 2;
        let is_goal = peg + 1 == piles.len();
        // Writing to a string does not fail.
        let _ = writeln!(
            out,
            "<rect class=\"wall\" x=\"{}\" y=\"10\" width=\"8\" height=\"{}\" rx=\"4\" fill=\"#8d8a82\"/>\
             <text class=\"ink\" x=\"{middle}\" y=\"{}\" fill=\"#1d1f21\">{}</text>",
            middle - 4,
            ground - 6,
            height - 9,
            peg + 1
        );
        if is_goal {
            let _ = writeln!(
                out,
                "<circle class=\"goal\" cx=\"{middle}\" cy=\"{}\" r=\"12\" fill=\"none\" stroke=\"#b36b00\" stroke-width=\"2\"/>",
                height - 14
            );
        }
        for (level, &disk) in pile.iter().enumerate() {
            let breadth = NARROW + (WIDE - NARROW) * disk / disks;
            let (x, y) = (middle - breadth / 2, ground - (level + 1) * DISK);
            // A disk is at home on the larger ones.
            let is_home = is_goal && disk == disks - level;
            let (class, fill) =
                if is_home { ("piece home", "#a9d0b3") } else { ("piece", "#b9cbe6") };
            let _ = writeln!(
                out,
                "<g data-piece=\"{disk}\"><rect class=\"{class}\" x=\"{x}\" y=\"{}\" width=\"{breadth}\" height=\"{}\" rx=\"6\" fill=\"{fill}\" stroke=\"#000000\" stroke-opacity=\"0.25\"/>\
                 <text class=\"ink\" x=\"{middle}\" y=\"{}\" fill=\"#1d1f21\">{disk}</text></g>",
                y + 1,
                DISK - 2,
                y + 18
            );
            let is_last = last.is_some_and(|step| usize::from(step.to) == peg);
            if is_last && level + 1 == pile.len() {
                let _ = writeln!(
                    out,
                    "<rect class=\"last\" x=\"{x}\" y=\"{}\" width=\"{breadth}\" height=\"{}\" rx=\"6\" fill=\"none\" stroke=\"#1f5fbf\" stroke-width=\"3\"/>",
                    y + 1,
                    DISK - 2
                );
            }
        }
    }
    out + "</svg>\n"
}
