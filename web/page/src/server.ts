// The engine behind the server of `unriddle serve`.

import { type Engine, EngineError, type Listener, meta, type Running } from "./interface";
import type { ErrorBody, Job, JobEvent, Verbs } from "./types";

const KINDS = ["begun", "improved", "bound", "stats", "review", "validated", "ended", "beat"];
const AWAY = "The program does not answer. Start it again with `unriddle serve`, then reload.";
/** Time without an event after a broken connection, in milliseconds; beats come each 10 s. */
const PATIENCE = 15_000;
const NO_JOB = "The program has no such job any more; it may have been started anew.";

async function request(path: string, options: RequestInit): Promise<unknown> {
  let response: Response;
  try {
    response = await fetch(path, options);
  } catch {
    throw new EngineError({ message: AWAY });
  }
  let answer: unknown = null;
  try {
    answer = await response.json();
  } catch {
    // An answer without a body has only its status.
  }
  const error = (answer as { error?: ErrorBody | string } | null)?.error;
  if (error) throw new EngineError(typeof error === "string" ? { message: error } : error);
  if (!response.ok) {
    const message =
      response.status === 413
        ? "This is larger than the program accepts."
        : response.status === 429
          ? "The program is busy with other jobs. Try again when one of them has ended."
          : response.status === 403
            ? "The program has been started anew. Reload the page."
            : `The program refused the request (status ${response.status}).`;
    throw new EngineError({ message });
  }
  return answer;
}

function post(path: string, body: unknown): Promise<unknown> {
  const headers = {
    "Content-Type": "application/json",
    "X-Unriddle-Token": meta("unriddle-token"),
  };
  return request(path, { method: "POST", headers, body: JSON.stringify(body) });
}

class Stream implements Running {
  id = "";
  private source: EventSource | null = null;
  private seen = 0;
  private silence = 0;
  private cancelled = false;
  private closed = false;
  private over = false;
  private readonly listener: Listener;

  constructor(listener: Listener) {
    this.listener = listener;
  }

  async begin(job: Job): Promise<void> {
    try {
      const { job: id } = (await post("api/begin", { job })) as { job: string };
      this.id = id;
      if (!this.closed) this.open(id);
      if (this.cancelled) this.cancel();
    } catch (error) {
      this.fail(error instanceof EngineError ? error.body : { message: String(error) });
    }
  }

  open(id: string): void {
    this.id = id;
    const source = new EventSource(`api/jobs/${encodeURIComponent(id)}/events`);
    this.source = source;
    const read = (message: MessageEvent<string>) => {
      clearTimeout(this.silence);
      this.silence = 0;
      const number = Number(message.lastEventId);
      if (number && number <= this.seen) return;
      if (number) this.seen = number;
      this.hear(JSON.parse(message.data) as JobEvent);
    };
    source.onmessage = read;
    for (const kind of KINDS) source.addEventListener(kind, read as EventListener);
    source.onerror = () => {
      // The browser connects again by itself unless the server has refused the job.
      if (source.readyState === EventSource.CLOSED) this.fail({ message: NO_JOB });
      else if (!this.silence) {
        this.silence = window.setTimeout(() => this.fail({ message: AWAY }), PATIENCE);
      }
    };
  }

  private hear(event: JobEvent): void {
    if (this.closed) return;
    if (event.kind === "ended") {
      this.over = true;
      this.close();
    }
    this.listener(event, this.id);
  }

  private fail(error: ErrorBody): void {
    this.hear({ kind: "ended", error, cancelled: false });
  }

  cancel(): void {
    this.cancelled = true;
    if (!this.id || this.over) return;
    const headers = { "X-Unriddle-Token": meta("unriddle-token") };
    const path = `api/jobs/${encodeURIComponent(this.id)}`;
    request(path, { method: "DELETE", headers }).catch((error) => this.fail(error.body));
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.silence);
    this.source?.close();
  }
}

export class ServerEngine implements Engine {
  readonly keeps = true;
  readonly memory = null;
  readonly lasting = true;

  async call<V extends keyof Verbs>(verb: V, fields: Verbs[V][0]): Promise<Verbs[V][1]> {
    return (await post(`api/${verb}`, fields)) as Verbs[V][1];
  }

  async list<T>(path: string): Promise<T> {
    return (await request(`api/${path}`, { method: "GET" })) as T;
  }

  start(job: Job, listener: Listener): Running {
    const stream = new Stream(listener);
    void stream.begin(job);
    return stream;
  }

  attach(id: string, listener: Listener): Running {
    const stream = new Stream(listener);
    stream.open(id);
    return stream;
  }
}
