// A position in space: drawn as polygons, turned by dragging and by keys, pressed like its net.

import { signal } from "@preact/signals";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import {
  behind,
  convex,
  FRONT,
  isBehind,
  near,
  RADIUS,
  type Shape,
  shapes,
  showing,
  textSize,
  type View,
} from "./space";
import { keep, kept } from "./storage";
import type { Action, Position, Solid, Turn } from "./types";

/** Whether the net is shown in place of the solid. */
export const flat = signal(kept<boolean>("flat") ?? false);

export function setFlat(value: boolean): void {
  flat.value = value;
  keep("flat", value);
}

/** Time of a motion in milliseconds, and the least time if positions follow each other quickly. */
const TIME = 180;
const LEAST = 50;
/** Movement of the pointer in pixels from which a press is a drag. */
const DRAG = 5;
/** Degrees for a drag over the width of the solid, and for a key. */
const SWEEP = 200;
const STEP = 15;

const view = signal<View>(FRONT);
const goal = signal<View>(FRONT);

const still = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;
const eased = (part: number) => 1 - (1 - part) ** 3;

/** Calls `show` with the eased part of the time, from 0 to 1. Returns a function that ends it. */
function tween(time: number, show: (part: number) => void): () => void {
  const start = performance.now();
  let frame = 0;
  const next = () => {
    const part = Math.min(1, (performance.now() - start) / time);
    if (part < 1) frame = requestAnimationFrame(next);
    show(eased(part));
  };
  frame = requestAnimationFrame(next);
  return () => cancelAnimationFrame(frame);
}

let endMove = () => {};

/** Moves the view; a movement in progress continues from where it is. */
function look(to: View): void {
  endMove();
  goal.value = to;
  const from = view.value;
  if (still()) {
    view.value = to;
    return;
  }
  endMove = tween(TIME, (part) => {
    const between = (a: number, b: number) => a + (b - a) * part;
    view.value = { yaw: between(from.yaw, to.yaw), pitch: between(from.pitch, to.pitch) };
  });
}

const upright = (pitch: number) => Math.max(-90, Math.min(90, pitch));

/** Shows the other sides, or the usual view again. */
export function lookAround(): void {
  look(near(isBehind(goal.value) ? FRONT : behind(FRONT), view.value));
}

export function LookAround() {
  return (
    <button type="button" class="plain" data-testid="look-around" onClick={lookAround}>
      {isBehind(goal.value) ? "from the front" : "from behind"}
    </button>
  );
}

/** Motion between two positions: forwards, or backwards if an action is taken back. */
interface Motion {
  solid: Solid;
  turn: Turn;
  from: number;
  to: number;
}

function motion(before: Position, now: Position): Motion | null {
  const leads = (position: Position, line: string) => (action: Action) =>
    action.line === line && position.line !== line && action.turn !== undefined;
  const forth = before.actions.find(leads(before, now.line))?.turn;
  if (forth && before.solid) {
    return { solid: before.solid, turn: forth, from: 0, to: forth.degrees };
  }
  const back = now.actions.find(leads(now, before.line))?.turn;
  if (back && now.solid) return { solid: now.solid, turn: back, from: back.degrees, to: 0 };
  return null;
}

/** Whether a text on a colour is dark. */
function isLight(colour: string): boolean {
  const hex = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(colour);
  if (!hex) return true;
  const [r, g, b] = hex.slice(1).map((part) => parseInt(part, 16));
  return 0.3 * r + 0.59 * g + 0.11 * b > 140;
}

const SVG = "http://www.w3.org/2000/svg";

function element(name: string, attributes: Record<string, string>, parent?: Element): SVGElement {
  const made = document.createElementNS(SVG, name) as SVGElement;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  parent?.append(made);
  return made;
}

interface Drawn {
  body: SVGElement;
  group: SVGElement;
  face: SVGElement;
  text: SVGElement;
}

