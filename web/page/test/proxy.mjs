// Serves the built page of this folder with the engine of a running `unriddle serve`, so that the
// page can be changed without building the program.
//
//   node test/proxy.mjs http://127.0.0.1:7878 [PORT]
import { readFileSync } from "node:fs";
import { createServer, request as ask } from "node:http";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const folder = join(here, "../../../crates/studio/page");
const TYPES = { html: "text/html; charset=utf-8", js: "text/javascript", css: "text/css" };

export async function proxy(engine, port = 0) {
  const index = await (await fetch(engine)).text();
  const token = /name="unriddle-token" content="([^"]*)"/.exec(index)?.[1] ?? "";
  const policy = (await fetch(engine)).headers.get("content-security-policy") ?? "";
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    if (pathname.startsWith("/api/")) {
      const headers = {
        ...request.headers,
        host: new URL(engine).host,
        origin: new URL(engine).origin,
      };
      delete headers.referer;
      const onward = ask(
        new URL(request.url, engine),
        { method: request.method, headers },
        (answer) => {
          response.writeHead(answer.statusCode, answer.headers);
          answer.pipe(response);
        },
      );
      onward.on("error", () => response.writeHead(502).end());
      request.on("close", () => request.complete || onward.destroy());
      response.on("close", () => onward.destroy());
      request.pipe(onward);
      return;
    }
    const name = pathname === "/" ? "index.html" : pathname.slice(1);
    if (!/^(index\.html|page\.js|page\.css|worker\.js)$/.test(name)) {
      response.writeHead(404).end();
      return;
    }
    let body = readFileSync(join(folder, name), "utf8");
    if (name === "index.html") {
      body = body.replace(
        'name="unriddle-token" content=""',
        `name="unriddle-token" content="${token}"`,
      );
    }
    response.writeHead(200, {
      "Content-Type": TYPES[name.split(".").pop()],
      "Content-Security-Policy": policy,
      "Cache-Control": "no-store",
    });
    response.end(body);
  });
  return new Promise((done) => server.listen(port, "127.0.0.1", () => done(server)));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const server = await proxy(
    process.argv[2] ?? "http://127.0.0.1:7878",
    Number(process.argv[3] ?? 0),
  );
  console.log(`http://127.0.0.1:${server.address().port}/`);
}
