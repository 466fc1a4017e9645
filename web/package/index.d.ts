// Types of the package; see README.md.

import type { ErrorBody, Job as JobRequest, JobEvent, ModuleVerbs } from "./types";

export type * from "./types";

/** A refused request. */
export class EngineError extends Error {
  readonly body: ErrorBody;
  constructor(body: ErrorBody);
}

type Bytes = ArrayBuffer | Uint8Array;
type Ended = Extract<JobEvent, { kind: "ended" }>;

export interface Options {
  /** Bytes of a network's file, which is read by solvers of this name. */
  networks?(name: string): Promise<Bytes | null | undefined>;
  /** Tables kept for the next engine. A table of a failed read or write is built again. */
  tables?: Tables;
}

/** A place for tables, such as a folder or the storage of a browser. */
export interface Tables {
  keys(): Promise<Iterable<string>>;
  read(key: string): Promise<Bytes | null | undefined>;
  write(key: string, bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  /** Most bytes of a table that is written (2²⁸). */
  largest?: number;
}

export class Engine {
  /** Loads the module from its bytes, a response, or a promise of either. */
  static load(source: Bytes | Response | Promise<Bytes | Response>, options?: Options): Promise<Engine>;
  /** Bytes of the module's memory. */
  readonly memory: number;
  /** Answers a request; throws an `EngineError`. */
  call<V extends keyof ModuleVerbs>(verb: V, fields?: ModuleVerbs[V][0]): ModuleVerbs[V][1];
  /** Provides the bytes of a network's file, plain or compressed by gzip. */
  provide(name: string, bytes: Uint8Array): void;
  /** Gives the module the bytes of a table that another engine has built. */
  give(key: string, bytes: Uint8Array): void;
  /** Copies the bytes of a table that this engine has built; `null` if there is none. */
  table(key: string): Uint8Array<ArrayBuffer> | null;
  /** Loads the networks and the kept tables that a job reads and that are not there yet. */
  prepare(job: JobRequest): Promise<void>;
  /** Writes the tables that were built since the last call to `tables` of the options. */
  store(): Promise<void>;
  /** Begins a job; nothing is searched before its first step. */
  begin(job: JobRequest): Job;
  /** Runs a job to its end and returns its last event. */
  run(
    job: JobRequest,
    options?: { onEvent?(event: JobEvent): void; signal?: AbortSignal; slice?: number },
  ): Promise<Ended>;
}

/** A job that its caller advances. */
export class Job {
  /** Whether the job has ended. */
  readonly ended: boolean;
  /** Lets the job expand at most `expansions` more states, for about five milliseconds. */
  step(expansions: number): JobEvent[];
  /** Advances the job for about `slice` milliseconds (50). */
  advance(slice?: number): JobEvent[];
  /** Ends the job at its next step; its end has the best solution so far. */
  cancel(): void;
  /** Forgets the job. */
  close(): void;
}
