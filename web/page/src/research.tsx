// The room Research: two solvers side by side on the same instance.

import { signal } from "@preact/signals";
import { useState } from "preact/hooks";
import { Chart } from "./chart";
import { Board } from "./board";
import { engine } from "./engine";
import { lanes } from "./jobs";
import { bestOf, Result } from "./result";
import { limits } from "./run";
import { say } from "./say";
import { Experiments, Results, Runs, Shown } from "./kept";
import { SpecField } from "./spec";
import { address, loaded, puzzle } from "./store";
import { count, duration, plain, sealWords, whole } from "./words";

/** The solvers of the two lanes: names of presets, or specs. */
const solvers = signal<[string, string]>(["", ""]);
const NAMES = ["A", "B"];

function presetNames(): string[] {
  const list =
    loaded.value?.presets.filter(({ solver }) => solver !== null) ?? puzzle.value?.presets ?? [];
  return list.map(({ name }) => name);
}

function solverOf(index: number): string {
  const names = presetNames();
  return solvers.value[index] || names[Math.min(index, names.length - 1)] || "";
}

function set(index: number, solver: string): void {
  const next: [string, string] = [...solvers.value];
  next[index] = solver;
  solvers.value = next;
}

function race(): void {
  const { puzzle: spec, instance } = address.value;
  const names = presetNames();
  lanes.forEach((lane, index) => {
    const solver = solverOf(index);
    const choice = names.includes(solver) ? { preset: solver } : { solver };
    lane.start({ kind: "solve", puzzle: spec, instance, ...choice, ...limits.value }, (state) => {
      const { record } = state;
      if (record && puzzle.value) say(`${NAMES[index]}: ${sealWords(record, puzzle.value.aim)}.`);
    });
  });
  say("Both searches have begun.");
}

function Lane({ index }: { index: number }) {
  const family = puzzle.value;
  const names = presetNames();
  const solver = solverOf(index);
  const [writing, setWriting] = useState(false);
  if (!family) return null;
  const state = lanes[index].state.value;
  const written = writing || !names.includes(solver);
  const standard = loaded.value?.presets.find(({ name }) => name === solver)?.solver;
  return (
    <div class="lane">
      <div class="row">
        <h2>
          <span class={`lane-name lane-${index}`}>{NAMES[index]}</span>
        </h2>
        <select
          aria-label={`Solver ${NAMES[index]}`}
          data-testid={`lane-${index}`}
          value={written ? "" : solver}
          onChange={(event) => {
            const { value } = event.currentTarget;
            setWriting(value === "");
            set(index, value === "" ? (standard ?? solver) : value);
          }}
        >
          {names.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
          <option value="">a spec …</option>
        </select>
      </div>
      {written && (
        <SpecField
          name={`lane-${index}`}
          value={solver}
          instance={address.value.instance}
          change={(spec) => set(index, spec)}
        />
      )}
      <Result
        state={state}
        unit={family.unit}
        aim={family.aim}
        title={`Result of ${NAMES[index]}`}
      />
    </div>
  );
}

function Ends() {
  const family = puzzle.value;
  const rows = lanes.map((lane) => lane.state.value);
  if (!family || rows.every(({ record }) => record === null)) return null;
  return (
    <div class="table-scroll" tabIndex={0} role="region" aria-label="Ends of both searches">
      <table class="ends">
        <thead>
          <tr>
            <th scope="col">solver</th>
            <th scope="col" class="n">
              {family.unit}
            </th>
            <th scope="col">result</th>
            <th scope="col" class="n">
              states
            </th>
            <th scope="col" class="n">
              time
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((state, index) => {
            const { record } = state;
            const best = bestOf(state);
            return (
              <tr key={index}>
                <th scope="row">
                  <span class={`lane-name lane-${index}`}>{NAMES[index]}</span>{" "}
                  <code>{plain(record?.solver ?? solverOf(index))}</code>
                </th>
                <td class="n">{best === null ? "–" : whole(best)}</td>
                <td>
                  {record ? sealWords(record, family.aim) : state.error ? "failed" : "searching"}
                </td>
                <td class="n">{count(state.expanded)}</td>
                <td class="n">{duration(record?.wall_s ?? state.seconds)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

export function ResearchStage() {
  const running = lanes.some((lane) => lane.state.value.status === "running");
  return (
    <section class="stage" aria-label="Two solvers side by side">
      <div class="lanes">
        <Lane index={0} />
        <Lane index={1} />
      </div>
      <div class="buttons">
        {running ? (
          <button
            type="button"
            class="main stop"
            data-testid="stop-race"
            onClick={() => lanes.forEach((lane) => lane.cancel())}
          >
            Stop both
          </button>
        ) : (
          <button type="button" class="main" data-testid="race" onClick={race}>
            Run both
          </button>
        )}
      </div>
      <div class="card">
        <h2>Best solution and bound over time</h2>
        <Chart states={lanes.map((lane) => lane.state.value)} names={NAMES} />
        <Ends />
      </div>
      <Shown />
    </section>
  );
}

export function ResearchRoom() {
  return (
    <>
      <section class="card small-board" aria-label="Instance">
        <h2>Instance</h2>
        <Board playable={false} arrowsNavigate={false} />
      </section>
      {engine.keeps ? (
        <>
          <Results />
          <Experiments />
          <Runs />
        </>
      ) : (
        <section class="card" aria-label="Results">
          <h2>Results and experiments</h2>
          <p class="sub">
            This page runs without a server, and keeps no results. <code>unriddle serve</code>{" "}
            stores them, and shows experiments and training runs.
          </p>
        </section>
      )}
    </>
  );
}
