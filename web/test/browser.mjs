// A real browser with the page of a program, or with a folder of static files.
import { spawn } from "node:child_process";
import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { extname, join, normalize } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const required = createRequire(new URL("../page/package.json", import.meta.url));
export const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";

/** Reason for which nothing can be tested here; `null` otherwise. */
export function missing() {
  if (!existsSync(CHROMIUM)) return `no browser at ${CHROMIUM}`;
  try {
    required.resolve("playwright-core");
  } catch {
    return "playwright-core is not installed (npm ci in web/page)";
  }
  return null;
}

export async function launch() {
  const { chromium } = required("playwright-core");
  const args = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"];
  return chromium.launch({ executablePath: CHROMIUM, args });
}

export const axe = () => required.resolve("axe-core/axe.min.js");

/** Starts `unriddle serve` on a free port. */
export async function serve(program, ...args) {
  const child = spawn(program, ["serve", "--port", "0", ...args], { stdio: ["ignore", "pipe", "inherit"] });
  const [address] = await Promise.race([
    new Promise((resolve) => createInterface(child.stdout).once("line", (line) => resolve([line]))),
    new Promise((_, reject) => child.once("exit", (code) => reject(new Error(`${program} ended: ${code}`)))),
  ]);
  return { address, child, end: () => child.kill("SIGINT") };
}

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".wasm": "application/wasm",
};

/** Serves the files of a folder, as any web server does. */
export async function host(folder) {
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, "http://host").pathname));
    const file = join(folder, path === "/" ? "index.html" : path);
    if (!existsSync(file) || !statSync(file).isFile()) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" });
    createReadStream(file).pipe(response);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const end = () => {
    server.close();
    server.closeAllConnections();
  };
  return { address: `http://127.0.0.1:${server.address().port}/`, end };
}

export const here = fileURLToPath(new URL(".", import.meta.url));
