// What the buttons do with the engine: solve, hint, review, join lines.

import { signal } from "@preact/signals";
import { factsOfRecord, factsOfReview, known } from "./facts";
import { hinting, type JobState, reviewing, solving } from "./jobs";
import { say } from "./say";
import { keep, kept } from "./storage";
import { address, go, loaded, position, positionAt, puzzle } from "./store";
import type { Action, Job, Outcome, Position, Puzzle } from "./types";
import { actionWords, of, sealWords, sentence } from "./words";

/** Where a solve begins: the instance of the address, after the actions of `line`. */
interface Origin {
  puzzle: string;
  instance: string;
  line: string;
  preset: string;
}

export interface Limits {
  seconds?: number;
  expansions?: number;
  memory?: number;
}

export const limits = signal<Limits>(kept<Limits>("limits") ?? {});
/** Whether a solve begins at the shown position instead of the start. */
export const fromHere = signal(false);
/** The hint for a position: an action, or a sentence why there is none. */
export const hint = signal<{ position: Position; action: Action | null; text: string } | null>(null);

/** The solver of the address as a field of a job: a preset by name, or a spec. */
export function chosen(): { solver?: string; preset?: string } {
  const { solver } = address.value;
  const presets = loaded.value?.presets ?? puzzle.value?.presets ?? [];
  if (!solver) return presets.length > 0 ? { preset: presets[0].name } : {};
  return presets.some(({ name }) => name === solver) ? { preset: solver } : { solver };
}

export function solve(): void {
  const now = position.value;
  const { puzzle: spec, instance } = address.value;
  if (!now) return;
  const here = fromHere.value && now.at > 0;
  const choice = chosen();
  const origin: Origin = {
    puzzle: spec,
    instance,
    line: here ? now.line : "",
    preset: choice.preset ?? "",
  };
  keep("origin", origin, false);
  const start = here ? now.instance : instance;
  const job: Job = { kind: "solve", puzzle: spec, instance: start, ...choice, ...limits.value };
  hint.value = null;
  say("The search has begun.");
  solving.start(job, (state) => void solved(state, origin));
}

async function solved(state: JobState, origin: Origin): Promise<void> {
  const { record, error } = state;
  if (error) {
    say(`Not solved: ${error.message}`);
    return;
  }
  const family = puzzle.value;
  const same = () => address.value.puzzle === origin.puzzle && address.value.instance === origin.instance;
  if (!record || !family || !same()) return;
  const value = record.value === null ? "" : `${of(record.value, family.unit)}: `;
  say(sentence(`${value}${sealWords(record, family.aim)}`));
  measured(origin, record);
  if (record.solution === null || record.value === null) return;
  const start = state.job?.kind === "solve" ? state.job.instance : origin.instance;
  if (family.aim === "assignment") {
    go({ line: record.solution, at: null });
    return;
  }
  const whole = await joined(origin, start, record.solution);
  if (!same()) return;
  if (whole) go({ line: whole.line, at: whole.before });
  else go({ instance: start, line: record.solution, at: 0 });
  await tell(record, whole?.before ?? 0);
}

/** Adds the typical time of a preset on this machine. */
function measured(origin: Origin, record: Outcome): void {
  if (!origin.preset || !["optimal", "solved"].includes(record.status)) return;
  const name = `time:${origin.puzzle}:${origin.preset}`;
  const before = kept<number[]>(name) ?? [];
  const seconds = record.wall_s + (record.setup_cpu_s ?? 0);
  keep(name, [...before, seconds].slice(-5));
}

/** Typical time of a preset on this machine, in seconds. */
export function typical(spec: string, preset: string): number | null {
  const times = [...(kept<number[]>(`time:${spec}:${preset}`) ?? [])].sort((a, b) => a - b);
  return times.length > 0 ? times[times.length >> 1] : null;
}

/** The line of `origin` with the solution of its last position after it, checked by its actions. */
async function joined(
  origin: Origin,
  start: string,
  solution: string,
): Promise<{ line: string; before: number } | null> {
  const { puzzle: spec, instance, line } = origin;
  if (!line) return { line: solution, before: 0 };
  try {
    const first = await positionAt(spec, instance, line, null);
    const rest = await positionAt(spec, start, solution, 0);
    const actions = [...first.played, ...rest.played].join("\n");
    for (const between of ["", " ", "\n", ","]) {
      try {
        const whole = await positionAt(spec, instance, line + between + solution, 0);
        if (whole.played.join("\n") === actions) {
          return { line: whole.whole, before: first.played.length };
        }
      } catch {
        // This separator does not join lines of the puzzle.
      }
    }
  } catch {
    // The lines cannot be joined.
  }
  return null;
}

