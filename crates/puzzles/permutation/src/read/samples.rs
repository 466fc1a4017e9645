//! A puzzle of four corners with three orientations and four edges with two, in all forms.

/// Permutations of the moves `R` and `S`: slot k of corner i is position 3 i + k, slot k of edge i
/// is position 12 + 2 i + k. Both have order 3.
pub(super) const R: [u16; 20] =
    [5, 3, 4, 6, 7, 8, 1, 2, 0, 9, 10, 11, 12, 13, 17, 16, 18, 19, 15, 14];
pub(super) const S: [u16; 20] =
    [0, 1, 2, 9, 10, 11, 5, 3, 4, 7, 8, 6, 19, 18, 12, 13, 16, 17, 15, 14];

pub(super) const OWN: &str = r#"name = "Toy"
[[pieces]]
name = "CORNERS"
count = 4
orientations = 3
[[pieces]]
name = "EDGES"
count = 4
orientations = 2

[moves.R]
CORNERS = { permutation = [1, 2, 0, 3], orientation = [1, 0, 2, 0] }
EDGES = { permutation = [0, 2, 3, 1], orientation = [0, 1, 0, 1] }
[moves.S]
CORNERS = { permutation = [0, 3, 1, 2], orientation = [0, 0, 1, 2] }
EDGES = { permutation = [3, 0, 2, 1], orientation = [1, 0, 0, 1] }
"#;

pub(super) const OWN_ARRAYS: &str = r#"name = "Toy"
positions = 20
[moves]
R = [5, 3, 4, 6, 7, 8, 1, 2, 0, 9, 10, 11, 12, 13, 17, 16, 18, 19, 15, 14]
S = "(3 9 7)(4 10 8)(5 11 6)(12 19 14)(13 18 15)"
"#;

pub(super) const KPUZZLE: &str = r#"{
  "name": "Toy",
  "orbits": [
    { "orbitName": "CORNERS", "numPieces": 4, "numOrientations": 3 },
    { "orbitName": "EDGES", "numPieces": 4, "numOrientations": 2 }
  ],
  "defaultPattern": {
    "CORNERS": { "pieces": [0, 1, 2, 3], "orientation": [0, 0, 0, 0] },
    "EDGES": { "pieces": [0, 1, 2, 3], "orientation": [0, 0, 0, 0] }
  },
  "moves": {
    "R": {
      "CORNERS": { "permutation": [1, 2, 0, 3], "orientationDelta": [1, 0, 2, 0] },
      "EDGES": { "permutation": [0, 2, 3, 1], "orientationDelta": [0, 1, 0, 1] }
    },
    "S": {
      "CORNERS": { "permutation": [0, 3, 1, 2], "orientationDelta": [0, 0, 1, 2] },
      "EDGES": { "permutation": [3, 0, 2, 1], "orientationDelta": [1, 0, 0, 1] }
    }
  }
}
"#;

pub(super) const TWS: &str = "# orientations of a move belong to the pieces
Name Toy
Set CORNERS 4 3
Set EDGES 4 2

Solved
CORNERS
1 2 3 4
EDGES
1 2 3 4
0 0 0 0
End
Move R
CORNERS
2 3 1 4
2 1 0 0
EDGES
1 3 4 2
0 1 1 0
End
Move S
CORNERS
1 4 2 3
0 1 2 0
EDGES
4 1 3 2
0 1 0 1
End
";

pub(super) const TWS_NEW: &str = "Name Toy
Set CORNERS 4 3
Set EDGES 4 2
StartState
CORNERS
0 1 2 3
End
MoveTransformation R
CORNERS
1 2 0 3
1 0 2 0
EDGES
0 2 3 1
0 1 0 1
End
MoveTransformation S
CORNERS
0 3 1 2
0 0 1 2
EDGES
3 0 2 1
1 0 0 1
End
";

pub(super) const GAP: &str = "# a comment; with a semicolon
M_M_R:=(1,6,9)(2,4,7)(3,5,8)(15,18,20)(16,17,19);
M_M_S:=(4,10,8)(5,11,9)(6,12,7)(13,20,15)(14,19,16);
Gen:=[
M_M_R,M_M_S
];
ip:=[[1],[4]];
# Size(Group(Gen));
";

pub(super) const ACTIONS: &str = r#"{"actions": [
[5, 3, 4, 6, 7, 8, 1, 2, 0, 9, 10, 11, 12, 13, 17, 16, 18, 19, 15, 14],
[0, 1, 2, 9, 10, 11, 5, 3, 4, 7, 8, 6, 19, 18, 12, 13, 16, 17, 15, 14],
[8, 6, 7, 1, 2, 0, 3, 4, 5, 9, 10, 11, 12, 13, 19, 18, 15, 14, 16, 17]],
"names": ["R", "S", "R'"]}"#;

pub(super) const RESULT: &str = r#"{"competition": "Toy", "puzzle_id": 7, "proof": {
"central_state": [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19],
"generators": {
"R": [5, 3, 4, 6, 7, 8, 1, 2, 0, 9, 10, 11, 12, 13, 17, 16, 18, 19, 15, 14],
"S": [0, 1, 2, 9, 10, 11, 5, 3, 4, 7, 8, 6, 19, 18, 12, 13, 16, 17, 15, 14]},
"initial_state": [5, 3, 4, 6, 7, 8, 1, 2, 0, 9, 10, 11, 12, 13, 17, 16, 18, 19, 15, 14]}}"#;

pub(super) const SANTA: &str = r#"puzzle_type,allowed_moves
toy,"{'r': [1, 2, 0], 's': [1, 0, 2]}"
Toy,"{'R': [5, 3, 4, 6, 7, 8, 1, 2, 0, 9, 10, 11, 12, 13, 17, 16, 18, 19, 15, 14], 'S': [0, 1, 2, 9, 10, 11, 5, 3, 4, 7, 8, 6, 19, 18, 12, 13, 16, 17, 15, 14]}"
"#;

/// The forms, with their file names.
pub(super) const ALL: [(&str, &str); 9] = [
    ("Toy.toml", OWN),
    ("Toy.toml", OWN_ARRAYS),
    ("Toy.json", KPUZZLE),
    ("Toy.tws", TWS),
    ("Toy.ksolve", TWS_NEW),
    ("Toy.gap", GAP),
    ("Toy.json", ACTIONS),
    ("Toy.json", RESULT),
    ("Toy.csv", SANTA),
];