/** Elements of the shapes; a shape keeps its elements while it is drawn again. */
class Painter {
  private readonly drawn = new Map<number, Drawn>();
  private order = "";

  private elements(facet: number): Drawn {
    const known = this.drawn.get(facet);
    if (known) return known;
    const body = element("path", { "data-facet": String(facet) });
    const group = element("g", { "data-facet": String(facet) });
    const made = {
      body,
      group,
      face: element("path", {}, group),
      text: element("text", {}, group),
    };
    this.drawn.set(facet, made);
    return made;
  }

  paint(
    host: SVGSVGElement,
    solid: Solid,
    list: Shape[],
    isConvex: boolean,
    isMoving: boolean,
    marks: (spot: number | null) => string,
  ): void {
    const bodies: SVGElement[] = [];
    const traces: SVGElement[] = [];
    const faces: SVGElement[] = [];
    const all: SVGElement[] = [];
    let part: boolean | null = null;
    const flush = () => all.push(...bodies.splice(0), ...traces.splice(0), ...faces.splice(0));
    for (const { facet, body, face, at, tilt, turns } of list) {
      const made = this.elements(facet);
      const about = solid.facets[facet];
      const named = about?.class.replace(isMoving ? /\blast\b/ : "", "") + (turns ? " last" : "");
      const marked = about ? marks(about.spot) : "";
      made.body.setAttribute("d", body);
      made.body.setAttribute("class", about ? `body ${named}` : "body cut");
      // The bodies of a part are below all its faces, unless some of its facets hide others.
      if (!isConvex || turns !== part) flush();
      part = turns;
      (about && named.includes("last") ? traces : bodies).push(made.body);
      if (!about) continue;
      made.group.setAttribute("class", `facet ${named} ${marked}`);
      made.face.setAttribute("d", face);
      made.face.setAttribute("fill", about.colour);
      const [x, y] = at;
      made.text.setAttribute("x", x.toFixed(2));
      made.text.setAttribute("y", y.toFixed(2));
      made.text.setAttribute("fill", isLight(about.colour) ? "#17181a" : "#ffffff");
      // Texts fade where their facet is seen from the side.
      made.text.setAttribute("opacity", Math.max(0, Math.min(0.72, 1.6 * tilt - 0.2)).toFixed(2));
      if (made.text.textContent !== about.text) made.text.textContent = about.text;
      faces.push(made.group);
    }
    flush();
    const order = all
      .map((one) => `${one.tagName}${one.getAttribute("data-facet")}`)
      .join(" ");
    if (order === this.order && host.childElementCount === all.length) return;
    this.order = order;
    host.replaceChildren(...all);
  }
}

/** A press that may become a drag. */
interface Drag {
  pointer: number;
  x: number;
  y: number;
  facet: number | null;
  view: View;
  far: boolean;
}

export interface SolidViewProps {
  now: Position;
  solid: Solid;
  /** Name of the game to which the position belongs: only its positions move into each other. */
  game: string;
  /** Spot of the keyboard's focus, which is brought into view. */
  focused: number | null;
  /** Classes of a spot. */
  marks: (spot: number) => string;
  press: ((spot: number) => void) | null;
}

