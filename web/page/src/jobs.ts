// Jobs of the engine: a state for each slot of the page, reduced from the events.

import { type Signal, signal } from "@preact/signals";
import { engine } from "./engine";
import type { Running } from "./interface";
import { forget, keep, kept } from "./storage";
import type { ErrorBody, Job, JobEvent, Outcome, Review, Validation } from "./types";

export interface Found {
  value: number;
  length: number;
  solution: string;
  seconds: number;
}

export interface JobState {
  status: "idle" | "running" | "ended";
  job: Job | null;
  solver: string;
  /** Time of the beginning, in milliseconds of the page's clock. */
  began: number;
  bound: number | null;
  /** Whether the bound is one of a score. */
  upper: boolean;
  found: Found[];
  /** Bounds with their times, for the curve of the search. */
  bounds: { bound: number; seconds: number }[];
  expanded: number;
  seconds: number;
  note: string;
  record: Outcome | null;
  error: ErrorBody | null;
  cancelled: boolean;
  review: Review | null;
  validated: { validation: Validation; html: string }[];
  done: number;
  of: number;
}

const IDLE: JobState = {
  status: "idle",
  job: null,
  solver: "",
  began: 0,
  bound: null,
  upper: false,
  found: [],
  bounds: [],
  expanded: 0,
  seconds: 0,
  note: "",
  record: null,
  error: null,
  cancelled: false,
  review: null,
  validated: [],
  done: 0,
  of: 0,
};

/** The state after an event. */
export function reduced(state: JobState, event: JobEvent): JobState {
  switch (event.kind) {
    case "begun":
      return { ...state, solver: event.solver };
    case "improved": {
      const { value, length, solution, seconds, expanded } = event;
      return {
        ...state,
        found: [...state.found, { value, length, solution, seconds }],
        expanded: Math.max(state.expanded, expanded),
        seconds: Math.max(state.seconds, seconds),
      };
    }
    case "bound": {
      const { bound, upper, seconds, expanded } = event;
      return {
        ...state,
        bound,
        upper,
        bounds: [...state.bounds, { bound, seconds }],
        expanded: Math.max(state.expanded, expanded),
        seconds: Math.max(state.seconds, seconds),
      };
    }
    case "stats":
      return {
        ...state,
        expanded: event.expanded,
        seconds: event.seconds,
        note: event.note ?? "",
      };
    case "review":
      return { ...state, review: event.review, done: event.done, of: event.of };
    case "validated": {
      const { validation, html, done, of } = event;
      return { ...state, validated: [...state.validated, { validation, html }], done, of };
    }
    case "ended": {
      const record = event.record ?? null;
      const bound = record?.lower_bound ?? record?.upper_bound ?? state.bound;
      const { error, cancelled } = event;
      return {
        ...state,
        status: "ended",
        record,
        bound: record?.status === "optimal" ? record.value : bound,
        expanded: record?.expanded ?? state.expanded,
        note: "",
        error: error ?? null,
        cancelled,
      };
    }
    default:
      return state;
  }
}

/** A slot of the page, in which at most one job runs. */
export class Slot {
  readonly state: Signal<JobState> = signal(IDLE);
  private running: Running | null = null;
  private ended: ((state: JobState) => void) | null = null;
  private readonly name: string;

  /** The slot of a name; a job in it is found again after a reload. No name: it is not. */
  constructor(name = "") {
    this.name = name;
  }

  get busy(): boolean {
    return this.state.value.status === "running";
  }

  /** Starts a job; one that runs is stopped, and its events are not heard any more. */
  start(job: Job, ended?: (state: JobState) => void): void {
    this.drop();
    this.state.value = { ...IDLE, status: "running", job, began: performance.now() };
    this.ended = ended ?? null;
    this.running = engine.start(job, (event, id) => this.hear(event, id));
  }

  private hear(event: JobEvent, id: string): void {
    if (event.kind === "beat") return;
    this.state.value = reduced(this.state.value, event);
    // A broken connection is no end: it also breaks when the page is reloaded.
    const ended = event.kind === "ended" && !event.error;
    if (this.name && (event.kind === "begun" || ended)) {
      keep(`job:${this.name}`, { id, job: this.state.value.job, ended }, false);
    }
    if (event.kind === "ended") {
      this.running = null;
      const { ended } = this;
      this.ended = null;
      ended?.(this.state.value);
    }
  }

  /** Listens again to the job that the page had before it was reloaded. */
  resume(fits: (job: Job) => boolean, ended?: (state: JobState) => void): boolean {
    type Kept = { id: string; job: Job; ended: boolean };
    const before = kept<Kept>(`job:${this.name}`, false);
    if (!before?.job || !fits(before.job)) return false;
    if (!engine.lasting) {
      if (before.ended) return false;
      this.start(before.job, ended);
      return true;
    }
    this.state.value = { ...IDLE, status: "running", job: before.job, began: performance.now() };
    this.ended = (state) => {
      // A job that its server has forgotten is no error of this page.
      if (state.error && !state.solver) this.clear();
      else if (!before.ended) ended?.(state);
    };
    this.running = engine.attach(before.id, (event, id) => this.hear(event, id));
    return true;
  }

  /** Stops the job and keeps its best solution. */
  cancel(): void {
    this.running?.cancel();
  }

  /** Stops the job and forgets it. */
  drop(): void {
    const { running } = this;
    this.running = null;
    this.ended = null;
    if (running) {
      running.cancel();
      running.close();
    }
    if (this.name) forget(`job:${this.name}`, false);
  }

  /** Empties the slot. */
  clear(): void {
    this.drop();
    this.state.value = IDLE;
  }
}

export const solving = new Slot("solve");
export const reviewing = new Slot("review");
export const hinting = new Slot();
export const validating = new Slot("validate");
export const lanes = [new Slot(), new Slot()];
