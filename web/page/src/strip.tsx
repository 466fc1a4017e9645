// The strip: the cost-to-go after each action of the line, with a sign for each. It is the slider.

import { type Fact, informed, shown, type Sign } from "./facts";
import { Mark, Sample } from "./icons";
import { solving } from "./jobs";
import { useWidth } from "./size";
import { position, puzzle, step, steps } from "./store";
import { capital, of } from "./words";

const HEIGHT = 96;
const SIDE = 14;
/** Longest line whose every action has a sign; of longer ones, the mistakes have. */
const MANY = 400;
const TOP = 12;
const FLOOR = 72;

const SIGNS: [Sign, string][] = [
  ["keep", "best"],
  ["longer", "worse"],
  ["lost", "lost"],
  ["open", "not known"],
];

/** The value of a fact in words. */
export function factWords(fact: Fact, unit: string, score: boolean): string {
  const { best, bound, sign } = fact;
  const left = score ? "within reach" : "left";
  if (sign === "lost") return "lost: no solution from here";
  if (best !== null && best === bound) return `${of(best, unit)} ${left}`;
  if (best !== null && bound !== null) {
    const [low, high] = [Math.min(best, bound), Math.max(best, bound)];
    return `${low} to ${of(high, unit)} ${left}`;
  }
  const [best_, bound_] = score ? ["at least", "at most"] : ["at most", "at least"];
  if (best !== null) return `${best_} ${of(best, unit)} ${left}`;
  if (bound !== null) return `${bound_} ${of(bound, unit)} ${left}`;
  return "what is left is not known";
}

export function Strip() {
  const { ref, width } = useWidth<HTMLDivElement>(760);
  const { facts, played } = shown.value;
  const { at, of: last } = steps.value;
  const family = puzzle.value;
  if (!family || family.aim === "assignment") return null;
  const score = family.aim === "score";
  const height = (fact: Fact) => fact.best ?? fact.bound;
  const most = Math.max(1, ...facts.map((fact) => Math.max(height(fact) ?? 0, fact.bound ?? 0)));
  const X = (index: number) => SIDE + (last === 0 ? 0 : (index * (width - 2 * SIDE)) / last);
  const Y = (value: number) => FLOOR - (value / most) * (FLOOR - TOP);
  const middle = (TOP + FLOOR) / 2;
  const y = (fact: Fact) => {
    const value = height(fact);
    return value === null || fact.sign === "lost" ? middle : Y(value);
  };
  const gap = last > 0 ? (width - 2 * SIDE) / last : width;
  const dense = Math.min(1, Math.max(0.5, gap / 11));
  const lost = facts.findIndex(({ sign }) => sign === "lost");
  let curve = "";
  let area = "";
  let bounds = "";
  facts.forEach((fact, index) => {
    const value = height(fact);
    if (value === null || fact.sign === "lost") return;
    curve += `${curve ? "L" : "M"}${X(index).toFixed(1)} ${Y(value).toFixed(1)}`;
    area += `${area ? "L" : `M${X(index).toFixed(1)} ${FLOOR}L`}${X(index).toFixed(1)} ${Y(value).toFixed(1)}`;
    if (
      index === facts.length - 1 ||
      height(facts[index + 1]) === null ||
      facts[index + 1].sign === "lost"
    ) {
      area += `L${X(index).toFixed(1)} ${FLOOR}Z`;
    }
    if (fact.bound !== null && fact.bound !== fact.best && fact.bound >= 0) {
      bounds += `${bounds ? "L" : "M"}${X(index).toFixed(1)} ${Y(fact.bound).toFixed(1)}`;
    }
  });
  const label = ticks(last, width);
  const head = `${capital(family.unit)} ${score ? "within reach" : "left"}`;
  const present = new Set(facts.map(({ sign }) => sign));
  const now = facts[at];
  return (
    <section class={`strip ${last > 0 ? "" : "bare"}`} data-testid="strip" aria-label={head}>
      <h2>
        <b>{head}</b>
        {informed.value &&
          SIGNS.filter(([sign]) => present.has(sign)).map(([sign, word]) => (
            <span class="key" key={sign}>
              <Sample sign={sign} />
              {word === "best" && !score
                ? "shortest"
                : word === "worse" && !score
                  ? "longer"
                  : word}
            </span>
          ))}
        {last > 0 && !informed.value && (
          <span class="soft">A review shows what is left after each move.</span>
        )}
        {informed.value && now && <span class="now">{factWords(now, family.unit, score)}</span>}
      </h2>
      <div class="strip-area" ref={ref}>
        <svg width={width} height={HEIGHT} aria-hidden="true">
          {lost >= 0 && (
            <rect
              class="lost-area"
              x={Math.max(0, X(lost) - gap / 2)}
              y="2"
              width={width - Math.max(0, X(lost) - gap / 2)}
              height={FLOOR}
            />
          )}
          <path class="axis" d={`M${SIDE} ${FLOOR + 0.5}H${width - SIDE}`} />
          {area && <path class="area" d={area} />}
          {bounds && <path class="bounds" d={bounds} />}
          {curve && <path class="curve" d={curve} />}
          {last > 0 &&
            facts.map((fact, index) =>
              last > MANY && (fact.sign === "open" || fact.sign === "keep") ? null : (
                <Mark key={index} sign={fact.sign} x={X(index)} y={y(fact)} size={dense} />
              ),
            )}
          {label.map((index) => (
            <text key={index} x={X(index)} y="93" text-anchor="middle">
              {index}
            </text>
          ))}
          {last > 0 && now && (
            <>
              <path class="here" d={`M${X(at)} 0V${FLOOR + 2}`} />
              <circle class="here" cx={X(at)} cy={y(now)} r="8" />
            </>
          )}
        </svg>
        {last > 0 ? (
          <input
            type="range"
            min="0"
            max={last}
            value={at}
            aria-label="Step of the line"
            aria-valuetext={`${at} of ${last}${at > 0 ? `, ${played[at - 1]}` : ""}: ${factWords(now, family.unit, score)}`}
            onInput={(event) => step(Number(event.currentTarget.value))}
          />
        ) : (
          <p class="empty">
            {!position.value
              ? ""
              : solving.busy
                ? "The line appears here when the search ends."
                : "No line yet: solve the puzzle, or play."}
          </p>
        )}
      </div>
    </section>
  );
}

/** Numbers under the axis, as many as fit. */
function ticks(last: number, width: number): number[] {
  if (last === 0) return [];
  const fit = Math.max(1, Math.floor(width / 48));
  const nice = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];
  const every = nice.find((each) => last / each <= fit) ?? last;
  const list: number[] = [];
  for (let index = 0; index <= last; index += every) list.push(index);
  const end = list[list.length - 1];
  if (end !== last) {
    if ((last - end) * (width / last) < 24) list.pop();
    list.push(last);
  }
  return list;
}
