// The editor of a list of values: sections of rows, whose cells are fields.

import { useEffect, useRef, useState } from "preact/hooks";
import { engine } from "./engine";
import { errorBody } from "./interface";
import { say } from "./say";
import { accept } from "./sketch";
import { address } from "./store";
import { Trouble } from "./trouble";
import type { ErrorBody, Section, SheetChange, SheetColumn, Sketch } from "./types";
import { count, plain } from "./words";

/** Most rows of a section that are shown at once. */
const WINDOW = 100;
/** Pause after which a change is sent, in milliseconds. */
const PAUSE = 600;

type Drafts = ReadonlyMap<string, SheetChange>;

interface Editing {
  drafts: Drafts;
  error: ErrorBody | null;
  change: (change: SheetChange, now: boolean) => void;
  send: () => void;
}

const keyOf = ({ section, row, column }: SheetChange) => `${section}-${row}-${column}`;

/** The words of a row that a search looks at. */
function wordsOf(row: string[]): string {
  return row.join(" ").toLowerCase();
}

function Field({
  column,
  name,
  at,
  text,
  editing,
}: {
  column: SheetColumn;
  name: string;
  at: Omit<SheetChange, "text">;
  text: string;
  editing: Editing;
}) {
  const key = keyOf({ ...at, text });
  const draft = editing.drafts.get(key);
  const { error } = editing;
  const wrong =
    error?.section === at.section && error.row === at.row && error.cell === at.column;
  const shared = {
    "data-testid": `field-${key}`,
    "aria-label": name,
    "aria-invalid": wrong ? ("true" as const) : undefined,
    "aria-describedby": wrong ? "sheet-cell-error" : undefined,
  };
  const shown = draft?.text ?? text;
  const write = (text: string, now: boolean) => editing.change({ ...at, text }, now);
  return (
    <>
      {column.kind === "mark" ? (
        <input
          {...shared}
          type="checkbox"
          checked={shown === "on"}
          onChange={(event) => write(event.currentTarget.checked ? "on" : "off", true)}
        />
      ) : column.kind === "choice" ? (
        <select
          {...shared}
          class={shown === column.words?.[0] ? "" : "other"}
          value={shown}
          onChange={(event) => write(event.currentTarget.value, true)}
        >
          {(column.words ?? []).map((word) => (
            <option key={word}>{word}</option>
          ))}
        </select>
      ) : (
        <input
          {...shared}
          type="text"
          inputMode={column.kind === "number" ? "decimal" : undefined}
          class={`of-${column.kind}`}
          placeholder={column.optional ? "–" : undefined}
          value={shown}
          autocomplete="off"
          onInput={(event) => write(event.currentTarget.value, false)}
          onBlur={() => editing.send()}
          onKeyDown={(event) => event.key === "Enter" && editing.send()}
        />
      )}
      {wrong && error && (
        <span class="cell-error" id="sheet-cell-error" data-testid="sheet-cell-error">
          {plain(error.message)}
        </span>
      )}
    </>
  );
}

