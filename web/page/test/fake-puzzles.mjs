// Three small puzzles for the fake engine: sliding tiles (spots and arrow keys), pegs (from and to,
// positions can be lost), counting (neither spots nor a sketch).

/** Distances to the goals of all states, by a search backwards over the reversed actions. */
function distances(goals, before) {
  const found = new Map(goals.map((goal) => [goal, 0]));
  let layer = goals;
  for (let depth = 1; layer.length > 0; depth += 1) {
    const next = [];
    for (const state of layer) {
      for (const other of before(state)) {
        if (!found.has(other)) {
          found.set(other, depth);
          next.push(other);
        }
      }
    }
    layer = next;
  }
  return found;
}

function noise(seed) {
  let state = (seed * 2654435761 + 12345) >>> 0;
  return (most) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
}

/** A puzzle with what follows from its states and actions. */
function complete(puzzle) {
  let known = null;
  const table = () => (known ??= puzzle.table());
  return {
    ...puzzle,
    left: (state) => table().get(state),
    solved: (state) => table().get(state) === 0,
    path(state) {
      const path = [];
      let now = state;
      while (table().get(now) > 0) {
        const next = puzzle.actions(now).find(({ to_state }) => table().get(to_state) === table().get(now) - 1);
        path.push(next.text);
        now = next.to_state;
      }
      return path;
    },
    /** A longer solution, or null. */
    detour(state, best, length) {
      for (let at = 0; at < best.length; at += 1) {
        let now = state;
        for (const text of best.slice(0, at)) now = puzzle.actions(now).find((action) => action.text === text).to_state;
        for (const action of puzzle.actions(now)) {
          const rest = table().get(action.to_state);
          if (rest !== undefined && at + 1 + rest === length) return [...best.slice(0, at), action.text, ...this.path(action.to_state)];
        }
      }
      return null;
    },
  };
}

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
    return { text, key, name: `tile ${state[from]} ${way}`, from, to: null, to_state: cells.join("") };
  });
}

export const tiles = complete({
  about: {
    name: "tiles", title: "Sliding tiles 3×3", summary: "Bring all tiles home in the fewest moves", unit: "moves", aim: "cost", parameters: [],
    presets: [
      { name: "optimal", summary: "The shortest solution, proved; a second of table building first" },
      { name: "fast", summary: "A good solution soon, without tables or a proof" },
      { name: "learned", summary: "A beam by a network that was trained on the puzzle" },
    ],
    sizes: [{ name: "3×3", generator: "uniform" }, { name: "4×4", generator: "uniform(4)" }],
    generators: [{ name: "walk", role: "generator", summary: "A random walk from the goal", parameters: [
      { name: "steps", summary: "length of the walk", default: "50", positional: false, domain: "integer", words: [] }] }],
    forms: [
      { name: "numbers", rule: "the tiles row by row, 0 for the blank", example: "8 6 7 2 5 4 3 0 1", puzzle: "tiles" },
      { name: "picture", rule: "a line for each row", example: "1 2 3\n4 0 5\n7 8 6", puzzle: "tiles" },
    ],
    inline: true, deals: true, numbered: "Boards are numbered from 1 in the order of the generator.",
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
      if (!/^[0-8]$/.test(word[0])) throw new Refused(`\`${word[0]}\` is no tile of a 3×3 board: expected 0 to 8`, { field: "instance", line, column, length: word[0].length });
      if (seen.has(word[0])) throw new Refused(`tile ${word[0]} occurs twice`, { field: "instance", line, column, length: 1 });
      seen.add(word[0]);
    }
    if (words.length !== 9) throw new Refused(`9 numbers are expected, found ${words.length}`, { field: "instance", line: 1, column: text.length + 1 });
    return words.map(([word]) => word).join("");
  },
  write: (state) => [...state].join(" "),
  parts(text) {
    const lines = text.split("\n");
    const full = lines.filter((line) => line.trim().split(/\s+/).length >= 6).length;
    if (full <= 1) return text.trim() ? [{ text, line: 1 }] : [];
    return lines.map((line, index) => ({ text: line, line: index + 1 })).filter(({ text }) => text.trim());
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
  label: (state) => `3 by 3 board, rows: ${state.match(/.../g).map((row) => [...row].map((c) => (c === "0" ? "blank" : c)).join(" ")).join("; ")}`,
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
  spots: (state) => [...state].map((digit, at) => ({
    row: Math.floor(at / 3), column: at % 3, x: (at % 3) * 100 + 2, y: Math.floor(at / 3) * 100 + 2, width: 96, height: 96,
    name: `row ${Math.floor(at / 3) + 1} column ${(at % 3) + 1}, ${digit === "0" ? "blank" : `tile ${digit}`}`,
  })),
  sketch: (state) => ({
    layout: "grid", gesture: "swap", rows: state.match(/.../g).map((row) => [...row]), resizable: false,
    palette: [..."012345678"].map((symbol) => ({ symbol, name: symbol === "0" ? "blank" : `tile ${symbol}`, colour: symbol === "0" ? null : "#f6ead2", text: symbol === "0" ? "" : symbol })),
    help: "Press two cells to swap them.",
  }),
  ofRows(rows, Refused) {
    return this.read(rows.flat().join(" "), Refused);
  },
});

// Pegs on a triangle of 15 holes: a state is a string of "o" and "."; one peg must be left.

