// The committed files of the page follow from its sources.
//
//   node web/test/built.mjs
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const page = fileURLToPath(new URL("../page/", import.meta.url));
const built = fileURLToPath(new URL("../../crates/studio/page/", import.meta.url));
if (!existsSync(join(page, "node_modules/esbuild"))) {
  console.log("skipped: esbuild is not installed (npm ci in web/page)");
  process.exit(0);
}
const folder = mkdtempSync(join(tmpdir(), "unriddle-page-"));
execFileSync("node", [join(page, "build.mjs"), folder], { stdio: "inherit" });
const [made, committed] = [folder, built].map((of) => readdirSync(of).sort());
const differing = [...new Set([...made, ...committed])].filter((name) => {
  const read = (of) => (existsSync(join(of, name)) ? readFileSync(join(of, name), "utf8") : null);
  return read(folder) !== read(built);
});
rmSync(folder, { recursive: true });
if (differing.length > 0) {
  console.error(`crates/studio/page differs from web/page in ${differing.join(", ")}: run node web/page/build.mjs`);
  process.exit(1);
}
console.log("the committed page follows from its sources");
