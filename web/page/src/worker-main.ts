// The worker: loads the WebAssembly module, answers calls, and advances jobs between messages.

import { Engine, EngineError, type Job } from "../../package/index.js";
import { keptTables } from "./tables";
import type { ErrorBody, ModuleVerbs } from "./types";
import type { Asked, Told } from "./worker";

/** Time of a slice of a search, in milliseconds; messages are read between slices. */
const SLICE = 50;

async function part(path: string, missing: string): Promise<ArrayBuffer> {
  const response = await fetch(path);
  if (!response.ok) throw new EngineError({ message: missing });
  return response.arrayBuffer();
}

const loading = Engine.load(part("engine.wasm", "The engine could not be loaded. Reload the page."), {
  networks: (name) =>
    part(
      `networks/${encodeURIComponent(name)}.safetensors.gz`,
      `The network ${name} is not part of this page.`,
    ),
  tables: keptTables(),
});
const jobs = new Map<number, Job>();
let turning = false;

function tell(message: Told): void {
  self.postMessage(message);
}

function bodyOf(error: unknown): ErrorBody {
  return error instanceof EngineError ? error.body : { message: String((error as Error).message) };
}

function fail(id: number, error: unknown): void {
  tell({ id, kind: "event", event: { kind: "ended", error: bodyOf(error), cancelled: false } });
}

/** Advances each job by a slice, and comes back after the messages that have arrived. */
function turn(engine: Engine): void {
  for (const [id, job] of [...jobs]) {
    try {
      for (const event of job.advance(SLICE)) tell({ id, kind: "event", event });
      if (job.ended) {
        jobs.delete(id);
        job.close();
      }
    } catch (error) {
      jobs.delete(id);
      fail(id, error);
    }
  }
  turning = jobs.size > 0;
  if (turning) setTimeout(() => turn(engine));
  void engine.store();
}

async function answer(engine: Engine, asked: Asked): Promise<void> {
  const { id } = asked;
  if (asked.kind === "call") {
    const { verb, ...fields } = asked.request;
    tell({ id, kind: "answer", answer: engine.call(verb as keyof ModuleVerbs, fields as never) });
  } else if (asked.kind === "start") {
    await engine.prepare(asked.job);
    jobs.set(id, engine.begin(asked.job));
    if (!turning) {
      turning = true;
      setTimeout(() => turn(engine));
    }
  } else {
    jobs.get(id)?.cancel();
  }
}

self.onmessage = async ({ data }: MessageEvent<Asked>) => {
  try {
    await answer(await loading, data);
  } catch (error) {
    if (data.kind === "start") fail(data.id, error);
    else tell({ id: data.id, kind: "error", error: bodyOf(error) });
  }
};
