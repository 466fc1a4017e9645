// The engine in a Web Worker that runs the WebAssembly module.

import { type Engine, EngineError, type Listener, type Running } from "./interface";
import type { ErrorBody, Job, JobEvent, Verbs } from "./types";

/** A message to the worker. */
export type Asked =
  | { id: number; kind: "call"; request: { verb: string } }
  | { id: number; kind: "start"; job: Job }
  | { id: number; kind: "cancel" };

/** A message from the worker. */
export type Told =
  | { id: number; kind: "answer"; answer: unknown }
  | { id: number; kind: "error"; error: ErrorBody }
  | { id: number; kind: "event"; event: JobEvent };

interface Waiting {
  resolve(answer: unknown): void;
  reject(error: Error): void;
}

const BROKEN =
  "The engine of this page stopped. It needs a browser with WebAssembly; reload the page.";
/** Time for the end of a cancelled job, in milliseconds; then its worker is ended. */
const PATIENCE = 1500;

/** Most memory of a job in bytes: the limit of the module. */
const MEMORY = 3 * 2 ** 29;

/** A worker with the calls and the job that wait for it. */
class Port {
  job: { id: number; listener: Listener } | null = null;
  private worker: Worker | null = null;
  private readonly waiting = new Map<number, Waiting>();

  post(message: Asked): void {
    if (!this.worker) {
      this.worker = new Worker("worker.js", { type: "module" });
      this.worker.onmessage = ({ data }: MessageEvent<Told>) => this.hear(data);
      this.worker.onerror = () => this.end({ message: BROKEN }, false);
    }
    this.worker.postMessage(message);
  }

  wait(id: number, waiting: Waiting): void {
    this.waiting.set(id, waiting);
  }

  private hear(told: Told): void {
    if (told.kind === "event") {
      if (this.job?.id !== told.id) return;
      const { listener, id } = this.job;
      if (told.event.kind === "ended") this.job = null;
      listener(told.event, String(id));
      return;
    }
    const waiting = this.waiting.get(told.id);
    this.waiting.delete(told.id);
    if (told.kind === "answer") waiting?.resolve(told.answer);
    else waiting?.reject(new EngineError(told.error));
  }

  /** Ends the worker; the next message starts another one. */
  end(error: ErrorBody, cancelled: boolean): void {
    this.worker?.terminate();
    this.worker = null;
    for (const { reject } of this.waiting.values()) reject(new EngineError(error));
    this.waiting.clear();
    const { job } = this;
    this.job = null;
    job?.listener({ kind: "ended", error, cancelled }, String(job.id));
  }
}

export class WorkerEngine implements Engine {
  readonly keeps = false;
  readonly memory = MEMORY;
  readonly lasting = false;
  private next = 1;
  /** Answers calls, so that the board stays alive while jobs run. */
  private readonly calls = new Port();
  /** Workers of jobs, one job each. */
  private readonly ports: Port[] = [];

  call<V extends keyof Verbs>(verb: V, fields: Verbs[V][0]): Promise<Verbs[V][1]> {
    const id = this.next++;
    return new Promise((resolve, reject) => {
      this.calls.wait(id, { resolve: resolve as (answer: unknown) => void, reject });
      this.calls.post({ id, kind: "call", request: { verb, ...fields } });
    });
  }

  list<T>(): Promise<T> {
    const message = "A page without a server keeps no results.";
    return Promise.reject(new EngineError({ message }));
  }

  start(job: Job, listener: Listener): Running {
    const id = this.next++;
    let port = this.ports.find((port) => port.job === null);
    if (!port) {
      port = new Port();
      this.ports.push(port);
    }
    const mine = port;
    mine.job = { id, listener };
    mine.post({ id, kind: "start", job });
    const stop = () => {
      // A table is built in one step, during which no message is read.
      setTimeout(() => {
        if (mine.job?.id === id)
          mine.end({ message: "Stopped while its tables were built." }, true);
      }, PATIENCE);
    };
    return {
      id: String(id),
      cancel: () => {
        if (mine.job?.id !== id) return;
        mine.post({ id, kind: "cancel" });
        stop();
      },
      close: () => {
        if (mine.job?.id !== id) return;
        mine.job.listener = () => {};
        mine.post({ id, kind: "cancel" });
        stop();
      },
    };
  }

  attach(id: string, listener: Listener): Running {
    const error = { message: "The job ended with the page that had begun it." };
    queueMicrotask(() => listener({ kind: "ended", error, cancelled: true }, id));
    return { id, cancel() {}, close() {} };
  }
}
