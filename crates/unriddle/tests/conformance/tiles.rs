//! Sliding tiles of every side, in both conventions of the goal.

use crate::{Sample, conformance};
use unriddle_core::{Blind, Rng};
use unriddle_tables::Cache;
use unriddle_tiles::{
    Board, Board2, Board3, Board4, Board5, Board6, Board7, Board8, Goal, LinearConflict, Manhattan,
    Partition, Pdb, Tiles, WalkingDistance, generate::uniform, parse::parse,
};

const SPECS: [(&str, Goal); 3] = [
    ("tiles", Goal::BlankLast),
    ("tiles(goal=blank-last)", Goal::BlankLast),
    ("tiles(goal=blank-first)", Goal::BlankFirst),
];

fn sample<B: Board>() -> Sample<Tiles<B>> {
    let rng = &mut Rng::new(7);
    let text = |cells: Vec<u8>| {
        let words: Vec<String> = cells.iter().map(u8::to_string).collect();
        words.join(" ")
    };
    Sample {
        instances: SPECS
            .map(|(spec, goal)| (spec, text(uniform(B::N, goal, rng))))
            .into(),
        read: |spec, text| {
            let (_, goal) = SPECS.into_iter().find(|(known, _)| *known == spec).unwrap();
            let parsed = parse(text, goal).unwrap();
            assert_eq!(parsed.solvable, Ok(()));
            Tiles::new(&parsed.cells, goal)
        },
    }
}

fn pdb<B: Board, const K: usize>(partition: &str, cache: &Cache) -> Pdb<B, K> {
    Pdb::new(&Partition::parse(B::N, partition).unwrap(), true, cache).unwrap()
}

conformance!(side2: sample::<Board2>(), [reversible, backward, features], {
    blind: |_| Blind,
    manhattan: |_| Manhattan::<Board2>::new(),
    linear_conflict: |_| LinearConflict::<Board2>::new(),
    walking_distance: |cache| WalkingDistance::<Board2>::new(cache).unwrap(),
    one_pattern: |cache| pdb::<Board2, 2>("1.2.3", cache),
    three_patterns: |cache| pdb::<Board2, 4>("1/2/3", cache),
});
conformance!(side3: sample::<Board3>(), [reversible, backward, features], {
    manhattan: |_| Manhattan::<Board3>::new(),
    linear_conflict: |_| LinearConflict::<Board3>::new(),
    walking_distance: |cache| WalkingDistance::<Board3>::new(cache).unwrap(),
    two_patterns: |cache| pdb::<Board3, 2>("4-4", cache),
    board_alone: |cache| Pdb::<Board3, 2>::new(&Partition::parse(3, "4-4").unwrap(), false, cache).unwrap(),
    five_patterns: |cache| pdb::<Board3, 7>("1.5/2.4/3.6/7/8", cache),
});
conformance!(side4: sample::<Board4>(), [reversible, backward, features], {
    manhattan: |_| Manhattan::<Board4>::new(),
    linear_conflict: |_| LinearConflict::<Board4>::new(),
    walking_distance: |cache| WalkingDistance::<Board4>::new(cache).unwrap(),
    three_patterns: |cache| pdb::<Board4, 4>("5-5-5", cache),
});
conformance!(side5: sample::<Board5>(), [reversible, backward, features], {
    manhattan: |_| Manhattan::<Board5>::new(),
    linear_conflict: |_| LinearConflict::<Board5>::new(),
    eight_patterns: |cache| {
        pdb::<Board5, 16>("1.2.6/3.4.8/5.10.15/7.11.12/9.14.13/16.17.21/18.22.23/19.20.24", cache)
    },
});
conformance!(side6: sample::<Board6>(), [reversible, backward, features], {
    manhattan: |_| Manhattan::<Board6>::new(),
    linear_conflict: |_| LinearConflict::<Board6>::new(),
    twelve_patterns: |cache| {
        pdb::<Board6, 16>(
            "1.2.7/3.4.9/5.6.12/8.13.14/10.11.16/15.20.21/17.18.24/19.25.26/22.23.28/27.32.33/29.30.35/31.34",
            cache,
        )
    },
});
conformance!(side7: sample::<Board7>(), [reversible, backward, features], {
    manhattan: |_| Manhattan::<Board7>::new(),
    linear_conflict: |_| LinearConflict::<Board7>::new(),
});
conformance!(side8: sample::<Board8>(), [reversible, backward, features], {
    manhattan: |_| Manhattan::<Board8>::new(),
    linear_conflict: |_| LinearConflict::<Board8>::new(),
});