const HOLES = Array.from({ length: 5 }, (_, row) => Array.from({ length: row + 1 }, (_, column) => [row, column])).flat();
const hole = (row, column) => (column >= 0 && column <= row && row < 5 && row >= 0 ? (row * (row + 1)) / 2 + column : -1);
const JUMPS = HOLES.flatMap(([row, column], from) =>
  [[0, 2], [0, -2], [2, 0], [-2, 0], [2, 2], [-2, -2]]
    .map(([dr, dc]) => ({ from, over: hole(row + dr / 2, column + dc / 2), to: hole(row + dr, column + dc) }))
    .filter(({ over, to }) => over >= 0 && to >= 0),
);
const letter = (at) => `${"abcde"[HOLES[at][0]]}${HOLES[at][1] + 1}`;
const put = (state, changes) => [...state].map((c, at) => changes[at] ?? c).join("");

function jumps(state) {
  return JUMPS.filter(({ from, over, to }) => state[from] === "o" && state[over] === "o" && state[to] === ".").map(({ from, over, to }) => ({
    text: letter(from) + letter(to), name: `peg ${letter(from)} jumps to ${letter(to)}`, from, to, key: null,
    to_state: put(state, { [from]: ".", [over]: ".", [to]: "o" }),
  }));
}

export const pegs = complete({
  about: {
    name: "pegs", title: "Pegs on a triangle", summary: "Jump until one peg is left", unit: "jumps", aim: "cost", parameters: [],
    presets: [{ name: "exact", summary: "All positions, searched whole" }, { name: "fast", summary: "Depth first, the first solution that comes" }],
    sizes: [], generators: [], forms: [{ name: "rows", rule: "five rows of o (peg) and . (hole)", example: ".\noo\nooo\noooo\nooooo", puzzle: "pegs" }],
    inline: false, deals: false,
  },
  solvers: { exact: "astar(blind)", fast: "beam(blind, width=50)" },
  why: "all reachable positions were searched",
  actions: jumps,
  table() {
    const goals = HOLES.map((_, at) => put(".".repeat(15), { [at]: "o" }));
    return distances(goals, (state) =>
      JUMPS.filter(({ from, over, to }) => state[from] === "." && state[over] === "." && state[to] === "o").map(({ from, over, to }) =>
        put(state, { [from]: "o", [over]: "o", [to]: "." }),
      ),
    );
  },
  read(text, Refused) {
    const lines = text.split("\n");
    for (const [index, line] of lines.entries()) {
      const bad = /[^o.\s]/.exec(line);
      if (bad) throw new Refused(`\`${bad[0]}\` is neither a peg (o) nor a hole (.)`, { field: "instance", line: index + 1, column: bad.index + 1, length: 1 });
    }
    const cells = text.replace(/\s+/g, "");
    if (cells.length !== 15) throw new Refused(`15 holes are expected, found ${cells.length}`, { field: "instance", line: 1, column: 1 });
    if (!cells.includes("o")) throw new Refused("the board has no peg", { field: "instance", line: 1, column: 1 });
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
  spots: (state) => HOLES.map(([row, column], at) => ({
    row, column, x: column * 60 - row * 30 - 24, y: row * 52 - 24, width: 48, height: 48, name: `${letter(at)}, ${state[at] === "o" ? "peg" : "hole"}`,
  })),
  sketch: (state) => ({
    layout: "grid", gesture: "paint", resizable: false, help: "Choose a symbol, then paint cells. Keys o and . paint, too.",
    rows: [0, 1, 2, 3, 4].map((row) => Array.from({ length: 5 }, (_, column) => (column <= row ? state[hole(row, column)] : null))),
    palette: [{ symbol: "o", name: "peg", colour: "#b8863b", text: "●" }, { symbol: ".", name: "hole", colour: null, text: "○" }],
  }),
  ofRows(rows, Refused) {
    const cells = rows.flat().filter((c) => c !== null);
    if (!cells.includes("o")) throw new Refused("the board has no peg", { row: 0, cell: 0 });
    return cells.join("");
  },
});

// Counting: reach 40 exactly; a number above it is lost.

const STEPS = [["+3", (n) => n + 3, "a"], ["+5", (n) => n + 5, "b"], ["x2", (n) => n * 2, "d"]];

export const counting = complete({
  about: {
    name: "counting", title: "Counting to 40", summary: "Reach 40 exactly", unit: "steps", aim: "cost", parameters: [],
    presets: [{ name: "exact", summary: "All numbers, searched whole" }], sizes: [], generators: [],
    forms: [{ name: "number", rule: "the start, 1 to 39", example: "4", puzzle: "counting" }], inline: true, deals: false,
  },
  solvers: { exact: "astar(blind)" },
  why: "no sum of the steps reaches 40",
  actions: (state) => STEPS.map(([text, step]) => ({ text, name: text, key: null, to_state: Math.min(step(state), 99) })),
  table() {
    const found = new Map([[40, 0]]);
    for (let n = 39; n >= 0; n -= 1) {
      const next = STEPS.map(([, step]) => found.get(step(n))).filter((d) => d !== undefined);
      if (n > 0 && next.length > 0) found.set(n, 1 + Math.min(...next));
    }
    return found;
  },
  read(text, Refused) {
    if (!/^\s*\d+\s*$/.test(text)) throw new Refused("a number is expected", { field: "instance", line: 1, column: 1 });
    return Number(text);
  },
  write: (state) => String(state),
  parts: (text) => text.split("\n").map((text, index) => ({ text, line: index + 1 })).filter(({ text }) => text.trim()),
  split: (line) => line.split(/\s+/).filter(Boolean),
  join: (actions) => actions.join(" "),
  random: (seed) => 2 + noise(seed)(8),
  label: (state) => `the number ${state}`,
  svg: (state) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 120"><rect class="paper" width="200" height="120" rx="12" fill="#ddd"/><text class="ink" x="100" y="80" font-size="56" font-weight="600" text-anchor="middle" font-family="system-ui">${state}</text></svg>`,
  spots: () => [],
  sketch: null,
});
