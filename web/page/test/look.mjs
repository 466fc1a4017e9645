// Pictures of the page with the fake engine, and axe-core on each view.
//
//   node test/look.mjs [FILTER]       pictures go to test/pictures
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { serve } from "./fake.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const folder = join(here, "pictures");
mkdirSync(folder, { recursive: true });
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const filter = new RegExp(process.argv[2] ?? ".");
const hard = encodeURIComponent("8 6 7 2 5 4 3 0 1");
const pegsStart = encodeURIComponent("o\noo\no.o\noooo\nooooo");
const by = (id) => `[data-testid="${id}"]`;

const views = {
  "solve-idle": [`#tiles/${hard}?room=solve`],
  "solve-running": [
    `#tiles/${hard}?room=solve`,
    async (page) => {
      await page.click(by("solve"));
      await page.waitForTimeout(1500);
    },
  ],
  "solve-done": [
    `#tiles/${hard}?room=solve`,
    async (page) => {
      await page.click(by("solve"));
      await page.waitForSelector(".seal.proved", { timeout: 15000 });
      for (let k = 0; k < 9; k += 1) await page.click(by("step-forward"));
      await page.waitForTimeout(250);
    },
  ],
  "solve-unsolvable": [
    `#tiles/${encodeURIComponent("1 2 3 4 5 6 8 7 0")}?room=solve`,
    async (page) => {
      await page.click(by("solve"));
      await page.waitForSelector(".seal.none", { timeout: 15000 });
    },
  ],
  "solve-large": [
    `#tiles/${hard}?room=solve`,
    async (page) => {
      await page.click(".fold summary");
      await page.fill('.fold label:has-text("memory") input', "1");
      await page.click(by("solve"));
      await page.waitForSelector(".seal.gave-up", { timeout: 15000 });
    },
  ],
  "solve-spec": [
    `#tiles/${hard}?room=solve&solver=astar(man`,
    async (page) => {
      await page.waitForTimeout(600);
      await page.click(by("spec-solve"));
      await page.keyboard.press("End");
      await page.waitForTimeout(400);
    },
  ],
  "play-lost": [
    `#pegs/${pegsStart}/${encodeURIComponent("e4c2 d1d3 d4d2 b1d1 e2e4 b2d4 e5e3 d1d3 c2e4 e3e5 e5c3")}?room=play`,
    async (page) => {
      await page.click(by("review"));
      await page.waitForTimeout(1500);
      if (await page.isVisible(by("next-mistake"))) await page.click(by("next-mistake"));
      await page.waitForTimeout(300);
    },
  ],
  "play-select": [
    `#pegs/${pegsStart}?room=play`,
    async (page) => {
      await page.click(`.spot.can >> nth=0`);
      await page.waitForTimeout(200);
    },
  ],
  "play-hint": [
    `#tiles/${hard}/LDDR?room=play`,
    async (page) => {
      await page.click(by("hint"));
      await page.waitForTimeout(900);
    },
  ],
  "play-solid": [`#box/12/TB?room=play`],
  "play-solid-focus": [
    `#box/12/TB?room=play`,
    async (page) => {
      await page.focus(by("solid"));
      await page.keyboard.press("Tab");
      await page.keyboard.press("ArrowDown");
      await page.waitForTimeout(300);
    },
  ],
  "play-buttons": [`#counting/4/%2B3?room=play`],
  setup: [`#tiles/${hard}?room=setup`],
  "setup-editor": [
    `#tiles/${hard}?room=setup`,
    async (page) => {
      await page.click(by("tab-editor"));
      await page.waitForTimeout(300);
      await page.click(by("cell-0-1"));
    },
  ],
  "setup-paint": [
    `#pegs/${pegsStart}?room=setup`,
    async (page) => {
      await page.click(by("tab-editor"));
      await page.waitForTimeout(300);
    },
  ],
  "setup-table": [
    "#purse?room=setup",
    async (page) => {
      await page.click(by("tab-editor"));
      await page.waitForTimeout(300);
      await page.selectOption(by("field-1-2-2"), "kept");
      await page.fill(by("field-1-1-1"), "-3");
      await page.waitForTimeout(900);
    },
  ],
  "setup-text": [
    `#pegs/${pegsStart}?room=setup`,
    async (page) => {
      await page.click(by("tab-text"));
      await page.fill(by("text-editor"), "o\noo\nozo\noooo\nooooo");
      await page.click(by("read-text"));
      await page.waitForTimeout(300);
    },
  ],
  "setup-error": [
    `#tiles/${hard}?room=setup`,
    async (page) => {
      await page.fill(by("position-field"), "1 2 3 4 5 9 7 8 0");
      await page.press(by("position-field"), "Enter");
      await page.waitForTimeout(300);
    },
  ],
  design: [
    `#tiles/${hard}?room=design`,
    async (page) => {
      await page.click(by("tab-text"));
      await page.fill(by("text-editor"), "8 6 7 2 5 4 3 0 1\n1 2 3 4 5 6 8 7 0\n1 2 3 4 5 6 7 0 8");
      await page.click(by("read-text"));
      await page.waitForTimeout(300);
      await page.click(by("tab-board"));
      await page.click(by("validate"));
      await page.waitForTimeout(900);
    },
  ],
  research: [
    `#tiles/${hard}?room=research`,
    async (page) => {
      await page.click(by("race"));
      await page.waitForTimeout(2500);
    },
  ],
  "research-kept": [`#tiles/${hard}?room=research&show=experiment/korf-100`],
  "research-run": [`#tiles/${hard}?room=research&show=run/tiles15`],
  keys: [
    `#tiles/${hard}?room=play`,
    async (page) => {
      await page.keyboard.press("?");
    },
  ],
};

