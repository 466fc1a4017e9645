// The board: the engine's drawing under a grid of buttons.

import { signal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { say } from "./say";
import { hint } from "./run";
import { flat, LookAround, setFlat, SolidView } from "./solid";
import { address, apply, position } from "./store";
import { box, drawing, replace } from "./svg";
import type { Action, Position, Spot } from "./types";
import { actionWords } from "./words";

/** Spot that is selected, whose targets are marked. */
export const selected = signal<number | null>(null);
/** Actions to choose from, if a press has several meanings. */
const choices = signal<Action[]>([]);
/** Whether the focus is on a cell of the board. */
export const inGrid = signal(false);

/** Forgets selection and choices: they belong to a position. */
export function unselect(): void {
  selected.value = null;
  choices.value = [];
}

/** Whether a press on a spot begins an action. */
function starts(action: Action, index: number): boolean {
  return action.from === index || (action.also?.includes(index) ?? false);
}

function decide(actions: Action[]): void {
  if (actions.length === 1) {
    unselect();
    apply(actions[0]);
  } else {
    choices.value = actions;
    say(`${actions.length} moves to choose from, below the board.`);
  }
}

function press(now: Position, index: number): void {
  const { actions, spots } = now;
  choices.value = [];
  const start = selected.value;
  if (start !== null && start !== index) {
    const moves = actions.filter((action) => starts(action, start) && action.to === index);
    if (moves.length > 0) return decide(moves);
  }
  if (start === index) {
    unselect();
    say("Selection removed.");
    return;
  }
  const from = actions.filter((action) => starts(action, index));
  const alone = from.filter(({ to }) => to === null);
  if (alone.length > 0 && alone.length === from.length) return decide(alone);
  if (from.length > 0) {
    selected.value = index;
    const targets = new Set(from.map(({ to }) => to).filter((to) => to !== null));
    say(
      `${spots[index].name} selected, ${targets.size} ${targets.size === 1 ? "target" : "targets"}.`,
    );
    return;
  }
  const to = actions.filter((action) => action.to === index);
  if (to.length > 0) return decide(to);
  unselect();
  say(`${spots[index].name}: no move here.`);
}

interface Cell {
  spot: Spot;
  index: number;
}

/** Largest number of spots that all get a button; on a larger board, only spots with an action do. */
const MANY = 2000;

function rowsOf(spots: Spot[], actions: Action[]): Cell[][] {
  const rows = new Map<number, Cell[]>();
  const used = new Set(actions.flatMap(({ from, to, also }) => [from, to, ...(also ?? [])]));
  spots.forEach((spot, index) => {
    if (spots.length > MANY && !used.has(index)) return;
    const row = rows.get(spot.row) ?? [];
    row.push({ spot, index });
    rows.set(spot.row, row);
  });
  const order = [...rows].sort(([a], [b]) => a - b).map(([, row]) => row);
  for (const row of order) row.sort((a, b) => a.spot.column - b.spot.column);
  return order;
}

const MOVES: Record<string, [number, number]> = {
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
};

/** The cell to which an arrow leads from a cell: the nearest one in that direction. */
function neighbour(rows: Cell[][], from: Spot, [down, right]: [number, number]): Cell | null {
  const all = rows.flat();
  const distance = ({ spot }: Cell) =>
    down !== 0
      ? Math.abs(spot.row - from.row) * 1000 + Math.abs(spot.column - from.column)
      : Math.abs(spot.column - from.column);
  const candidates = all.filter(({ spot }) =>
    down !== 0
      ? Math.sign(spot.row - from.row) === down
      : spot.row === from.row && Math.sign(spot.column - from.column) === right,
  );
  candidates.sort((a, b) => distance(a) - distance(b));
  return candidates[0] ?? null;
}

/** Whether arrow keys move the focus from cell to cell; if not, the puzzle gets them. */
export interface BoardProps {
  playable: boolean;
  arrowsNavigate: boolean;
}

export function Board({ playable, arrowsNavigate }: BoardProps) {
  const now = position.value;
  const host = useRef<HTMLDivElement>(null);
  const grid = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ x: 0, y: 0, width: 1, height: 1 });
  const [drawn, setDrawn] = useState(true);
  const [focus, setFocus] = useState(0);
  const before = useRef<Position | null>(null);

  const solid = now?.solid ?? null;
  const inSpace = solid !== null && !flat.value;

  useLayoutEffect(() => {
    unselect();
    if (inSpace) before.current = null;
    if (!host.current || inSpace) return;
    const svg = now ? drawing(now.svg) : null;
    replace(host.current, svg, before.current !== null);
    before.current = now;
    setDrawn(svg !== null);
    if (svg) setView(box(svg));
  }, [now, inSpace]);

  useEffect(() => () => void (inGrid.value = false), []);

  const spots = now?.spots ?? [];
  const rows = rowsOf(spots, now?.actions ?? []);
  const cells = rows.flat();
  // One tab stop: the last focused cell, or the first one.
  const at = cells.some(({ index }) => index === focus) ? focus : cells[0]?.index;
  const hinted = hint.value?.position === now ? hint.value?.action : null;
  const actions = now?.actions ?? [];
  const start = selected.value;
  const targets = new Set(
    start === null ? [] : actions.filter((action) => starts(action, start)).map(({ to }) => to),
  );

  const key = (event: KeyboardEvent, spot: Spot) => {
    if (event.key === "Escape") unselect();
    const move = MOVES[event.key];
    if (!move || !arrowsNavigate || event.ctrlKey || event.metaKey || event.altKey) return;
    const next = neighbour(rows, spot, move);
    event.preventDefault();
    event.stopPropagation();
    if (!next) return;
    setFocus(next.index);
    const button = grid.current?.querySelector<HTMLElement>(`[data-spot="${next.index}"]`);
    button?.focus();
  };

  const marks = (index: number) =>
    [
      actions.some((action) => starts(action, index)) && "can",
      start === index && "chosen",
      targets.has(index) && "target",
      hinted && (starts(hinted, index) || hinted.to === index) && "hinted",
    ]
      .filter(Boolean)
      .join(" ");

  const size = inSpace ? { width: 1, height: 1 } : view;
  return (
    <div class="board" data-testid="board">
      <div
        class="board-fit"
        style={{
          aspectRatio: `${size.width} / ${size.height}`,
          "--ratio": size.width / size.height,
        }}
      >
        {now && solid && inSpace ? (
          <SolidView
            now={now}
            solid={solid}
            game={JSON.stringify([address.value.puzzle, address.value.instance])}
            focused={inGrid.value ? focus : null}
            marks={playable ? marks : () => ""}
            press={playable ? (index) => press(now, index) : null}
          />
        ) : (
          <div class="drawing" ref={host} />
        )}
        {playable && spots.length > 0 && (
          <div
            class={inSpace ? "unseen" : "spots"}
            role="grid"
            aria-label={now?.label ?? "Board"}
            ref={grid}
            onFocusIn={({ target }) => {
              // A press by the pointer also focuses a cell, but nobody navigates then.
              inGrid.value = (target as Element).matches(":focus-visible");
            }}
            onFocusOut={() => (inGrid.value = false)}
          >
            {rows.map((row) => (
              <div role="row" key={row[0].spot.row} class="spot-row">
                {row.map(({ spot, index }) => (
                  <div
                    role="gridcell"
                    key={index}
                    class="spot-cell"
                    style={{
                      left: `${((spot.x - view.x) / view.width) * 100}%`,
                      top: `${((spot.y - view.y) / view.height) * 100}%`,
                      width: `${(spot.width / view.width) * 100}%`,
                      height: `${(spot.height / view.height) * 100}%`,
                    }}
                  >
                    <button
                      type="button"
                      class={`spot ${marks(index)}`}
                      data-testid={`spot-${spot.row}-${spot.column}`}
                      data-spot={index}
                      tabIndex={index === at ? 0 : -1}
                      aria-label={`${spot.name}${targets.has(index) ? ", target" : ""}`}
                      aria-pressed={start === index ? "true" : undefined}
                      onFocus={() => setFocus(index)}
                      onClick={() => now && press(now, index)}
                      onKeyDown={(event) => key(event, spot)}
                    />
                  </div>
                ))}
              </div>
            ))}
          </div>
        )}
        {(!playable || spots.length === 0) && now && (
          <div class={inSpace ? "unseen" : "spots"} role="img" aria-label={now.label} />
        )}
      </div>
      {solid && (
        <div class="board-tools" role="group" aria-label="View of the board">
          {inSpace && <LookAround />}
          <button
            type="button"
            class="plain"
            data-testid="flat"
            onClick={() => setFlat(inSpace)}
          >
            {inSpace ? "net" : "in space"}
          </button>
        </div>
      )}
      {choices.value.length > 0 && (
        <div class="choices" role="group" aria-label="Moves to choose from">
          {choices.value.map((action) => (
            <button
              type="button"
              class="plain"
              key={action.text}
              onClick={() => {
                unselect();
                apply(action);
              }}
            >
              {actionWords(action)}
            </button>
          ))}
        </div>
      )}
      {now && !inSpace && !drawn && <pre class="text-board">{now.svg}</pre>}
      {!now && <p class="empty">Nothing is on the board yet.</p>}
    </div>
  );
}
