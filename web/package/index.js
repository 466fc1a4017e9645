// The engine of unriddle: a WebAssembly module behind a class.
//
// All calls are synchronous. A job is advanced by `step`, or by `run`, which returns to the event
// loop between slices so that a page stays alive and a signal can cancel the job.

/** Time of a slice of `run`, in milliseconds. */
const SLICE = 50;

/** Most bytes of a table that is kept, if `tables.largest` does not say otherwise. */
const LARGEST = 2 ** 28;

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
  #tables;
  #given = new Set();

  constructor(exports, { networks, tables } = {}) {
    this.#exports = exports;
    this.#networks = networks;
    this.#tables = tables;
  }

  /**
   * Loads the module from its bytes, a response, or a promise of either. `networks(name)` returns
   * the bytes of a network's file when a solver reads it. `tables` keeps tables, which take seconds
   * to build, for the next engine.
   */
  static async load(source, options = {}) {
    const host = { now: () => performance.now() };
    let bytes = await source;
    if (typeof Response !== "undefined" && bytes instanceof Response) {
      if (!bytes.ok) throw new EngineError({ message: `the engine could not be loaded: ${bytes.status}` });
      bytes = await bytes.arrayBuffer();
    }
    const { instance } = await WebAssembly.instantiate(bytes, { host });
    return new Engine(instance.exports, options);
  }

  /** Bytes of the module's memory. */
  get memory() {
    return this.#exports.memory.buffer.byteLength;
  }

  #put(bytes) {
    const at = this.#exports.alloc(bytes.length) >>> 0;
    new Uint8Array(this.#exports.memory.buffer, at, bytes.length).set(bytes);
    return at;
  }

  /** Answers a request; throws an `EngineError`. */
  call(verb, fields = {}) {
    const { call, free, answer_length, memory } = this.#exports;
    const request = new TextEncoder().encode(JSON.stringify({ verb, ...fields }));
    const at = this.#put(request);
    const answer = call(at, request.length) >>> 0;
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

  /** Gives the module the bytes of a table that another engine has built. */
  give(key, bytes) {
    const name = new TextEncoder().encode(key);
    const [name_at, bytes_at] = [this.#put(name), this.#put(bytes)];
    this.#exports.keep(name_at, name.length, bytes_at, bytes.length);
    this.#exports.free(name_at, name.length);
  }

  /** Copies the bytes of a table that this engine has built; `null` if there is none. */
  table(key) {
    const { table, free, answer_length, memory } = this.#exports;
    const name = new TextEncoder().encode(key);
    const at = this.#put(name);
    const parts = [0, 1].map((part) => {
      const from = table(at, name.length, part) >>> 0;
      return from && new Uint8Array(memory.buffer, from, answer_length());
    });
    free(at, name.length);
    const [header, entries] = parts;
    if (!header) return null;
    const bytes = new Uint8Array(header.length + entries.length);
    bytes.set(header);
    bytes.set(entries, header.length);
    return bytes;
  }

  /** Loads the networks and the kept tables that a job reads and that are not there yet. */
  async prepare(job) {
    if (job.kind === "validate") return;
    if (this.#networks) await this.#loadNetworks(job);
    if (this.#tables) await this.#giveTables(job);
  }

  async #loadNetworks(job) {
    const { puzzle, instance, solver, preset } = job;
    const { networks } = this.call("networks", { puzzle, instance, solver, preset });
    for (const name of networks) {
      if (this.#provided.has(name)) continue;
      const bytes = await this.#networks(name);
      if (bytes) this.provide(name, new Uint8Array(bytes));
    }
  }

  async #giveTables(job) {
    try {
      const kept = new Set(await this.#tables.keys());
      for (const key of this.#given) kept.delete(key);
      // A table may be known to be wanted only when another one is there.
      while (kept.size > 0) {
        const wanted = this.call("wanted", { job }).tables.filter((key) => kept.delete(key));
        if (wanted.length === 0) return;
        for (const key of wanted) {
          const bytes = await this.#tables.read(key);
          if (bytes) this.give(key, new Uint8Array(bytes));
          this.#given.add(key);
        }
      }
    } catch {
      // The tables are built. A job that is refused is refused again when it begins.
    }
  }

  /** Writes the tables that were built since the last call to `tables` of the options. */
  async store() {
    if (!this.#tables) return;
    const { tables } = this.call("tables");
    for (const { key, length } of tables) {
      if (length > (this.#tables.largest ?? LARGEST)) continue;
      try {
        const bytes = this.table(key);
        if (bytes) await this.#tables.write(key, bytes);
      } catch {
        // It is built again next time.
      }
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
    let isFirst = true;
    try {
      for (;;) {
        if (signal?.aborted) running.cancel();
        for (const event of running.advance(slice)) {
          onEvent?.(event);
          if (event.kind === "ended") return event;
        }
        if (isFirst) await this.store();
        isFirst = false;
        await new Promise((resume) => setTimeout(resume));
      }
    } finally {
      await this.store();
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