export function SolidView({ now, solid, game, focused, marks, press }: SolidViewProps) {
  const host = useRef<SVGSVGElement>(null);
  const painter = useMemo(() => new Painter(), []);
  const before = useRef<{ now: Position; game: string; since: number } | null>(null);
  const moving = useRef<{ motion: Motion; angle: number } | null>(null);
  const isConvex = useMemo(() => convex(solid), [solid]);
  const size = useMemo(() => textSize(solid), [solid]);
  const drag = useRef<Drag | null>(null);

  const paint = () => {
    if (!host.current) return;
    const { motion, angle } = moving.current ?? { motion: null, angle: 0 };
    const shown = motion?.solid ?? solid;
    const list = shapes(shown, view.value, motion?.turn ?? null, angle, isConvex);
    painter.paint(host.current, shown, list, isConvex, motion !== null, (spot) =>
      spot === null || motion ? "" : marks(spot) + (spot === focused ? " focused" : ""),
    );
  };
  const painting = useRef(paint);
  painting.current = paint;

  useLayoutEffect(() => {
    const last = before.current;
    const time = performance.now();
    before.current = { now, game, since: time };
    moving.current = null;
    const found = last && last.game === game && !still() ? motion(last.now, now) : null;
    if (!last || !found) return;
    const { from, to } = found;
    moving.current = { motion: found, angle: from };
    const duration = Math.max(LEAST, Math.min(TIME, 0.9 * (time - last.since)));
    return tween(duration, (part) => {
      moving.current = part < 1 ? { motion: found, angle: from + (to - from) * part } : null;
      painting.current();
    });
  }, [now]);
  useLayoutEffect(paint);
  useEffect(() => view.subscribe(() => painting.current()), []);
  useEffect(() => {
    const facet = solid.facets.find(({ spot }) => spot !== null && spot === focused);
    if (!facet) return;
    const next = showing(facet, goal.value);
    if (next !== goal.value) look(next);
  }, [focused]);

  const keys: Record<string, [number, number]> = {
    ArrowLeft: [-STEP, 0],
    ArrowRight: [STEP, 0],
    ArrowUp: [0, -STEP],
    ArrowDown: [0, STEP],
  };
  const edge = RADIUS * 1.02;
  return (
    <div
      class="solid"
      role="application"
      tabIndex={0}
      data-own-keys
      data-testid="solid"
      aria-label="The board in space; arrow keys turn it"
      onKeyDown={(event) => {
        const by = keys[event.key];
        if (!by || event.ctrlKey || event.metaKey || event.altKey) return;
        event.preventDefault();
        event.stopPropagation();
        const { yaw, pitch } = goal.value;
        look({ yaw: yaw + by[0], pitch: upright(pitch + by[1]) });
      }}
      // A press gives the focus to nothing, so that keys play and arrows step through the line.
      onMouseDown={(event) => {
        event.preventDefault();
        if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
      }}
      onPointerDown={(event) => {
        if (event.button !== 0 || drag.current) return;
        const hit = (event.target as Element).closest<SVGElement>("[data-facet]");
        const facet = hit ? Number(hit.dataset.facet) : null;
        endMove();
        event.currentTarget.setPointerCapture(event.pointerId);
        const { clientX: x, clientY: y } = event;
        drag.current = { pointer: event.pointerId, x, y, facet, view: view.value, far: false };
      }}
      onPointerMove={(event) => {
        const start = drag.current;
        if (start?.pointer !== event.pointerId) return;
        const [dx, dy] = [event.clientX - start.x, event.clientY - start.y];
        start.far ||= Math.hypot(dx, dy) > DRAG;
        if (!start.far) return;
        event.currentTarget.classList.add("dragged");
        const by = SWEEP / Math.max(1, event.currentTarget.clientWidth);
        const yaw = start.view.yaw + dx * by;
        view.value = goal.value = { yaw, pitch: upright(start.view.pitch + dy * by) };
      }}
      onPointerUp={(event) => {
        const start = drag.current;
        if (start?.pointer !== event.pointerId) return;
        drag.current = null;
        event.currentTarget.classList.remove("dragged");
        const spot = solid.facets[start.facet ?? -1]?.spot ?? null;
        if (!start.far && spot !== null) press?.(spot);
      }}
      onPointerCancel={(event) => {
        drag.current = null;
        event.currentTarget.classList.remove("dragged");
      }}
    >
      <svg
        ref={host}
        viewBox={`${-edge} ${-edge} ${2 * edge} ${2 * edge}`}
        font-size={size.toFixed(1)}
        text-anchor="middle"
        dominant-baseline="central"
        aria-hidden="true"
      />
    </div>
  );
}
