// Geometry of solids: views, projections, the parts of a motion, and the order of drawing.

import type { Facet, Point, Solid, Turn } from "./types";

/** View of a solid: degrees about the upward axis, then about the one to the right. */
export interface View {
  yaw: number;
  pitch: number;
}

/** The usual view, in which three sides of a box are seen alike. */
export const FRONT: View = { yaw: -45, pitch: 34 };

/** Distance of the eye from the origin, in radii of the solid: a slight perspective. */
const EYE = 8;
/** Units of a drawing in a radius. */
export const RADIUS = 100;
const SLACK = 1e-3;

const radians = (degrees: number) => (degrees * Math.PI) / 180;
const minus = (a: Point, b: Point): Point => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dot = (a: Point, b: Point) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: Point, b: Point): Point => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
const unit = (a: Point): Point => {
  const length = Math.hypot(...a) || 1;
  return [a[0] / length, a[1] / length, a[2] / length];
};

export function middle(corners: Point[]): Point {
  const sum = corners.reduce(([x, y, z], [a, b, c]): Point => [x + a, y + b, z + c], [0, 0, 0]);
  return [sum[0] / corners.length, sum[1] / corners.length, sum[2] / corners.length];
}

function normal([a, b, c]: Point[]): Point {
  return unit(cross(minus(b, a), minus(c, b)));
}

/** Distance of the farthest corner from the origin. */
export function radius(solid: Solid): number {
  const all = solid.facets.flatMap(({ corners }) => corners);
  return all.reduce((most, corner) => Math.max(most, Math.hypot(...corner)), 0) || 1;
}

/** Size of the texts in units of the drawing: a part of the facets, which are about equal. */
export function textSize(solid: Solid): number {
  const [a, b] = solid.facets[0]?.corners ?? [];
  if (!a || !b) return 10;
  return Math.min(11, (0.22 * RADIUS * Math.hypot(...minus(a, b))) / radius(solid));
}

/** Whether no facet hides another one: no corner is in front of the plane of a facet. */
export function convex({ facets }: Solid): boolean {
  return facets.every(({ corners }) => {
    const out = normal(corners);
    const depth = dot(out, corners[0]) + SLACK;
    return facets.every((other) => other.corners.every((corner) => dot(out, corner) <= depth));
  });
}

function rotated(point: Point, axis: Point, degrees: number): Point {
  const [sin, cos] = [Math.sin(radians(degrees)), Math.cos(radians(degrees))];
  const [aside, along] = [cross(axis, point), dot(axis, point) * (1 - cos)];
  const part = (i: 0 | 1 | 2) => point[i] * cos + aside[i] * sin + axis[i] * along;
  return [part(0), part(1), part(2)];
}

/** A point as seen in a view: to the right, up, and towards the eye. */
export function seen([x, y, z]: Point, { yaw, pitch }: View): Point {
  const [sy, cy] = [Math.sin(radians(yaw)), Math.cos(radians(yaw))];
  const [sp, cp] = [Math.sin(radians(pitch)), Math.cos(radians(pitch))];
  const depth = z * cy - x * sy;
  return [x * cy + z * sy, y * cp - depth * sp, y * sp + depth * cp];
}

/** The view that shows the other sides; the solid is upright as well. */
export function behind({ yaw, pitch }: View): View {
  return { yaw: yaw + 180, pitch: -pitch };
}

/** A view with the same picture whose angle is the nearest to the present one. */
export function near({ yaw, pitch }: View, now: View): View {
  return { yaw: yaw + 360 * Math.round((now.yaw - yaw) / 360), pitch };
}

/** A view that shows a facet: the present one if possible. */
export function showing({ corners }: Facet, now: View): View {
  const shows = (view: View) => seen(normal(corners), view)[2] > 0.2;
  if (shows(now)) return now;
  return near(shows(FRONT) ? FRONT : behind(FRONT), now);
}

/** Whether a view shows more of the back than of the usual view. */
export function isBehind({ yaw }: View): boolean {
  return Math.cos(radians(yaw - FRONT.yaw)) < 0;
}

/** A polygon as it is drawn. */
export interface Shape {
  /** Index of the facet; a surface between two parts has the negative index −1, −2, … */
  facet: number;
  /** Outline of the body. */
  body: string;
  /** Outline of the coloured polygon. */
  face: string;
  /** Point of the text. */
  at: [number, number];
  /** Cosine of the angle to the line of sight: 1 for a facet that is seen from the front. */
  tilt: number;
  /** Whether it is part of a motion. */
  turns: boolean;
}

// No negative zero.
const written = (value: number) => String(Math.round(value * 100) / 100 + 0);

