// The editor of an instance: cells that are painted, swapped or moved.

import { signal } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import { engine } from "./engine";
import { errorBody } from "./interface";
import { say } from "./say";
import { SheetEditor } from "./sheet";
import { address, go, several } from "./store";
import { Trouble } from "./trouble";
import type { ErrorBody, Instances, Rows, Sketch } from "./types";

/** Called after each edit that gives an instance. */
export const edited = signal(0);

type Cell = [row: number, column: number];

function copyOf(rows: Rows): Rows {
  return rows.map((row) => [...row]);
}

/** Rows of the same length, one longer or shorter on a side. */
function resized(rows: Rows, down: number, right: number, fill: string): Rows {
  let next = copyOf(rows);
  const width = Math.max(1, ...next.map((row) => row.length));
  if (right > 0)
    next = next.map((row) => [...row, ...Array<string | null>(width + 1 - row.length).fill(fill)]);
  if (right < 0 && width > 1) next = next.map((row) => row.slice(0, width - 1));
  if (down > 0)
    next.push(Array<string | null>(Math.max(1, ...next.map((row) => row.length))).fill(fill));
  if (down < 0 && next.length > 1) next.pop();
  return next;
}

export function SketchEditor() {
  const { puzzle: spec, instance } = address.value;
  const [sketch, setSketch] = useState<Sketch | null>(null);
  const [rows, setRows] = useState<Rows>([]);
  const [error, setError] = useState<ErrorBody | null>(null);
  const [failed, setFailed] = useState("");
  const [brush, setBrush] = useState("");
  const [picked, setPicked] = useState<Cell | null>(null);
  const [focus, setFocus] = useState<Cell>([0, 0]);
  const own = useRef("");
  const painting = useRef(false);
  const current = useRef<Rows>([]);
  const grid = useRef<HTMLDivElement>(null);
  const turn = useRef(0);

  useEffect(() => {
    if (own.current === `${spec}\n${instance}`) return;
    let over = false;
    setFailed("");
    engine
      .call("sketch", { puzzle: spec, instance })
      .then(({ sketch }) => {
        if (over) return;
        setSketch(sketch);
        setRows(sketch?.rows ?? []);
        current.current = sketch?.rows ?? [];
        setError(null);
        setPicked(null);
        setBrush((brush) =>
          sketch?.palette.some(({ symbol }) => symbol === brush)
            ? brush
            : (sketch?.palette[0]?.symbol ?? ""),
        );
      })
      .catch((error) => !over && setFailed(errorBody(error).message));
    return () => {
      over = true;
    };
  }, [spec, instance]);

  if (failed) return <Trouble error={{ message: failed }} />;
  if (!sketch) return <p class="empty">This puzzle is edited as text.</p>;

  if (sketch.layout === "table") return <SheetEditor sketch={sketch} instance={instance} />;

  const send = async (next: Rows) => {
    const mine = ++turn.current;
    try {
      const made = await engine.call("edit", { puzzle: spec, rows: next });
      if (mine !== turn.current) return;
      setError(null);
      own.current = `${made.puzzle}\n${made.instances[0].instance}`;
      accept(instance, made);
    } catch (reason) {
      if (mine !== turn.current) return;
      const body = errorBody(reason);
      setError(body);
      say(`Not an instance yet: ${body.message}`);
    }
  };
  const change = (next: Rows, done = true) => {
    current.current = next;
    setRows(next);
    if (done) void send(next);
  };
  const name = (symbol: string | null) =>
    sketch.palette.find((one) => one.symbol === symbol)?.name ?? symbol ?? "no cell";

  const paint = ([row, column]: Cell, symbol: string, done: boolean) => {
    if (current.current[row]?.[column] === null || current.current[row]?.[column] === symbol)
      return;
    const next = copyOf(current.current);
    next[row][column] = symbol;
    change(next, done);
  };
  const press = (cell: Cell) => {
    const [row, column] = cell;
    if (sketch.gesture === "paint") {
      paint(cell, brush, true);
      say(`Row ${row + 1}, column ${column + 1}: ${name(brush)}.`);
      return;
    }
    if (!picked) {
      if (rows[row][column] === null || rows[row][column] === undefined) return;
      setPicked(cell);
      say(`${name(rows[row][column])} picked up; press where it goes.`);
      return;
    }
    const [fromRow, fromColumn] = picked;
    setPicked(null);
    if (fromRow === row && fromColumn === column) return;
    const next = copyOf(rows);
    const moved = next[fromRow][fromColumn];
    if (sketch.gesture === "swap") {
      next[fromRow][fromColumn] = next[row][column];
      next[row][column] = moved;
    } else {
      next[fromRow].splice(fromColumn, 1);
      const to = row === fromRow && column > fromColumn ? column - 1 : column;
      next[row].splice(Math.min(to, next[row].length), 0, moved);
    }
    say(`${name(moved)} is in row ${row + 1} now.`);
    change(next);
  };
  const key = (event: KeyboardEvent, [row, column]: Cell) => {
    const steps: Record<string, Cell> = {
      ArrowLeft: [0, -1],
      ArrowRight: [0, 1],
      ArrowUp: [-1, 0],
      ArrowDown: [1, 0],
    };
    const step = steps[event.key];
    if (step) {
      event.preventDefault();
      event.stopPropagation();
      let [r, c] = [row + step[0], column + step[1]];
      while (rows[r] && rows[r][c] === null) [r, c] = [r + step[0], c + step[1]];
      if (!rows[r]) return;
      if (sketch.layout === "piles") c = Math.min(c, rows[r].length);
      if (c < 0 || c > rows[r].length || (sketch.layout !== "piles" && c === rows[r].length))
        return;
      setFocus([r, c]);
      grid.current?.querySelector<HTMLElement>(`[data-testid="cell-${r}-${c}"]`)?.focus();
      return;
    }
    const symbol = sketch.palette.find((one) => one.symbol === event.key && event.key !== " ");
    if (symbol && sketch.gesture === "paint") {
      event.preventDefault();
      event.stopPropagation();
      paint([row, column], symbol.symbol, true);
      say(`${symbol.name}.`);
    }
    if (event.key === "Escape") setPicked(null);
  };
  const wide = Math.max(1, ...rows.map((row) => row.length));
  const fill = sketch.palette[0]?.symbol ?? " ";
  const cell = (symbol: string | null, row: number, column: number, end = false) => {
    const style = sketch.palette.find((one) => one.symbol === symbol);
    if (symbol === null && !end)
      return <div key={column} role="gridcell" class="hole" aria-label="no cell" />;
    const wrong =
      error !== null && error.row === row && (error.cell === undefined || error.cell === column);
    const chosen = picked?.[0] === row && picked?.[1] === column;
    return (
      <div role="gridcell" key={column}>
        <button
          type="button"
          class={`cell ${wrong ? "wrong" : ""} ${chosen ? "chosen" : ""} ${end ? "end" : ""}`}
          style={style?.colour ? { background: style.colour, color: ink(style.colour) } : undefined}
          data-testid={`cell-${row}-${column}`}
          tabIndex={focus[0] === row && focus[1] === column ? 0 : -1}
          aria-label={`row ${row + 1}, ${sketch.layout === "piles" ? "place" : "column"} ${column + 1}: ${end ? "end of the pile" : name(symbol)}${wrong ? ", error here" : ""}`}
          aria-pressed={chosen ? "true" : undefined}
          onFocus={() => setFocus([row, column])}
          onClick={(event) => {
            // A press by the pointer has painted already.
            if (sketch.gesture !== "paint" || event.detail === 0) press([row, column]);
          }}
          onPointerDown={(event) => {
            if (sketch.gesture !== "paint" || event.button !== 0) return;
            event.currentTarget.releasePointerCapture(event.pointerId);
            painting.current = true;
            paint([row, column], brush, false);
          }}
          onPointerEnter={() => painting.current && paint([row, column], brush, false)}
          onKeyDown={(event) => key(event, [row, column])}
        >
          {end ? "" : (style?.text ?? symbol)}
        </button>
      </div>
    );
  };
  return (
    <div class="sketch" data-own-keys>
      {sketch.gesture === "paint" && (
        <div class="palette" role="radiogroup" aria-label="Symbols">
          {sketch.palette.map(({ symbol, name, colour, text }) => (
            <button
              type="button"
              key={symbol}
              role="radio"
              aria-checked={brush === symbol}
              data-testid={`palette-${symbol}`}
              class={brush === symbol ? "on" : ""}
              onClick={() => setBrush(symbol)}
            >
              <span
                class="cell"
                style={colour ? { background: colour, color: ink(colour) } : undefined}
                aria-hidden="true"
              >
                {text}
              </span>
              {name}
            </button>
          ))}
        </div>
      )}
      <div class="sketch-scroll">
        <div
          ref={grid}
          role="grid"
          aria-label="Cells of the instance"
          class={`cells ${sketch.layout}`}
          style={{ "--columns": wide, "--rows": rows.length }}
          onPointerUp={() => {
            if (painting.current) void send(current.current);
            painting.current = false;
          }}
          onPointerLeave={() => {
            if (painting.current) void send(current.current);
            painting.current = false;
          }}
        >
          {rows.map((row, r) => (
            <div role="row" key={r}>
              {sketch.heads?.[r] && (
                <div role="rowheader" class="head">
                  {sketch.heads[r]}
                </div>
              )}
              {row.map((symbol, c) => cell(symbol, r, c))}
              {sketch.layout === "piles" &&
                sketch.gesture === "move" &&
                cell(null, r, row.length, true)}
            </div>
          ))}
        </div>
      </div>
      <div class="sketch-foot">
        {sketch.resizable && (
          <span class="resize" role="group" aria-label="Size">
            <span>
              {rows.length} rows
              <button
                type="button"
                class="plain"
                aria-label="One row less"
                onClick={() => change(resized(rows, -1, 0, fill))}
              >
                −
              </button>
              <button
                type="button"
                class="plain"
                aria-label="One row more"
                onClick={() => change(resized(rows, 1, 0, fill))}
              >
                +
              </button>
            </span>
            <span>
              {wide} columns
              <button
                type="button"
                class="plain"
                aria-label="One column less"
                onClick={() => change(resized(rows, 0, -1, fill))}
              >
                −
              </button>
              <button
                type="button"
                class="plain"
                aria-label="One column more"
                onClick={() => change(resized(rows, 0, 1, fill))}
              >
                +
              </button>
            </span>
          </span>
        )}
        <span class="sub">{sketch.help}</span>
      </div>
      {error && (
        <div role="alert">
          <Trouble error={error} testid="sketch-error" />
          <p class="sub">The instance above stays as it was until the cells are valid.</p>
        </div>
      )}
    </div>
  );
}

/** Shows the instance of an edit. */
export function accept(before: string, made: Instances): void {
  const [{ instance }] = made.instances;
  replaceInList(before, instance);
  go({ puzzle: made.puzzle, instance, line: "", at: null });
  edited.value += 1;
}

/** An edited instance takes its old position in the list of instances. */
function replaceInList(before: string, after: string): void {
  const list = several.value;
  if (!list) return;
  const instances = list.instances.map((one) =>
    one.instance === before ? { ...one, instance: after, solution: null, unsolvable: null } : one,
  );
  several.value = { ...list, instances };
}

/** Black or white, whichever is read better on a colour. */
function ink(colour: string): string {
  const hex = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(colour);
  if (!hex) return "#1d1f21";
  const [r, g, b] = hex.slice(1).map((part) => {
    const level = Number.parseInt(part, 16) / 255;
    return level <= 0.04045 ? level / 12.92 : ((level + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.18 ? "#1d1f21" : "#ffffff";
}
