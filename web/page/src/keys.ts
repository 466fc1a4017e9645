// Keys of the page, and the list of them.

import { effect, signal } from "@preact/signals";
import { inGrid, unselect } from "./board";
import { mistake, shown } from "./facts";
import { copy } from "./files";
import { askHint } from "./run";
import { say } from "./say";
import { address, apply, pending, position, puzzle, steps } from "./store";
import { factWords } from "./strip";
import { jump, toggle } from "./transport";

/** Whether the list of keys is shown. */
export const help = signal(false);
/** Whether keys are actions of the puzzle; null: where it has such keys, outside the grid. */
export const puzzleKeys = signal<boolean | null>(null);

const ROOMS_TO_PLAY = ["setup", "play"];

/** Whether the current position has actions with keys. */
export function hasKeys(): boolean {
  return position.value?.actions.some(({ key }) => key !== null) ?? false;
}

/** Whether keys are actions of the puzzle now. */
export function playsByKeys(): boolean {
  if (!ROOMS_TO_PLAY.includes(address.value.room)) return false;
  return puzzleKeys.value ?? (hasKeys() && !inGrid.value);
}

/** Keys of the page for its list and the line at its foot. */
export function keyList(): [string[], string][] {
  const arrows = playsByKeys() ? [",", "."] : ["←", "→"];
  return [
    [arrows, "step"],
    [["Home", "End"], "first and last position"],
    [["space"], "play or pause"],
    [["h"], "hint"],
    [["n", "p"], "next and previous mistake of a review"],
    [["z", "Backspace"], "undo"],
    [["e"], "say what is left"],
    [["c"], "copy the position"],
    [["m"], playsByKeys() ? "keys step through the line" : "keys play the puzzle"],
    [["/"], "edit the position"],
    [["?"], "list of keys"],
  ];
}

/** Keys of the puzzle's actions, each with a name. */
export function actionKeys(): [string, string][] {
  const named = new Map<string, string>();
  for (const { key, name, text } of position.value?.actions ?? []) {
    if (key !== null && !named.has(key)) named.set(key, name || text);
  }
  return [...named];
}

function evaluation(): string {
  const { at } = steps.value;
  const family = puzzle.value;
  const fact = shown.value.facts[at];
  const before = shown.value.facts[at - 1];
  if (!family || !fact) return "Nothing is on the board.";
  const words = factWords(fact, family.unit, family.aim === "score");
  const sign =
    at === 0 || before?.sign === "lost"
      ? ""
      : {
          keep: ", the last move was best",
          longer: ", the last move was a mistake",
          lost: ", by the last move",
          open: "",
        }[fact.sign];
  return `${words}${sign}.`;
}

function typing(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement)
    return target.type !== "range" && target.type !== "radio" && target.type !== "checkbox";
  return target.isContentEditable || ["TEXTAREA", "SELECT"].includes(target.tagName);
}

/** Whether the focused element uses a key itself. */
function taken(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement)
    return key.startsWith("Arrow") || key === "Home" || key === "End" || key === " ";
  if (key === " " || key === "Enter") return ["BUTTON", "A", "SUMMARY"].includes(target.tagName);
  return target.closest("[data-own-keys]") !== null && key.startsWith("Arrow");
}

/** Keys of actions that were pressed before their position was known, in order. */
const held: string[] = [];
const MOST_HELD = 30;

function playKey(key: string): void {
  const action = position.value?.actions.find((action) => action.key === key);
  if (action) apply(action);
  else say("No move that way.");
}

function playHeld(): void {
  while (!pending.value && held.length > 0) playKey(held.shift() as string);
}

effect(() => {
  if (!pending.value) queueMicrotask(playHeld);
});

export function onKey(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  if (typing(event.target) || taken(event.target, event.key)) return;
  const { key } = event;
  const { at, of } = steps.value;
  const done = (act: () => void) => {
    event.preventDefault();
    act();
  };
  if (playsByKeys() && !["m", "?", "/"].includes(key)) {
    const actions = position.value?.actions ?? [];
    const arrow = key.startsWith("Arrow");
    if (actions.some((other) => other.key === key || (arrow && other.key?.startsWith("Arrow")))) {
      return done(() => {
        if (!pending.value) playKey(key);
        else if (held.length < MOST_HELD) held.push(key);
      });
    }
  }
  const to = (direction: 1 | -1) => {
    const next = mistake(direction);
    if (next === null) say("No mistake is known in this line.");
    else {
      jump(next);
      setTimeout(() => say(`Move ${next}: ${evaluation()}`), 60);
    }
  };
  switch (key) {
    case "ArrowLeft":
    case ",":
      return done(() => jump(at - 1));
    case "ArrowRight":
    case ".":
      return done(() => jump(at + 1));
    case "Home":
      return done(() => jump(0));
    case "End":
      return done(() => jump(of));
    case " ":
      return done(toggle);
    case "h":
      return done(askHint);
    case "n":
      return done(() => to(1));
    case "p":
      return done(() => to(-1));
    case "c":
      return done(() => void copy(position.value?.instance ?? "", "the position"));
    case "e":
      return done(() => say(evaluation()));
    case "m":
      return done(() => {
        puzzleKeys.value = !playsByKeys();
        say(puzzleKeys.value ? "Keys play the puzzle." : "Keys step and move the focus.");
      });
    case "z":
    case "Backspace":
      return done(() => jump(at - 1));
    case "/":
      return done(() => {
        const field = document.querySelector<HTMLTextAreaElement>('[data-testid="position-field"]');
        field?.focus();
        field?.select();
      });
    case "?":
      return done(() => (help.value = !help.value));
    case "Escape":
      help.value = false;
      unselect();
      return;
  }
}
