// Two small puzzles for the fake engine: sliding tiles (spots and arrow keys), and counting (neither
// spots nor a sketch). The others are in files of their own.
import { complete, distances, noise } from "./fake-tools.mjs";

export { pegs } from "./fake-pegs.mjs";
export { purse } from "./fake-purse.mjs";

// Tiles: a state is a string of nine digits.

const MOVES = [
  ["U", "ArrowUp", 3, "up", (blank) => blank < 6],
  ["D", "ArrowDown", -3, "down", (blank) => blank > 2],
  ["L", "ArrowLeft", 1, "left", (blank) => blank % 3 < 2],
  ["R", "ArrowRight", -1, "right", (blank) => blank % 3 > 0],
];

function slides(state) {
  const blank = state.indexOf("0");
  return MOVES.filter(([, , , , fits]) => fits(blank)).map(([text, key, step, way]) => {
    const from = blank + step;
    const cells = [...state];
    cells[blank] = cells[from];
    cells[from] = "0";
    return {
      text,
      key,
      name: `tile ${state[from]} ${way}`,
      from,
      to: null,
      to_state: cells.join(""),
    };
  });
}

export const tiles = complete({
  about: {
    name: "tiles",
    title: "Sliding tiles 3×3",
    summary: "Bring all tiles home in the fewest moves",
    unit: "moves",
    aim: "cost",
    parameters: [],
    presets: [
      {
        name: "optimal",
        summary: "The shortest solution, proved; a second of table building first",
      },
      { name: "fast", summary: "A good solution soon, without tables or a proof" },
      { name: "learned", summary: "A beam by a network that was trained on the puzzle" },
    ],
    sizes: [
      { name: "3×3", generator: "uniform" },
      { name: "4×4", generator: "uniform(4)" },
    ],
    generators: [
      {
        name: "walk",
        role: "generator",
        summary: "A random walk from the goal",
        parameters: [
          {
            name: "steps",
            summary: "length of the walk",
            default: "50",
            positional: false,
            domain: "integer",
            words: [],
          },
        ],
      },
    ],
    forms: [
      {
        name: "numbers",
        rule: "the tiles row by row, 0 for the blank",
        example: "8 6 7 2 5 4 3 0 1",
        puzzle: "tiles",
      },
      {
        name: "picture",
        rule: "a line for each row",
        example: "1 2 3\n4 0 5\n7 8 6",
        puzzle: "tiles",
      },
    ],
    inline: true,
    deals: true,
    numbered: "Boards are numbered from 1 in the order of the generator.",
  },
  solvers: { optimal: "idastar(manhattan)", fast: "beam(manhattan)", learned: null },
  why: "the permutation of its tiles is odd",
  actions: slides,
  table: () => distances(["123456780"], (state) => slides(state).map(({ to_state }) => to_state)),
  read(text, Refused) {
    const words = [...text.matchAll(/\S+/g)];
    const seen = new Set();
    for (const word of words) {
      const line = text.slice(0, word.index).split("\n").length;
      const column = word.index - text.lastIndexOf("\n", word.index - 1);
      if (!/^[0-8]$/.test(word[0]))
        throw new Refused(`\`${word[0]}\` is no tile of a 3×3 board: expected 0 to 8`, {
          field: "instance",
          line,
          column,
          length: word[0].length,
        });
      if (seen.has(word[0]))
        throw new Refused(`tile ${word[0]} occurs twice`, {
          field: "instance",
          line,
          column,
          length: 1,
        });
      seen.add(word[0]);
    }
    if (words.length !== 9)
      throw new Refused(`9 numbers are expected, found ${words.length}`, {
        field: "instance",
        line: 1,
        column: text.length + 1,
      });
    return words.map(([word]) => word).join("");
  },
  write: (state) => [...state].join(" "),
  parts(text) {
    const lines = text.split("\n");
    const full = lines.filter((line) => line.trim().split(/\s+/).length >= 6).length;
    if (full <= 1) return text.trim() ? [{ text, line: 1 }] : [];
    return lines
      .map((line, index) => ({ text: line, line: index + 1 }))
      .filter(({ text }) => text.trim());
  },
  split: (line) => [...line.replace(/\s+/g, "")],
  join: (actions) => actions.join(""),
  random(seed) {
    const pick = noise(seed);
    let state = "123456780";
    for (let k = 0; k < 60 + pick(40); k += 1) {
      const list = slides(state);
      state = list[pick(list.length)].to_state;
    }
    return state;
  },
  label: (state) =>
    `3 by 3 board, rows: ${state
      .match(/.../g)
      .map((row) => [...row].map((c) => (c === "0" ? "blank" : c)).join(" "))
      .join("; ")}`,
  svg(state, before) {
    const moved = before ? state[before.indexOf("0")] : "";
    const cells = [...state].map((digit, at) => {
      if (digit === "0") return "";
      const [x, y] = [(at % 3) * 100 + 4, Math.floor(at / 3) * 100 + 4];
      const home = Number(digit) - 1 === at;
      return `<g data-piece="${digit}" transform="translate(${x} ${y})"><rect class="piece${digit === moved ? " last" : ""}" width="92" height="92" rx="10" fill="#eee" ${digit === moved ? 'stroke="#15b" stroke-width="3"' : ""}/><text class="ink" x="46" y="60" font-size="38" font-weight="600" text-anchor="middle" fill="#222">${digit}</text>${home ? '<circle class="mark" cx="80" cy="13" r="3.5" fill="#888"/>' : ""}</g>`;
    });
    return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-8 -8 316 316" font-family="system-ui, sans-serif"><title>tiles</title><rect class="paper" x="-8" y="-8" width="316" height="316" rx="18" fill="#ddd"/>${cells.join("")}</svg>`;
  },
  spots: (state) =>
    [...state].map((digit, at) => ({
      row: Math.floor(at / 3),
      column: at % 3,
      x: (at % 3) * 100 + 2,
      y: Math.floor(at / 3) * 100 + 2,
      width: 96,
      height: 96,
      name: `row ${Math.floor(at / 3) + 1} column ${(at % 3) + 1}, ${digit === "0" ? "blank" : `tile ${digit}`}`,
    })),
  sketch: (state) => ({
    layout: "grid",
    gesture: "swap",
    rows: state.match(/.../g).map((row) => [...row]),
    resizable: false,
    palette: [..."012345678"].map((symbol) => ({
      symbol,
      name: symbol === "0" ? "blank" : `tile ${symbol}`,
      colour: symbol === "0" ? null : "#f6ead2",
      text: symbol === "0" ? "" : symbol,
    })),
    help: "Press two cells to swap them.",
  }),
  ofRows(rows, Refused) {
    return this.read(rows.flat().join(" "), Refused);
  },
});

