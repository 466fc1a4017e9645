// Builds the page into `crates/studio/page`: index.html, page.js, page.css, worker.js.
//
//   node build.mjs [FOLDER]
//
// The result depends on the sources only, so that a test can compare it with the committed files.
import { build } from "esbuild";
import { copyFileSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const folder = process.argv[2] ?? join(here, "../../crates/studio/page");
mkdirSync(folder, { recursive: true });
await build({
  absWorkingDir: here,
  entryPoints: { page: "src/main.tsx", worker: "src/worker-main.ts" },
  outdir: folder,
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  charset: "utf8",
  legalComments: "none",
  logLevel: "warning",
});
copyFileSync(join(here, "src/index.html"), join(folder, "index.html"));