/** Fills the strip from a record, whose solution begins at step `start` of the shown line. */
async function tell(record: Outcome, start: number): Promise<void> {
  const { puzzle: spec, instance, line } = address.value;
  const end = await positionAt(spec, instance, line, null);
  const { length } = end.played;
  let values: number[] | null = null;
  if (puzzle.value?.aim === "cost") {
    values = Array.from({ length: length + 1 }, (_, index) => index);
    if (end.total !== length && length > 400) {
      values = values.map((index) => (end.total * index) / Math.max(1, length));
    } else if (end.total !== length) {
      values = [];
      for (let at = 0; at <= length; at += 1) {
        values.push((await positionAt(spec, instance, line, at)).value);
        if (address.value.line !== line || address.value.instance !== instance) return;
      }
    }
  }
  known.value = factsOfRecord(record, end.played, start, end.total, values);
}

/** Asks for the first action of the best line from the shown position. */
export function askHint(): void {
  const now = position.value;
  const family = puzzle.value;
  if (!now || !family || hinting.busy) return;
  if (now.over || (now.actions.length === 0 && family.aim !== "assignment")) {
    hint.value = { position: now, action: null, text: "The game is over: no move is left." };
    say("The game is over.");
    return;
  }
  hint.value = null;
  say("Looking for a hint.");
  const presets = loaded.value?.presets.filter(({ solver }) => solver !== null) ?? family.presets;
  const quick = presets.find(({ name }) => name === QUICK);
  const names = [presets[0]?.name, quick?.name].filter((name) => name !== undefined);
  seek(now, family, [...new Set(names)]);
}

/**
 * The action of a text. A solver may play several actions as one; its text then begins with the
 * first of them.
 */
function actionOf(actions: Action[], text: string): Action | null {
  const first = actions.filter((action) => text.startsWith(action.text));
  first.sort((a, b) => b.text.length - a.text.length);
  return first[0] ?? null;
}

/** Preset that is tried for a hint if the default one finds nothing in time. */
const QUICK = "fast";
/** Time for a hint, in seconds; the building of tables counts. */
const HINT = 5;

function seek(now: Position, family: Puzzle, presets: string[]): void {
  const { puzzle: spec } = address.value;
  const [preset, ...others] = presets;
  const job: Job = { kind: "solve", puzzle: spec, instance: now.instance, seconds: HINT };
  if (preset) job.preset = preset;
  const timer = setTimeout(() => hinting.cancel(), HINT * 1000);
  hinting.start(job, async ({ record, error }) => {
    clearTimeout(timer);
    if (position.value !== now) return;
    const tell = (text: string, action: Action | null = null) => {
      hint.value = { position: now, action, text };
      say(text);
    };
    if (record?.status === "unsolvable") return tell("From here it cannot be solved: proved.");
    if (!record?.solution) {
      if (others.length > 0) return seek(now, family, others);
      return tell(error ? sentence(error.message) : `No hint: no solution was found within ${HINT} s.`);
    }
    if (family.aim === "assignment") return tell("A solution was found; the room Solve shows it.");
    try {
      const next = await positionAt(spec, now.instance, record.solution, 1);
      const action = actionOf(now.actions, next.played[0]);
      const name = action ? actionWords(action) : next.played[0];
      const value = record.value === null ? "" : of(record.value, family.unit);
      const best = record.status === "optimal" ? "at best" : "by the best line found";
      const words = family.aim === "score" ? `${value} within reach.` : `${value} left ${best}.`;
      tell(`${sentence(name)}${value ? ` ${words}` : ""}`, action);
    } catch {
      tell("No hint: the solution cannot be played from here.");
    }
  });
}

export function review(): void {
  const now = position.value;
  const { puzzle: spec, instance } = address.value;
  if (!now || now.played.length === 0) return;
  say("The review has begun.");
  const choice = address.value.solver ? chosen() : {};
  reviewing.start({ kind: "review", puzzle: spec, instance, line: now.whole, ...choice }, reviewed);
}

function reviewed(state: JobState): void {
  if (state.error) say(`No review: ${state.error.message}`);
  else if (state.review) say("The review is complete.");
}

/** Keeps the strip up to date with the review, and resumes the jobs of a reloaded page. */
export function follow(): void {
  reviewing.state.subscribe(({ review }) => {
    if (review) known.value = factsOfReview(review, puzzle.value?.aim ?? "cost");
  });
}

export function resume(): void {
  const { puzzle: spec, instance } = address.value;
  const origin = kept<Origin>("origin", false);
  if (origin && origin.puzzle === spec && origin.instance === instance) {
    solving.resume(
      (job) => job.kind === "solve" && job.puzzle === spec,
      (state) => void solved(state, origin),
    );
  }
  reviewing.resume(
    (job) => job.kind === "review" && job.puzzle === spec && job.instance === instance,
    reviewed,
  );
}
