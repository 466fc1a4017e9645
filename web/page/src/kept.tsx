// Records of the server: results, experiments of the lab, runs of training, tuning and evolution.

import { useEffect, useState } from "preact/hooks";
import { Curves } from "./curves";
import { engine } from "./engine";
import { errorBody } from "./interface";
import { lanes, solving } from "./jobs";
import { address, go, puzzleOf } from "./store";
import type { Stored } from "./types";
import { count, duration, plain, sealWords, whole } from "./words";

interface ListedExperiment {
  name: string;
  runs: number;
  unexplained: number;
  cpu_s: number;
  first: number | null;
}

interface ExperimentRun {
  name: string;
  puzzle: string;
  instance: string;
  solver: string;
  seed: number;
  status: string;
  value: number | null;
  solution: string | null;
  expanded: number | null;
  cpu_s: number | null;
}

interface Experiment {
  name: string;
  solvers: string[];
  statuses: string[];
  total: number;
  runs: ExperimentRun[];
}

interface ListedRun {
  name: string;
  run: string;
  changed: number | null;
}

export interface Log extends ListedRun {
  recipe: string;
  columns: string[];
  rows: (number | string | null)[][];
}

/** An answer of the server, read again when `turn` changes, or every few seconds. */
function useAnswer<T>(path: string, turn: unknown, every = 0): { answer: T | null; error: string } {
  const [state, setState] = useState<{ answer: T | null; error: string }>({
    answer: null,
    error: "",
  });
  useEffect(() => {
    let over = false;
    const read = () =>
      engine
        .list<T>(path)
        .then((answer) => !over && setState({ answer, error: "" }))
        .catch((error) => !over && setState({ answer: null, error: errorBody(error).message }));
    void read();
    const timer = every > 0 ? setInterval(read, every) : 0;
    return () => {
      over = true;
      clearInterval(timer);
    };
  }, [path, turn]);
  return state;
}

function day(time: number | string | null): string {
  if (time === null) return "";
  return new Date(time).toISOString().slice(0, 16).replace("T", " ");
}

