// The page in a real browser, with the real program: for every puzzle set up, solve, watch; play,
// undo, hint; review; bad input; reload and links; by mouse and by keyboard; accessibility.
//
//   UNRIDDLE=target/release/unriddle node web/test/studio.mjs [FILTER]
//
// OWN names the example program `own_puzzle`; LEARNED=1 also solves the cube by its network. SITE
// names a folder of `web/export.sh`: then the same tests run without a server. PICTURES names a
// folder for pictures of every room and puzzle.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { axe, host, launch, missing, serve } from "./browser.mjs";
import { PUZZLES, STATIC } from "./puzzles.mjs";

const { UNRIDDLE: program, SITE: site, PICTURES: pictures, OWN: own } = process.env;
const why = missing() ?? (program || site ? null : "neither UNRIDDLE nor SITE is set");
if (why) {
  console.log(`skipped: ${why}`);
  process.exit(0);
}
const filter = new RegExp(process.argv[2] ?? ".");
const id = (name) => `[data-testid="${name}"]`;
const rooms = ["setup", "play", "solve", "design", "research"];

class Visitor {
  constructor(page, base) {
    this.page = page;
    this.base = base;
  }

  /** Opens an address from nothing, as a link does. */
  async open(address) {
    await this.page.goto("about:blank");
    await this.page.goto(this.base + address);
    await this.page.waitForSelector(`${id("board")} svg, ${id("board")} pre`, { timeout: 20000 });
  }

  status(pattern, timeout = 20000) {
    const has = (source) =>
      new RegExp(source).test(document.querySelector('[data-testid="status"]')?.textContent ?? "");
    return this.page.waitForFunction(has, pattern, { timeout });
  }

  text(name) {
    return this.page.textContent(id(name));
  }

  hash() {
    return this.page.evaluate(() => location.hash);
  }

  async paste(text) {
    await this.page.focus(id("position-field"));
    await this.page.keyboard.press("Control+a");
    await this.page.keyboard.insertText(text);
    await this.page.keyboard.press("Enter");
  }

  /** Presses Tab until the element of a name has the focus. */
  async tab_to(name) {
    for (let i = 0; i < 150; i += 1) {
      await this.page.keyboard.press("Tab");
      const found = await this.page.evaluate(() => document.activeElement?.dataset?.testid);
      if (found === name) return;
    }
    assert.fail(`${name} is not reached by Tab`);
  }

  /** Sets the puzzle up. */
  async set_up(name, { instance, deal }) {
    await this.open(`#${name}?room=setup`);
    if (deal) {
      await this.page.fill(id("number"), String(deal));
      await this.page.click(id("deal"));
    } else if (instance) {
      const before = await this.hash();
      await this.paste(instance);
      await this.page.waitForFunction((old) => location.hash !== old, before);
    }
  }

  /** Waits for the end of a solve. */
  solved(timeout = 60000) {
    const seals = [".seal.proved", ".seal.found", ".seal.none", ".seal.gave-up"];
    return this.page.waitForSelector(seals.join(), { timeout });
  }
}

const tests = {};

