// Solves instances with the module in Node, as the program does on the command line:
//
//   node crates/web/solve.mjs MODULE PUZZLE SOLVER < instances.txt > records.jsonl
//
// A record per instance goes to standard output, and the rate of each to standard error.
import { readFileSync } from "node:fs";

const [module, puzzle, solver] = process.argv.slice(2);
if (!solver) {
  console.error("usage: node crates/web/solve.mjs MODULE PUZZLE SOLVER < instances.txt");
  process.exit(2);
}
const host = { now: () => performance.now() };
const { instance } = await WebAssembly.instantiate(readFileSync(module), { host });
const engine = instance.exports;

/** Answers a request; an error ends the program. */
function call(request) {
  const bytes = new TextEncoder().encode(JSON.stringify(request));
  const at = engine.alloc(bytes.length);
  new Uint8Array(engine.memory.buffer, at, bytes.length).set(bytes);
  const answer = engine.call(at, bytes.length);
  const length = engine.answer_length();
  const text = new TextDecoder().decode(new Uint8Array(engine.memory.buffer, answer, length));
  engine.free(at, bytes.length);
  engine.free(answer, length);
  const read = JSON.parse(text);
  if (read.error) {
    console.error(read.error.message);
    process.exit(31);
  }
  return read;
}

const { instances } = call({ verb: "load", puzzle, text: readFileSync(0, "utf8") });
for (const { id, instance } of instances) {
  const begun = process.cpuUsage();
  const { job } = call({ verb: "begin", job: { kind: "solve", puzzle, instance, solver } });
  let step;
  do {
    step = call({ verb: "step", job, expansions: 1e9 });
  } while (!step.ended);
  call({ verb: "close", job });
  const record = step.events.at(-1).record;
  const { user, system } = process.cpuUsage(begun);
  const seconds = (user + system) / 1e6;
  const rate = (record.expanded / seconds / 1e6).toFixed(2);
  console.log(JSON.stringify({ ...record, id }));
  console.error(`${id}: ${record.expanded} expanded in ${seconds.toFixed(2)} CPU s, ${rate} M/s`);
}