// Counting: reach 40 exactly; a number above it is lost.

const STEPS = [
  ["+3", (n) => n + 3, "a"],
  ["+5", (n) => n + 5, "b"],
  ["x2", (n) => n * 2, "d"],
];

export const counting = complete({
  about: {
    name: "counting",
    title: "Counting to 40",
    summary: "Reach 40 exactly",
    unit: "steps",
    aim: "cost",
    parameters: [],
    presets: [{ name: "exact", summary: "All numbers, searched whole" }],
    sizes: [],
    generators: [],
    forms: [{ name: "number", rule: "the start, 1 to 39", example: "4", puzzle: "counting" }],
    inline: true,
    deals: false,
  },
  solvers: { exact: "astar(blind)" },
  why: "no sum of the steps reaches 40",
  actions: (state) =>
    STEPS.map(([text, step]) => ({
      text,
      name: text,
      key: null,
      to_state: Math.min(step(state), 99),
    })),
  table() {
    const found = new Map([[40, 0]]);
    for (let n = 39; n >= 0; n -= 1) {
      const next = STEPS.map(([, step]) => found.get(step(n))).filter((d) => d !== undefined);
      if (n > 0 && next.length > 0) found.set(n, 1 + Math.min(...next));
    }
    return found;
  },
  read(text, Refused) {
    if (!/^\s*\d+\s*$/.test(text))
      throw new Refused("a number is expected", { field: "instance", line: 1, column: 1 });
    return Number(text);
  },
  write: (state) => String(state),
  parts: (text) =>
    text
      .split("\n")
      .map((text, index) => ({ text, line: index + 1 }))
      .filter(({ text }) => text.trim()),
  split: (line) => line.split(/\s+/).filter(Boolean),
  join: (actions) => actions.join(" "),
  random: (seed) => 2 + noise(seed)(8),
  label: (state) => `the number ${state}`,
  svg: (state) =>
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 120"><rect class="paper" width="200" height="120" rx="12" fill="#ddd"/><text class="ink" x="100" y="80" font-size="56" font-weight="600" text-anchor="middle" font-family="system-ui">${state}</text></svg>`,
  spots: () => [],
  sketch: null,
});
