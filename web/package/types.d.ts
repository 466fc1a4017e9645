// Types of the engine's contract.

export type Aim = "cost" | "score" | "assignment";

export interface Parameter {
  name: string;
  summary: string;
  default: string | null;
  positional: boolean;
  domain: "integer" | "real" | "choice" | "text" | "heuristic" | "search" | "play-out";
  words: string[];
  min?: number;
  max?: number;
}

export interface Info {
  name: string;
  role: string;
  summary: string;
  parameters: Parameter[];
}

export interface Form {
  name: string;
  rule: string;
  example: string;
  puzzle: string;
}

export interface Puzzle {
  name: string;
  title: string;
  summary: string;
  unit: string;
  aim: Aim;
  parameters: Parameter[];
  presets: { name: string; summary: string }[];
  sizes: { name: string; generator: string }[];
  generators: Info[];
  forms: Form[];
  /** False if instances are documents of many lines. */
  inline: boolean;
  /** Whether instances can be chosen by number. */
  deals: boolean;
  numbered?: string;
}

export interface Preset {
  name: string;
  summary: string;
  solver: string | null;
}

export interface Loaded {
  id: string;
  instance: string;
  solution: string | null;
  unsolvable: string | null;
  presets: Preset[];
}

export interface Instances {
  puzzle: string;
  instances: Loaded[];
}

export interface Action {
  text: string;
  line: string;
  name: string;
  from: number | null;
  to: number | null;
  /** Further spots that choose it like `from`. */
  also?: number[];
  key: string | null;
  /** Motion of the solid. */
  turn?: Turn;
}

/** Point in space: to the right, up, and towards the viewer. */
export type Point = [number, number, number];

/** A position in space. */
export interface Solid {
  facets: Facet[];
  /** Length of a coloured polygon divided by the length of its facet. */
  inset: number;
}

export interface Facet {
  /** Counter-clockwise as seen from outside. */
  corners: Point[];
  colour: string;
  class: string;
  text: string;
  /** Spot that is pressed by pressing the facet. */
  spot: number | null;
}

/** Motion of a part of a solid about an axis through the origin. */
export interface Turn {
  axis: Point;
  /** Counter-clockwise as seen from the end of the axis. */
  degrees: number;
  facets: number[];
  /** Polygons at which the turning part touches the rest. */
  cuts: Point[][];
}

export interface Spot {
  row: number;
  column: number;
  x: number;
  y: number;
  width: number;
  height: number;
  name: string;
}

export interface Position {
  instance: string;
  svg: string;
  label: string;
  played: string[];
  at: number;
  line: string;
  whole: string;
  actions: Action[];
  value: number;
  total: number;
  over: boolean;
  spots: Spot[];
  /** The position in space; null or absent if the drawing is all. */
  solid?: Solid | null;
}

export type Rows = (string | null)[][];

export interface Sketch {
  layout: "grid" | "piles" | "net" | "table";
  gesture: "paint" | "swap" | "move" | "write";
  rows: Rows;
  palette: { symbol: string; name: string; colour: string | null; text: string }[];
  resizable: boolean;
  help: string;
  /** Names of the rows; empty if the rows are unnamed. */
  heads?: string[];
  /** Tables of values, for the layout `table`. */
  sections?: Section[];
}

/** A table of the editor. */
export interface Section {
  title: string;
  columns: SheetColumn[];
  rows: string[][];
}

export interface SheetColumn {
  name: string;
  kind: "text" | "number" | "choice" | "mark";
  words?: string[];
  min?: number;
  max?: number;
  optional: boolean;
  editable: boolean;
}

/** Another text of a cell of a table; numbers count from 0. */
export interface SheetChange {
  section: number;
  row: number;
  column: number;
  text: string;
}

export interface ErrorBody {
  message: string;
  line?: number;
  column?: number;
  length?: number;
  field?: string;
  /** Section of the editor's tables, counted from 0 as its rows and their cells. */
  section?: number;
  row?: number;
  cell?: number;
}

