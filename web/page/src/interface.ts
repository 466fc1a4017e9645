// The interface between the page and the engine.

import { EngineError } from "../../package/index.js";
import type { ErrorBody, Job, JobEvent, Verbs } from "./types";

export { EngineError };

/** A job that runs. */
export interface Running {
  /** Name of the job, by which `attach` finds it after a reload; empty until it has begun. */
  readonly id: string;
  /** Stops the job; its `ended` event follows, with the best solution so far. */
  cancel(): void;
  /** Ends the listening. */
  close(): void;
}

export type Listener = (event: JobEvent, id: string) => void;

export interface Engine {
  /** Whether the engine keeps results and experiments. */
  readonly keeps: boolean;
  /** Most memory of a job in bytes; `null`: as much as the computer has. */
  readonly memory: number | null;
  /** Whether jobs survive a reload of the page. */
  readonly lasting: boolean;
  call<V extends keyof Verbs>(verb: V, fields: Verbs[V][0]): Promise<Verbs[V][1]>;
  /** Reads one of the server's lists. */
  list<T>(path: string): Promise<T>;
  start(job: Job, listener: Listener): Running;
  /** Listens to a job that was started before, from its first event on. */
  attach(id: string, listener: Listener): Running;
}

/** Content of a meta element of the document. */
export function meta(name: string): string {
  return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? "";
}

/** The error of a failed call, in words. */
export function errorBody(error: unknown): ErrorBody {
  if (error instanceof EngineError) return error.body;
  return { message: error instanceof Error ? error.message : String(error) };
}
