// The curves of searches over time: the best solution from above, the bound from below.

import type { JobState } from "./jobs";
import { useWidth } from "./size";
import { duration, whole } from "./words";

const HEIGHT = 240;
const LEFT = 46;
const RIGHT = 14;
const TOP = 14;
const FLOOR = 208;

/** Numbers of an axis that people like, from `low` to `high`. */
function ticks(low: number, high: number, most: number): number[] {
  const rough = Math.max(1, (high - low) / most);
  const power = 10 ** Math.floor(Math.log10(rough));
  const each = [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= rough) ?? rough;
  const list: number[] = [];
  for (let value = Math.ceil(low / each) * each; value <= high; value += each) list.push(value);
  return list;
}

export function Chart({ states, names }: { states: JobState[]; names: string[] }) {
  const { ref, width } = useWidth<HTMLDivElement>(760);
  const values = states.flatMap(({ found, bounds, record }) => [
    ...found.map(({ value }) => value),
    ...bounds.map(({ bound }) => bound),
    ...(record?.value != null ? [record.value] : []),
  ]);
  const last = Math.max(
    0.01,
    ...states.map(({ seconds, record }) => Math.max(seconds, record?.wall_s ?? 0)),
  );
  const first = 0.001;
  const low = values.length > 0 ? Math.min(...values) : 0;
  const high = values.length > 0 ? Math.max(...values) : 1;
  const pad = Math.max(1, (high - low) * 0.08);
  const [bottom, top] = [low - pad, high + pad];
  // Time is drawn on a logarithmic axis: most happens at the beginning.
  const X = (seconds: number) =>
    LEFT +
    (Math.log(Math.max(first, seconds) / first) / Math.log(last / first)) * (width - LEFT - RIGHT);
  const Y = (value: number) => FLOOR - ((value - bottom) / (top - bottom)) * (FLOOR - TOP);
  const steps = (points: { seconds: number; value: number }[], end: number) => {
    let path = "";
    points.forEach(({ seconds, value }, index) => {
      path +=
        index === 0
          ? `M${X(seconds).toFixed(1)} ${Y(value).toFixed(1)}`
          : `H${X(seconds).toFixed(1)}V${Y(value).toFixed(1)}`;
    });
    return path && `${path}H${X(end).toFixed(1)}`;
  };
  const decades = [0.001, 0.01, 0.1, 1, 10, 100, 1000, 10000].filter((time) => time <= last);
  return (
    <div class="chart" ref={ref} role="img" aria-label="Best solutions and bounds over time">
      <svg width={width} height={HEIGHT} aria-hidden="true">
        {ticks(bottom, top, 5).map((value) => (
          <g key={value}>
            <path class="grid" d={`M${LEFT} ${Y(value)}H${width - RIGHT}`} />
            <text x={LEFT - 8} y={Y(value) + 4} text-anchor="end">
              {values.length > 0 ? whole(value) : ""}
            </text>
          </g>
        ))}
        {decades.map((time) => (
          <text key={time} x={X(time)} y={FLOOR + 20} text-anchor="middle">
            {duration(time).replace(".0", "")}
          </text>
        ))}
        {states.map(({ found, bounds, seconds, record }, index) => {
          const end = Math.max(seconds, record?.wall_s ?? 0);
          const best = found.map(({ value, seconds }) => ({ value, seconds }));
          const bound = bounds.map(({ bound, seconds }) => ({ value: bound, seconds }));
          const [first] = best;
          return (
            <g key={index} class={`lane-${index}`}>
              <path class="bound" d={steps(bound, end)} />
              <path class="best" d={steps(best, end)} />
              {best.map(({ value, seconds }) =>
                index === 0 ? (
                  <circle key={seconds + value} cx={X(seconds)} cy={Y(value)} r="3.5" />
                ) : (
                  <rect
                    key={seconds + value}
                    x={X(seconds) - 3.2}
                    y={Y(value) - 3.2}
                    width="6.4"
                    height="6.4"
                  />
                ),
              )}
              {first && (
                <text
                  class="name"
                  x={X(first.seconds) - 9}
                  y={Y(first.value) + 5}
                  text-anchor="end"
                >
                  {names[index]}
                </text>
              )}
            </g>
          );
        })}
        <path class="axis" d={`M${LEFT} ${FLOOR}H${width - RIGHT}`} />
      </svg>
      {values.length === 0 && (
        <p class="empty">Both searches draw their best solutions and bounds here.</p>
      )}
    </div>
  );
}
