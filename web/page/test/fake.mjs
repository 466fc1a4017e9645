// A small engine for tests of the page: a server that answers the contract for three puzzles, each
// of which is searched whole in advance.
//
//   node test/fake.mjs [PORT]
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { begin, jobs, results } from "./fake-jobs.mjs";
import { tiles } from "./fake-puzzles.mjs";
import { Refused, verbs } from "./fake-verbs.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const folder = join(here, "../../../crates/studio/page");
const TOKEN = "a-token-of-the-fake";
// Records of the server

function experiment(fields) {
  const solvers = ["idastar(manhattan)", "astar(manhattan)"];
  const wanted = fields.get("solver");
  const runs = solvers
    .filter((solver) => !wanted || solver === wanted)
    .flatMap((solver) =>
      Array.from({ length: 12 }, (_, k) => ({
        name: `board ${k + 1}`,
        suite: "korf",
        puzzle: "tiles",
        instance: tiles.write(tiles.random(k)),
        solver,
        seed: 0,
        status: "optimal",
        reason: null,
        value: tiles.left(tiles.random(k)),
        solution: tiles.path(tiles.random(k)).join(""),
        expanded: 9000 * (k + 1),
        cpu_s: 0.3 * (k + 1),
      })),
    );
  return { name: "korf-100", solvers, statuses: ["optimal"], total: runs.length, runs };
}

function log() {
  const rows = Array.from({ length: 80 }, (_, k) => [
    k * 100,
    9 / (1 + k / 8) + Math.sin(k) / 4,
    Math.min(1, k / 60),
    0.001 * 0.98 ** k,
  ]);
  return {
    name: "tiles15",
    run: "training",
    changed: 1.7e12,
    recipe: "batch = 1000\n",
    columns: ["updates", "loss", "solved", "rate"],
    rows,
  };
}

// Server

const TYPES = { html: "text/html; charset=utf-8", js: "text/javascript", css: "text/css" };

function file(name, response) {
  if (!/^(index\.html|page\.js|page\.css|worker\.js)$/.test(name)) {
    response.writeHead(404).end();
    return;
  }
  let body = readFileSync(join(folder, name), "utf8");
  if (name === "index.html")
    body = body.replace(
      'name="unriddle-token" content=""',
      `name="unriddle-token" content="${TOKEN}"`,
    );
  const policy = "default-src 'self'; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'";
  response.writeHead(200, {
    "Content-Type": TYPES[name.split(".").pop()],
    "Content-Security-Policy": policy,
    "Cache-Control": "no-store",
  });
  response.end(body);
}

function events(id, request, response, after) {
  const job = jobs.get(id);
  if (!job) {
    response.writeHead(404).end(JSON.stringify({ error: { message: "no such job" } }));
    return;
  }
  response.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-store" });
  const send = ({ id, event }) => {
    response.write(`id: ${id}\nevent: ${event.kind}\ndata: ${JSON.stringify(event)}\n\n`);
    if (event.kind === "ended") response.end();
  };
  for (const entry of job.events) if (entry.id > after) send(entry);
  job.listeners.add(send);
  request.on("close", () => job.listeners.delete(send));
}

function answer(response, status, body) {
  response.writeHead(status, { "Content-Type": "application/json" });
  response.end(JSON.stringify(body));
}

export function serve(port = 0) {
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url, "http://localhost");
    try {
      const stream = /^\/api\/jobs\/([\w-]+)(\/events)?$/.exec(pathname);
      if (request.method === "GET" && stream?.[2]) {
        const after = Number(request.headers["last-event-id"] ?? searchParams.get("after") ?? 0);
        return events(stream[1], request, response, after);
      }
      if (request.method === "DELETE" && stream) {
        if (request.headers["x-unriddle-token"] !== TOKEN)
          throw new Refused("wrong token", {}, 403);
        const job = jobs.get(stream[1]);
        if (job) job.cancelled = true;
        return answer(response, 200, {});
      }
      if (request.method === "GET" && pathname === "/api/results")
        return answer(response, 200, { results: results.slice(0, 30) });
      if (request.method === "GET" && pathname === "/api/experiments") {
        return answer(response, 200, {
          experiments: [
            {
              name: "korf-100",
              runs: 300,
              unexplained: 0,
              cpu_s: 812,
              first: 1.7e12,
              last: 1.7e12,
            },
          ],
        });
      }
      if (request.method === "GET" && pathname === "/api/experiments/korf-100")
        return answer(response, 200, experiment(searchParams));
      if (request.method === "GET" && pathname === "/api/runs")
        return answer(response, 200, {
          runs: [{ name: "tiles15", run: "training", changed: 1.7e12 }],
        });
      if (request.method === "GET" && pathname === "/api/runs/tiles15")
        return answer(response, 200, log());
      if (request.method === "GET")
        return file(pathname === "/" ? "index.html" : pathname.slice(1), response);
      const verb = pathname.replace("/api/", "");
      let text = "";
      for await (const part of request) text += part;
      const body = JSON.parse(text);
      if (verb === "begin") {
        if (request.headers["x-unriddle-token"] !== TOKEN)
          throw new Refused("wrong token", {}, 403);
        return answer(response, 200, begin(body));
      }
      if (!verbs[verb]) throw new Refused("unknown verb", {}, 404);
      answer(response, 200, verbs[verb](body));
    } catch (error) {
      answer(response, error.status ?? 500, {
        error: error.body ?? { message: String(error?.message ?? error) },
      });
    }
  });
  return new Promise((done) => server.listen(port, "127.0.0.1", () => done(server)));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const server = await serve(Number(process.argv[2] ?? 8420));
  console.log(`http://127.0.0.1:${server.address().port}/`);
}
