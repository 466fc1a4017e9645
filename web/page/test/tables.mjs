// Tests of the browser's storage of tables, in a worker as in the page.
//
//   node test/tables.mjs
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { chromium } from "playwright-core";

const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
if (!existsSync(CHROMIUM)) {
  console.log(`skipped: no browser at ${CHROMIUM}`);
  process.exit(0);
}

/** Runs in the worker: what the storage at some places has after each of some writes. */
const WORKER = `
import { database, files, keptTables } from "./tables";

const none = async () => { throw new Error("no such place"); };
const places = { files: [files], database: [database], second: [none, database], none: [none] };
const bytes = (length, value) => new Uint8Array(length).fill(value);

self.onmessage = async ({ data: place }) => {
  const tables = keptTables(places[place], 10);
  const wait = () => new Promise((resume) => setTimeout(resume, 20));
  const log = [];
  for (const [key, length, value] of [["a/b, \u00e9.", 4, 1], ["b", 4, 2], ["a/b, \u00e9.", 3, 3], ["c", 7, 4]]) {
    await tables.write(key, bytes(length, value));
    await wait();
    log.push((await tables.keys()).sort().join(" | "));
  }
  // A storage of its own finds them again.
  const again = keptTables(places[place], 10);
  const content = [];
  for (const key of await again.keys()) content.push([key, ...new Uint8Array(await again.read(key))]);
  self.postMessage({ log, content: content.sort(), largest: tables.largest });
};
`;

const bundle = await build({
  stdin: {
    contents: WORKER,
    loader: "js",
    resolveDir: fileURLToPath(new URL("../src/", import.meta.url)),
  },
  bundle: true,
  format: "esm",
  target: "es2022",
  write: false,
});
const server = createServer((request, response) => {
  const isWorker = request.url === "/worker.js";
  response.writeHead(200, { "content-type": isWorker ? "text/javascript" : "text/html" });
  response.end(isWorker ? bundle.outputFiles[0].text : "<!doctype html>");
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const browser = await chromium.launch({
  executablePath: CHROMIUM,
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"],
});

const kept = {
  log: ["a/b, é.", "a/b, é. | b", "a/b, é. | b", "a/b, é. | c"],
  content: [
    ["a/b, é.", 3, 3, 3],
    ["c", 4, 4, 4, 4, 4, 4, 4],
  ],
  largest: 10,
};
const nothing = { log: ["", "", "", ""], content: [], largest: 10 };
let failed = 0;
for (const [place, expected] of Object.entries({
  files: kept,
  database: kept,
  second: kept,
  none: nothing,
})) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  const found = await page.evaluate(
    (place) =>
      new Promise((resolve, reject) => {
        const worker = new Worker("worker.js", { type: "module" });
        worker.onmessage = ({ data }) => resolve(data);
        worker.onerror = ({ message }) => reject(new Error(message));
        setTimeout(() => reject(new Error("no answer")), 5000);
        worker.postMessage(place);
      }),
    place,
  );
  try {
    assert.deepEqual(found, expected);
    console.log(`ok   tables of the browser: ${place}`);
  } catch (error) {
    failed += 1;
    console.log(`FAIL tables of the browser: ${place}: ${error.message}`);
  }
  await context.close();
}
await browser.close();
server.close();
server.closeAllConnections();
process.exit(failed === 0 ? 0 : 1);
