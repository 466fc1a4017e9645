// A puzzle of the fake engine whose actions have two spots, and whose positions can be lost.
import { complete, distances, noise } from "./fake-tools.mjs";

// Pegs on a triangle of 15 holes: a state is a string of "o" and "."; one peg must be left.

const HOLES = Array.from({ length: 5 }, (_, row) =>
  Array.from({ length: row + 1 }, (_, column) => [row, column]),
).flat();
const hole = (row, column) =>
  column >= 0 && column <= row && row < 5 && row >= 0 ? (row * (row + 1)) / 2 + column : -1;
const JUMPS = HOLES.flatMap(([row, column], from) =>
  [
    [0, 2],
    [0, -2],
    [2, 0],
    [-2, 0],
    [2, 2],
    [-2, -2],
  ]
    .map(([dr, dc]) => ({
      from,
      over: hole(row + dr / 2, column + dc / 2),
      to: hole(row + dr, column + dc),
    }))
    .filter(({ over, to }) => over >= 0 && to >= 0),
);
const letter = (at) => `${"abcde"[HOLES[at][0]]}${HOLES[at][1] + 1}`;
const put = (state, changes) => [...state].map((c, at) => changes[at] ?? c).join("");

function jumps(state) {
  return JUMPS.filter(
    ({ from, over, to }) => state[from] === "o" && state[over] === "o" && state[to] === ".",
  ).map(({ from, over, to }) => ({
    text: letter(from) + letter(to),
    name: `peg ${letter(from)} jumps to ${letter(to)}`,
    from,
    to,
    key: null,
    to_state: put(state, { [from]: ".", [over]: ".", [to]: "o" }),
  }));
}

export const pegs = complete({
  about: {
    name: "pegs",
    title: "Pegs on a triangle",
    summary: "Jump until one peg is left",
    unit: "jumps",
    aim: "cost",
    parameters: [],
    presets: [
      { name: "exact", summary: "All positions, searched whole" },
      { name: "fast", summary: "Depth first, the first solution that comes" },
    ],
    sizes: [],
    generators: [],
    forms: [
      {
        name: "rows",
        rule: "five rows of o (peg) and . (hole)",
        example: ".\noo\nooo\noooo\nooooo",
        puzzle: "pegs",
      },
    ],
    inline: false,
    deals: false,
  },
  solvers: { exact: "astar(blind)", fast: "beam(blind, width=50)" },
  why: "all reachable positions were searched",
  actions: jumps,
  table() {
    const goals = HOLES.map((_, at) => put(".".repeat(15), { [at]: "o" }));
    return distances(goals, (state) =>
      JUMPS.filter(
        ({ from, over, to }) => state[from] === "." && state[over] === "." && state[to] === "o",
      ).map(({ from, over, to }) => put(state, { [from]: "o", [over]: "o", [to]: "." })),
    );
  },
  read(text, Refused) {
    const lines = text.split("\n");
    for (const [index, line] of lines.entries()) {
      const bad = /[^o.\s]/.exec(line);
      if (bad)
        throw new Refused(`\`${bad[0]}\` is neither a peg (o) nor a hole (.)`, {
          field: "instance",
          line: index + 1,
          column: bad.index + 1,
          length: 1,
        });
    }
    const cells = text.replace(/\s+/g, "");
    if (cells.length !== 15)
      throw new Refused(`15 holes are expected, found ${cells.length}`, {
        field: "instance",
        line: 1,
        column: 1,
      });
    if (!cells.includes("o"))
      throw new Refused("the board has no peg", { field: "instance", line: 1, column: 1 });
    return cells;
  },
  write: (state) => [0, 1, 3, 6, 10].map((at, row) => state.slice(at, at + row + 1)).join("\n"),
  parts: (text) => (text.trim() ? [{ text, line: 1 }] : []),
  split: (line) => line.match(/[a-e]\d[a-e]\d/g) ?? [],
  join: (actions) => actions.join(" "),
  random: (seed) => put("o".repeat(15), { [noise(seed)(15)]: "." }),
  label: (state) => `triangle with ${[...state].filter((c) => c === "o").length} pegs`,
  svg(state, before) {
    const at = (index) => [HOLES[index][1] * 60 - HOLES[index][0] * 30, HOLES[index][0] * 52];
    const cells = [...state].map((c, index) => {
      const [x, y] = at(index);
      const fresh = before && before[index] !== c && c === "o";
      return `<circle class="cell" cx="${x}" cy="${y}" r="22" fill="#eee"/>${c === "o" ? `<circle class="box${fresh ? " last" : ""}" cx="${x}" cy="${y}" r="17" fill="#b83" ${fresh ? 'stroke-width="4" stroke="#15b"' : ""}/>` : ""}`;
    });
    return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-160 -50 320 300"><path class="paper" d="M0 -46 158 236H-158z" stroke-linejoin="round" fill="#ddd"/>${cells.join("")}</svg>`;
  },
  spots: (state) =>
    HOLES.map(([row, column], at) => ({
      row,
      column,
      x: column * 60 - row * 30 - 24,
      y: row * 52 - 24,
      width: 48,
      height: 48,
      name: `${letter(at)}, ${state[at] === "o" ? "peg" : "hole"}`,
    })),
  sketch: (state) => ({
    layout: "grid",
    gesture: "paint",
    resizable: false,
    help: "Choose a symbol, then paint cells. Keys o and . paint, too.",
    rows: [0, 1, 2, 3, 4].map((row) =>
      Array.from({ length: 5 }, (_, column) => (column <= row ? state[hole(row, column)] : null)),
    ),
    palette: [
      { symbol: "o", name: "peg", colour: "#b8863b", text: "●" },
      { symbol: ".", name: "hole", colour: null, text: "○" },
    ],
  }),
  ofRows(rows, Refused) {
    const cells = rows.flat().filter((c) => c !== null);
    if (!cells.includes("o")) throw new Refused("the board has no peg", { row: 0, cell: 0 });
    return cells.join("");
  },
});