for (const [name, puzzle] of Object.entries(PUZZLES)) {
  if (site && !STATIC.includes(name)) continue;
  tests[`${name}: set up, solve and watch by mouse`] = async (visitor) => {
    const { page } = visitor;
    await visitor.set_up(name, puzzle);
    await page.click(id("room-solve"));
    await page.click(id(`preset-${puzzle.preset}`));
    await page.click(id("solve"));
    if (puzzle.expansions) {
      await page.waitForTimeout(500);
      await page.click(id("stop"));
    }
    await visitor.solved();
    assert.match(await visitor.text("seal"), /replayed/);
    if (["party", "qap"].includes(name)) return;
    await visitor.status("the start");
    await page.click(id("step-forward"));
    await visitor.status(" 1 of ");
    await page.click(id("step-last"));
    await visitor.status("the end|solved|over");
  };
  tests[`${name}: set up, solve and watch by keyboard`] = async (visitor) => {
    const { page } = visitor;
    await visitor.open(`#${name}?room=solve`);
    if (puzzle.instance) {
      await page.keyboard.press("/");
      await page.keyboard.press("Control+a");
      await page.keyboard.insertText(puzzle.instance);
      await page.keyboard.press("Enter");
      await page.waitForTimeout(300);
    }
    await visitor.tab_to("solve");
    if (puzzle.preset !== "default") {
      // The presets are a group of radio buttons before the button.
      const wanted = id(`preset-${puzzle.preset}`);
      await page.focus(`${wanted} input, input${wanted}`);
      await page.keyboard.press("Space");
      await visitor.tab_to("solve");
    }
    await page.keyboard.press("Enter");
    if (puzzle.expansions) {
      await page.waitForTimeout(500);
      await page.focus(id("stop"));
      await page.keyboard.press("Enter");
    }
    await visitor.solved();
    if (["party", "qap"].includes(name)) return;
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press("End");
    await visitor.status("the end|solved|over");
    await page.keyboard.press("Home");
    await visitor.status("the start");
  };
  tests[`${name}: bad input is refused at its place`] = async (visitor) => {
    await visitor.open(`#${name}?room=solve`);
    await visitor.paste(puzzle.wrong);
    await visitor.page.waitForSelector(id("position-error"));
    assert.ok((await visitor.text("position-error")).length > 10);
    // The page goes on.
    await visitor.page.click(id("room-play"));
    await visitor.page.waitForSelector(id("board"));
  };
  if (["party", "qap"].includes(name)) continue;
  tests[`${name}: play, undo and hint`] = async (visitor) => {
    const { page } = visitor;
    await visitor.set_up(name, puzzle);
    await page.click(id("room-play"));
    const board = await page.locator(id("board")).innerHTML();
    await page.click(id("hint"));
    await page.waitForSelector(id("hint-text"), { timeout: 30000 });
    assert.equal(await page.locator(id("board")).innerHTML() === "", board === "");
    // Any action, by its button.
    const actions = page.locator('[data-testid^="action-"]');
    if ((await actions.count()) === 0 || !(await actions.first().isVisible())) {
      await page.click("text=Moves as buttons");
    }
    await actions.first().click();
    await visitor.status(" 1 of 1");
    await page.click(id("undo"));
    await visitor.status("the start");
    await page.click(id("redo"));
    await visitor.status(" 1 of 1");
  };
}

/** Presses the spots of an action, as a person does. */
async function press(visitor, from, to) {
  const spot = (number) => visitor.page.locator(`${id("board")} .spot`).nth(number);
  await spot(from).click();
  if (to !== null) await spot(to).click();
}

