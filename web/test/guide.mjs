// Makes the pictures of docs/studio.md and README.
//
//   UNRIDDLE=target/release/unriddle node web/test/guide.mjs [FOLDER]
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { launch, missing, serve } from "./browser.mjs";
import { PUZZLES } from "./puzzles.mjs";

const why = missing() ?? (process.env.UNRIDDLE ? null : "UNRIDDLE is not set");
if (why) {
  console.log(`skipped: ${why}`);
  process.exit(0);
}
const folder = process.argv[2] ?? fileURLToPath(new URL("../../docs/studio/", import.meta.url));
mkdirSync(folder, { recursive: true });
const id = (name) => `[data-testid="${name}"]`;
const place = await serve(process.env.UNRIDDLE);
const browser = await launch();
const scramble = "R U' F2 D L2 B' U R2 F' D2 L U2";
const level = PUZZLES.sokoban.lost;
const link = (puzzle, parts, query) => `#${[puzzle, ...parts.map(encodeURIComponent)].join("/")}?${query}`;

/** Name, address, width, theme, and what is done before the picture is taken. */
const PICTURES = [
  ["solve", link("cube", [scramble], "room=solve"), 1280, "light", async (page) => {
    await page.click(id("preset-fast"));
    await page.click(id("solve"));
    await page.waitForSelector(".seal.found, .seal.proved", { timeout: 60000 });
    for (let i = 0; i < 4; i += 1) await page.click(id("step-forward"));
  }],
  ["review", link("sokoban", [level.instance, level.line], "room=play"), 1280, "dark", async (page) => {
    await page.click(id("review"));
    await page.waitForFunction(() => /lost/.test(document.querySelector('[data-testid="review-headline"]')?.textContent ?? ""));
    // The second mistake is the lost one.
    await page.keyboard.press("n");
    await page.waitForTimeout(300);
    await page.keyboard.press("n");
  }],
  ["setup", link("sokoban", [level.instance], "room=setup"), 1280, "light", async (page) => {
    await page.click(id("tab-editor"));
  }],
  ["design", link("sokoban", [level.instance], "room=design"), 1280, "light", async (page) => {
    await page.click(id("validate"));
    await page.waitForSelector(`${id("validations")} details`, { timeout: 60000 });
  }],
  ["phone", link("freecell", [], "room=play"), 390, "light", async () => {}],
];

for (const [name, address, width, colorScheme, act] of PICTURES) {
  const context = await browser.newContext({ viewport: { width, height: 820 }, colorScheme });
  const page = await context.newPage();
  await page.goto(place.address + address);
  await page.waitForSelector(`${id("board")} svg`);
  await act(page);
  await page.waitForTimeout(400);
  await page.screenshot({ path: `${folder}/${name}.png` });
  console.log(`${folder}/${name}.png`);
  await context.close();
}
await browser.close();
place.end();
process.exit(0);
