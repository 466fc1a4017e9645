// State of the page: the address, and the engine's answers about it.

import { batch, computed, effect, signal } from "@preact/signals";
import { type Address, readAddress, START, writeAddress } from "./address";
import { engine } from "./engine";
import { errorBody } from "./interface";
import { hinting, reviewing, solving } from "./jobs";
import { say } from "./say";
import { keep, kept } from "./storage";
import type { Action, ErrorBody, Instances, Loaded, Position, Puzzle } from "./types";
import { actionWords, plain, sentence } from "./words";

/** Largest file that is read, in bytes. */
export const MOST = 64 * 1024 * 1024;

export const address = signal<Address>(START);
export const version = signal("");
export const puzzles = signal<Puzzle[]>([]);
/** An error that prevents the whole page from working. */
export const failure = signal<ErrorBody | null>(null);
/** An error of the position field, and the text that it refers to. */
export const trouble = signal<{ error: ErrorBody; text: string } | null>(null);
/** A sentence about the address: a cut link, a file with several instances. */
export const notice = signal("");
/** Instances of the last text that had several. */
export const several = signal<Instances | null>(null);
export const loaded = signal<Loaded | null>(null);
export const position = signal<Position | null>(null);
/** The text from which the instance was read, in any notation. */
export const readAs = signal<{ instance: string; form: string } | null>(null);

/** The puzzle of a spec: its name is written before its parameters. */
export function puzzleOf(spec: string): Puzzle | undefined {
  const name = spec.split("(", 1)[0].trim();
  return puzzles.value.find((puzzle) => puzzle.name === name);
}

export const puzzle = computed(() => puzzleOf(address.value.puzzle) ?? null);

/** Number of actions applied, of all actions of the line. */
export const steps = computed(() => {
  const now = position.value;
  return { at: now?.at ?? 0, of: now?.played.length ?? 0 };
});

/** Changes the address. Actions and instances enter the history; steps replace the entry. */
export function go(change: Partial<Address>, history: "push" | "replace" = "push"): void {
  const next = { ...address.value, ...change };
  const hash = writeAddress(next);
  if (hash === writeAddress(address.value)) return;
  if (history === "push") window.history.pushState(null, "", hash);
  else window.history.replaceState(null, "", hash);
  address.value = next;
}

function follow(): void {
  const { address: next, cut } = readAddress(location.hash);
  notice.value = cut ? "This link is cut or damaged: what could not be read was left out." : "";
  batch(() => {
    trouble.value = null;
    address.value = next;
  });
  if (puzzles.value.length > 0) complete();
}

/** Completes an address without a puzzle or an instance. */
function complete(): void {
  const { puzzle: spec } = address.value;
  if (!puzzle.value) {
    if (spec)
      notice.value = `This link names the puzzle “${plain(spec)}”, which this program lacks.`;
    const last = kept<string>("puzzle");
    const first = puzzles.value.find(({ name }) => name === last) ?? puzzles.value[0];
    const { room } = address.value;
    go({ ...START, room, puzzle: first.name }, "replace");
  }
  if (!address.value.instance) void first(address.value.puzzle, "replace");
}

/** Shows an instance: its own, and its solution as the line if the text had one. */
export function show(spec: string, found: Loaded, history: "push" | "replace" = "push"): void {
  const line = found.solution ?? "";
  go({ puzzle: spec, instance: found.instance, line, at: line ? 0 : null }, history);
}

/** A first instance of a puzzle. */
export async function first(spec: string, history: "push" | "replace" = "push"): Promise<void> {
  const family = puzzleOf(spec);
  if (!family) return;
  try {
    const made = await engine.call("generate", { puzzle: spec, generator: null, seed: 1 });
    several.value = null;
    show(made.puzzle, made.instances[0], history);
  } catch (error) {
    const form = family.forms.find(({ example }) => example);
    if (!form) {
      trouble.value = { error: errorBody(error), text: "" };
      return;
    }
    await read(form.example, form.puzzle || spec, history);
  }
}

/** Reads a text in any notation of the puzzle, and shows its first instance. */
export async function read(
  text: string,
  spec = address.value.puzzle,
  history: "push" | "replace" = "push",
): Promise<boolean> {
  if (text.length > MOST) {
    trouble.value = {
      error: { message: "The text is larger than 64 MiB; nothing was read." },
      text: "",
    };
    return false;
  }
  try {
    const answer = await engine.call("load", { puzzle: spec, text });
    if (answer.instances.length === 0) {
      trouble.value = { error: { message: "The text contains no instance." }, text };
      return false;
    }
    trouble.value = null;
    several.value = answer.instances.length > 1 ? answer : null;
    const [instance] = answer.instances;
    notice.value =
      answer.instances.length > 1
        ? `${answer.instances.length} instances were read. Set up lists them; this is the first.`
        : "";
    say(
      `Read ${answer.instances.length === 1 ? "the instance" : `${answer.instances.length} instances`}.`,
    );
    show(answer.puzzle, instance, history);
    readAs.value = null;
    void recognise(answer.puzzle, instance, text);
    return true;
  } catch (error) {
    const body = errorBody(error);
    trouble.value = { error: body, text };
    say(`Not read: ${body.message}`);
    return false;
  }
}

