// Instances for the tests of the page: each is solved in a moment.

/**
 * `instance`: text as people paste it; `preset`; `end`: what the status says at the end; `lost`: a
 * line whose marked action lost the game; `wrong`: a text that is refused.
 */
export const PUZZLES = {
  tiles: { instance: "1 2 3 4 0 5 7 8 6", preset: "default", wrong: "1 2 3 4 4 5 7 8 6" },
  cube: { instance: "R U R' F2", preset: "fast", wrong: "R U Q" },
  sokoban: {
    instance: "#######\n#  . .#\n# $@$ #\n#     #\n#######",
    preset: "default",
    lost: { instance: "#######|#--.--#|#-$@--#|#-----#|#######", line: "dllurrruL" },
    wrong: "#####\n#@?.#\n#####",
  },
  freecell: { deal: 1, preset: "fast", wrong: "KD 8S 6C" },
  lightsout: { instance: "101/010/101", preset: "default", wrong: "102/010/101" },
  hanoi: { instance: "1 1 1", preset: "default", wrong: "1 9 1" },
  samegame: { instance: "1 2 1 2\n2 1 2 1\n1 2 2 1\n2 1 1 2", preset: "fast", wrong: "1 2 1\n1 2" },
  morpion: { preset: "fast", wrong: "..o\n..?" },
  party: { preset: "fast", wrong: "{\"edges\": 3}" },
  qap: { preset: "default", expansions: 1, wrong: "3\n0 1" },
};

/** Puzzles of the static page whose answers are compared with the program's. */
export const STATIC = ["tiles", "freecell", "lightsout", "cube", "samegame", "sokoban", "hanoi"];
