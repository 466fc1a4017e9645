// The verbs of the fake engine.
import { box } from "./fake-box.mjs";
import { counting, pegs, purse, tiles } from "./fake-puzzles.mjs";

const all = [tiles, pegs, counting, purse, box];
const puzzles = new Map(all.map((puzzle) => [puzzle.about.name, puzzle]));

export class Refused extends Error {
  constructor(message, place = {}, status = 400) {
    super(message);
    this.body = { message, ...place };
    this.status = status;
  }
}

export function puzzleOf(spec) {
  const name = String(spec).split("(")[0];
  const puzzle = puzzles.get(name);
  if (!puzzle) throw new Refused(`unknown puzzle: ${name}`, { field: "puzzle", column: 1 });
  return puzzle;
}

/** The states of a line. */
export function played(puzzle, instance, line) {
  let state = puzzle.read(instance, Refused);
  const states = [state];
  const actions = [];
  let column = 1;
  for (const text of puzzle.split(line)) {
    const action = puzzle.actions(state).find((action) => action.text === text);
    if (!action) {
      throw new Refused(`action ${actions.length + 1}, ${text}, is not possible`, {
        field: "line",
        column,
      });
    }
    state = action.to_state;
    states.push(state);
    actions.push(text);
    column += text.length;
  }
  return { states, actions };
}

function loadedOf(puzzle, id, state) {
  const left = puzzle.left(state);
  return {
    id,
    instance: puzzle.write(state),
    solution: null,
    unsolvable: left === undefined ? puzzle.why : null,
    presets: puzzle.about.presets.map((preset) => ({
      ...preset,
      solver: puzzle.solvers[preset.name] ?? null,
    })),
  };
}

function position({ puzzle: spec, instance, line, at }) {
  const puzzle = puzzleOf(spec);
  const { states, actions } = played(puzzle, instance, line ?? "");
  const here = Math.min(at ?? actions.length, actions.length);
  const state = states[here];
  const before = puzzle.join(actions.slice(0, here));
  const over = puzzle.solved(state);
  return {
    instance: puzzle.write(state),
    svg: puzzle.svg(state, here > 0 ? states[here - 1] : null),
    label: puzzle.label(state),
    played: actions,
    at: here,
    line: before,
    whole: puzzle.join(actions),
    actions: over
      ? []
      : puzzle.actions(state).map(({ text, name, from, to, key, turn }) => ({
          text,
          line: puzzle.join([...actions.slice(0, here), text]),
          name,
          from: from ?? null,
          to: to ?? null,
          key: key ?? null,
          turn,
        })),
    value: here,
    total: actions.length,
    over,
    spots: puzzle.spots(state),
    solid: puzzle.solid?.(state, here > 0 ? states[here - 1] : null) ?? null,
  };
}

export const verbs = {
  puzzles: () => ({
    program: "fake",
    version: "0.1.0",
    puzzles: [...puzzles.values()].map(({ about }) => about),
  }),
  expressions: () => ({ expressions: EXPRESSIONS }),
  load({ puzzle: spec, text }) {
    const puzzle = puzzleOf(spec);
    const parts = puzzle.parts(text);
    if (parts.length === 0)
      throw new Refused("no instance was found", { field: "text", line: 1, column: 1 });
    const instances = parts.map(({ text: part, line }, index) => {
      try {
        return loadedOf(puzzle, String(index + 1), puzzle.read(part, Refused));
      } catch (error) {
        const { body } = error;
        throw new Refused(body.message, {
          ...body,
          field: "text",
          line: line + (body.line ?? 1) - 1,
        });
      }
    });
    return { puzzle: spec, instances };
  },
  generate({ puzzle: spec, seed }) {
    const puzzle = puzzleOf(spec);
    return { puzzle: spec, instances: [loadedOf(puzzle, `seed ${seed}`, puzzle.random(seed))] };
  },
  deal({ puzzle: spec, number }) {
    const puzzle = puzzleOf(spec);
    return {
      puzzle: spec,
      instances: [loadedOf(puzzle, `number ${number}`, puzzle.random(number * 7 + 1))],
    };
  },
  position,
  frames({ puzzle, instance, line }) {
    const { played: actions } = position({ puzzle, instance, line });
    const frames = [...actions, null].map((_, at) => ({
      svg: position({ puzzle, instance, line, at }).svg,
      action: at === 0 ? null : actions[at - 1],
    }));
    return { frames };
  },
  film: (request) => ({ svg: position(request).svg }),
  forms({ puzzle: spec, instance }) {
    const puzzle = puzzleOf(spec);
    const text = puzzle.write(puzzle.read(instance, Refused));
    return { instance: [{ name: puzzle.about.forms[0].name, text }], solution: [] };
  },
  spec({ solver }) {
    const name = /^[\w-]*/.exec(solver)[0];
    if (!EXPRESSIONS.some((info) => info.name === name)) {
      throw new Refused(`unknown search \`${name}\`; known: astar, idastar, beam`, {
        field: "solver",
        line: 1,
        column: 1,
        length: name.length || 1,
      });
    }
    const open = solver.split("(").length - solver.split(")").length;
    if (open > 0)
      throw new Refused("`)` is missing", { field: "solver", line: 1, column: solver.length + 1 });
    return { solver: solver.replace(/\s+/g, "") };
  },
  sketch({ puzzle: spec, instance }) {
    const puzzle = puzzleOf(spec);
    if (puzzle.sheet)
      return { sketch: instance ? puzzle.sheet(puzzle.read(instance, Refused)) : null };
    return {
      sketch: puzzle.sketch
        ? puzzle.sketch(instance ? puzzle.read(instance, Refused) : puzzle.random(1))
        : null,
    };
  },
  edit({ puzzle: spec, rows, instance, changes }) {
    const puzzle = puzzleOf(spec);
    const state = instance
      ? puzzle.changed(puzzle.read(instance, Refused), changes, Refused)
      : puzzle.ofRows(rows, Refused);
    return { puzzle: spec, instances: [loadedOf(puzzle, "edited", state)] };
  },
};

const EXPRESSIONS = [
  {
    name: "astar",
    role: "search",
    summary: "Best-first search with proofs",
    parameters: [
      {
        name: "heuristic",
        summary: "estimate of the cost-to-go",
        default: null,
        positional: true,
        domain: "heuristic",
        words: [],
      },
      {
        name: "weight",
        summary: "weight of the heuristic",
        default: "1",
        positional: false,
        domain: "real",
        words: [],
      },
    ],
  },
  {
    name: "idastar",
    role: "search",
    summary: "Depth-first search with growing bounds",
    parameters: [
      {
        name: "heuristic",
        summary: "estimate of the cost-to-go",
        default: null,
        positional: true,
        domain: "heuristic",
        words: [],
      },
    ],
  },
  {
    name: "beam",
    role: "search",
    summary: "The best states of each depth",
    parameters: [
      {
        name: "heuristic",
        summary: "estimate of the cost-to-go",
        default: null,
        positional: true,
        domain: "heuristic",
        words: [],
      },
      {
        name: "width",
        summary: "states of a layer",
        default: "1000",
        positional: false,
        domain: "integer",
        words: [],
      },
    ],
  },
  {
    name: "manhattan",
    role: "heuristic",
    summary: "Sum of the distances of all tiles",
    parameters: [],
  },
  { name: "blind", role: "heuristic", summary: "Zero everywhere", parameters: [] },
];
