// The room Play: moves as buttons, hint, undo and redo, and the review of the line.

import { puzzleKeys } from "./keys";
import { hinting } from "./jobs";
import { Moves } from "./moves";
import { ReviewCard } from "./review";
import { askHint, hint } from "./run";
import { apply, position, puzzle, steps } from "./store";
import { jump } from "./transport";
import { actionWords, of, sentence } from "./words";

function Actions() {
  const now = position.value;
  if (!now) return null;
  const free = now.actions.filter(({ from, to }) => from === null && to === null);
  const spotted = now.actions.filter(({ from, to }) => from !== null || to !== null);
  const buttons = (list: typeof free) => (
    <div class="actions" role="group" aria-label="Moves that are possible">
      {list.map((action) => (
        <button
          type="button"
          key={action.text}
          data-testid={`action-${action.text}`}
          title={actionWords(action) === action.text ? undefined : action.name}
          aria-label={
            actionWords(action) === action.text ? undefined : `${action.text}: ${action.name}`
          }
          onClick={() => apply(action)}
        >
          {action.text}
          {action.key && action.key !== action.text && action.key.length === 1 && (
            <kbd>{action.key}</kbd>
          )}
        </button>
      ))}
    </div>
  );
  return (
    <>
      {free.length > 0 && buttons(free)}
      {spotted.length > 0 && (
        <details class="fold">
          <summary>
            Moves as buttons <span class="sub">{spotted.length}</span>
          </summary>
          {buttons(spotted)}
        </details>
      )}
    </>
  );
}

function HintText() {
  const now = position.value;
  const given = hint.value;
  if (hinting.busy) {
    const { found } = hinting.state.value;
    return (
      <p class="sub" data-testid="hint-text">
        Looking for the best line from here{found.length > 0 ? "; one is found" : ""} …{" "}
        <button type="button" class="link" onClick={() => hinting.cancel()}>
          stop
        </button>
      </p>
    );
  }
  if (!given || given.position !== now) return null;
  return (
    <p class="hint-text" data-testid="hint-text">
      {given.text}{" "}
      {given.action && (
        <button type="button" class="link" onClick={() => given.action && apply(given.action)}>
          play it
        </button>
      )}
    </p>
  );
}

function PlayCard() {
  const now = position.value;
  const family = puzzle.value;
  const { at, of: last } = steps.value;
  if (!now || !family) return null;
  if (family.aim === "assignment") {
    return (
      <section class="card" aria-label="Play">
        <h2>Play</h2>
        <p class="sub">
          This puzzle has no moves: its solution is a whole assignment. Solve finds it, Set up
          changes it.
        </p>
      </section>
    );
  }
  const keyed = now.actions.some(({ key }) => key !== null);
  const pressed = now.spots.length > 0;
  const how = now.over
    ? ""
    : [pressed ? "Press on the board" : "Press a move", keyed ? "or use the keys" : ""]
        .filter(Boolean)
        .join(" ");
  return (
    <section class="card" aria-label="Play">
      <div class="row">
        <h2>{now.over ? (family.aim === "score" ? "Game over" : "Solved") : "Play"}</h2>
        {keyed && (
          <button
            type="button"
            class="link"
            onClick={() => (puzzleKeys.value = !(puzzleKeys.value ?? true))}
          >
            keys: {(puzzleKeys.value ?? true) ? "puzzle" : "line"}
          </button>
        )}
      </div>
      <p class="sub">
        {how ? sentence(how) : `The line is complete: ${of(now.value, family.unit)}.`}
        {!now.over && now.actions.length === 0 && " No move is left."}
      </p>
      <Actions />
      <div class="buttons">
        <button
          type="button"
          class="plain"
          data-testid="undo"
          disabled={at === 0}
          onClick={() => jump(at - 1)}
        >
          Undo
        </button>
        <button
          type="button"
          class="plain"
          data-testid="redo"
          disabled={at === last}
          onClick={() => jump(at + 1)}
        >
          Redo
        </button>
        <button
          type="button"
          class="plain"
          data-testid="hint"
          disabled={hinting.busy || now.over}
          onClick={askHint}
        >
          Hint
        </button>
      </div>
      <HintText />
    </section>
  );
}

export function PlayRoom() {
  const family = puzzle.value;
  if (!family) return null;
  return (
    <>
      <ReviewCard />
      <PlayCard />
      <Moves title={family.aim === "assignment" ? "Solution" : "Your line"} />
    </>
  );
}
