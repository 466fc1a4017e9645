// The engine of unriddle: a WebAssembly module behind a class.
//
// All calls are synchronous. A job is advanced by `step`, or by `run`, which returns to the event
// loop between slices so that a page stays alive and a signal can cancel the job.

/** Time of a slice of `run`, in milliseconds. */
const SLICE = 50;

/** A refused request. `body` has the message and, where known, its line, column and field. */
export class EngineError extends Error {
  constructor(body) {
    super(body.message);
    this.name = "EngineError";
    this.body = body;
  }
}

export class Engine {
  #exports;
  #networks;
  #provided = new Set();

  constructor(exports, networks) {
    this.#exports = exports;
    this.#networks = networks;
  }

  /**
   * Loads the module from its bytes, a response, or a promise of either. `networks(name)` returns
   * the bytes of a network's file when a solver reads it.
   */
  static async load(source, { networks } = {}) {
    const host = { now: () => performance.now() };
    let bytes = await source;
    if (typeof Response !== "undefined" && bytes instanceof Response) {
      if (!bytes.ok) throw new EngineError({ message: `the engine could not be loaded: ${bytes.status}` });
      bytes = await bytes.arrayBuffer();
    }
    const { instance } = await WebAssembly.instantiate(bytes, { host });
    return new Engine(instance.exports, networks);
  }

  /** Bytes of the module's memory. */
  get memory() {
    return this.#exports.memory.buffer.byteLength;
  }

  #put(bytes) {
    const at = this.#exports.alloc(bytes.length);
    new Uint8Array(this.#exports.memory.buffer, at, bytes.length).set(bytes);
    return at;
  }

  /** Answers a request; throws an `EngineError`. */
  call(verb, fields = {}) {
    const { call, free, answer_length, memory } = this.#exports;
    const request = new TextEncoder().encode(JSON.stringify({ verb, ...fields }));
    const at = this.#put(request);
    const answer = call(at, request.length);
    const length = answer_length();
    const text = new TextDecoder().decode(new Uint8Array(memory.buffer, answer, length));
    free(at, request.length);
    free(answer, length);
    const read = JSON.parse(text);
    if (read.error) throw new EngineError(read.error);
    return read;
  }

  /** Provides the bytes of a network's file, plain or compressed by gzip. */
  provide(name, bytes) {
    const file = new TextEncoder().encode(name);
    const [name_at, bytes_at] = [this.#put(file), this.#put(bytes)];
    this.#exports.provide(name_at, file.length, bytes_at, bytes.length);
    this.#exports.free(name_at, file.length);
    this.#exports.free(bytes_at, bytes.length);
    this.#provided.add(name);
  }

  /** Loads the networks that a job reads and that were not provided yet. */
  async prepare(job) {
    if (!this.#networks || job.kind === "validate") return;
    const { puzzle, instance, solver, preset } = job;
    const { networks } = this.call("networks", { puzzle, instance, solver, preset });
    for (const name of networks) {
      if (this.#provided.has(name)) continue;
      const bytes = await this.#networks(name);
      if (bytes) this.provide(name, new Uint8Array(bytes));
    }
  }

  /** Begins a job; nothing is searched before its first step. */
  begin(job) {
    return new Job(this, this.call("begin", { job }).job);
  }

  /** Runs a job to its end and returns its last event. `signal` cancels it and keeps its best. */
  async run(job, { onEvent, signal, slice = SLICE } = {}) {
    await this.prepare(job);
    const running = this.begin(job);
    try {
      for (;;) {
        if (signal?.aborted) running.cancel();
        for (const event of running.advance(slice)) {
          onEvent?.(event);
          if (event.kind === "ended") return event;
        }
        await new Promise((resume) => setTimeout(resume));
      }
    } finally {
      running.close();
    }
  }
}

/** A job that its caller advances. */
export class Job {
  #engine;
  #job;
  #expansions = 1000;
  ended = false;

  constructor(engine, job) {
    this.#engine = engine;
    this.#job = job;
  }

  /** Lets the job expand at most `expansions` more states, for about five milliseconds. */
  step(expansions) {
    const { events, ended } = this.#engine.call("step", { job: this.#job, expansions });
    this.ended = ended;
    return events;
  }

  /** Advances the job for about `slice` milliseconds. The first call also builds tables. */
  advance(slice = SLICE) {
    const begun = performance.now();
    const events = [];
    do {
      const before = performance.now();
      events.push(...this.step(this.#expansions));
      const took = performance.now() - before;
      // The module itself ends a step after five milliseconds; fewer states are for slow rules.
      if (took < slice / 8) this.#expansions = Math.min(1e9, this.#expansions * 2);
      if (took > slice) this.#expansions = Math.max(100, Math.round(this.#expansions / 2));
    } while (!this.ended && performance.now() - begun < slice);
    return events;
  }

  /** Ends the job at its next step; its end has the best solution so far. */
  cancel() {
    this.#engine.call("cancel", { job: this.#job });
  }

  /** Forgets the job. */
  close() {
    this.#engine.call("close", { job: this.#job });
  }
}