Object.assign(tests, {
  async "a press on the board plays"(visitor) {
    await visitor.set_up("tiles", PUZZLES.tiles);
    await visitor.page.click(id("room-play"));
    await press(visitor, 5, null);
    await visitor.status("move 1 of 1");
    await visitor.set_up("sokoban", PUZZLES.sokoban);
    await visitor.page.click(id("room-play"));
    await visitor.page.click(`${id("board")} .spot.can`);
    await visitor.page.click(`${id("board")} .spot.target`);
    await visitor.status(" 1 of 1");
  },

  async "a review marks the losing move"(visitor) {
    const { lost } = PUZZLES.sokoban;
    const address = [lost.instance, lost.line].map(encodeURIComponent).join("/");
    await visitor.open(`#sokoban/${address}?room=play`);
    await visitor.page.click(id("review"));
    const lost_it = () => /lost/.test(document.querySelector('[data-testid="review-headline"]')?.textContent ?? "");
    await visitor.page.waitForFunction(lost_it, null, { timeout: 30000 });
    assert.ok((await visitor.page.locator(".strip .lost-area").count()) > 0);
    // The line has two mistakes; the keys visit them in turns.
    for (let visits = 0; visits < 2; visits += 1) {
      await visitor.page.keyboard.press("n");
      await visitor.page.waitForTimeout(500);
      if (/lost it/.test(await visitor.text("status"))) return;
    }
    assert.fail("the losing action is not visited");
  },

  async "the cube is scrambled by its keys and solved"(visitor) {
    const { page } = visitor;
    await visitor.open(`#cube/${encodeURIComponent("UUUUUUUUURRRRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB")}?room=setup`);
    for (const [at, key] of ["r", "u", "F", "l", "D", "b", "r", "U"].entries()) {
      await page.keyboard.press(key);
      await visitor.status(` ${at + 1} of ${at + 1}`);
    }
    await page.click(id("make-start"));
    await visitor.status("the start");
    await page.click(id("room-solve"));
    // The learned preset builds a table of a gigabyte at its first use.
    for (const preset of process.env.LEARNED ? ["fast", "learned"] : ["fast"]) {
      await page.click(id(`preset-${preset}`));
      const begun = Date.now();
      await page.click(id("solve"));
      await page.waitForFunction(() => /\d/.test(document.querySelector('[data-testid="figure"]')?.textContent ?? ""), null, { timeout: 60000, polling: 20 });
      console.log(`     ${preset}: the first solution after ${Date.now() - begun} ms`);
      if ((await page.locator(id("stop")).count()) > 0) await page.click(id("stop")).catch(() => {});
      await visitor.solved();
      assert.match(await visitor.text("seal"), /replayed/);
      await page.keyboard.press("Control+Home");
    }
    await page.click(id("step-last"));
    await visitor.status("the end|solved");
  },

  async "the cube is turned in space, by hand and by its keys"(visitor) {
    const { page } = visitor;
    const part = encodeURIComponent("R U' F2 D L2");
    await visitor.open(`#cube/${part}?room=play`);
    const solid = page.locator(id("solid"));
    const drawn = () => solid.innerHTML();
    const facets = () => page.locator(`${id("solid")} g.facet`).count();
    assert.equal(await facets(), 27);
    const before = await drawn();
    const box = await solid.boundingBox();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 40, y - 15, { steps: 4 });
    await page.mouse.up();
    assert.notEqual(await drawn(), before);
    await visitor.status("the start");
    // Keys that follow each other quickly are all played.
    for (const key of "rUfLdBru") await page.keyboard.press(key);
    await visitor.status(" 8 of 8");
    await page.keyboard.press("z");
    await page.waitForSelector(`${id("solid")} path.cut`);
    await page.waitForFunction(() => document.querySelector('[data-testid="solid"] path.cut') === null);
    await visitor.status(" 7 of 8");
    // A sticker is pressed: the middle of the front face.
    await page.locator(`${id("solid")} g[data-facet="22"]`).click();
    await visitor.status(" 8 of 8");
    assert.match(decodeURIComponent(await visitor.hash()), / F\?|,F\?|F\?room/);
    await page.click(id("flat"));
    await page.waitForSelector(`${id("board")} .drawing svg`);
    await page.reload();
    await page.waitForSelector(`${id("board")} .drawing svg`);
    await page.click(id("flat"));
    await page.waitForSelector(id("solid"));
  },

  async "a stopped solve keeps its best"(visitor) {
    await visitor.open("#samegame?room=solve");
    await visitor.page.click(id("preset-best"));
    await visitor.page.click(id("solve"));
    await visitor.page.waitForFunction(() => /\d/.test(document.querySelector('[data-testid="figure"]')?.textContent ?? ""));
    await visitor.page.click(id("stop"));
    await visitor.page.waitForSelector(".seal.found, .seal.proved");
  },

  async "a solve that cannot succeed is not given up"(visitor) {
    await visitor.open(`#tiles/${encodeURIComponent("2 1 3 4 5 6 7 8 0")}?room=solve`);
    await visitor.page.click(id("solve"));
    await visitor.page.waitForSelector(".seal.none");
    await visitor.open(`#tiles/${encodeURIComponent("14 9 0 13 1 7 11 8 12 4 6 10 5 2 3 15")}?room=solve&solver=${encodeURIComponent("astar(manhattan)")}`);
    await visitor.page.click("text=Limits");
    await visitor.page.fill('label:has-text("expansions") input', "1000");
    await visitor.page.click(id("solve"));
    await visitor.page.waitForSelector(".seal.gave-up");
  },

  async "a design is validated and edited"(visitor) {
    await visitor.set_up("sokoban", PUZZLES.sokoban);
    await visitor.page.click(id("room-design"));
    await visitor.page.click(id("validate"));
    const done = () => document.querySelectorAll('[data-testid="validations"] details').length === 1;
    await visitor.page.waitForFunction(done, null, { timeout: 30000 });
    assert.match(await visitor.text("validations"), /solvable/);
  },

  async "an item of the found team is excluded"(visitor) {
    const { page } = visitor;
    const items = [["Aria", 80, 1], ["Borin", 84, 2], ["Cyd", 90, 3]];
    const party = JSON.stringify({
      nodes: ["front", "back"],
      edges: [[0, 1]],
      items: items.map(([name, level, price]) => ({ name, level, price })),
      puzzle: { requirements: [{ sum: "level", at_least: 170 }] },
    });
    await visitor.open(`#party/${encodeURIComponent(party)}?room=design`);
    await page.click(id("validate"));
    const team = async (known, price) => {
      const shows = (price) => new RegExp(`${price}\\scoins`).test(document.querySelector('[data-testid="validations"] summary')?.textContent ?? "");
      await page.waitForFunction(shows, price, { timeout: 30000 });
      const report = await page.locator(`${id("validations")} .report`).first().evaluate((host) => host.shadowRoot.textContent);
      for (const [name] of items) assert.equal(report.includes(name), known.includes(name), `${name} in ${report}`);
    };
    await team(["Aria", "Cyd"], 4);
    await page.click(id("show-solution-0"));
    await page.waitForFunction(() => /price 4/.test(document.querySelector('[data-testid="board"] svg')?.textContent ?? ""));
    await page.click(id("tab-editor"));
    await page.getByLabel("#0 Aria, use").selectOption("excluded");
    await team(["Borin", "Cyd"], 5);
    // A requirement that nothing satisfies, and a value that is none.
    await page.getByLabel("sum of level, at least").fill("x");
    await page.waitForSelector(id("sheet-cell-error"));
    await page.getByLabel("sum of level, at least").fill("175");
    const unsolvable = () => /unsolvable/.test(document.querySelector('[data-testid="validations"] summary')?.textContent ?? "");
    await page.waitForFunction(unsolvable, null, { timeout: 30000 });
  },

  async "two solvers run side by side"(visitor) {
    await visitor.set_up("tiles", PUZZLES.tiles);
    await visitor.page.click(id("room-research"));
    await visitor.page.click(id("race"));
    await visitor.page.waitForFunction(() => document.querySelectorAll(".ends tbody tr").length === 2, null, { timeout: 30000 });
  },

  async "a link that is cut says so"(visitor) {
    await visitor.open("#tiles/1%202%2");
    assert.match(await visitor.page.textContent(".notice"), /cut or damaged/);
  },

  async "every room is accessible"(visitor) {
    for (const name of ["tiles", "cube", "party"].filter((name) => !site || STATIC.includes(name))) {
      for (const room of rooms) {
        await visitor.open(`#${name}?room=${room}`);
        // Evaluated by the browser itself: the page's policy allows no script but its own.
        await visitor.page.evaluate(readFileSync(axe(), "utf8"));
        const { violations } = await visitor.page.evaluate(() => axe.run(document));
        const found = violations.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 160)}`);
        assert.deepEqual(found, [], `${name}, ${room}`);
      }
    }
  },
});

if (site) {
  tests["tables are built once"] = async (visitor) => {
    const { page } = visitor;
    /** Names and times of the files with tables. */
    const files = () =>
      page.evaluate(async () => {
        const root = await navigator.storage.getDirectory();
        const found = [];
        for await (const file of (await root.getDirectoryHandle("tables", { create: true })).values()) {
          found.push([file.name, (await file.getFile()).lastModified]);
        }
        return found.sort();
      });
    const address = `#cube/${encodeURIComponent(PUZZLES.cube.instance)}?room=solve&solver=fast`;
    const solve = async () => {
      await visitor.open(address);
      await page.click(id("solve"));
      await visitor.solved();
      await page.waitForTimeout(1000);
      return files();
    };
    const first = await solve();
    assert.ok(first.length > 1, JSON.stringify(first));
    assert.deepEqual(await solve(), first);
  };
} else {
  tests["a solve survives a reload"] = async (visitor) => {
    await visitor.open(`#samegame?room=solve`);
    await visitor.page.click(id("preset-best"));
    await visitor.page.click(id("solve"));
    await visitor.page.waitForSelector(id("stop"));
    await visitor.page.reload();
    await visitor.page.waitForSelector(id("stop"), { timeout: 20000 });
    await visitor.page.click(id("stop"));
    await visitor.solved();
  };
}