const server = await serve();
const base = `http://127.0.0.1:${server.address().port}/`;
const browser = await chromium.launch({
  executablePath: "/usr/bin/chromium",
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"],
});
let wrong = 0;
const themes = (process.env.THEMES ?? "light,dark").split(",");
const widths = (process.env.WIDTHS ?? "1280,390").split(",").map(Number);
for (const theme of themes) {
  for (const width of widths) {
    const context = await browser.newContext({
      viewport: { width, height: width > 500 ? 820 : 844 },
      colorScheme: theme,
      bypassCSP: true,
    });
    for (const [name, [hash, act]] of Object.entries(views)) {
      if (!filter.test(name)) continue;
      const page = await context.newPage();
      page.setDefaultTimeout(6000);
      page.on("pageerror", (error) => console.log(`${name}: ${error}`) || (wrong += 1));
      page.on(
        "console",
        (message) =>
          message.type() === "error" &&
          !/status of 400/.test(message.text()) &&
          console.log(`${name}: ${message.text()}`),
      );
      try {
        await page.goto(base + hash);
        await page.waitForSelector(`${by("board")} svg`);
        await page.waitForTimeout(250);
        await act?.(page);
        const overflow = await page.evaluate(
          () => document.documentElement.scrollWidth - innerWidth,
        );
        if (overflow > 0) console.log(`${name} ${width}: ${overflow} px too wide`);
        if (theme === themes[0] || process.env.AXE) {
          await page.evaluate(axe);
          const { violations } = await page.evaluate(() => axe.run(document));
          for (const { id, nodes } of violations) {
            wrong += 1;
            console.log(
              `${name} ${width} ${theme}: ${id}: ${nodes
                .slice(0, 3)
                .map(
                  ({ html, failureSummary }) =>
                    `${html.slice(0, 130)} | ${failureSummary.split("\n")[1]?.trim().slice(0, 150)}`,
                )
                .join("\n    ")}`,
            );
          }
        }
      } catch (error) {
        wrong += 1;
        console.log(`${name} ${width}: ${String(error).slice(0, 400)}`);
      }
      await page.screenshot({
        path: join(folder, `${name}-${width}-${theme}.png`),
        fullPage: true,
      });
      await page.close();
    }
    await context.close();
  }
}
await browser.close();
server.close();
server.closeAllConnections();
console.log(wrong === 0 ? "no violation" : `${wrong} wrong`);
