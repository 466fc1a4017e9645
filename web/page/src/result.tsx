// The result of a search: figure, seal, bracket, counters. It is live while the search runs.

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Bracket } from "./bracket";
import { engine } from "./engine";
import { SealIcon } from "./icons";
import type { JobState } from "./jobs";
import { Trouble } from "./trouble";
import type { Aim, Outcome } from "./types";
import { bytes, count, duration, isTooLarge, one, sealWords, sentence, whole } from "./words";

function sealKind(record: Outcome): "proved" | "found" | "none" | "gave-up" {
  if (record.status === "optimal") return "proved";
  if (record.status === "unsolvable") return "none";
  return record.value === null ? "gave-up" : "found";
}

/** The best value so far. */
export function bestOf({ found, record }: JobState): number | null {
  return record ? record.value : (found[found.length - 1]?.value ?? null);
}

/** Greatest distance of the solution from the best one, as a sentence. */
function distance(record: Outcome, unit: string): string {
  const { status, value, lower_bound: low, upper_bound: high } = record;
  if (status === "optimal" || value === null) return "";
  const bound = low ?? high;
  if (bound === null) return "";
  const gap = Math.abs(value - bound);
  return `at most ${whole(gap)} ${gap === 1 ? one(unit) : unit} ${low !== null ? "above" : "below"} the best possible. `;
}

/** What to do about a search whose tables do not fit, as a sentence. */
function remedy({ job }: JobState): string {
  const own = job?.kind === "solve" ? job.memory : undefined;
  if (own !== undefined && own < (engine.memory ?? Infinity)) {
    return "Raise the memory under Limits, or choose another solver.";
  }
  if (engine.memory === null) return "Choose another solver, or serve fewer jobs at once (--jobs).";
  return `Choose another solver. A search in this page has ${bytes(engine.memory)} at most; the program on your computer (unriddle serve) has no such limit.`;
}

/** The reason of a record without the program's advice, which is about its options. */
function cause(reason: string): string {
  return sentence(reason.split(": give more memory")[0]);
}

function Seal({ state, unit, aim }: { state: JobState; unit: string; aim: Aim }) {
  const { record, status } = state;
  if (status === "running") {
    return (
      <div class="seal searching" data-testid="seal">
        {state.note ||
          (state.found.length > 0 ? "looking for a better one" : "no solution found yet")}
      </div>
    );
  }
  if (!record) return null;
  const reason = record.status !== "optimal" && record.reason ? `${record.reason}. ` : "";
  const words = isTooLarge(record)
    ? `${cause(record.reason ?? "")} ${remedy(state)}`
    : `${reason}${distance(record, unit)}`;
  return (
    <>
      <div class={`seal ${sealKind(record)}`} data-testid="seal">
        <SealIcon kind={sealKind(record)} />
        {sealWords(record, aim)}
      </div>
      {words && <p class="sub reason">{words.charAt(0).toUpperCase() + words.slice(1)}</p>}
    </>
  );
}

function Facts({ record }: { record: Outcome }) {
  const rows: [string, string | null][] = [
    ["solver", record.solver],
    ["expanded", whole(record.expanded)],
    ["generated", whole(record.generated)],
    ["search", duration(record.wall_s)],
    ["preparation", record.setup_cpu_s ? duration(record.setup_cpu_s) : null],
    ["memory", record.peak_bytes ? bytes(record.peak_bytes) : null],
    ["checked by", record.checked ? (record.checked_by ?? "replay") : null],
  ];
  return (
    <dl class="facts">
      {rows
        .filter(([, value]) => value !== null)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{name === "solver" ? <code>{value}</code> : value}</dd>
          </div>
        ))}
    </dl>
  );
}

interface ResultProps {
  state: JobState;
  unit: string;
  aim: Aim;
  title: string;
  children?: ComponentChildren;
}

export function Result({ state, unit, aim, title, children }: ResultProps) {
  const [open, setOpen] = useState(false);
  const [, setTick] = useState(0);
  const { status, record, error } = state;
  useEffect(() => {
    if (status !== "running") return;
    const timer = setInterval(() => setTick((tick) => tick + 1), 250);
    return () => clearInterval(timer);
  }, [status]);
  // On a phone the button lies below the result: what it makes comes into view.
  const card = useRef<HTMLElement>(null);
  const before = useRef(status);
  useEffect(() => {
    const pressed = before.current !== "running" && status === "running";
    before.current = status;
    if (pressed && matchMedia("(max-width: 820px)").matches) {
      card.current?.scrollIntoView({ block: "center" });
    }
  }, [status]);
  // Tables are built before the counters of the search begin to count.
  const waited = status === "running" ? (performance.now() - state.began) / 1000 : 0;
  const seconds = record?.wall_s ?? Math.max(state.seconds, waited);
  const best = bestOf(state);
  const large = record !== null && isTooLarge(record);
  const failed = large || record?.status === "unsupported" || record?.status === "crashed";
  return (
    <section ref={card} class="card result" aria-label={title} aria-busy={status === "running"}>
      <div class={`big ${best === null ? "wordy" : ""}`} data-testid="figure">
        {best !== null ? (
          <>
            {whole(best)}
            <small>{Math.abs(best) === 1 ? one(unit) : unit}</small>
          </>
        ) : error ? (
          "Failed"
        ) : status === "running" ? (
          "Searching"
        ) : record?.status === "unsolvable" ? (
          "No solution"
        ) : large ? (
          "Too large"
        ) : failed ? (
          "Not possible"
        ) : record ? (
          "Not solved"
        ) : (
          "Not solved yet"
        )}
      </div>
      {error ? (
        <Trouble error={error} testid="solve-error" />
      ) : (
        <Seal state={state} unit={unit} aim={aim} />
      )}
      {status === "idle" ? (
        <p class="sub idle">
          Choose a solver and press Solve. The search shows its bound and its best solution while it
          runs.
        </p>
      ) : (
        !error && !failed && record?.status !== "unsolvable" && <Bracket state={state} aim={aim} />
      )}
      {status !== "idle" && !error && (
        <p class="sub counters">
          {!large && `${count(state.expanded)} ${state.expanded === 1 ? "state" : "states"}`}
          {!large && seconds > 0 ? ` in ${duration(seconds)}` : ""}
          {status === "running" && state.seconds > 0.05
            ? ` · ${count(Math.round(state.expanded / state.seconds))} per second`
            : ""}
          {record && (
            <>
              {!large && " · "}
              <button
                type="button"
                class="link"
                aria-expanded={open}
                onClick={() => setOpen(!open)}
              >
                record
              </button>
            </>
          )}
        </p>
      )}
      {open && record && <Facts record={record} />}
      {children}
    </section>
  );
}
