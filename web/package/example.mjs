// A level editor's check: is this level solvable, how long is its shortest solution, and which
// lines of the level are wrong? `node example.mjs < level.txt`
import { readFileSync } from "node:fs";
import { Engine, EngineError } from "./index.js";

const engine = await Engine.load(readFileSync(new URL("unriddle.wasm", import.meta.url)));
const text = readFileSync(0, "utf8");
try {
  engine.call("load", { puzzle: "sokoban", text });
  const job = { kind: "validate", puzzle: "sokoban", text, seconds: 10 };
  await engine.run(job, {
    signal: AbortSignal.timeout(60_000),
    onEvent(event) {
      if (event.kind !== "validated") return;
      const { id, verdict, value, optimal, unit } = event.validation;
      console.log(`${id}: ${verdict}`, value ?? "", value ? unit : "", optimal ? "(proved)" : "");
    },
  });
} catch (error) {
  if (!(error instanceof EngineError)) throw error;
  const { line, column, message } = error.body;
  console.error(`line ${line}, column ${column}: ${message}`);
}