if (own && !site) {
  tests["a puzzle of another author has a working page"] = async (visitor) => {
    const server = await serve(own);
    try {
      const { page } = visitor;
      await page.goto(server.address);
      await page.waitForSelector(id("board"));
      await page.click(id("room-play"));
      await page.locator('[data-testid^="action-"]').first().click();
      await visitor.status(" 1 of 1");
      await page.click(id("undo"));
      await page.click(id("room-solve"));
      await page.click(id("solve"));
      await visitor.solved();
      await page.click(id("step-last"));
      await visitor.status("the end|solved");
      await page.click(id("room-design"));
      await page.click(id("validate"));
      await page.waitForSelector(`${id("validations")} details`);
    } finally {
      server.end();
    }
  };
}

const place = site ? await host(site) : await serve(program);
const browser = await launch();
let failed = 0;

/** Runs a test in a page of its own; whether it passes. */
async function attempt(name, test) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 820 } });
  const page = await context.newPage();
  page.setDefaultTimeout(20000);
  const errors = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  const begun = Date.now();
  try {
    await test(new Visitor(page, place.address));
    assert.deepEqual(errors, []);
    console.log(`ok   ${name} (${Date.now() - begun} ms)`);
    return true;
  } catch (error) {
    console.log(`FAIL ${name}: ${String(error.message ?? error).slice(0, 600)}`);
    return false;
  } finally {
    await context.close();
  }
}

