// The worker: loads the WebAssembly module, answers calls, and advances jobs between messages.

import type { ErrorBody, Job, JobEvent } from "./types";
import type { Asked, Told } from "./worker";

interface Exports {
  memory: WebAssembly.Memory;
  alloc(length: number): number;
  call(at: number, length: number): number;
  answer_length(): number;
  free(at: number, length: number): void;
  provide(name: number, nameLength: number, bytes: number, length: number): void;
}

/** Time of a slice of a search, in milliseconds; messages are read between slices. */
const SLICE = 50;

async function load(): Promise<Exports> {
  const host = { now: () => performance.now() };
  const response = await fetch("engine.wasm");
  if (!response.ok) throw new Error("The engine could not be loaded. Reload the page.");
  const bytes = await response.arrayBuffer();
  const { instance } = await WebAssembly.instantiate(bytes, { host });
  return instance.exports as unknown as Exports;
}

const module = load();
const jobs = new Map<number, { job: unknown; expansions: number }>();
let turning = false;

function tell(message: Told): void {
  self.postMessage(message);
}

class Refused extends Error {
  readonly body: ErrorBody;

  constructor(body: ErrorBody) {
    super(body.message);
    this.body = body;
  }
}

function bodyOf(error: unknown): ErrorBody {
  return error instanceof Refused ? error.body : { message: String((error as Error).message) };
}

function put(engine: Exports, bytes: Uint8Array): number {
  const at = engine.alloc(bytes.length);
  new Uint8Array(engine.memory.buffer, at, bytes.length).set(bytes);
  return at;
}

const provided = new Set<string>();

/** Loads the networks that a job reads and that were not loaded yet. */
async function prepare(engine: Exports, job: Job): Promise<void> {
  if (job.kind === "validate") return;
  const { puzzle, instance, solver, preset } = job;
  const { networks } = ask(engine, { verb: "networks", puzzle, instance, solver, preset });
  for (const name of networks as string[]) {
    if (provided.has(name)) continue;
    const response = await fetch(`networks/${encodeURIComponent(name)}.safetensors.gz`);
    if (!response.ok) throw new Refused({ message: `The network ${name} is not part of this page.` });
    const bytes = new Uint8Array(await response.arrayBuffer());
    const file = new TextEncoder().encode(name);
    const [nameAt, bytesAt] = [put(engine, file), put(engine, bytes)];
    engine.provide(nameAt, file.length, bytesAt, bytes.length);
    engine.free(nameAt, file.length);
    engine.free(bytesAt, bytes.length);
    provided.add(name);
  }
}

function ask(engine: Exports, request: object): Record<string, unknown> {
  const bytes = new TextEncoder().encode(JSON.stringify(request));
  const at = put(engine, bytes);
  const answer = engine.call(at, bytes.length);
  const length = engine.answer_length();
  const text = new TextDecoder().decode(new Uint8Array(engine.memory.buffer, answer, length));
  engine.free(at, bytes.length);
  engine.free(answer, length);
  const read = JSON.parse(text) as Record<string, unknown>;
  const { error } = read;
  if (error) throw new Refused(typeof error === "string" ? { message: error } : (error as ErrorBody));
  return read;
}

/** Advances each job by a slice, and comes back after the messages that have arrived. */
function turn(engine: Exports): void {
  for (const [id, running] of [...jobs]) {
    const begun = performance.now();
    try {
      let ended = false;
      do {
        const { job, expansions } = running;
        const before = performance.now();
        const step = ask(engine, { verb: "step", job, expansions });
        const took = performance.now() - before;
        if (took < SLICE / 8) running.expansions = Math.min(1e7, running.expansions * 2);
        if (took > SLICE) running.expansions = Math.max(100, running.expansions / 2);
        running.expansions = Math.round(running.expansions);
        for (const event of step.events as JobEvent[]) tell({ id, kind: "event", event });
        ended = step.ended as boolean;
      } while (!ended && performance.now() - begun < SLICE);
      if (ended) {
        jobs.delete(id);
        ask(engine, { verb: "close", job: running.job });
      }
    } catch (error) {
      jobs.delete(id);
      tell({ id, kind: "event", event: { kind: "ended", error: bodyOf(error), cancelled: false } });
    }
  }
  turning = jobs.size > 0;
  if (turning) setTimeout(() => turn(engine));
}

self.onmessage = async ({ data }: MessageEvent<Asked>) => {
  const { id } = data;
  try {
    const engine = await module;
    if (data.kind === "call") {
      tell({ id, kind: "answer", answer: ask(engine, data.request) });
    } else if (data.kind === "start") {
      await prepare(engine, data.job);
      const { job } = ask(engine, { verb: "begin", job: data.job });
      jobs.set(id, { job, expansions: 1000 });
      if (!turning) {
        turning = true;
        setTimeout(() => turn(engine));
      }
    } else {
      const running = jobs.get(id);
      if (running) ask(engine, { verb: "cancel", job: running.job });
    }
  } catch (error) {
    const body = bodyOf(error);
    if (data.kind === "start") {
      tell({ id, kind: "event", event: { kind: "ended", error: body, cancelled: false } });
    } else tell({ id, kind: "error", error: body });
  }
};
