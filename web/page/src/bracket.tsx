// The bracket: the proved bound grows from one side, solutions are dots on the other.

import type { JobState } from "./jobs";
import { useWidth } from "./size";
import type { Aim } from "./types";
import { whole } from "./words";

/** Labels of the values that fit: the best one first, then the others, latest first. */
function fitting(values: number[], x: (value: number) => number): number[] {
  const shown: number[] = [];
  const width = (value: number) => whole(value).length * 7.5 + 8;
  for (const value of values) {
    const free = shown.every(
      (other) => Math.abs(x(other) - x(value)) >= (width(other) + width(value)) / 2,
    );
    if (free) shown.push(value);
  }
  return shown;
}

/** Whether more is better: an assignment may have a cost or a score. */
function isMirrored({ found, record, upper }: JobState, aim: Aim): boolean {
  if (aim !== "assignment") return aim === "score";
  if (found.length > 1) return found[found.length - 1].value > found[0].value;
  return upper || (record?.upper_bound ?? null) !== null;
}

export function Bracket({ state, aim }: { state: JobState; aim: Aim }) {
  const { ref, width } = useWidth<HTMLDivElement>(338);
  const { bound, found, record } = state;
  const mirrored = isMirrored(state, aim);
  const values = [...new Set(found.map(({ value }) => value))];
  if (record?.value !== null && record?.value !== undefined && !values.includes(record.value)) {
    values.push(record.value);
  }
  const best = values.length === 0 ? null : mirrored ? Math.max(...values) : Math.min(...values);
  const proved = record?.status === "optimal" || (best !== null && best === bound);
  const all = [...values, ...(bound === null ? [] : [bound])];
  const top =
    Math.max(1, ...all) * (mirrored ? (bound === null ? 1.3 : 1.08) : best === null ? 1.6 : 1.18);
  const low = Math.min(0, ...all);
  const side = 8;
  const X = (value: number) => side + ((value - low) / (top - low)) * (width - 2 * side);
  const order = [...values].sort((a, b) => (mirrored ? b - a : a - b));
  const labels = fitting(order, X);
  const words =
    bound === null
      ? state.status === "running"
        ? "no bound yet"
        : "no bound"
      : proved
        ? `nothing ${mirrored ? "above" : "below"}`
        : `${mirrored ? "at most" : "at least"} ${whole(bound)}`;
  const text = [
    words,
    best === null ? "no solution found yet" : `best solution ${whole(best)}`,
    proved ? "bound and solution meet" : "",
  ];
  const ends = mirrored
    ? { from: width - side, label: width - side, anchor: "end" }
    : { from: side, label: side, anchor: "start" };
  // The words give way to a label that needs their room.
  const room = words.length * 6.4 + 16;
  const free = labels.every((value) =>
    mirrored ? X(value) + 16 < width - room : X(value) - 16 > room,
  );
  return (
    <div
      class="bracket"
      ref={ref}
      data-testid="bracket"
      role="img"
      aria-label={text.filter(Boolean).join(", ")}
    >
      <svg width={width} height={free ? 46 : 62} aria-hidden="true">
        <path class="rail" d={`M${side} 16H${width - side}`} />
        {bound !== null && <path class="bound" d={`M${ends.from} 16H${X(bound)}`} />}
        {bound !== null && !proved && <path class="bound-end" d={`M${X(bound)} 8v16`} />}
        {order.toReversed().map((value) => (
          <circle
            key={value}
            class={value === best ? (proved ? "best proved" : "best") : "dot"}
            cx={X(value)}
            cy="16"
            r={value === best ? 7 : 4}
          />
        ))}
        {labels.map((value) => (
          <text
            key={value}
            class={value === best ? "best" : ""}
            x={X(value)}
            y="40"
            text-anchor="middle"
          >
            {whole(value)}
          </text>
        ))}
        <text x={ends.label} y={free ? 40 : 58} text-anchor={ends.anchor as "start" | "end"}>
          {words}
        </text>
      </svg>
    </div>
  );
}
