// The room Design: all instances of the text are validated; each is edited in turn.

import { useEffect, useRef, useState } from "preact/hooks";
import { validating } from "./jobs";
import { chosen } from "./run";
import { say } from "./say";
import { edited } from "./sketch";
import { Presets } from "./solve";
import { address, loaded, position, puzzle, several, show } from "./store";
import { scrub } from "./svg";
import { Trouble } from "./trouble";
import type { Loaded, Validation } from "./types";
import { count, of, plain } from "./words";
import { allText, tab } from "./workbench";

// The style sheet of the page gives drawings in reports their colours.
const REPORT = `
:host{display:block;overflow-wrap:anywhere;font-size:14px}
ul{list-style:disc}.drawing{position:static}.drawing svg{width:auto;height:auto;max-height:280px;display:block;margin:8px 0}
h1{display:none}h2{font-size:15px;margin:.4em 0}h3{font-size:14px;margin:.8em 0 .3em}
section{border:0;margin:0}p{margin:.4em 0}ul{margin:.3em 0;padding-left:1.2em}li{margin:.15em 0}
svg{max-width:100%;height:auto;max-height:240px}table{border-collapse:collapse;font-variant-numeric:tabular-nums}
td,th{padding:2px 8px 2px 0;text-align:left;border-bottom:1px solid var(--line);font-weight:400}
td.n,th.n{text-align:right}th{color:var(--soft)}code{font:12px var(--mono)}
.bar{display:inline-block;height:.7em;background:var(--accent)}
.solvable{color:var(--keep)}.unsolvable{color:var(--lost)}.unknown{color:var(--soft)}`;

/** A report of the engine, apart from the styles of the page. */
function Report({ html }: { html: string }) {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!host.current) return;
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: "open" });
    const parsed = new DOMParser().parseFromString(html, "text/html");
    scrub(parsed);
    for (const style of parsed.querySelectorAll("style")) style.remove();
    const style = document.createElement("style");
    style.textContent = REPORT;
    const sheet = document.createElement("link");
    sheet.rel = "stylesheet";
    sheet.href = "page.css";
    for (const svg of parsed.querySelectorAll("svg")) {
      // A drawing without a size would be as wide as the card.
      if (!svg.hasAttribute("width")) svg.setAttribute("width", "280");
      svg.removeAttribute("height");
    }
    const content = document.createElement("div");
    content.className = "drawing";
    content.append(...parsed.body.childNodes);
    root.replaceChildren(sheet, style, content);
  }, [html]);
  return <div class="report" ref={host} />;
}

function verdictSign(verdict: string): { kind: "keep" | "lost" | "open"; words: string } {
  if (verdict === "solvable") return { kind: "keep", words: "solvable" };
  if (/unsolvable|lost|refused|invalid/.test(verdict)) return { kind: "lost", words: verdict };
  return { kind: "open", words: verdict };
}

function summary(validation: Validation): string {
  const { verdict, value, unit, optimal, reasons, refused } = validation;
  if (refused) return plain(refused);
  if (verdict === "solvable" && typeof value === "number") {
    return `${of(value, unit ?? "")}${optimal ? ", the optimum" : ""}`;
  }
  return reasons?.[0] ? plain(reasons[0]) : verdict;
}

