// A puzzle of the fake engine whose positions are solids: a box of two layers that turn.
import { complete, distances, noise } from "./fake-tools.mjs";

// A state is two digits: the quarter turns of the upper and of the lower layer. Solved is "00".

const COLOURS = ["#c8372d", "#1f8a4c", "#e8842c", "#2a62b8"];
const NAMES = ["red", "green", "orange", "blue"];
const LAYERS = ["upper", "lower"];
const TURNS = [
  ["T", 0, 1, "t"],
  ["T'", 0, 3, "T"],
  ["B", 1, 1, "b"],
  ["B'", 1, 3, "B"],
];
// Sides in the order front, right, back, left: a turn leads each to the next one.
const SIDES = [
  [-1, 1, 1, 1],
  [1, 1, 1, -1],
  [1, -1, -1, -1],
  [-1, -1, -1, 1],
];
const turned = (state, layer, by) =>
  [...state].map((n, at) => (at === layer ? (Number(n) + by) % 4 : n)).join("");
/** Colour on a side of a layer. */
const colour = (state, layer, side) => (side - Number(state[layer]) + 4) % 4;

const flat = (y, order) => {
  const corners = [
    [-1, y, 1],
    [1, y, 1],
    [1, y, -1],
    [-1, y, -1],
  ];
  return order < 0 ? corners.reverse() : corners;
};

function solid(state, before) {
  const facets = [0, 1].flatMap((layer) =>
    SIDES.map(([x, z, right, back], side) => {
      const [low, high] = layer === 0 ? [0, 1] : [-1, 0];
      return {
        corners: [
          [x, low, z],
          [right, low, back],
          [right, high, back],
          [x, high, z],
        ],
        colour: COLOURS[colour(state, layer, side)],
        class: before && before[layer] !== state[layer] ? "side last" : "side",
        text: NAMES[colour(state, layer, side)][0].toUpperCase(),
        spot: layer * 4 + side,
      };
    }),
  );
  const ends = [1, -1].map((y) => ({
    corners: flat(y, y),
    colour: "#f5f3ec",
    class: "end",
    text: "",
    spot: null,
  }));
  return { facets: [...facets, ...ends], inset: 0.9 };
}

export const box = complete({
  about: {
    name: "box",
    title: "Box of two layers",
    summary: "Turn the layers until each side has one colour",
    unit: "turns",
    aim: "cost",
    parameters: [],
    presets: [{ name: "exact", summary: "All positions, searched whole" }],
    sizes: [],
    generators: [],
    forms: [
      { name: "turns", rule: "quarter turns of both layers", example: "12", puzzle: "box" },
    ],
    inline: true,
    deals: false,
  },
  solvers: { exact: "astar(blind)" },
  why: "all positions were searched",
  actions: (state) =>
    TURNS.map(([text, layer, by, key]) => ({
      text,
      name: `turn the ${LAYERS[layer]} layer to the ${by === 1 ? "right" : "left"}`,
      from: layer * 4 + (by === 1 ? 1 : 0),
      key,
      to_state: turned(state, layer, by),
      turn: {
        axis: [0, 1, 0],
        degrees: by === 1 ? 90 : -90,
        facets: [...[0, 1, 2, 3].map((side) => layer * 4 + side), 8 + layer],
        cuts: [flat(0, 1)],
      },
    })),
  table: () =>
    distances(["00"], (state) => TURNS.map(([, layer, by]) => turned(state, layer, by))),
  read(text, Refused) {
    if (!/^\s*[0-3]{2}\s*$/.test(text))
      throw new Refused("two digits from 0 to 3 are expected", {
        field: "instance",
        line: 1,
        column: 1,
      });
    return text.trim();
  },
  write: (state) => state,
  parts: (text) => (text.trim() ? [{ text, line: 1 }] : []),
  split: (line) => line.match(/[TB]'?/g) ?? [],
  join: (actions) => actions.join(""),
  random: (seed) => `${noise(seed)(4)}${1 + noise(seed + 1)(3)}`,
  label: (state) => `box with layers turned by ${state[0]} and ${state[1]}`,
  svg(state) {
    const cells = [0, 1].flatMap((layer) =>
      SIDES.map(
        (_, side) =>
          `<rect class="side" x="${side * 50 + 2}" y="${layer * 50 + 2}" width="46" height="46" rx="5" fill="${COLOURS[colour(state, layer, side)]}"/>`,
      ),
    );
    return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 100">${cells.join("")}</svg>`;
  },
  spots: (state) =>
    [0, 1].flatMap((layer) =>
      SIDES.map((_, side) => ({
        row: layer,
        column: side,
        x: side * 50 + 2,
        y: layer * 50 + 2,
        width: 46,
        height: 46,
        name: `${LAYERS[layer]} layer, side ${side + 1}: ${NAMES[colour(state, layer, side)]}`,
      })),
    ),
  solid,
  sketch: null,
});
