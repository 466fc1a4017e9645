// Facts about the positions of a line: the cost-to-go after each action, and a sign for the action.

import { computed, signal } from "@preact/signals";
import { position, steps } from "./store";
import type { Aim, Judged, Outcome, Review } from "./types";

/** Keeps the best value, loses some of it, makes the position lost; or not known. */
export type Sign = "keep" | "longer" | "lost" | "open";

export interface Fact {
  /** Cost that is left, or score within reach, by the best known solution. */
  best: number | null;
  /** Proved bound of it. */
  bound: number | null;
  sign: Sign;
}

export const UNKNOWN: Fact = { best: null, bound: null, sign: "open" };

export interface Facts {
  played: string[];
  /** The start, and the position after each action. */
  facts: Fact[];
}

/** Facts about the last line that was solved or reviewed. */
export const known = signal<Facts | null>(null);

function sign(judged: Judged, first: boolean): Sign {
  if (judged.verdict === "lost") return "lost";
  if (!first && judged.loss !== null && judged.loss > 0) return "longer";
  const exact = judged.best !== null && judged.best === judged.bound;
  return exact || (judged.loss === 0 && judged.most_loss === 0) ? "keep" : "open";
}

export function factsOfReview(review: Review, aim: Aim): Facts {
  const left = (whole: number | null, value: number) =>
    whole === null || aim === "score" ? whole : whole - value;
  return {
    played: review.positions.slice(1).map(({ action }) => action ?? ""),
    facts: review.positions.map((judged, index) => ({
      best: left(judged.best, judged.value),
      bound: left(judged.bound, judged.value),
      sign: sign(judged, index === 0),
    })),
  };
}

/**
 * Facts of a line that ends with the solution of a record, which begins at step `start`. `values`
 * are the costs of the actions until each position; the positions of a score have no costs.
 */
export function factsOfRecord(
  record: Outcome,
  played: string[],
  start: number,
  total: number,
  values: number[] | null,
): Facts {
  const optimal = record.status === "optimal";
  const bound = optimal ? record.value : (record.lower_bound ?? record.upper_bound);
  // The value of the actions before the search.
  const before = total - (record.value ?? total);
  const facts = Array.from({ length: played.length + 1 }, (_, index): Fact => {
    if (index < start) return UNKNOWN;
    const value = values?.[index] ?? 0;
    return {
      best: total - value,
      bound: bound === null ? null : bound + before - value,
      sign: optimal ? "keep" : "open",
    };
  });
  return { played, facts };
}

/** Facts of each position of the shown line, as far as it agrees with the known one. */
export const shown = computed<Facts>(() => {
  const played = position.value?.played ?? [];
  const line = known.value;
  let same = 0;
  if (line) {
    while (same < played.length && played[same] === line.played[same]) same += 1;
  }
  const facts = Array.from({ length: played.length + 1 }, (_, index) =>
    line && index <= same ? (line.facts[index] ?? UNKNOWN) : UNKNOWN,
  );
  return { played, facts };
});

/** Whether anything is known of the shown line. */
export const informed = computed(() =>
  shown.value.facts.some((fact) => fact.best !== null || fact.sign !== "open"),
);

/** Steps whose action is a mistake. */
export const mistakes = computed(() => {
  const { facts } = shown.value;
  const found: number[] = [];
  facts.forEach((fact, index) => {
    const before = facts[index - 1]?.sign;
    if (index === 0 || before === "lost") return;
    if (fact.sign === "longer" || (fact.sign === "lost" && before !== undefined)) found.push(index);
  });
  return found;
});

/** The next or the previous mistake from the shown step. */
export function mistake(direction: 1 | -1): number | null {
  const { at } = steps.value;
  const list = direction === 1 ? mistakes.value : [...mistakes.value].reverse();
  const next = list.find((index) => (index - at) * direction > 0);
  return next ?? list[0] ?? null;
}