export function Results() {
  const ended = [...lanes, solving].map((lane) => lane.state.value.status).join();
  const { answer, error } = useAnswer<{ results: Stored[] }>("results?limit=50", ended);
  const list = answer?.results;
  return (
    <section class="card" aria-label="Results">
      <h2>Results</h2>
      {error && <p class="sub">{error}</p>}
      {list?.length === 0 && <p class="sub">No result is stored yet. Each finished solve is.</p>}
      <ul class="stored" data-testid="results">
        {list?.map(({ id, puzzle: spec, instance, solver, record, when }) => {
          const family = puzzleOf(spec);
          return (
            <li key={id}>
              <button
                type="button"
                title={day(when)}
                onClick={() =>
                  go({
                    puzzle: spec,
                    instance,
                    line: record.solution ?? "",
                    at: record.solution ? 0 : null,
                    room: "solve",
                  })
                }
              >
                <b>{family?.title ?? spec}</b>
                <span class="n">{record.value === null ? "–" : whole(record.value)}</span>
                <code>{plain(solver)}</code>
                <span class="sub">{family ? sealWords(record, family.aim) : record.status}</span>
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

export function Experiments() {
  const { answer, error } = useAnswer<{ experiments: ListedExperiment[] }>("experiments", 0);
  const list = answer?.experiments;
  if (list?.length === 0) return null;
  return (
    <section class="card" aria-label="Experiments">
      <h2>Experiments</h2>
      {error && <p class="sub">{error}</p>}
      <ul class="stored">
        {list?.map(({ name, runs, unexplained, cpu_s }) => {
          const show = `experiment/${name}`;
          return (
            <li key={name}>
              <button
                type="button"
                aria-pressed={address.value.show === show}
                onClick={() => go({ show, by: "", status: "" })}
              >
                <b>{name}</b>
                <span class="n">{count(runs)} runs</span>
                <span class="sub">
                  {duration(cpu_s)} of CPU time{unexplained > 0 ? `, ${unexplained} failed` : ""}
                </span>
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

export function Runs() {
  const { answer, error } = useAnswer<{ runs: ListedRun[] }>("runs", 0, 10_000);
  const list = answer?.runs;
  if (list?.length === 0) return null;
  return (
    <section class="card" aria-label="Training, tuning, evolution">
      <h2>Training, tuning, evolution</h2>
      {error && <p class="sub">{error}</p>}
      <ul class="stored">
        {list?.map(({ name, run, changed }) => {
          const show = `run/${name}`;
          return (
            <li key={name}>
              <button
                type="button"
                aria-pressed={address.value.show === show}
                onClick={() => go({ show })}
              >
                <b>{name}</b>
                <span class="n">{run}</span>
                <span class="sub">{day(changed)}</span>
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** A choice of the filters of an experiment. */
function Filter({
  name,
  words,
  value,
  change,
}: {
  name: string;
  words: string[];
  value: string;
  change(word: string): void;
}) {
  return (
    <label class="wide">
      {name}
      <select value={value} onChange={(event) => change(event.currentTarget.value)}>
        <option value="">all</option>
        {words.map((word) => (
          <option key={word} value={word}>
            {word}
          </option>
        ))}
      </select>
    </label>
  );
}

function ExperimentTable({ name }: { name: string }) {
  const { by, status } = address.value;
  const fields = new URLSearchParams();
  if (by) fields.set("solver", by);
  if (status) fields.set("status", status);
  const { answer, error } = useAnswer<Experiment>(
    `experiments/${encodeURIComponent(name)}?${fields}`,
    0,
  );
  return (
    <section class="card" aria-label={`Experiment ${name}`}>
      <div class="row">
        <h2>{name}</h2>
        <button type="button" class="link" onClick={() => go({ show: "", by: "", status: "" })}>
          close
        </button>
      </div>
      {error && <p class="sub">{error}</p>}
      {answer && (
        <>
          <div class="fields">
            <Filter
              name="solver"
              words={answer.solvers}
              value={by}
              change={(word) => go({ by: word }, "replace")}
            />
            <Filter
              name="result"
              words={answer.statuses}
              value={status}
              change={(word) => go({ status: word }, "replace")}
            />
          </div>
          <p class="sub">
            {count(answer.total)} runs
            {answer.runs.length < answer.total
              ? `, the first ${count(answer.runs.length)} of them below`
              : ""}
            .
          </p>
          <div class="table-scroll" tabIndex={0} role="region" aria-label="Runs">
            <table class="ends">
              <thead>
                <tr>
                  <th scope="col">instance</th>
                  <th scope="col">solver</th>
                  <th scope="col" class="n">
                    value
                  </th>
                  <th scope="col">result</th>
                  <th scope="col" class="n">
                    states
                  </th>
                  <th scope="col" class="n">
                    CPU
                  </th>
                </tr>
              </thead>
              <tbody>
                {answer.runs.map((run, index) => (
                  <tr key={index}>
                    <th scope="row">
                      <button
                        type="button"
                        class="link"
                        onClick={() =>
                          go({
                            puzzle: run.puzzle,
                            instance: run.instance,
                            line: run.solution ?? "",
                            at: run.solution ? 0 : null,
                            room: "solve",
                            solver: run.solver,
                          })
                        }
                      >
                        {plain(run.name)}
                      </button>
                    </th>
                    <td>
                      <code>{plain(run.solver)}</code>
                    </td>
                    <td class="n">{run.value === null ? "–" : whole(run.value)}</td>
                    <td>{run.status}</td>
                    <td class="n">{run.expanded === null ? "–" : count(run.expanded)}</td>
                    <td class="n">{run.cpu_s === null ? "–" : duration(run.cpu_s)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </>
      )}
    </section>
  );
}

function RunCurves({ name }: { name: string }) {
  const { answer, error } = useAnswer<Log>(`runs/${encodeURIComponent(name)}`, 0, 3000);
  return (
    <section class="card" aria-label={`Run ${name}`}>
      <div class="row">
        <h2>{name}</h2>
        <button type="button" class="link" onClick={() => go({ show: "" })}>
          close
        </button>
      </div>
      {error && <p class="sub">{error}</p>}
      {answer && (
        <>
          <p class="sub">
            {answer.run}, {count(answer.rows.length)} lines, the last at {day(answer.changed)}. The
            curves grow while it runs.
          </p>
          <Curves log={answer} />
          {answer.recipe && (
            <details class="fold">
              <summary>Recipe</summary>
              <pre class="recipe">{answer.recipe}</pre>
            </details>
          )}
        </>
      )}
    </section>
  );
}

/** Experiment or run that the address names. */
export function Shown() {
  const { show } = address.value;
  const slash = show.indexOf("/");
  if (!engine.keeps || slash < 0) return null;
  const [kind, name] = [show.slice(0, slash), show.slice(slash + 1)];
  if (kind === "experiment") return <ExperimentTable name={name} />;
  return kind === "run" ? <RunCurves name={name} /> : null;
}
