// The card of the review: the verdict on the line, the move that matters, and a better one.

import { signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { known, mistake, mistakes } from "./facts";
import { reviewing } from "./jobs";
import { review } from "./run";
import { address, apply, go, position, positionAt, puzzle, steps } from "./store";
import { jump } from "./transport";
import { Trouble } from "./trouble";
import type { Judged, Puzzle, Review } from "./types";
import { actionWords, capital, of, stepWord, whole } from "./words";

/** Which of the two moves is chosen: the better one, or the played one. */
const keepMine = signal(false);

/** The step that the card speaks of: the shown one if it is a mistake, else the first mistake. */
function subject(review: Review): number | null {
  const { at } = steps.value;
  const list = mistakes.value;
  if (list.includes(at)) return at;
  return review.losing ?? list[0] ?? null;
}

function left(judged: Judged, { aim, unit }: Puzzle): string {
  const { best, bound, value } = judged;
  if (judged.verdict === "lost") return "lost";
  const words = aim === "score" ? "within reach" : "left";
  const number = best ?? bound;
  if (number === null) return "not known";
  const sign = best !== null && best === bound ? "" : best === null ? (aim === "score" ? "≤ " : "≥ ") : aim === "score" ? "≥ " : "≤ ";
  return `${sign}${of(aim === "score" ? number : number - value, unit)} ${words}`;
}

/** The result of the review in a sentence, and its reason. */
function headline(review: Review, family: Puzzle, at: number | null): [string, string] {
  const { positions } = review;
  const { aim, unit } = family;
  const [start] = positions;
  const end = positions[positions.length - 1];
  const word = capital(stepWord(unit, aim));
  if (start.verdict === "lost") return ["No solution from the start.", "It is proved that this instance cannot be solved."];
  if (at !== null && positions[at]) {
    const here = positions[at];
    const before = positions[at - 1];
    if (here.verdict === "lost") {
      const exact = before.best !== null && before.best === before.bound;
      const rest = before.best === null ? "" : of(before.best - (aim === "score" ? 0 : before.value), unit);
      const would =
        before.best === null
          ? "It is proved that no solution exists from there."
          : `No solution exists from there: proved. Before it, ${exact ? "" : "at most "}${rest} would have done.`;
      const from = before.verdict === "solvable";
      return [from ? `${word} ${at} lost the game.` : `Lost after ${word.toLowerCase()} ${at}, at the latest.`, would];
    }
    const loss = here.loss ?? 0;
    const least = here.most_loss === loss ? "" : "at least ";
    const cost = aim === "cost" ? `${least}${of(loss, unit)} longer` : `${least}${of(loss, unit)} worse`;
    return [`${word} ${at} is ${cost}.`, `The position is still solvable: ${left(here, family)}.`];
  }
  if (review.solved) {
    const value = of(end.value, unit);
    const exact = start.best !== null && start.best === start.bound;
    if (exact && start.best === end.value) {
      return [`Solved in ${value}.`, aim === "cost" ? "None shorter exists: proved." : "None better exists: proved."];
    }
    return [`Solved with ${value}.`, start.best === null ? "Whether it is the best is not known." : `${exact ? "The best possible is" : "The best known is"} ${whole(start.best)}.`];
  }
  if (end.verdict === "solvable") return ["Still solvable.", `No mistake is known in this line: ${left(end, family)}.`];
  return ["Not known.", "Whether the position can be solved was not found out within the limit of time."];
}

async function tryBetter(at: number, better: string): Promise<void> {
  const { puzzle: spec, instance } = address.value;
  const line = position.value?.whole ?? "";
  const before = await positionAt(spec, instance, line, at - 1);
  const action = before.actions.find(({ text }) => text === better);
  if (action) apply(action);
  else go({ at: at - 1 });
}

/** Names for people of the actions at a position of the line, by their texts. */
function useNames(at: number | null): (text: string) => string {
  const { puzzle: spec, instance } = address.value;
  const line = position.value?.whole ?? "";
  const [names, setNames] = useState(new Map<string, string>());
  useEffect(() => {
    setNames(new Map());
    if (at === null) return;
    let over = false;
    positionAt(spec, instance, line, at)
      .then(({ actions }) => !over && setNames(new Map(actions.map((action) => [action.text, actionWords(action)]))))
      .catch(() => {});
    return () => {
      over = true;
    };
  }, [spec, instance, line, at]);
  return (text) => names.get(text) ?? text;
}

/** A move as its name, with its notation behind it where the two differ. */
function Named({ text, name }: { text: string; name: string }) {
  if (name === text) return <em>{text}</em>;
  return (
    <em>
      {capital(name)} <code>{text}</code>
    </em>
  );
}

export function ReviewCard() {
  const state = reviewing.state.value;
  const family = puzzle.value;
  const now = position.value;
  const same = known.value?.played.join("\n") === now?.played.join("\n");
  const at = state.review && same ? subject(state.review) : null;
  const named = useNames(at === null ? null : at - 1);
  if (!family || !now || family.aim === "assignment") return null;
  const { review: found, status, error, done, of: all } = state;
  const word = stepWord(family.unit, family.aim);
  const button = (text: string) => (
    <button
      type="button"
      class={found && same ? "link again" : "main"}
      data-testid="review"
      disabled={now.played.length === 0 || status === "running"}
      onClick={review}
    >
      {text}
    </button>
  );
  if (!found) {
    return (
      <section class="card" aria-label="Review">
        <h2>Review</h2>
        <p class="sub">
          {now.played.length === 0
            ? "Play some moves, or paste a line. The review then tells for each move whether it kept the best, cost something, or lost the game."
            : status === "running"
              ? (state.note || "Solving each position of the line …")
              : "For each move: whether it kept the best, cost something, or lost the game."}
        </p>
        {error && <Trouble error={error} />}
        {status === "running" ? (
          <button type="button" class="main stop" onClick={() => reviewing.cancel()}>
            Stop the review
          </button>
        ) : (
          button("Review this line")
        )}
      </section>
    );
  }
  const [head, why] = headline(found, family, at);
  const judged = at === null ? null : found.positions[at];
  const before = at === null ? null : found.positions[at - 1];
  const better = judged?.better ?? null;
  const next = mistake(1);
  return (
    <section class="card" aria-label="Review" aria-busy={status === "running"}>
      <div class="row">
        <h2>{same ? "Review" : "Review of the line before"}</h2>
        {same && mistakes.value.length > 0 && next !== null && (
          <button type="button" class="link" data-testid="next-mistake" onClick={() => jump(next)}>
            next mistake
          </button>
        )}
      </div>
      <p class="headline" data-testid="review-headline">
        {head}
      </p>
      <p class="sub">{why}</p>
      {status === "running" && (
        <p class="sub">
          <progress max={all} value={done} aria-label="Positions reviewed" /> {done} of {all} positions{" "}
          <button type="button" class="link" onClick={() => reviewing.cancel()}>
            stop
          </button>
        </p>
      )}
      {error && <Trouble error={error} />}
      {judged && before && at !== null && (
        <>
          <div class="presets two" role="radiogroup" aria-label={`${capital(word)} ${at}`}>
            {better !== null && (
              <label class={keepMine.value ? "" : "on"}>
                <input type="radio" name="better" checked={!keepMine.value} onChange={() => (keepMine.value = false)} />
                <Named text={better} name={named(better)} />
                <u>{left(before, family)}</u>
                <span>{family.aim === "cost" ? "the shortest from there" : "the best from there"}</span>
              </label>
            )}
            <label class={keepMine.value || better === null ? "on" : ""}>
              <input type="radio" name="better" checked={keepMine.value || better === null} onChange={() => (keepMine.value = true)} />
              <Named text={judged.action ?? ""} name={named(judged.action ?? "")} />
              <u class={judged.verdict === "lost" ? "lost-word" : ""}>{left(judged, family)}</u>
              <span>what you played</span>
            </label>
          </div>
          <button
            type="button"
            class="main"
            data-testid="try-better"
            onClick={() => (better !== null && !keepMine.value ? void tryBetter(at, better) : jump(at))}
          >
            {better !== null && !keepMine.value
              ? `Go back to ${at === 1 ? "the start" : `${word} ${at - 1}`} and try ${better}`
              : `Go to ${word} ${at}`}
          </button>
        </>
      )}
      {status === "ended" && button(same ? "review again" : "Review this line")}
    </section>
  );
}
