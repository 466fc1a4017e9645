// The transport: first, back, play, forward, last, and the speed of playing.

import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { shown } from "./facts";
import { Icon } from "./icons";
import { position, puzzle, step, steps } from "./store";
import { capital, stepWord } from "./words";

export const playing = signal(false);
const speed = signal(1);
const SPEEDS = [0.5, 1, 2, 4, 8];

/** Begins or ends playing; at the end of the line it begins anew. */
export function toggle(): void {
  const { at, of } = steps.value;
  if (of === 0) return;
  if (!playing.value && at === of) step(0);
  playing.value = !playing.value;
}

/** Goes to a step by hand, which ends playing. */
export function jump(at: number): void {
  playing.value = false;
  step(at);
}

export function Transport() {
  const { at, of } = steps.value;
  const now = position.value;
  const family = puzzle.value;
  useEffect(() => {
    if (!playing.value) return;
    if (at >= of) {
      playing.value = false;
      return;
    }
    const timer = setTimeout(() => step(at + 1), 600 / speed.value);
    return () => clearTimeout(timer);
  }, [playing.value, at, of, now, speed.value]);
  if (!family || family.aim === "assignment") return null;
  const word = stepWord(family.unit, family.aim);
  const sign = shown.value.facts[at]?.sign;
  const before = shown.value.facts[at - 1]?.sign;
  return (
    <div class="transport" role="group" aria-label="Steps of the line">
      <button
        type="button"
        data-testid="step-first"
        aria-label="First position"
        disabled={at === 0}
        onClick={() => jump(0)}
      >
        <Icon name="first" />
      </button>
      <button
        type="button"
        data-testid="step-back"
        aria-label="Step back"
        disabled={at === 0}
        onClick={() => jump(at - 1)}
      >
        <Icon name="back" />
      </button>
      <button
        type="button"
        class="go"
        data-testid="step-play"
        aria-label={playing.value ? "Pause" : "Play"}
        disabled={of === 0}
        onClick={toggle}
      >
        <Icon name={playing.value ? "pause" : "play"} />
      </button>
      <button
        type="button"
        data-testid="step-forward"
        aria-label="Step forward"
        disabled={at === of}
        onClick={() => jump(at + 1)}
      >
        <Icon name="forward" />
      </button>
      <button
        type="button"
        data-testid="step-last"
        aria-label="Last position"
        disabled={at === of}
        onClick={() => jump(of)}
      >
        <Icon name="last" />
      </button>
      <span class="where" data-testid="status">
        {of === 0 ? (
          now?.over ? (
            "solved"
          ) : (
            "the start"
          )
        ) : at === 0 ? (
          `the start of ${of} ${of === 1 ? word : `${word}s`}`.replace(/(s|sh|ch|x)s$/, "$1es")
        ) : (
          <>
            {word} {at} of {of}
            <span class="between"> · </span>
            <b>{now?.played[at - 1]}</b>
            {sign === "lost" && before !== "lost"
              ? " lost it"
              : now?.over && at === of
                ? " · the end"
                : ""}
          </>
        )}
      </span>
      <span class="speed">
        <label>
          speed{" "}
          <select
            value={speed.value}
            onChange={(event) => (speed.value = Number(event.currentTarget.value))}
          >
            {SPEEDS.map((value) => (
              <option key={value} value={value}>
                {value}×
              </option>
            ))}
          </select>
        </label>{" "}
        · <kbd>space</kbd> {capital(playing.value ? "pauses" : "plays").toLowerCase()}
      </span>
    </div>
  );
}
