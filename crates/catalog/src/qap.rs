//! Quadratic assignment in the catalogue.

use crate::{
    bind::{Bound, bind, find},
    input::{self, Piece},
    instance::{
        Aim, Events, Family, Frame, Instance, Preset, Puzzle, Report, Request, Rng, Size,
        SolveError, Style,
    },
    registry,
    solver::{Runner, Text, Written, not_wired},
    spec::{Spec, SpecError},
};
use std::fmt::Write as _;
use unriddle_core::{Domain, Info, Options, Parameter, ParseError, Role, Solution};
use unriddle_puzzles::qap::{self, Qap};
use unriddle_specialists::qap::{self as tabu, Tabu, TabuConfig};
use unriddle_tables::cache::Build;

/// Quadratic assignment.
pub const FAMILY: Family = Family {
    info: &qap::INFO,
    aim: Aim::Assignment,
    searches: &[],
    specialists: &[&tabu::INFO],
    heuristics: &[],
    playouts: &[],
    generators: &[&UNIFORM],
    presets: &[
        Preset {
            name: "default",
            summary: "robust tabu search, one run of a million iterations",
        },
        Preset {
            name: "best",
            summary: "robust tabu search, restarted without end: give it a limit",
        },
    ],
    sizes: &[Size {
        name: "any",
        generator: "uniform",
    }],
    configure: |_| Box::new(QapPuzzle),
    inline: false,
    split,
};

/// What a preset stands for.
const PRESETS: &[(&str, &str)] = &[("default", "robust-tabu(runs=1)"), ("best", "robust-tabu")];

const UNIFORM: Info = Info {
    name: "uniform",
    role: Role::Generator,
    version: 1,
    summary: "symmetric flows and distances of 0 to 99",
    guarantee: "",
    requires: "",
    reference: "Taillard 1991, Parallel Computing 17",
    parameters: &[Parameter::positional(
        "n",
        Domain::Integer {
            min: 1,
            max: qap::MOST as u64,
        },
        "20",
        "facilities and locations",
    )],
};

/// Cuts a file into instances that follow each other: each has as many numbers as its first one asks for.
fn split(file: &str) -> Vec<Piece> {
    let mut pieces = input::whole(file);
    while let Some(last) = pieces.pop() {
        let mut words = last.text.split_whitespace();
        let n = words.next().and_then(|word| word.parse::<usize>().ok());
        // What the matrices leave begins another instance.
        let n = n.filter(|n| (1..=qap::MOST).contains(n));
        let next = n.and_then(|n| words.nth(2 * n * n));
        let Some(next) = next else {
            pieces.push(last);
            break;
        };
        let at = next.as_ptr() as usize - last.text.as_ptr() as usize;
        let (text, rest) = last.text.split_at(at);
        let (before, column) = match text.rsplit_once('\n') {
            Some((before, line)) => (before.matches('\n').count() + 1, line.chars().count()),
            None => (0, last.column + text.chars().count()),
        };
        let number = pieces.len() + 2;
        let rest = Piece {
            id: number.to_string(),
            text: rest.to_owned(),
            line: last.line + before,
            column,
        };
        let text = text.to_owned();
        pieces.push(Piece { text, ..last });
        pieces.push(rest);
    }
    pieces
}

struct QapPuzzle;

impl Puzzle for QapPuzzle {
    fn spec(&self) -> String {
        qap::INFO.name.to_owned()
    }

    fn unit(&self) -> &'static str {
        "units of cost"
    }

    fn load(&self, text: &str) -> Result<Box<dyn Instance>, ParseError> {
        Ok(Box::new(QapInstance(Qap::parse(text)?)))
    }

    fn generate(&self, generator: &Bound<'_>, rng: &mut Rng) -> Result<String, SpecError> {
        Ok(Qap::uniform(generator.integer("n") as usize, rng).text())
    }

    fn tables(&self, _: &Spec) -> Result<Vec<Box<dyn Build>>, SolveError> {
        Ok(Vec::new())
    }
}

struct QapInstance(Qap);

impl Written for Qap {
    type Action = u16;

    fn written(&self, _: &Spec, best: &Solution<u16>) -> Text {
        Text::plain(self.solution_text(&best.actions), best.actions.len())
    }
}

impl Instance for QapInstance {
    fn text(&self) -> String {
        self.0.text()
    }

    fn preset(&self, name: &str) -> Option<Spec> {
        let (_, spec) = PRESETS.iter().find(|(known, _)| *known == name)?;
        Spec::parse(spec).ok()
    }

    fn solve(&self, request: &Request<'_>, events: &mut dyn Events) -> Result<Report, SolveError> {
        let infos = registry::expressions(&FAMILY);
        let bound = bind(find(&infos, Role::Search, request.solver)?, request.solver)?;
        let run = Runner::new(&self.0, request, events);
        match bound.info().name {
            "robust-tabu" => {
                let seed = request.seed;
                let config = TabuConfig {
                    seed,
                    ..TabuConfig::read(&bound)
                };
                run.plain(Tabu::new(&self.0, config))
            }
            other => Err(not_wired("solver", other)),
        }
    }

    fn frames(&self, solution: &str, style: Style) -> Result<Vec<Frame>, ParseError> {
        let empty = Frame {
            drawing: self.drawing(&[], style),
            action: None,
        };
        if solution.trim().is_empty() {
            return Ok(vec![empty]);
        }
        let at = self.0.parse_solution(solution)?;
        let whole = Frame {
            drawing: self.drawing(&at, style),
            action: Some(format!("all facilities placed, cost {}", self.0.cost(&at))),
        };
        Ok(vec![empty, whole])
    }
}

impl QapInstance {
    /// A line for every facility; as graphics, a line of text each.
    fn drawing(&self, at: &[u16], style: Style) -> String {
        let n = self.0.len();
        let mut lines = vec![format!("{n} facilities and locations")];
        let places = at.iter().enumerate();
        lines.extend(places.map(|(i, at)| format!("facility {} at location {}", i + 1, at + 1)));
        if !at.is_empty() {
            lines.push(format!("cost {}", self.0.cost(at)));
        }
        if style != Style::Svg {
            return lines.join("\n") + "\n";
        }
        let height = 20 * lines.len() + 10;
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"320\" height=\"{height}\" font-family=\"sans-serif\" \
             font-size=\"14\">\n"
        );
        for (i, line) in lines.iter().enumerate() {
            // Writing to a string does not fail.
            let _ = writeln!(svg, "<text x=\"10\" y=\"{}\">{line}</text>", 20 * (i + 1));
        }
        svg + "</svg>\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instances_follow_each_other() {
        let cut = |file: &str| -> Vec<(String, String, usize, usize)> {
            let pieces = split(file).into_iter();
            pieces
                .map(|p| (p.id, p.text.trim().to_owned(), p.line, p.column))
                .collect()
        };
        let own =
            |id: &str, text: &str, line, column| (id.to_owned(), text.to_owned(), line, column);
        assert_eq!(
            cut("1 0\n5 2\n0 1 1 0\n0 2 2 0\n\n7 1"),
            [
                own("1", "1 0\n5", 1, 0),
                own("2", "2\n0 1 1 0\n0 2 2 0", 2, 2),
                own("3", "7 1", 6, 0),
            ]
        );
        assert_eq!(cut("x 1 2"), [own("1", "x 1 2", 1, 0)]);
        assert_eq!(cut(" "), []);
    }
}
