// The module solves as the program does: same answers, same expanded states.
//
//   UNRIDDLE=target/release/unriddle MODULE=web/package/unriddle.wasm node --test web/test/module.test.mjs
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import test from "node:test";
import { Engine, EngineError } from "../package/index.js";

const { UNRIDDLE: program, MODULE: module } = process.env;
const skip = program && module ? false : "UNRIDDLE and MODULE are not set";
const models = new URL("../../models/", import.meta.url);

function network(name) {
  for (const end of [".safetensors", ".safetensors.gz"]) {
    try {
      return readFileSync(new URL(name + end, models));
    } catch {
      // The other form.
    }
  }
  return null;
}

const engine = skip ? null : await Engine.load(readFileSync(module), { networks: async (name) => network(name) });

/** Puzzle, generator, solver. */
const SOLVES = [
  ["tiles", "uniform(3)", "idastar(manhattan)"],
  ["tiles", "walk(4, min=30, max=60)", "idastar(pdb(6-6-3, mirror=yes))"],
  ["tiles", "uniform(4)", "bwas(net(tiles15), lambda=0.8, batch=1000)"],
  ["freecell", "uniform", "fc-fast"],
  ["lightsout", "random(5)", "preset default"],
  ["lightsout", "random(7)", "preset learned"],
  ["cube", "random", "preset fast"],
  ["cube", "scramble(min=5, max=5)", "beam(net(cube-shared), width=1000)"],
  ["samegame", "uniform(width=6, height=6)", "preset fast"],
  ["sokoban", "room", "preset default"],
  ["hanoi", "uniform(6)", "preset default"],
];

const run = (...args) => execFileSync(program, args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });

for (const [puzzle, wanted, solver] of SOLVES) {
  test(`${puzzle}: ${solver}`, { skip }, async () => {
    const { puzzles } = engine.call("puzzles");
    const { generators } = puzzles.find(({ name }) => name === puzzle);
    const known = generators.some(({ name }) => name === wanted.split("(")[0]);
    const generator = known ? wanted : null;
    const { instances } = engine.call("generate", { puzzle, generator, seed: 5 });
    const { instance } = instances[0];
    const preset = solver.startsWith("preset ") ? solver.slice(7) : undefined;
    const choice = preset ? { preset } : { solver };
    const { record, error } = await engine.run({ kind: "solve", puzzle, instance, ...choice, seed: 3 });
    assert.equal(error, undefined, error?.message);
    const args = preset ? ["--preset", preset] : ["--solver", solver];
    const printed = run("solve", puzzle, instance, ...args, "--seed", "3", "--format", "json", "--threads", "1");
    const found = JSON.parse(printed);
    const native = Array.isArray(found) ? found[0] : found;
    for (const field of ["status", "value", "solution", "expanded", "checked", "checked_by"]) {
      assert.deepEqual(record[field], native[field], field);
    }
  });
}

test("a level editor's mistakes have a line and a column", { skip }, () => {
  const load = () => engine.call("load", { puzzle: "sokoban", text: "####\n#@$#\n#?.#\n####\n" });
  assert.throws(load, (error) => {
    assert.ok(error instanceof EngineError);
    assert.deepEqual([error.body.line, error.body.column], [3, 2]);
    return true;
  });
});

test("a signal ends an endless job with its best", { skip }, async () => {
  const { instances } = engine.call("generate", { puzzle: "samegame", seed: 1 });
  const job = { kind: "solve", puzzle: "samegame", instance: instances[0].instance, preset: "best" };
  const end = await engine.run(job, { signal: AbortSignal.timeout(500) });
  assert.ok(end.cancelled && end.record.solution, JSON.stringify(end));
});

test("a network that was not loaded is named", { skip }, async () => {
  const bare = await Engine.load(readFileSync(module));
  const job = { kind: "solve", puzzle: "tiles", instance: "1 2 3 4 0 5 7 8 6", solver: "bwas(net(tiles8))" };
  const { error } = await bare.run(job);
  assert.match(error.message, /tiles8/);
});

test("the next engine reads the tables that were kept", { skip }, async () => {
  const [kept, written] = [new Map(), []];
  const tables = {
    keys: async () => kept.keys(),
    read: async (key) => kept.get(key),
    async write(key, bytes) {
      written.push(key);
      kept.set(key, bytes);
    },
  };
  const solve = async (job, options = {}) => {
    const next = await Engine.load(readFileSync(module), { tables: { ...tables, ...options } });
    written.length = 0;
    const { record, error } = await next.run({ kind: "solve", ...job });
    assert.equal(error, undefined, error?.message);
    return [record, [...written].sort()];
  };
  const board = "12 2 10 5 8 15 11 6 13 7 4 3 1 14 9 0";
  for (const job of [
    { puzzle: "tiles", instance: board, solver: "idastar(pdb(6-6-3, mirror=yes))", expansions: 1000 },
    { puzzle: "cube", instance: "R U R' F2 L D", preset: "fast" },
  ]) {
    const [, none] = await solve(job, { largest: 100 });
    assert.deepEqual(none, []);
    const [first, built] = await solve(job);
    assert.ok(built.length > 1, String(built));
    const [second, again] = await solve(job);
    assert.deepEqual(again, []);
    assert.ok(second.setup_cpu_s < first.setup_cpu_s / 2, `${second.setup_cpu_s} ${first.setup_cpu_s}`);
    kept.get(built[0])[5000] ^= 1;
    const [third, repaired] = await solve(job);
    assert.ok(repaired.includes(built[0]), String(repaired));
    for (const field of ["status", "value", "solution", "expanded"]) {
      assert.deepEqual([second[field], third[field]], [first[field], first[field]], field);
    }
  }
});