function Entry({
  validation,
  html,
  index,
}: {
  validation: Validation;
  html: string;
  index: number;
}) {
  const { kind } = verdictSign(validation.verdict);
  const solution = typeof validation.solution === "string" ? validation.solution : "";
  const list = several.value;
  const found = list?.instances.find(({ id }) => id === validation.id) ?? list?.instances[index];
  return (
    <details class={`fold entry ${kind}`} open={index === 0}>
      <summary>
        <svg width="13" height="13" viewBox="0 0 13 13" aria-hidden="true">
          {kind === "keep" ? (
            <circle class="sign-keep" cx="6.5" cy="6.5" r="4.5" />
          ) : kind === "lost" ? (
            <path class="sign-lost" d="M2 2l9 9M11 2l-9 9" />
          ) : (
            <circle class="sign-open" cx="6.5" cy="6.5" r="4.2" />
          )}
        </svg>
        <b>{plain(validation.id)}</b>{" "}
        <span class="sub">
          {validation.verdict} · {summary(validation)}
        </span>
      </summary>
      {list && found && (
        <button
          type="button"
          class="link"
          onClick={() => {
            show(list.puzzle, { ...found, solution: null });
            tab.value = "editor";
          }}
        >
          edit this instance
        </button>
      )}
      {solution !== "" && (
        <button
          type="button"
          class="link"
          data-testid={`show-solution-${index}`}
          onClick={() => {
            const { puzzle: spec, instance } = address.value;
            const shown = { ...(found ?? loaded.value), solution } as Loaded;
            show(list?.puzzle ?? spec, { ...shown, instance: found?.instance ?? instance });
            tab.value = "board";
          }}
        >
          show the solution on the board
        </button>
      )}
      <Report html={html} />
    </details>
  );
}

export function DesignRoom() {
  const family = puzzle.value;
  const [seconds, setSeconds] = useState("10");
  const [again, setAgain] = useState(true);
  const { status, validated } = validating.state.value;
  const running = status === "running";
  const start = () => {
    const limit = Number(seconds);
    validating.start(
      {
        kind: "validate",
        puzzle: address.value.puzzle,
        text: allText(),
        ...chosen(),
        ...(limit > 0 ? { seconds: limit } : {}),
      },
      (state) =>
        say(
          state.error
            ? `Not validated: ${state.error.message}`
            : `Validated: ${state.validated.length} instances.`,
        ),
    );
    say("The validation has begun.");
  };
  const edits = useRef(edited.value);
  useEffect(() => {
    if (edits.current === edited.value) return;
    edits.current = edited.value;
    if (again && validated.length > 0) start();
  }, [edited.value]);
  if (!family) return null;
  const number = several.value?.instances.length ?? 1;
  return (
    <>
      <section class="card" aria-label="Validate">
        <h2>Validate</h2>
        <p class="sub">
          Solves {number === 1 ? "the instance" : `all ${count(number)} instances`} and reports
          whether it is solvable, how hard it is, and how much of it matters. Edit it beside, and
          see what changes.
        </p>
        <details class="fold">
          <summary>
            Solver <span class="sub">{chosen().preset ?? chosen().solver ?? "default"}</span>
          </summary>
          <Presets name="design-preset" />
        </details>
        <div class="fields">
          <label>
            time per instance, s
            <input
              inputMode="decimal"
              value={seconds}
              onInput={(event) => setSeconds(event.currentTarget.value)}
            />
          </label>
        </div>
        <label class="check">
          <input
            type="checkbox"
            checked={again}
            onChange={(event) => setAgain(event.currentTarget.checked)}
          />
          validate again after each edit
        </label>
        {running ? (
          <button
            type="button"
            class="main stop"
            data-testid="stop-validate"
            onClick={() => validating.cancel()}
          >
            Stop
          </button>
        ) : (
          <button
            type="button"
            class="main"
            data-testid="validate"
            disabled={!position.value}
            onClick={start}
          >
            Validate
          </button>
        )}
      </section>
    </>
  );
}

export function Reports() {
  const { status, validated, done, of: all, error, record } = validating.state.value;
  const running = status === "running";
  return (
    <section
      class="card reports"
      aria-label="Reports"
      aria-busy={running}
      data-testid="validations"
    >
      <h2>Reports</h2>
      {status === "idle" && <p class="sub">No report yet.</p>}
      {running && (
        <p class="sub">
          <progress max={Math.max(1, all)} value={done} aria-label="Instances validated" />{" "}
          {all > 0 ? `${done} of ${all}` : "validating"}
        </p>
      )}
      {error && <Trouble error={error} />}
      {validated.map((entry, index) => (
        <Entry key={`${entry.validation.id}-${index}`} index={index} {...entry} />
      ))}
      {status === "ended" && !error && validated.length === 0 && !record && (
        <p class="sub">Stopped before a report was made.</p>
      )}
    </section>
  );
}
