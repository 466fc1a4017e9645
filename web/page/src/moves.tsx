// The moves of the line: buttons in monospace, with ways to take them along.

import { useEffect, useRef, useState } from "preact/hooks";
import { engine } from "./engine";
import { shown } from "./facts";
import { copy, download } from "./files";
import { errorBody } from "./interface";
import { address, position, puzzle, steps } from "./store";
import { jump } from "./transport";

export function Moves({ title }: { title: string }) {
  const now = position.value;
  const family = puzzle.value;
  const list = useRef<HTMLDivElement>(null);
  const [error, setError] = useState("");
  const { at } = steps.value;
  useEffect(() => {
    // The current move stays visible inside the list, without a scroll of the page.
    const box = list.current;
    const move = box?.querySelector<HTMLElement>(".at");
    if (box && move) {
      const top = move.offsetTop - box.offsetTop;
      if (top < box.scrollTop || top > box.scrollTop + box.clientHeight - 32) {
        box.scrollTop = Math.max(0, top - 48);
      }
    }
  }, [at, now]);
  if (!now || !family) return null;
  const { facts } = shown.value;
  const assignment = family.aim === "assignment";
  const text = address.value.line;
  const film = async () => {
    const { puzzle: spec, instance, line } = address.value;
    const seconds = Math.max(2, now.played.length * 0.5);
    try {
      const { svg } = await engine.call("film", { puzzle: spec, instance, line, seconds });
      setError("");
      download(svg, `${family.name}-film.svg`);
    } catch (reason) {
      setError(errorBody(reason).message);
    }
  };
  const link = (text: string, name: string, press: () => void) => (
    <button type="button" class="link" aria-label={name} onClick={press}>
      {text}
    </button>
  );
  return (
    <section class="card" aria-label={title}>
      <div class="row">
        <h2>{title}</h2>
        <span class="links">
          {(now.played.length > 0 || (assignment && text)) &&
            link("copy", "Copy the moves", () => copy(now.whole || text, "the moves"))}
          {link("picture", "Save a picture of the position", () =>
            download(now.svg, `${family.name}-${at}.svg`),
          )}
          {now.played.length > 1 && link("film", "Save the line as a film", film)}
          {link("link", "Copy a link to this view", () =>
            copy(window.location.href, "a link to this view"),
          )}
        </span>
      </div>
      {assignment && text ? (
        <p class="solution" data-testid="moves">
          {text}
        </p>
      ) : now.played.length === 0 ? (
        <p class="sub">{assignment ? "No solution yet." : "No moves yet."}</p>
      ) : (
        <div class="moves" data-testid="moves" role="group" aria-label="Moves" ref={list}>
          {now.played.map((text, index) => {
            const fact = facts[index + 1];
            const bad = facts[index]?.sign === "lost" ? "" : fact?.sign;
            const state = index + 1 === at ? "at" : index < at ? "past" : "";
            const mark = bad === "lost" ? "lost" : bad === "longer" ? "longer" : "";
            return (
              <button
                type="button"
                key={index}
                class={`${state} ${mark}`}
                tabIndex={index + 1 === Math.max(1, at) ? 0 : -1}
                aria-current={index + 1 === at ? "step" : undefined}
                aria-label={`${index + 1}: ${text}${mark ? `, ${mark === "lost" ? "lost" : "worse"}` : ""}`}
                onClick={() => jump(index + 1)}
              >
                {text}
              </button>
            );
          })}
        </div>
      )}
      {error && <p class="error">{error}</p>}
    </section>
  );
}
