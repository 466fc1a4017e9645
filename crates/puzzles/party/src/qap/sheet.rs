//! The sheet of an instance: its two matrices as tables.

use super::{LARGEST, Qap};
use unriddle_catalog::sheet::{Change, Column, Misfit, Section, Sheet, Values};

/// Most facilities of a sheet; larger instances are edited as text.
const MOST: usize = 40;

/// The sheet of an instance; `None` if it is too large.
#[must_use]
pub(super) fn sheet(qap: &Qap) -> Option<Sheet> {
    let n = qap.len();
    let section = |title: &str, of: &str, cells: &[i64]| {
        let number = |i: usize| Column::edited(i.to_string(), Values::whole(-LARGEST, LARGEST));
        let columns = std::iter::once(Column::shown(of)).chain((1..=n).map(number)).collect();
        let row = |(i, row): (usize, &[i64])| {
            let name = format!("{of} {}", i + 1);
            std::iter::once(name).chain(row.iter().map(ToString::to_string)).collect()
        };
        let rows = cells.chunks(n).enumerate().map(row).collect();
        Section { title: title.to_owned(), columns, rows }
    };
    (n <= MOST).then(|| Sheet {
        sections: vec![
            section("Flows: from facility (row) to facility (column)", "facility", &qap.a),
            section("Distances: from location (row) to location (column)", "location", &qap.b),
        ],
    })
}

/// The instance with changed cells.
///
/// # Errors
/// A number with decimals.
pub(super) fn rewritten(mut qap: Qap, changes: &[Change]) -> Result<Qap, Misfit> {
    for Change { place, text } in changes {
        let n = qap.len();
        let number = text
            .trim()
            .parse()
            .map_err(|_| Misfit::at(*place, format!("found {text}, expected a whole number")))?;
        let matrix = if place.section == 0 { &mut qap.a } else { &mut qap.b };
        let cell =
            place.column.checked_sub(1).and_then(|column| matrix.get_mut(place.row * n + column));
        if let Some(cell) = cell {
            *cell = number;
        }
    }
    Ok(qap)
}

#[cfg(test)]
mod tests {
    use super::*;
    use unriddle_catalog::sheet::Place;
    use unriddle_core::Rng;

    #[test]
    fn a_change_is_the_only_change() {
        let qap = Qap::uniform(5, &mut Rng::new(1));
        let sheet = sheet(&qap).unwrap();
        assert_eq!(sheet.sections[1].rows[2][0], "location 3");
        let change = |section, text: &str| Change {
            place: Place { section, row: 1, column: 4 },
            text: text.to_owned(),
        };
        let changed = rewritten(qap.clone(), &[change(0, "-7"), change(1, " 8 ")]).unwrap();
        assert_eq!((changed.a(1, 3), changed.b(1, 3)), (-7, 8));
        let back = [change(0, &qap.a(1, 3).to_string()), change(1, &qap.b(1, 3).to_string())];
        assert_eq!(rewritten(changed, &back), Ok(qap.clone()));
        assert_eq!(
            rewritten(qap, &[change(0, "1.5")]).unwrap_err().place,
            Some(change(0, "").place)
        );
        assert_eq!(super::sheet(&Qap::uniform(41, &mut Rng::new(1))), None);
    }
}
