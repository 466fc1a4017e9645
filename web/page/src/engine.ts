// The choice of the engine's implementation.

import { type Engine, meta } from "./interface";
import { ServerEngine } from "./server";
import { WorkerEngine } from "./worker";

export const engine: Engine =
  meta("unriddle-engine") === "worker" ? new WorkerEngine() : new ServerEngine();
