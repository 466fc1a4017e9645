// Pictures of every puzzle with a running `unriddle serve`.
//
//   node test/boards.mjs http://127.0.0.1:7878 [FILTER]       pictures go to test/pictures/boards
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { proxy } from "./proxy.mjs";

const folder = join(dirname(fileURLToPath(import.meta.url)), "pictures/boards");
mkdirSync(folder, { recursive: true });
const engine = process.argv[2];
const filter = new RegExp(process.argv[3] ?? ".");
const by = (id) => `[data-testid="${id}"]`;
const { puzzles } = await (await fetch(`${engine}/api/puzzles`, { method: "POST", body: "{}", headers: { "content-type": "application/json" } })).json();
const server = await proxy(engine);
const base = `http://127.0.0.1:${server.address().port}/`;
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--headless", "--no-sandbox", "--disable-gpu"] });
const themes = (process.env.THEMES ?? "light").split(",");
const widths = (process.env.WIDTHS ?? "1280").split(",").map(Number);
for (const theme of themes) {
  for (const width of widths) {
    const context = await browser.newContext({ viewport: { width, height: 820 }, colorScheme: theme });
    for (const { name } of puzzles) {
      if (!filter.test(name)) continue;
      for (const view of (process.env.VIEWS ?? "play,editor").split(",")) {
        const page = await context.newPage();
        page.setDefaultTimeout(8000);
        page.on("pageerror", (error) => console.log(`${name} ${view}: ${error}`));
        page.on("console", (message) => message.type() === "error" && console.log(`${name} ${view}: ${message.text()}`));
        try {
          await page.goto(`${base}#${name}?room=${{ editor: "setup", hint: "play", review: "play" }[view] ?? view}`);
          await page.waitForSelector(`${by("board")} svg`);
          await page.waitForTimeout(300);
          if (view === "editor") {
            await page.click(by("tab-editor"));
            await page.waitForTimeout(500);
          }
          if (view === "play") {
            // Three moves from the buttons.
            for (let k = 0; k < 3; k += 1) {
              const buttons = page.locator('[data-testid^="action-"]');
              if ((await buttons.count()) === 0) break;
              await buttons.first().evaluate((button) => button.click());
              await page.waitForTimeout(250);
            }
          }
          if (view === "hint" || view === "review") {
            await page.goto(`${base}#${name}?room=play`);
            await page.reload();
            await page.waitForSelector(`${by("board")} svg`);
            await page.waitForTimeout(300);
            for (let k = 0; k < 4; k += 1) {
              const buttons = page.locator('[data-testid^="action-"]');
              if ((await buttons.count()) === 0) break;
              await buttons.nth(k % (await buttons.count())).evaluate((button) => button.click());
              await page.waitForTimeout(250);
            }
            await page.click(by(view));
            const done = view === "hint" ? ".hint-text" : by("review-headline");
            await page.waitForSelector(done, { timeout: 30000 });
            await page.waitForFunction(() => !document.querySelector('[aria-busy="true"]'), null, { timeout: 30000 });
          }
          if (view === "design") {
            await page.click(by("validate"));
            await page.waitForFunction(() => document.querySelector('[data-testid="validations"] details'), null, { timeout: 30000 });
            await page.waitForTimeout(500);
          }
          if (view === "research") {
            await page.click(by("race"));
            await page.waitForTimeout(4000);
          }
          if (view === "solve") {
            await page.evaluate(() => localStorage.setItem("unriddle:limits", '{"seconds":6}'));
            await page.reload();
            await page.waitForSelector(`${by("board")} svg`);
            await page.click(by("solve"));
            await page.waitForFunction(() => document.querySelector(".seal svg") || document.querySelector('[data-testid="solve-error"]'), null, { timeout: 30000 });
            await page.waitForTimeout(400);
          }
        } catch (error) {
          console.log(`${name} ${view} ${width}: ${String(error).slice(0, 300)}`);
        }
        const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        if (over > 0) console.log(`${name} ${view} ${width}: ${over} px too wide`);
        await page.screenshot({ path: join(folder, `${name}-${view}-${width}-${theme}.png`), fullPage: true });
        await page.close();
      }
    }
    await context.close();
  }
}
await browser.close();
server.close();
server.closeAllConnections();