export type Job =
  | {
      kind: "solve";
      puzzle: string;
      instance: string;
      solver?: string;
      preset?: string;
      seconds?: number;
      expansions?: number;
      memory?: number;
      seed?: number;
      known?: string;
    }
  | {
      kind: "review";
      puzzle: string;
      instance: string;
      line: string;
      solver?: string;
      preset?: string;
      seconds?: number;
    }
  | {
      kind: "validate";
      puzzle: string;
      text: string;
      solver?: string;
      preset?: string;
      seconds?: number;
    };

/** The record that `unriddle solve` prints. */
export interface Outcome {
  status: string;
  stopped_by: string | null;
  value: number | null;
  length: number | null;
  solution: string | null;
  lower_bound: number | null;
  upper_bound: number | null;
  gap: number | null;
  expanded: number;
  generated: number;
  checked: boolean | null;
  checked_by: string | null;
  reason: string | null;
  solver: string;
  cpu_s: number;
  wall_s: number;
  setup_cpu_s?: number;
  peak_bytes?: number | null;
  [field: string]: unknown;
}

export interface Judged {
  action: string | null;
  instance: string;
  value: number;
  verdict: "solvable" | "lost" | "unknown";
  best: number | null;
  bound: number | null;
  loss: number | null;
  most_loss: number | null;
  loses: boolean;
  better: string | null;
}

export interface Review {
  unit: string;
  solved: boolean;
  /** Number of the action, counted from 1, after which no solution exists. */
  losing: number | null;
  positions: Judged[];
}

/** Report of `unriddle validate` on one instance. */
export interface Validation {
  id: string;
  verdict: string;
  reasons?: string[];
  value?: number | null;
  unit?: string;
  optimal?: boolean;
  refused?: string | null;
  [field: string]: unknown;
}

export type JobEvent =
  | { kind: "begun"; solver: string }
  | {
      kind: "improved";
      value: number;
      length: number;
      solution: string;
      expanded: number;
      seconds: number;
    }
  | { kind: "bound"; bound: number; upper: boolean; expanded: number; seconds: number }
  | { kind: "stats"; expanded: number; generated: number; seconds: number; note?: string }
  | { kind: "review"; review: Review; done: number; of: number }
  | { kind: "validated"; validation: Validation; html: string; done: number; of: number }
  | { kind: "ended"; record?: Outcome; error?: ErrorBody; cancelled: boolean }
  | { kind: "beat" };

/** A finished solve that the server has stored. */
export interface Stored {
  id: number | string;
  when: string;
  puzzle: string;
  instance: string;
  solver: string;
  record: Outcome;
}

/** The verbs: their requests and answers. */
export interface Verbs {
  puzzles: [object, { program: string; version: string; puzzles: Puzzle[] }];
  expressions: [{ puzzle: string }, { expressions: Info[] }];
  load: [{ puzzle: string; text: string }, Instances];
  generate: [{ puzzle: string; generator?: string | null; seed: number }, Instances];
  deal: [{ puzzle: string; number: number }, Instances];
  position: [{ puzzle: string; instance: string; line: string; at?: number | null }, Position];
  frames: [
    { puzzle: string; instance: string; line: string },
    { frames: { svg: string; action: string | null }[] },
  ];
  film: [{ puzzle: string; instance: string; line: string; seconds: number }, { svg: string }];
  forms: [
    { puzzle: string; instance: string; line: string },
    { instance: { name: string; text: string }[]; solution: { name: string; text: string }[] },
  ];
  networks: [
    { puzzle: string; instance: string; solver?: string; preset?: string },
    { networks: string[] },
  ];
  spec: [{ puzzle: string; instance?: string; solver: string }, { solver: string }];
  sketch: [{ puzzle: string; instance?: string | null }, { sketch: Sketch | null }];
  edit: [
    { puzzle: string; rows: Rows } | { puzzle: string; instance: string; changes: SheetChange[] },
    Instances,
  ];
}

/** Verbs of the module alone. */
export interface ModuleVerbs extends Verbs {
  begin: [{ job: Job }, { job: string }];
  step: [{ job: string; expansions: number }, { events: JobEvent[]; ended: boolean; expanded: number }];
  cancel: [{ job: string }, object];
  close: [{ job: string }, object];
  /** Keys of tables that a job would read and that the module does not have. */
  wanted: [{ job: Job }, { tables: string[] }];
  /** The tables that were built since the last call. */
  tables: [object, { tables: { key: string; length: number }[] }];
}