if (pictures) {
  mkdirSync(pictures, { recursive: true });
  for (const [name, puzzle] of Object.entries(PUZZLES)) {
    for (const width of [1280, 390]) {
      for (const colorScheme of ["light", "dark"]) {
        const context = await browser.newContext({ viewport: { width, height: 820 }, colorScheme });
        const visitor = new Visitor(await context.newPage(), place.address);
        for (const room of rooms) {
          const part = puzzle.instance ? `/${encodeURIComponent(puzzle.instance)}` : "";
          await visitor.open(`#${name}${part}?room=${room}`);
          if (room === "solve" && !puzzle.expansions) {
            await visitor.page.click(id(`preset-${puzzle.preset}`));
            await visitor.page.click(id("solve"));
            await visitor.solved().catch(() => {});
          }
          if (room === "design" && !puzzle.expansions) {
            await visitor.page.click(id("validate"));
            const report = `${id("validations")} details`;
            await visitor.page.waitForSelector(report, { timeout: 15000 }).catch(() => {});
          }
          await visitor.page.waitForTimeout(250);
          await visitor.page.screenshot({ path: `${pictures}/${name}-${room}-${width}-${colorScheme}.png` });
        }
        await context.close();
      }
    }
  }
} else {
  const queue = Object.entries(tests).filter(([name]) => filter.test(name));
  const again = [];
  const work = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      if (!(await attempt(...next))) again.push(next);
    }
  };
  // Pages wait for most of the time.
  await Promise.all(Array.from({ length: Number(process.env.PAGES ?? 3) }, work));
  // A time-out of a loaded machine is no error of the page: what failed is tried again, alone.
  for (const next of again) {
    console.log(`again: ${next[0]}`);
    if (!(await attempt(...next))) failed += 1;
  }
  console.log(failed === 0 ? "all passed" : `${failed} failed`);
}
await browser.close();
place.end();
process.exit(failed === 0 ? 0 : 1);
