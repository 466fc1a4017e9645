// Curves of a log: a small drawing for each column of numbers, over the first column.

import type { Log } from "./kept";
import { useWidth } from "./size";

const HEIGHT = 96;
/** Points of a curve; longer logs are thinned. */
const POINTS = 600;

function short(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e6 || (size > 0 && size < 1e-3)) return value.toExponential(1);
  return String(Number(value.toPrecision(4)));
}

function Curve({ name, points }: { name: string; points: [number, number][] }) {
  const { ref, width } = useWidth<HTMLDivElement>(240);
  const every = Math.max(1, Math.ceil(points.length / POINTS));
  const thin = points.filter((_, index) => index % every === 0 || index === points.length - 1);
  const xs = thin.map(([x]) => x);
  const ys = thin.map(([, y]) => y);
  const [left, right] = [Math.min(...xs), Math.max(...xs)];
  const [low, high] = [Math.min(...ys), Math.max(...ys)];
  const X = (x: number) => 2 + ((x - left) / (right - left || 1)) * (width - 8);
  const Y = (y: number) => HEIGHT - 6 - ((y - low) / (high - low || 1)) * (HEIGHT - 12);
  const last = thin[thin.length - 1];
  const path = thin
    .map(([x, y], index) => `${index === 0 ? "M" : "L"}${X(x).toFixed(1)} ${Y(y).toFixed(1)}`)
    .join("");
  return (
    <figure class="curve" ref={ref}>
      <figcaption>
        <b>{name}</b> <span>{short(last[1])}</span>
      </figcaption>
      <svg
        width={width}
        height={HEIGHT}
        role="img"
        aria-label={`${name}: from ${short(ys[0])} to ${short(last[1])}, between ${short(low)} and ${short(high)}`}
      >
        <path class="axis" d={`M0 ${HEIGHT - 0.5}H${width}`} />
        <path class="line" d={path} />
        <circle cx={X(last[0])} cy={Y(last[1])} r="3.5" />
      </svg>
      <p class="sub">
        {short(low)} to {short(high)}
      </p>
    </figure>
  );
}

export function Curves({ log }: { log: Log }) {
  const curves = log.columns
    .map((name, column) => ({
      name,
      points: log.rows
        .map((row): [unknown, unknown] => [row[0], row[column]])
        .filter(
          (point): point is [number, number] =>
            typeof point[0] === "number" && typeof point[1] === "number",
        ),
    }))
    .slice(1)
    .filter(({ points }) => points.length > 0);
  if (curves.length === 0) return <p class="sub">The log has no numbers yet.</p>;
  return (
    <div class="curves">
      {curves.map(({ name, points }) => (
        <Curve key={name} name={name} points={points} />
      ))}
    </div>
  );
}
