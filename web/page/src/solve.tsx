// The room Solve: presets or a spec, limits, and the result of the search.

import { useState } from "preact/hooks";
import { solving } from "./jobs";
import { Moves } from "./moves";
import { Result } from "./result";
import { chosen, fromHere, limits, type Limits, solve, typical } from "./run";
import { SpecField } from "./spec";
import { keep } from "./storage";
import { address, go, loaded, position, puzzle, steps } from "./store";
import { duration, sentence, stepWord } from "./words";

export function Presets({ name }: { name: string }) {
  const family = puzzle.value;
  const { puzzle: spec } = address.value;
  const { preset } = chosen();
  const list =
    loaded.value?.presets ??
    family?.presets.map((preset) => ({ ...preset, solver: "" as string | null })) ??
    [];
  return (
    <div class="presets" role="radiogroup" aria-label="Solver">
      {list.map(({ name: preset_, summary, solver }) => {
        const time = typical(spec, preset_);
        const fits = solver !== null;
        return (
          <label key={preset_} class={`${preset === preset_ ? "on" : ""} ${fits ? "" : "off"}`}>
            <input
              type="radio"
              name={name}
              value={preset_}
              checked={preset === preset_}
              disabled={!fits}
              data-testid={`preset-${preset_}`}
              onChange={() => go({ solver: preset_ }, "replace")}
            />
            <em>{preset_}</em>
            <u>{fits ? (time === null ? "" : `≈ ${duration(time)}`) : "does not fit"}</u>
            <span title={solver || undefined}>{sentence(summary)}</span>
          </label>
        );
      })}
    </div>
  );
}

function number(text: string): number | undefined {
  const value = Number(text);
  return text.trim() !== "" && Number.isFinite(value) && value > 0 ? value : undefined;
}

function LimitFields() {
  const set = (change: Limits) => {
    limits.value = { ...limits.value, ...change };
    keep("limits", limits.value);
  };
  const { seconds, expansions, memory } = limits.value;
  const some = [seconds, expansions, memory].filter((limit) => limit !== undefined).length;
  return (
    <details class="fold">
      <summary>
        Limits <span class="sub">{some === 0 ? "none set" : `${some} set`}</span>
      </summary>
      <div class="fields">
        <label>
          time, s
          <input
            inputMode="decimal"
            value={seconds ?? ""}
            onInput={(event) => set({ seconds: number(event.currentTarget.value) })}
          />
        </label>
        <label>
          memory, MB
          <input
            inputMode="decimal"
            value={memory === undefined ? "" : memory / 1e6}
            onInput={(event) => {
              const size = number(event.currentTarget.value);
              set({ memory: size === undefined ? undefined : Math.round(size * 1e6) });
            }}
          />
        </label>
        <label>
          expansions
          <input
            inputMode="numeric"
            value={expansions ?? ""}
            onInput={(event) => {
              const most = number(event.currentTarget.value);
              set({ expansions: most === undefined ? undefined : Math.round(most) });
            }}
          />
        </label>
      </div>
    </details>
  );
}

function SolverCard() {
  const family = puzzle.value;
  const choice = chosen();
  const [writing, setWriting] = useState(choice.solver !== undefined);
  const state = solving.state.value;
  const { at } = steps.value;
  if (!family) return null;
  const written = writing || choice.solver !== undefined;
  const standard = loaded.value?.presets.find(({ name }) => name === choice.preset)?.solver ?? "";
  const word = stepWord(family.unit, family.aim);
  return (
    <section class="card" aria-label="Solver">
      <div class="row">
        <h2>Solver</h2>
        <button
          type="button"
          class="link"
          aria-expanded={written}
          onClick={() => {
            if (written) go({ solver: "" }, "replace");
            setWriting(!written);
          }}
        >
          {written ? "presets" : "write a spec"}
        </button>
      </div>
      {written ? (
        <SpecField
          name="solve"
          value={choice.solver ?? standard}
          instance={address.value.instance}
          change={(solver) => go({ solver }, "replace")}
        />
      ) : (
        <Presets name="preset" />
      )}
      {loaded.value?.unsolvable && state.status !== "ended" && (
        <p class="warn">This instance cannot be solved: {loaded.value.unsolvable}.</p>
      )}
      {family.aim !== "assignment" && at > 0 && (
        <label class="check">
          <input
            type="checkbox"
            checked={fromHere.value}
            onChange={(event) => (fromHere.value = event.currentTarget.checked)}
          />
          from here, after {word} {at}
        </label>
      )}
      <LimitFields />
      {state.status === "running" ? (
        <button type="button" class="main stop" data-testid="stop" onClick={() => solving.cancel()}>
          Stop and keep the best
        </button>
      ) : (
        <button
          type="button"
          class="main"
          data-testid="solve"
          disabled={!position.value}
          onClick={solve}
        >
          {state.status === "ended" ? "Solve again" : "Solve"}
        </button>
      )}
    </section>
  );
}

export function SolveRoom() {
  const family = puzzle.value;
  if (!family) return null;
  return (
    <>
      <Result state={solving.state.value} unit={family.unit} aim={family.aim} title="Result" />
      <SolverCard />
      <Moves title={family.aim === "assignment" ? "Solution" : "Moves"} />
    </>
  );
}
