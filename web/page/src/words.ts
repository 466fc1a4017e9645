// Numbers, units and sentences.

import type { Action, Aim, Outcome } from "./types";

/** A count with its thousands apart; long ones in millions. */
export function count(value: number): string {
  if (value >= 1e9) return `${(value / 1e9).toPrecision(3)} G`;
  if (value >= 1e7) return `${(value / 1e6).toPrecision(3)} M`;
  return whole(value);
}

/** An integer with its thousands apart by narrow spaces. */
export function whole(value: number): string {
  const digits = String(Math.abs(Math.round(value))).replace(/\B(?=(\d{3})+$)/g, "\u202f");
  return value < 0 ? `\u2212${digits}` : digits;
}

/** A duration. */
export function duration(seconds: number): string {
  if (seconds < 0.0095) return `${(seconds * 1000).toFixed(1)} ms`;
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < 99.5) return `${seconds.toFixed(1)} s`;
  if (seconds < 5999.5) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}

export function bytes(size: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let step = 0;
  while (size >= 999.5 && step < 4) {
    size /= 1000;
    step += 1;
  }
  return `${size < 10 && step > 0 ? size.toFixed(1) : Math.round(size)} ${units[step]}`;
}

/** The singular of a unit: "quarter turns" is "quarter turn". */
export function one(unit: string): string {
  if (/(sses|shes|ches|xes|zes)$/.test(unit)) return unit.slice(0, -2);
  if (/[^aeiou]ies$/.test(unit)) return `${unit.slice(0, -3)}y`;
  return /[^s]s$/.test(unit) ? unit.slice(0, -1) : unit;
}

/** A number with its unit. */
export function of(value: number, unit: string): string {
  return `${whole(value)}\u00a0${Math.abs(value) === 1 ? one(unit) : unit}`;
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A text as a sentence: a capital at its start, a full stop at its end. */
export function sentence(text: string): string {
  const done = capital(text.trim());
  return /[.!?…]$/.test(done) ? done : `${done}.`;
}

/** The unit of a step of the line: a score counts points, but its steps are moves. */
export function stepWord(unit: string, aim: Aim): string {
  return aim === "cost" && !/\s(of|per)\s/.test(unit) ? one(unit) : "move";
}

/** The limit that ended a search, in words. */
export function limitWords(stopped: string | null): string {
  switch (stopped) {
    case "time":
      return "the time limit was reached";
    case "memory":
      return "the memory limit was reached";
    case "expansions":
      return "the limit of expansions was reached";
    case "generated":
      return "the limit of generated states was reached";
    case "cancelled":
      return "stopped by you";
    default:
      return "the search had nothing left to try";
  }
}

/** Whether a search was not begun because its tables do not fit into the memory limit. */
export function isTooLarge(record: Outcome): boolean {
  const { status, stopped_by: by, expanded, value, reason } = record;
  return status === "stopped" && by === "memory" && expanded === 0 && value === null && !!reason;
}

/** The result of a search in a few words. */
export function sealWords(record: Outcome, aim: Aim): string {
  if (isTooLarge(record)) return "not begun: it needs more memory";
  const replayed = record.checked ? ", replayed" : "";
  const best = aim === "cost" ? "shortest" : "best";
  switch (record.status) {
    case "optimal":
      return `proved ${best}${replayed}`;
    case "solved":
      return `solved${replayed}; not proved ${best}`;
    case "unsolvable":
      return "cannot be solved: proved";
    case "stopped":
    case "exhausted": {
      const why = limitWords(record.stopped_by);
      return record.value === null ? `gave up: ${why}` : `best so far${replayed}: ${why}`;
    }
    case "unsupported":
      return "this solver does not fit the instance";
    case "refused":
      return "the text is no instance of the puzzle";
    case "crashed":
      return "the solver failed";
    default:
      return record.status;
  }
}

/** The name of an action for people. */
export function actionWords(action: Action): string {
  return action.name || action.text;
}

/** A text from outside, short and on one line. */
export function plain(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}
