// The jobs of the fake engine.
import { played, puzzleOf, Refused, verbs } from "./fake-verbs.mjs";

export const jobs = new Map();
export const results = [];
let nextJob = 1;

function emit(job, event) {
  const entry = { id: job.events.length + 1, event };
  job.events.push(entry);
  for (const listener of job.listeners) listener(entry);
}

const wait = (time) => new Promise((done) => setTimeout(done, time));

function record(puzzle, state, solver, status, path, extra) {
  const value = path ? path.length : null;
  return {
    id: "1",
    puzzle: puzzle.about.name,
    instance: puzzle.write(state),
    solver,
    status,
    stopped_by: null,
    value,
    length: value,
    solution: path ? puzzle.join(path) : null,
    lower_bound: status === "optimal" ? value : null,
    upper_bound: null,
    gap: null,
    checked: path ? true : null,
    checked_by: path ? "check" : null,
    expanded: 0,
    generated: 0,
    cpu_s: 1,
    setup_cpu_s: 0.02,
    wall_s: 1,
    peak_bytes: 3_400_000,
    reason: null,
    ...extra,
  };
}

const LARGE =
  "the table (corners and six edges of the pattern 0,1,2,3,4,5) takes 260 MB beside 29 MB of other tables, and the memory limit is 1 MB: give more memory, or choose a smaller table or a solver without tables";

async function solve(job, { puzzle: spec, instance, preset, solver, memory }) {
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
    const done = record(puzzle, state, named, status, path, {
      expanded,
      generated: expanded * 2,
      wall_s: seconds,
      ...extra,
    });
    results.unshift({
      id: results.length + 1,
      when: new Date().toISOString(),
      puzzle: spec,
      instance,
      solver: named,
      record: done,
    });
    emit(job, { kind: "ended", record: done, cancelled: extra.stopped_by === "cancelled" });
  };
  stats("building tables");
  await wait(pace * 3);
  if (memory <= 1e6) return end("stopped", null, { stopped_by: "memory", reason: LARGE });
  if (left === undefined) {
    for (let k = 0; k < 8 && !job.cancelled; k += 1) {
      expanded += 9173;
      stats();
      await wait(pace);
    }
    return job.cancelled
      ? end("stopped", null, { stopped_by: "cancelled" })
      : end("unsolvable", null, { reason: puzzle.why });
  }
  const best = puzzle.path(state);
  const detours = fast
    ? []
    : [best.length + 6, best.length + 2].map((length) => puzzle.detour(state, best, length));
  let bound = Math.max(0, Math.floor(left / 2));
  let current = null;
  for (let k = 0; bound < left && !job.cancelled; k += 1) {
    expanded += 12007 + k * 4801;
    if (k === 2 && detours[0]) current = detours[0];
    if (k === 5 && detours[1]) current = detours[1];
    if ((k === 2 || k === 5) && current) {
      emit(job, {
        kind: "improved",
        value: current.length,
        length: current.length,
        solution: puzzle.join(current),
        ...facts(),
      });
    }
    if (!fast) emit(job, { kind: "bound", bound, upper: false, ...facts() });
    stats();
    await wait(pace);
    bound += fast ? 8 : 1;
  }
  if (job.cancelled)
    return end("stopped", current, { stopped_by: "cancelled", lower_bound: bound });
  emit(job, {
    kind: "improved",
    value: best.length,
    length: best.length,
    solution: puzzle.join(best),
    ...facts(),
  });
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
  return {
    schema: 1,
    id: "1",
    puzzle: puzzle.about.name,
    unit: puzzle.about.unit,
    solved,
    losing: losing < 0 ? null : losing,
    positions,
  };
}

async function review(job, { puzzle: spec, instance, line }) {
  const puzzle = puzzleOf(spec);
  const { states, actions } = played(puzzle, instance, line);
  emit(job, { kind: "begun", solver: "astar(manhattan)" });
  const whole = judge(puzzle, states, actions);
  const hidden = {
    verdict: "unknown",
    best: null,
    bound: null,
    loss: null,
    most_loss: null,
    loses: false,
    better: null,
  };
  for (
    let done = 1;
    done < states.length && !job.cancelled;
    done += Math.max(1, Math.ceil(states.length / 6))
  ) {
    const positions = whole.positions.map((one, index) =>
      index < states.length - done ? { ...one, ...hidden } : one,
    );
    emit(job, {
      kind: "review",
      review: { ...whole, losing: null, positions },
      done,
      of: states.length,
    });
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
    const words =
      left === undefined
        ? `cannot be solved: ${puzzle.why}`
        : `solvable, optimum ${left} ${puzzle.about.unit} (proved)`;
    const html = `<section><h2>${id}</h2><p class="${verdict}"><strong>${words}</strong></p><ul><li>branching: 2.9 legal actions on average</li><li>beside the solution: 0 of 59 other actions lead to a dead end</li></ul>${puzzle.svg(state, null)}</section>`;
    const validation = {
      id,
      verdict,
      value: left ?? null,
      unit: puzzle.about.unit,
      optimal: left !== undefined,
      reasons: left === undefined ? [puzzle.why] : [],
      refused: null,
    };
    emit(job, { kind: "validated", validation, html, done: index + 1, of: instances.length });
    await wait(80);
  }
  emit(job, { kind: "ended", cancelled: job.cancelled });
}

export function begin({ job: wish }) {
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
