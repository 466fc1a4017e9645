// A small engine for tests of the page: a server that answers the contract for three puzzles, each
// of which is searched whole in advance.
//
//   node test/fake.mjs [PORT]
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { counting, pegs, tiles } from "./fake-puzzles.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const folder = join(here, "../../../crates/studio/page");
const TOKEN = "a-token-of-the-fake";
const puzzles = new Map([tiles, pegs, counting].map((puzzle) => [puzzle.about.name, puzzle]));
const jobs = new Map();
const results = [];
let nextJob = 1;

class Refused extends Error {
  constructor(message, place = {}, status = 400) {
    super(message);
    this.body = { message, ...place };
    this.status = status;
  }
}

function puzzleOf(spec) {
  const name = String(spec).split("(")[0];
  const puzzle = puzzles.get(name);
  if (!puzzle) throw new Refused(`unknown puzzle: ${name}`, { field: "puzzle", column: 1 });
  return puzzle;
}

/** The states of a line. */
function played(puzzle, instance, line) {
  let state = puzzle.read(instance, Refused);
  const states = [state];
  const actions = [];
  let column = 1;
  for (const text of puzzle.split(line)) {
    const action = puzzle.actions(state).find((action) => action.text === text);
    if (!action) {
      throw new Refused(`action ${actions.length + 1}, ${text}, is not possible`, { field: "line", column });
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
    presets: puzzle.about.presets.map((preset) => ({ ...preset, solver: puzzle.solvers[preset.name] ?? null })),
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
      : puzzle.actions(state).map(({ text, name, from, to, key }) => ({
          text,
          line: puzzle.join([...actions.slice(0, here), text]),
          name,
          from: from ?? null,
          to: to ?? null,
          key: key ?? null,
        })),
    value: here,
    total: actions.length,
    over,
    spots: puzzle.spots(state),
  };
}

const verbs = {
  puzzles: () => ({ program: "fake", version: "0.1.0", puzzles: [...puzzles.values()].map(({ about }) => about) }),
  expressions: () => ({ expressions: EXPRESSIONS }),
  load({ puzzle: spec, text }) {
    const puzzle = puzzleOf(spec);
    const parts = puzzle.parts(text);
    if (parts.length === 0) throw new Refused("no instance was found", { field: "text", line: 1, column: 1 });
    const instances = parts.map(({ text: part, line }, index) => {
      try {
        return loadedOf(puzzle, String(index + 1), puzzle.read(part, Refused));
      } catch (error) {
        const { body } = error;
        throw new Refused(body.message, { ...body, field: "text", line: line + (body.line ?? 1) - 1 });
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
    return { puzzle: spec, instances: [loadedOf(puzzle, `number ${number}`, puzzle.random(number * 7 + 1))] };
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
      throw new Refused(`unknown search \`${name}\`; known: astar, idastar, beam`, { field: "solver", line: 1, column: 1, length: name.length || 1 });
    }
    const open = solver.split("(").length - solver.split(")").length;
    if (open > 0) throw new Refused("`)` is missing", { field: "solver", line: 1, column: solver.length + 1 });
    return { solver: solver.replace(/\s+/g, "") };
  },
  sketch({ puzzle: spec, instance }) {
    const puzzle = puzzleOf(spec);
    return { sketch: puzzle.sketch ? puzzle.sketch(instance ? puzzle.read(instance, Refused) : puzzle.random(1)) : null };
  },
  edit({ puzzle: spec, rows }) {
    const puzzle = puzzleOf(spec);
    return { puzzle: spec, instances: [loadedOf(puzzle, "edited", puzzle.ofRows(rows, Refused))] };
  },
};

const EXPRESSIONS = [
  { name: "astar", role: "search", summary: "Best-first search with proofs", parameters: [
    { name: "heuristic", summary: "estimate of the cost-to-go", default: null, positional: true, domain: "heuristic", words: [] },
    { name: "weight", summary: "weight of the heuristic", default: "1", positional: false, domain: "real", words: [] },
  ] },
  { name: "idastar", role: "search", summary: "Depth-first search with growing bounds", parameters: [
    { name: "heuristic", summary: "estimate of the cost-to-go", default: null, positional: true, domain: "heuristic", words: [] },
  ] },
  { name: "beam", role: "search", summary: "The best states of each depth", parameters: [
    { name: "heuristic", summary: "estimate of the cost-to-go", default: null, positional: true, domain: "heuristic", words: [] },
    { name: "width", summary: "states of a layer", default: "1000", positional: false, domain: "integer", words: [] },
  ] },
  { name: "manhattan", role: "heuristic", summary: "Sum of the distances of all tiles", parameters: [] },
  { name: "blind", role: "heuristic", summary: "Zero everywhere", parameters: [] },
];

// Jobs

function emit(job, event) {
  const entry = { id: job.events.length + 1, event };
  job.events.push(entry);
  for (const listener of job.listeners) listener(entry);
}

const wait = (time) => new Promise((done) => setTimeout(done, time));

function record(puzzle, state, solver, status, path, extra) {
  const value = path ? path.length : null;
  return {
    id: "1", puzzle: puzzle.about.name, instance: puzzle.write(state), solver, status, stopped_by: null, value, length: value,
    solution: path ? puzzle.join(path) : null, lower_bound: status === "optimal" ? value : null, upper_bound: null, gap: null,
    checked: path ? true : null, checked_by: path ? "check" : null, expanded: 0, generated: 0, cpu_s: 1, setup_cpu_s: 0.02,
    wall_s: 1, peak_bytes: 3_400_000, reason: null, ...extra,
  };
}

async function solve(job, { puzzle: spec, instance, preset, solver }) {
  const puzzle = puzzleOf(spec);
  const state = puzzle.read(instance, Refused);
  const fast = preset === "fast" || job.quick;
  const named = solver ?? puzzle.solvers[preset] ?? "astar(manhattan)";
  emit(job, { kind: "begun", solver: named });
  const began = Date.now();
  const pace = fast ? 12 : 110;
  const left = puzzle.left(state);
  let expanded = 0;
  const facts = () => ({ expanded, generated: expanded * 2, seconds: (Date.now() - began) / 1000 });
  const stats = (note) => emit(job, { kind: "stats", ...facts(), ...(note ? { note } : {}) });
  const end = (status, path, extra = {}) => {
    const seconds = (Date.now() - began) / 1000;
    const done = record(puzzle, state, named, status, path, { expanded, generated: expanded * 2, wall_s: seconds, ...extra });
    results.unshift({ id: results.length + 1, when: new Date().toISOString(), puzzle: spec, instance, solver: named, record: done });
    emit(job, { kind: "ended", record: done, cancelled: extra.stopped_by === "cancelled" });
  };
  stats("building tables");
  await wait(pace * 3);
  if (left === undefined) {
    for (let k = 0; k < 8 && !job.cancelled; k += 1) {
      expanded += 9173;
      stats();
      await wait(pace);
    }
    return job.cancelled ? end("stopped", null, { stopped_by: "cancelled" }) : end("unsolvable", null, { reason: puzzle.why });
  }
  const best = puzzle.path(state);
  const detours = fast ? [] : [best.length + 6, best.length + 2].map((length) => puzzle.detour(state, best, length));
  let bound = Math.max(0, Math.floor(left / 2));
  let current = null;
  for (let k = 0; bound < left && !job.cancelled; k += 1) {
    expanded += 12007 + k * 4801;
    if (k === 2 && detours[0]) current = detours[0];
    if (k === 5 && detours[1]) current = detours[1];
    if ((k === 2 || k === 5) && current) {
      emit(job, { kind: "improved", value: current.length, length: current.length, solution: puzzle.join(current), ...facts() });
    }
    if (!fast) emit(job, { kind: "bound", bound, upper: false, ...facts() });
    stats();
    await wait(pace);
    bound += fast ? 8 : 1;
  }
  if (job.cancelled) return end("stopped", current, { stopped_by: "cancelled", lower_bound: bound });
  emit(job, { kind: "improved", value: best.length, length: best.length, solution: puzzle.join(best), ...facts() });
  if (fast) return end("solved", best, { lower_bound: Math.max(0, left - 3) });
  emit(job, { kind: "bound", bound: left, upper: false, ...facts() });
  return end("optimal", best);
}

function judge(puzzle, states, actions) {
  const positions = states.map((state, index) => {
    const left = puzzle.left(state);
    const before = index > 0 ? puzzle.left(states[index - 1]) : undefined;
    const lost = left === undefined;
    const loss = index === 0 || lost || before === undefined ? null : left + 1 - before;
    return {
      action: index === 0 ? null : actions[index - 1],
      instance: puzzle.write(state),
      value: index,
      verdict: lost ? "lost" : "solvable",
      best: lost ? null : index + left,
      bound: lost ? null : index + left,
      loss,
      most_loss: loss,
      loses: lost && before !== undefined,
      better: (lost && before !== undefined) || loss > 0 ? puzzle.path(states[index - 1])[0] : null,
    };
  });
  const losing = positions.findIndex(({ loses }) => loses);
  const solved = puzzle.solved(states[states.length - 1]);
  return { schema: 1, id: "1", puzzle: puzzle.about.name, unit: puzzle.about.unit, solved, losing: losing < 0 ? null : losing, positions };
}

async function review(job, { puzzle: spec, instance, line }) {
  const puzzle = puzzleOf(spec);
  const { states, actions } = played(puzzle, instance, line);
  emit(job, { kind: "begun", solver: "astar(manhattan)" });
  const whole = judge(puzzle, states, actions);
  const hidden = { verdict: "unknown", best: null, bound: null, loss: null, most_loss: null, loses: false, better: null };
  for (let done = 1; done < states.length && !job.cancelled; done += Math.max(1, Math.ceil(states.length / 6))) {
    const positions = whole.positions.map((one, index) => (index < states.length - done ? { ...one, ...hidden } : one));
    emit(job, { kind: "review", review: { ...whole, losing: null, positions }, done, of: states.length });
    await wait(60);
  }
  emit(job, { kind: "review", review: whole, done: states.length, of: states.length });
  emit(job, { kind: "ended", cancelled: job.cancelled });
}

async function validate(job, { puzzle: spec, text }) {
  const puzzle = puzzleOf(spec);
  const { instances } = verbs.load({ puzzle: spec, text });
  emit(job, { kind: "begun", solver: "astar(manhattan)" });
  for (const [index, { id, instance }] of instances.entries()) {
    if (job.cancelled) break;
    const state = puzzle.read(instance, Refused);
    const left = puzzle.left(state);
    const verdict = left === undefined ? "unsolvable" : "solvable";
    const words = left === undefined ? `cannot be solved: ${puzzle.why}` : `solvable, optimum ${left} ${puzzle.about.unit} (proved)`;
    const html = `<section><h2>${id}</h2><p class="${verdict}"><strong>${words}</strong></p><ul><li>branching: 2.9 legal actions on average</li><li>beside the solution: 0 of 59 other actions lead to a dead end</li></ul>${puzzle.svg(state, null)}</section>`;
    const validation = { id, verdict, value: left ?? null, unit: puzzle.about.unit, optimal: left !== undefined, reasons: left === undefined ? [puzzle.why] : [], refused: null };
    emit(job, { kind: "validated", validation, html, done: index + 1, of: instances.length });
    await wait(80);
  }
  emit(job, { kind: "ended", cancelled: job.cancelled });
}

function begin({ job: wish }) {
  const kinds = { solve, review, validate };
  if (!kinds[wish?.kind]) throw new Refused("unknown kind of job");
  const job = { events: [], listeners: new Set(), cancelled: false, quick: wish.seconds === 5 };
  const id = `job-${nextJob++}`;
  jobs.set(id, job);
  kinds[wish.kind](job, wish).catch((error) => {
    emit(job, { kind: "ended", error: error.body ?? { message: String(error) }, cancelled: false });
  });
  return { job: id };
}

// What a server keeps

function experiment(fields) {
  const solvers = ["idastar(manhattan)", "astar(manhattan)"];
  const wanted = fields.get("solver");
  const runs = solvers.filter((solver) => !wanted || solver === wanted).flatMap((solver) =>
    Array.from({ length: 12 }, (_, k) => ({
      name: `board ${k + 1}`, suite: "korf", puzzle: "tiles", instance: tiles.write(tiles.random(k)), solver, seed: 0, status: "optimal",
      reason: null, value: tiles.left(tiles.random(k)), solution: tiles.path(tiles.random(k)).join(""), expanded: 9000 * (k + 1), cpu_s: 0.3 * (k + 1),
    })),
  );
  return { name: "korf-100", solvers, statuses: ["optimal"], total: runs.length, runs };
}

function log() {
  const rows = Array.from({ length: 80 }, (_, k) => [k * 100, 9 / (1 + k / 8) + Math.sin(k) / 4, Math.min(1, k / 60), 0.001 * 0.98 ** k]);
  return { name: "tiles15", run: "training", changed: 1.7e12, recipe: "batch = 1000\n", columns: ["updates", "loss", "solved", "rate"], rows };
}

// Server

const TYPES = { html: "text/html; charset=utf-8", js: "text/javascript", css: "text/css" };

function file(name, response) {
  if (!/^(index\.html|page\.js|page\.css|worker\.js)$/.test(name)) {
    response.writeHead(404).end();
    return;
  }
  let body = readFileSync(join(folder, name), "utf8");
  if (name === "index.html") body = body.replace('name="unriddle-token" content=""', `name="unriddle-token" content="${TOKEN}"`);
  const policy = "default-src 'self'; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'";
  response.writeHead(200, { "Content-Type": TYPES[name.split(".").pop()], "Content-Security-Policy": policy, "Cache-Control": "no-store" });
  response.end(body);
}

function events(id, request, response, after) {
  const job = jobs.get(id);
  if (!job) {
    response.writeHead(404).end(JSON.stringify({ error: { message: "no such job" } }));
    return;
  }
  response.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-store" });
  const send = ({ id, event }) => {
    response.write(`id: ${id}\nevent: ${event.kind}\ndata: ${JSON.stringify(event)}\n\n`);
    if (event.kind === "ended") response.end();
  };
  for (const entry of job.events) if (entry.id > after) send(entry);
  job.listeners.add(send);
  request.on("close", () => job.listeners.delete(send));
}

function answer(response, status, body) {
  response.writeHead(status, { "Content-Type": "application/json" });
  response.end(JSON.stringify(body));
}

export function serve(port = 0) {
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url, "http://localhost");
    try {
      const stream = /^\/api\/jobs\/([\w-]+)(\/events)?$/.exec(pathname);
      if (request.method === "GET" && stream?.[2]) {
        const after = Number(request.headers["last-event-id"] ?? searchParams.get("after") ?? 0);
        return events(stream[1], request, response, after);
      }
      if (request.method === "DELETE" && stream) {
        if (request.headers["x-unriddle-token"] !== TOKEN) throw new Refused("wrong token", {}, 403);
        const job = jobs.get(stream[1]);
        if (job) job.cancelled = true;
        return answer(response, 200, {});
      }
      if (request.method === "GET" && pathname === "/api/results") return answer(response, 200, { results: results.slice(0, 30) });
      if (request.method === "GET" && pathname === "/api/experiments") {
        return answer(response, 200, { experiments: [{ name: "korf-100", runs: 300, unexplained: 0, cpu_s: 812, first: 1.7e12, last: 1.7e12 }] });
      }
      if (request.method === "GET" && pathname === "/api/experiments/korf-100") return answer(response, 200, experiment(searchParams));
      if (request.method === "GET" && pathname === "/api/runs") return answer(response, 200, { runs: [{ name: "tiles15", run: "training", changed: 1.7e12 }] });
      if (request.method === "GET" && pathname === "/api/runs/tiles15") return answer(response, 200, log());
      if (request.method === "GET") return file(pathname === "/" ? "index.html" : pathname.slice(1), response);
      const verb = pathname.replace("/api/", "");
      let text = "";
      for await (const part of request) text += part;
      const body = JSON.parse(text);
      if (verb === "begin") {
        if (request.headers["x-unriddle-token"] !== TOKEN) throw new Refused("wrong token", {}, 403);
        return answer(response, 200, begin(body));
      }
      if (!verbs[verb]) throw new Refused("unknown verb", {}, 404);
      answer(response, 200, verbs[verb](body));
    } catch (error) {
      answer(response, error.status ?? 500, { error: error.body ?? { message: String(error?.message ?? error) } });
    }
  });
  return new Promise((done) => server.listen(port, "127.0.0.1", () => done(server)));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const server = await serve(Number(process.argv[2] ?? 8420));
  console.log(`http://127.0.0.1:${server.address().port}/`);
}
