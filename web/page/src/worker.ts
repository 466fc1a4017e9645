// The engine in a Web Worker that runs the WebAssembly module.

import { type Engine, EngineError, type Listener, type Running } from "./interface";
import type { ErrorBody, Job, JobEvent, Verbs } from "./types";

/** A message to the worker. */
export type Asked =
  | { id: number; kind: "call"; request: object }
  | { id: number; kind: "start"; job: Job }
  | { id: number; kind: "cancel" }
  | { id: number; kind: "close" };

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

export class WorkerEngine implements Engine {
  readonly keeps = false;
  readonly lasting = false;
  private worker: Worker | null = null;
  private next = 1;
  private readonly waiting = new Map<number, Waiting>();
  private readonly jobs = new Map<number, Listener>();

  private post(message: Asked): void {
    if (!this.worker) {
      this.worker = new Worker("worker.js", { type: "module" });
      this.worker.onmessage = ({ data }: MessageEvent<Told>) => this.hear(data);
      this.worker.onerror = () => this.fail();
    }
    this.worker.postMessage(message);
  }

  private hear(told: Told): void {
    if (told.kind === "event") {
      const listener = this.jobs.get(told.id);
      if (told.event.kind === "ended") this.jobs.delete(told.id);
      listener?.(told.event, String(told.id));
      return;
    }
    const waiting = this.waiting.get(told.id);
    this.waiting.delete(told.id);
    if (told.kind === "answer") waiting?.resolve(told.answer);
    else waiting?.reject(new EngineError(told.error));
  }

  private fail(): void {
    this.worker?.terminate();
    this.worker = null;
    for (const { reject } of this.waiting.values()) reject(new EngineError({ message: BROKEN }));
    this.waiting.clear();
    const jobs = [...this.jobs];
    this.jobs.clear();
    for (const [id, listener] of jobs) {
      listener({ kind: "ended", error: { message: BROKEN }, cancelled: false }, String(id));
    }
  }

  call<V extends keyof Verbs>(verb: V, fields: Verbs[V][0]): Promise<Verbs[V][1]> {
    const id = this.next++;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve: resolve as (answer: unknown) => void, reject });
      this.post({ id, kind: "call", request: { verb, ...fields } });
    });
  }

  list<T>(): Promise<T> {
    const message = "A page without a server keeps no results.";
    return Promise.reject(new EngineError({ message }));
  }

  start(job: Job, listener: Listener): Running {
    const id = this.next++;
    this.jobs.set(id, listener);
    this.post({ id, kind: "start", job });
    return {
      id: String(id),
      cancel: () => this.post({ id, kind: "cancel" }),
      close: () => {
        this.jobs.delete(id);
        this.post({ id, kind: "close" });
      },
    };
  }

  attach(id: string, listener: Listener): Running {
    const error = { message: "The job ended with the page that had begun it." };
    queueMicrotask(() => listener({ kind: "ended", error, cancelled: true }, id));
    return { id, cancel() {}, close() {} };
  }
}
