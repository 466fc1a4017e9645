//! Quadratic assignment in the catalogue.

use crate::qap::{
    self, Qap, draw, layout, sheet,
    solution::{Direction, Written},
    solver::{self, Tabu, TabuConfig},
};
use unriddle_catalog::{
    assignment::Assignment,
    bind::Bound,
    family::{Form, Generator, Variant},
    input::{self, Piece},
    instance::{Frame, Instance, Style, Visit},
    listed::{ErasedInstance, Placings, Preset, Solver, plain_drawing},
    sheet::{Change, Misfit, Sheet},
};
use unriddle_core::{Info, Options, ParseError, Role, options};

/// Quadratic assignment.
// Every build compiles a static with all searches that it refers to. Unit tests do without: it
// would double their build time.
#[cfg(not(test))]
pub static FAMILY: unriddle_catalog::Family = unriddle_catalog::Family::of::<QapVariant>();

/// Quadratic assignment, which has no parameters.
pub struct QapVariant;

impl Variant for QapVariant {
    type Aim = Placings;
    type Instance = Qap;

    const INFO: &'static Info = &qap::INFO;
    const TITLE: &'static str = "Quadratic assignment";
    const HAS_INDEPENDENT_RULES: bool = true;
    const UNIT: &'static str = "units of cost";
    const INLINE: bool = false;
    const GENERATORS: &'static [Generator<Self>] = &[Generator {
        info: &UNIFORM,
        make: |_, given, rng| Ok(Qap::uniform(UniformConfig::read(given).n, rng).text()),
    }];

    const FORMS: &'static [Form] = &[
        Form::new(
            "qaplib",
            "The number n of facilities, then two matrices of n × n whole numbers, row by row, separated by blanks; lines may \
             break anywhere. Text after `#`, `%` or `//` is a comment. Instances of a file follow each other: each has as many \
             numbers as its size asks for.",
            "3\n\n0 1 2\n1 0 3\n2 3 0\n\n0 2 1\n2 0 3\n1 3 0\n",
        ),
        Form::new(
            "known",
            "The same with one or two known values beside the size, on its line (such as the optimum and the best known value), \
             or on a line of their own behind the matrices. They are recognised by the count of numbers, and left out. A \
             matrix then begins and ends with a line, and all instances of a file have the same layout.",
            "3 20\n0 1 2\n1 0 3\n2 3 0\n\n0 2 1\n2 0 3\n1 3 0\n",
        ),
    ];

    fn configure(_: &Bound<'_>) -> Self {
        Self
    }

    fn load(&self, text: &str) -> Result<Box<dyn Instance>, ParseError> {
        Ok(ErasedInstance::<_, Placings>::new(Qap::parse(text)?).boxed())
    }

    fn sheet(&self, instance: &str) -> Option<Sheet> {
        sheet::sheet(&Qap::parse(instance).ok()?)
    }

    fn rewritten(&self, instance: &str, changes: &[Change]) -> Result<String, Misfit> {
        let qap = Qap::parse(instance).map_err(|error| Misfit::new(error.to_string()))?;
        Ok(sheet::rewritten(qap, changes)?.text())
    }

    /// Cuts a file into consecutive instances: each has as many numbers as its first one asks for.
    fn split(&self, file: &str) -> Vec<Piece> {
        let Some(first) = input::whole(file).pop() else {
            return Vec::new();
        };
        let file = first.text.as_str();
        let mut starts = vec![(0, (first.line, first.column + 1))];
        starts.extend(layout::starts(file));
        let ends = starts.iter().skip(1).map(|&(offset, _)| offset).chain([file.len()]);
        let pieces = starts.iter().zip(ends).enumerate();
        pieces
            .map(|(i, (&(from, (line, column)), to))| Piece {
                id: (i + 1).to_string(),
                text: file[from..to].to_owned(),
                line,
                column: column - 1,
                ..Piece::default()
            })
            .collect()
    }
}

const UNIFORM: Info = Info {
    reference: "Taillard 1991, Parallel Computing 17",
    parameters: UniformConfig::PARAMETERS,
    ..Info::new(Role::Generator, "uniform", "symmetric flows and distances of 0 to 99")
};

options! {
    struct UniformConfig of UNIFORM {
        n: usize = "20" in 1..=qap::MOST, positional, "facilities and locations";
    }
}

impl Assignment for Qap {
    type Action = u16;

    const SOLVERS: &'static [Solver<Self, Placings>] = &[Solver {
        info: &solver::INFO,
        run: |puzzle, given, run| {
            let config = TabuConfig { seed: run.request.seed, ..TabuConfig::read(given) };
            Box::pin(run.plain(Tabu::new(puzzle, config)))
        },
    }];

    const PRESETS: &'static [Preset<Self>] = &[
        Preset {
            name: "default",
            summary: "robust tabu search, one run of a million iterations",
            solver: |_| Some("robust-tabu(runs=1)"),
        },
        Preset {
            name: "best",
            summary: "robust tabu search, restarted without end: give it a limit",
            solver: |_| Some("robust-tabu"),
        },
    ];

    fn text(&self) -> String {
        self.text()
    }

    fn solution_text(&self, actions: &[u16]) -> String {
        self.solution_text(actions)
    }

    fn standard_solution(&self, solution: &str) -> Result<String, ParseError> {
        Ok(self.solution_text(&self.parse_solution(solution)?))
    }

    fn solution_forms(&self, solution: &str) -> Result<Vec<(&'static str, String)>, ParseError> {
        Ok(vec![("sln", self.solution_file(&self.parse_solution(solution)?))])
    }

    fn along(&self, solution: &str, visit: Visit<'_>) -> Result<(), ParseError> {
        let read =
            if solution.trim().is_empty() { None } else { Some(self.read_solution(solution)?) };
        visit(&|style| Frame { drawing: drawing(self, &[], style), action: None });
        if let Some(Written { at, direction, .. }) = read {
            let turned = match direction {
                Direction::Locations => "",
                Direction::Facilities => " (the text lists the facility on each location)",
            };
            visit(&|style| Frame {
                drawing: drawing(self, &at, style),
                action: Some(format!("all facilities placed, cost {}{turned}", self.cost(&at))),
            });
        }
        Ok(())
    }

    fn replay(&self, solution: &str) -> Result<(i64, u64), String> {
        let at = self.parse_solution(solution);
        let at = at.map_err(|error| error.to_string())?;
        Ok((self.cost(&at), at.len() as u64))
    }
}

/// An assignment as a drawing or as lines.
fn drawing(puzzle: &Qap, at: &[u16], style: Style) -> String {
    match style {
        Style::Svg => draw::svg(puzzle, at),
        Style::Plain | Style::Colour => plain_drawing(&draw::text(puzzle, at), style),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instances_follow_each_other() {
        let cut = |file: &str| -> Vec<(String, String, usize, usize)> {
            let pieces = QapVariant.split(file).into_iter();
            pieces.map(|p| (p.id, p.text.trim().to_owned(), p.line, p.column)).collect()
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