function SectionTable({
  section,
  index,
  editing,
}: {
  section: Section;
  index: number;
  editing: Editing;
}) {
  const { title, columns, rows } = section;
  const [search, setSearch] = useState("");
  const [changed, setChanged] = useState(false);
  const [most, setMost] = useState(WINDOW);
  const long = rows.length > 12;
  const choices = columns.flatMap(({ kind, words, editable }, at) =>
    editable && (kind === "choice" || kind === "mark")
      ? [{ at, usual: kind === "mark" ? "off" : words?.[0] }]
      : [],
  );
  const wanted = search.toLowerCase().split(/\s+/).filter(Boolean);
  const wrong = editing.error?.section === index ? (editing.error.row ?? null) : null;
  const found: number[] = [];
  rows.forEach((row, at) => {
    const fits =
      (wanted.length === 0 || wanted.every((word) => wordsOf(row).includes(word))) &&
      (!changed || choices.some(({ at: column, usual }) => row[column] !== usual));
    if (fits || at === wrong) found.push(at);
  });
  const shown = long ? found.slice(0, most) : found;
  // The row of an error is in view even if the search leaves it out.
  if (wrong !== null && !shown.includes(wrong) && wrong < rows.length) shown.unshift(wrong);
  const heading = `sheet-${index}`;
  // On a phone a row is a card, unless it is a row of a matrix.
  const shape =
    columns.length > 12 ? "as-matrix" : columns.length > 2 && rows.length > 0 ? "as-cards" : "";
  return (
    <section class="sheet-section" aria-labelledby={heading}>
      <div class="sheet-head">
        <h2 id={heading}>{plain(title)}</h2>
        {long && (
          <>
            <input
              type="search"
              placeholder="search"
              aria-label={`Search ${plain(title)}`}
              data-testid={`search-${index}`}
              value={search}
              onInput={(event) => {
                setSearch(event.currentTarget.value);
                setMost(WINDOW);
              }}
            />
            {choices.length > 0 && (
              <label class="check">
                <input
                  type="checkbox"
                  data-testid={`chosen-${index}`}
                  checked={changed}
                  onChange={(event) => setChanged(event.currentTarget.checked)}
                />
                only with a choice
              </label>
            )}
            <span class="sub" role="status">
              {found.length === rows.length
                ? `${count(rows.length)} rows`
                : `${count(found.length)} of ${count(rows.length)} rows`}
            </span>
          </>
        )}
      </div>
      <div class="sheet-scroll" tabIndex={long ? 0 : undefined} role="group" aria-label={title}>
        <table class={shape}>
          <thead>
            <tr>
              {columns.map(({ name, kind }, at) => (
                <th key={at} scope="col" class={`of-${kind}`}>
                  {plain(name)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => {
              const head = columns.findIndex(({ editable }) => !editable);
              const name = columns
                .flatMap(({ editable }, at) => (editable ? [] : [rows[row][at]]))
                .slice(0, 2)
                .join(" ");
              return (
                <tr key={row} class={row === wrong ? "wrong" : ""}>
                  {columns.map((column, at) => {
                    const text = rows[row][at] ?? "";
                    if (!column.editable) {
                      return at === head ? (
                        <th key={at} scope="row" data-column={plain(column.name)}>
                          {plain(text)}
                        </th>
                      ) : (
                        <td key={at} data-column={plain(column.name)}>
                          {plain(text)}
                        </td>
                      );
                    }
                    return (
                      <td key={at} class={`of-${column.kind}`} data-column={plain(column.name)}>
                        <Field
                          column={column}
                          name={`${plain(name)}, ${plain(column.name)}`}
                          at={{ section: index, row, column: at }}
                          text={text}
                          editing={editing}
                        />
                      </td>
                    );
                  })}
                </tr>
              );
            })}
          </tbody>
        </table>
        {shown.length === 0 && <p class="empty">No row has these words.</p>}
        {found.length > shown.length && (
          <button type="button" class="plain more" onClick={() => setMost(most + WINDOW)}>
            Show {count(Math.min(WINDOW, found.length - shown.length))} more
          </button>
        )}
      </div>
    </section>
  );
}

export function SheetEditor({ sketch, instance }: { sketch: Sketch; instance: string }) {
  const [drafts, setDrafts] = useState<Drafts>(new Map());
  const [error, setError] = useState<ErrorBody | null>(null);
  const current = useRef<Drafts>(new Map());
  const timer = useRef<number | undefined>(undefined);
  const turn = useRef(0);
  const base = useRef(instance);
  base.current = instance;
  const sections = sketch.sections ?? [];

  const keep = (next: Drafts) => {
    current.current = next;
    setDrafts(next);
  };
  // A new sheet has the changes that were sent.
  const sent = useRef<SheetChange[]>([]);
  useEffect(() => {
    const next = new Map(current.current);
    for (const change of sent.current) {
      if (next.get(keyOf(change)) === change) next.delete(keyOf(change));
    }
    sent.current = [];
    keep(next);
  }, [sketch]);
  // Changes belong to the instance that they were made for.
  const own = useRef("");
  useEffect(() => {
    if (own.current === instance) return;
    window.clearTimeout(timer.current);
    setError(null);
    keep(new Map());
  }, [instance]);
  useEffect(() => () => window.clearTimeout(timer.current), []);

  const send = async () => {
    window.clearTimeout(timer.current);
    timer.current = undefined;
    const changes = [...current.current.values()].filter(
      ({ section, row, column, text }) => sections[section]?.rows[row]?.[column] !== text,
    );
    if (changes.length === 0) {
      setError(null);
      return;
    }
    const mine = ++turn.current;
    const { puzzle } = address.value;
    try {
      const made = await engine.call("edit", { puzzle, instance: base.current, changes });
      if (mine !== turn.current) return;
      setError(null);
      sent.current = changes;
      own.current = made.instances[0].instance;
      accept(base.current, made);
      say("The instance follows the change.");
    } catch (reason) {
      if (mine !== turn.current) return;
      const body = errorBody(reason);
      setError(body);
      say(`Not an instance yet: ${body.message}`);
    }
  };
  const change = (change: SheetChange, now: boolean) => {
    keep(new Map(current.current).set(keyOf(change), change));
    window.clearTimeout(timer.current);
    if (now) void send();
    else timer.current = window.setTimeout(() => void send(), PAUSE);
  };
  const editing: Editing = {
    drafts,
    error,
    change,
    // A field that is left sends what waits for its pause.
    send: () => timer.current !== undefined && void send(),
  };
  return (
    <div class="sketch sheet" data-own-keys data-testid="sheet">
      {error && (
        <div role="alert">
          {error.row === undefined && <Trouble error={error} testid="sketch-error" />}
          <p class="sub">
            {error.row === undefined ? "" : "A value does not fit. "}
            The instance stays as it was until all values do.{" "}
            <button
              type="button"
              class="link"
              data-testid="discard-changes"
              onClick={() => {
                setError(null);
                keep(new Map());
              }}
            >
              discard the changes
            </button>
          </p>
        </div>
      )}
      {sections.map((section, index) => (
        <SectionTable key={index} section={section} index={index} editing={editing} />
      ))}
    </div>
  );
}
