// Icons and signs, drawn so that they differ in shape.

import type { Sign } from "./facts";

const PATHS = {
  first: "M3 3h2v10H3zM13 3v10L6 8z",
  back: "M11 3v10L4 8z",
  play: "M4 2.5v11L13 8z",
  pause: "M4 3h3v10H4zM9 3h3v10H9z",
  forward: "M5 3v10l7-5z",
  last: "M3 3v10l7-5zM11 3h2v10h-2z",
};

export function Icon({ name }: { name: keyof typeof PATHS }) {
  return (
    <svg width="16" height="16" viewBox="0 0 16 16" fill="currentColor" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}

/** A sign at a point of a drawing. */
export function Mark({
  sign,
  x,
  y,
  size = 1,
}: {
  sign: Sign;
  x: number;
  y: number;
  size?: number;
}) {
  const s = 5 * size;
  switch (sign) {
    case "keep":
      return <circle class="sign-keep" cx={x} cy={y} r={3.6 * size} />;
    case "longer":
      return <path class="sign-longer" d={`M${x} ${y - s - 1}l${s + 1} ${2 * s}h${-2 * s - 2}z`} />;
    case "lost":
      return (
        <path
          class="sign-lost"
          d={`M${x - s} ${y - s}l${2 * s} ${2 * s}m0 ${-2 * s}l${-2 * s} ${2 * s}`}
        />
      );
    default:
      return <circle class="sign-open" cx={x} cy={y} r={3.4 * size} />;
  }
}

export function Sample({ sign }: { sign: Sign }) {
  return (
    <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
      <Mark sign={sign} x={6} y={6} size={sign === "longer" ? 0.75 : 0.9} />
    </svg>
  );
}

/** The seal: closed for a proof, open for a solution without one, crossed for "no solution". */
export function SealIcon({ kind }: { kind: "proved" | "found" | "none" | "gave-up" }) {
  return (
    <svg class={`seal-${kind}`} width="15" height="15" viewBox="0 0 15 15" aria-hidden="true">
      {kind === "proved" || kind === "none" ? (
        <circle cx="7.5" cy="7.5" r="7" fill="currentColor" />
      ) : (
        <circle cx="7.5" cy="7.5" r="6.2" fill="none" stroke="currentColor" stroke-width="1.5" />
      )}
      {kind === "proved" && <path class="tick" d="M4 7.8 6.5 10.2 11 5" />}
      {kind === "none" && <path class="tick" d="M4.8 4.8l5.4 5.4m0-5.4l-5.4 5.4" />}
      {kind === "found" && (
        <path d="M4 7.8 6.5 10.2 11 5" fill="none" stroke="currentColor" stroke-width="1.6" />
      )}
      {kind === "gave-up" && <path d="M4.5 7.5h6" stroke="currentColor" stroke-width="1.8" />}
    </svg>
  );
}