/** Finds the notation in which a text was written. */
async function recognise(spec: string, found: Loaded, text: string): Promise<void> {
  const { instance } = found;
  try {
    const answer = await engine.call("forms", { puzzle: spec, instance, line: "" });
    const squeezed = (words: string) => words.replace(/\s+/g, " ").trim();
    const form = answer.instance.find((form) => squeezed(form.text) === squeezed(text));
    readAs.value = { instance, form: form?.name ?? "" };
  } catch {
    // The notation stays unnamed.
  }
}

/** Reads a file. */
export async function readFile(file: File): Promise<void> {
  if (file.size > MOST) {
    const error = { message: `${file.name} is larger than 64 MiB; nothing was read.` };
    trouble.value = { error, text: "" };
    say(error.message);
    return;
  }
  notice.value = `Reading ${file.name} …`;
  await read(await file.text());
}

/** Applies an action at the current position. */
export function apply(action: Action): void {
  say(sentence(actionWords(action)));
  go({ line: action.line, at: null });
}

/** Goes to a step of the line. */
export function step(at: number): void {
  const now = position.value;
  if (!now) return;
  const next = Math.max(0, Math.min(now.played.length, at));
  go({ at: next === now.played.length ? null : next }, "replace");
}

// Positions that were shown, the latest last.
const cache = new Map<string, Position>();

/** A position, from the engine or from memory. */
export async function positionAt(
  spec: string,
  instance: string,
  line: string,
  at: number | null,
): Promise<Position> {
  const key = JSON.stringify([spec, instance, line, at]);
  const known = cache.get(key);
  if (known) return known;
  const answer = await engine.call("position", { puzzle: spec, instance, line, at });
  cache.set(key, answer);
  if (cache.size > 600) cache.delete(cache.keys().next().value as string);
  return answer;
}

let latest = 0;
/** Whether the position of the address is on its way. */
export const pending = signal(false);

async function loadPosition(): Promise<void> {
  const { puzzle: spec, instance, line, at } = address.value;
  const turn = ++latest;
  pending.value = false;
  if (!spec || !instance || puzzles.value.length === 0) return;
  pending.value = true;
  try {
    const answer = await positionAt(spec, instance, line, at);
    if (turn !== latest) return;
    batch(() => {
      position.value = answer;
      pending.value = false;
    });
    if (at !== null && answer.at < answer.played.length) {
      // The next step is often the next wish.
      void positionAt(spec, instance, line, answer.at + 1).catch(() => {});
    }
  } catch (error) {
    if (turn !== latest) return;
    pending.value = false;
    const body = errorBody(error);
    if (line && body.field === "line") {
      notice.value = `The line of this link cannot be played, and was left out: ${body.message}`;
      go({ line: "", at: null }, "replace");
      return;
    }
    trouble.value = { error: body, text: instance };
    position.value = null;
  }
}

async function loadFacts(spec: string, instance: string): Promise<void> {
  if (!spec || !instance || puzzles.value.length === 0) return;
  const listed = several.value;
  const known =
    listed?.puzzle === spec && listed.instances.find((one) => one.instance === instance);
  if (known) {
    loaded.value = known;
    return;
  }
  try {
    const answer = await engine.call("load", { puzzle: spec, text: instance });
    const now = address.value;
    if (now.puzzle === spec && now.instance === instance) loaded.value = answer.instances[0];
  } catch {
    // The position has the error.
    loaded.value = null;
  }
}

export function begin(): void {
  window.addEventListener("popstate", follow);
  window.addEventListener("hashchange", follow);
  follow();
  const spec = computed(() => address.value.puzzle);
  const instance = computed(() => address.value.instance);
  const shown = computed(() => {
    const { puzzle, instance, line, at } = address.value;
    return JSON.stringify([puzzle, instance, line, at]);
  });
  let before = "";
  effect(() => {
    const now = JSON.stringify([spec.value, instance.value]);
    if (puzzles.value.length === 0 || now === before) return;
    if (before !== "") {
      // Results belong to their instance.
      for (const slot of [solving, reviewing, hinting]) slot.clear();
    }
    if (before !== "" && JSON.parse(before)[0] !== spec.value) position.value = null;
    before = instance.value === "" ? "" : now;
    loaded.value = null;
    if (puzzle.value) keep("puzzle", puzzle.value.name);
    void loadFacts(spec.value, instance.value);
  });
  effect(() => {
    void shown.value;
    if (puzzles.value.length > 0) void loadPosition();
  });
  void load();
}

export async function load(): Promise<void> {
  try {
    const answer = await engine.call("puzzles", {});
    failure.value = null;
    version.value = [answer.program, answer.version].filter(Boolean).join(" ");
    puzzles.value = answer.puzzles;
    complete();
  } catch (error) {
    failure.value = errorBody(error);
  }
}