/** Outline of a polygon, with corners that are round over a fraction of the edges. */
function outline(points: [number, number][], round: number): string {
  const between = (a: [number, number], b: [number, number]) =>
    `${written(a[0] + (b[0] - a[0]) * round)} ${written(a[1] + (b[1] - a[1]) * round)}`;
  const parts = points.map((point, i) => {
    const before = points[(i + points.length - 1) % points.length];
    const after = points[(i + 1) % points.length];
    const corner = `${written(point[0])} ${written(point[1])}`;
    if (round === 0) return corner;
    return `${between(point, before)}Q${corner} ${between(point, after)}`;
  });
  return `M${parts.join("L")}Z`;
}

interface Piece {
  facet: number;
  corners: Point[];
  turns: boolean;
  /** A surface between two parts is seen from both sides. */
  cut: boolean;
}

/** Extent of polygons along an axis. */
function extent(pieces: Piece[], axis: Point): [number, number] {
  const along = pieces.flatMap(({ corners }) => corners.map((corner) => dot(corner, axis)));
  return [Math.min(...along), Math.max(...along)];
}

/**
 * Groups of pieces, the farthest first. The moving part is between two planes; pieces that are on
 * one side of a plane do not hide pieces on the side of the eye.
 */
function groups(pieces: Piece[], turn: Turn | null, eye: Point): Piece[][] {
  if (!turn) return [pieces];
  const axis = unit(turn.axis);
  const moving = pieces.filter(({ turns }) => turns);
  const still = pieces.filter(({ turns }) => !turns);
  const [low, high] = extent(moving, axis);
  const below: Piece[] = [];
  const above: Piece[] = [];
  for (const piece of still) {
    const [least, most] = extent([piece], axis);
    const center = (least + most) / 2 <= (low + high) / 2;
    if (most <= low + SLACK || (piece.cut && center)) below.push(piece);
    else if (least >= high - SLACK || piece.cut) above.push(piece);
    else return [pieces];
  }
  const height = dot(eye, axis);
  if (height < low) return [above, moving, below];
  if (height > high) return [below, moving, above];
  return [below, above, moving];
}

/** The shapes of a solid in a view, in the order of drawing: the farthest first. */
export function shapes(
  solid: Solid,
  view: View,
  turn: Turn | null,
  angle: number,
  isConvex: boolean,
): Shape[] {
  const size = radius(solid);
  const moved = new Set(turn?.facets);
  const axis = unit(turn?.axis ?? [0, 1, 0]);
  const pieces: Piece[] = solid.facets.map(({ corners }, facet) => ({
    facet,
    corners,
    turns: moved.has(facet),
    cut: false,
  }));
  turn?.cuts.forEach((corners, index) => {
    for (const turns of [false, true]) {
      pieces.push({ facet: -1 - 2 * index - Number(turns), corners, turns, cut: true });
    }
  });
  // The eye in the coordinates of the solid: the inverse of the view.
  const far = EYE * size;
  const eye: Point = [
    seen([1, 0, 0], view)[2] * far,
    seen([0, 1, 0], view)[2] * far,
    seen([0, 0, 1], view)[2] * far,
  ];
  const project = (point: Point): [number, number] => {
    const [x, y, z] = seen(point, view);
    const scale = (RADIUS / size) * (far / (far - z));
    return [x * scale, -y * scale];
  };
  const result: Shape[] = [];
  for (const group of groups(pieces, turn, eye)) {
    const drawn = group.flatMap(({ facet, corners, turns, cut }) => {
      const placed = turns ? corners.map((corner) => rotated(corner, axis, angle)) : corners;
      const center = middle(placed);
      const sight = minus(eye, center);
      const tilt = dot(normal(placed), unit(sight));
      if (tilt <= 0 && !cut) return [];
      const inner = placed.map((corner): Point => {
        const [x, y, z] = minus(corner, center).map((part) => part * solid.inset);
        return [center[0] + x, center[1] + y, center[2] + z];
      });
      const shape: Shape = {
        facet,
        body: outline(placed.map(project), 0),
        face: cut ? "" : outline(inner.map(project), 0.13),
        at: project(center),
        tilt,
        turns,
      };
      return [{ shape, cut, depth: Math.hypot(...sight) }];
    });
    // Surfaces between the parts are behind the facets of their part.
    const rank = (a: (typeof drawn)[0], b: (typeof drawn)[0]) =>
      Number(b.cut) - Number(a.cut) || (isConvex ? 0 : b.depth - a.depth);
    result.push(...drawn.sort(rank).map(({ shape }) => shape));
  }
  return result;
}
