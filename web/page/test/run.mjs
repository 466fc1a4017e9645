// Tests of the page in a real browser, with the fake engine.
//
//   node test/run.mjs [FILTER]
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { chromium } from "playwright-core";
import { serve } from "./fake.mjs";
import { solids } from "./solids.mjs";

const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
if (!existsSync(CHROMIUM)) {
  console.log(`skipped: no browser at ${CHROMIUM}`);
  process.exit(0);
}
const filter = new RegExp(process.argv[2] ?? ".");
const hard = encodeURIComponent("8 6 7 2 5 4 3 0 1");
const pegs = encodeURIComponent("o\noo\no.o\noooo\nooooo");
const id = (name) => `[data-testid="${name}"]`;
const hash = (page) => page.evaluate(() => location.hash);
const line = async (page) =>
  decodeURIComponent((await hash(page)).split("?")[0].split("/")[2] ?? "");
const text = (page, name) => page.textContent(id(name));

const tests = {
  async a_link_opens_the_position_it_names(page, open) {
    await open(`#tiles/${hard}/LDDR?room=play&at=2`);
    assert.match(await text(page, "status"), /move 2 of 4/);
    assert.equal(await page.title(), "Sliding tiles 3×3 · Play · unriddle");
  },
  async a_page_without_an_address_shows_an_instance(page, open) {
    await open("");
    assert.match(await hash(page), /^#tiles\/./);
  },
  async a_solve_shows_its_proof_and_its_line(page, open) {
    await open(`#tiles/${hard}?room=solve`);
    await page.click(id("solve"));
    await page.waitForSelector(".bracket .bound", { state: "attached" });
    await page.waitForSelector(".seal.proved", { timeout: 10000 });
    assert.match(await text(page, "figure"), /31\s*moves/);
    assert.match(await text(page, "seal"), /proved shortest, replayed/);
    assert.equal((await line(page)).length, 31);
    await page.keyboard.press("End");
    await page.waitForFunction(() =>
      /move 31 of 31/.test(document.querySelector('[data-testid="status"]').textContent),
    );
    assert.match(await text(page, "status"), /the end/);
  },
  async a_stopped_solve_keeps_its_best_solution(page, open) {
    await open(`#tiles/${hard}?room=solve`);
    await page.click(id("solve"));
    await page.waitForFunction(() =>
      /\d/.test(document.querySelector('[data-testid="figure"]').textContent),
    );
    await page.click(id("stop"));
    await page.waitForSelector(".seal.found");
    assert.match(await text(page, "seal"), /best so far, replayed: stopped by you/);
    assert.ok((await line(page)).length > 30);
  },
  async a_solve_survives_a_reload(page, open) {
    await open(`#tiles/${hard}?room=solve`);
    await page.click(id("solve"));
    await page.waitForSelector(".bracket .bound", { state: "attached" });
    await page.reload();
    await page.waitForSelector(id("stop"));
    await page.waitForSelector(".seal.proved", { timeout: 10000 });
    await page.waitForFunction(() =>
      /of 31/.test(document.querySelector('[data-testid="status"]').textContent),
    );
  },
  async tables_that_do_not_fit_are_no_search_given_up(page, open) {
    await open(`#tiles/${hard}?room=solve`);
    await page.click(".fold summary");
    await page.fill('.fold label:has-text("memory") input', "1");
    await page.click(id("solve"));
    await page.waitForSelector(".seal.gave-up", { timeout: 10000 });
    assert.equal(await text(page, "figure"), "Too large");
    assert.equal(await text(page, "seal"), "not begun: it needs more memory");
    assert.equal(await page.locator(".bracket").count(), 0);
    const words = await page.textContent(".reason");
    assert.match(words, /^The table .* takes 260 MB .* limit is 1 MB\. Raise the memory under Limits/);
  },
  async an_unsolvable_instance_is_not_given_up(page, open) {
    await open(`#tiles/${encodeURIComponent("1 2 3 4 5 6 8 7 0")}?room=solve`);
    await page.click(id("solve"));
    await page.waitForSelector(".seal.none", { timeout: 10000 });
    assert.match(await text(page, "seal"), /cannot be solved: proved/);
  },
  async a_solve_from_here_joins_the_lines(page, open) {
    await open(`#tiles/${hard}/LDDR?room=solve`);
    await page.check(".check input");
    await page.click(id("solve"));
    await page.waitForSelector(".seal.proved", { timeout: 10000 });
    await page.waitForFunction(() =>
      /move 4 of 31/.test(document.querySelector('[data-testid="status"]').textContent),
    );
    assert.match(await line(page), /^LDDR/);
  },
  async a_press_plays_and_history_goes_back(page, open) {
    await open(`#tiles/${hard}?room=play`);
    await page.click(id("spot-1-1"));
    await page.waitForFunction(() =>
      /move 1 of 1/.test(document.querySelector('[data-testid="status"]').textContent),
    );
    assert.equal(await line(page), "D");
    await page.goBack();
    await page.waitForFunction(() =>
      /the start/.test(document.querySelector('[data-testid="status"]').textContent),
    );
    await page.goForward();
    await page.waitForFunction(() =>
      /move 1 of 1/.test(document.querySelector('[data-testid="status"]').textContent),
    );
  },
  async keys_play_step_and_undo(page, open) {
    await open(`#tiles/${hard}?room=play`);
    await page.keyboard.press("ArrowDown");
    await page.waitForFunction(() =>
      /move 1 of 1/.test(document.querySelector('[data-testid="status"]').textContent),
    );
    await page.keyboard.press("ArrowRight");
    await page.waitForFunction(() =>
      /move 2 of 2/.test(document.querySelector('[data-testid="status"]').textContent),
    );
    await page.keyboard.press("z");
    await page.waitForFunction(() =>
      /move 1 of 2/.test(document.querySelector('[data-testid="status"]').textContent),
    );
    await page.keyboard.press(",");
    await page.waitForFunction(() =>
      /the start of 2 moves/.test(document.querySelector('[data-testid="status"]').textContent),
    );
    await page.keyboard.press("m");
    await page.keyboard.press("ArrowRight");
    await page.waitForFunction(() =>
      /move 1 of 2/.test(document.querySelector('[data-testid="status"]').textContent),
    );
    assert.equal(await line(page), "DR");
  },
  async arrows_move_the_focus_inside_the_grid(page, open) {
    await open(`#tiles/${hard}?room=play`);
    assert.equal(await page.locator('.spot[tabindex="0"]').count(), 1);
    await page.focus(id("spot-0-0"));
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowDown");
    assert.equal(await page.evaluate(() => document.activeElement.dataset.testid), "spot-1-1");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() =>
      /move 1 of 1/.test(document.querySelector('[data-testid="status"]').textContent),
    );
  },
  async a_selected_spot_marks_its_targets(page, open) {
    await open(`#pegs/${pegs}?room=play`);
    await page.click(id("spot-4-1"));
    assert.equal(await page.locator(".spot.target").count(), 1);
    await page.click(".spot.target");
    await page.waitForFunction(() =>
      /jump 1 of 1/.test(document.querySelector('[data-testid="status"]').textContent),
    );
  },
  async a_puzzle_without_spots_has_buttons(page, open) {
    await open("#counting/4?room=play");
    await page.click(id("action-x2"));
    await page.waitForFunction(() =>
      /step 1 of 1/.test(document.querySelector('[data-testid="status"]').textContent),
    );
  },
  async a_hint_names_a_move_and_marks_its_spot(page, open) {
    await open(`#tiles/${hard}?room=play`);
    await page.keyboard.press("h");
    await page.waitForSelector(".spot.hinted", { timeout: 5000 });
    assert.match(await text(page, "hint-text"), /Tile \d/);
    assert.match(await text(page, "live"), /Tile \d/);
  },
  async a_review_names_the_losing_move(page, open) {
    await open(
      `#pegs/${pegs}/${encodeURIComponent("e4c2 d1d3 d4d2 b1d1 e2e4 b2d4 e5e3 d1d3")}?room=play`,
    );
    await page.click(id("review"));
    await page.waitForFunction(
      () =>
        document.querySelector('[data-testid="review-headline"]')?.textContent ===
        "Jump 7 lost the game.",
    );
    await page.keyboard.press("n");
    await page.waitForFunction(() =>
      /jump 7 of 8/.test(document.querySelector('[data-testid="status"]').textContent),
    );
    assert.ok((await page.locator(".strip .lost-area").count()) === 1);
    await page.click(id("try-better"));
    await page.waitForFunction(() =>
      /jump 7 of 7/.test(document.querySelector('[data-testid="status"]').textContent),
    );
    assert.notEqual((await line(page)).split(" ")[6], "e5e3");
  },
  async bad_input_shows_its_message_at_its_place(page, open) {
    await open(`#tiles/${hard}?room=solve`);
    await page.fill(id("position-field"), "1 2 3 4 5 9 7 8 0");
    await page.press(id("position-field"), "Enter");
    assert.match(await text(page, "position-error"), /`9` is no tile.*column 11/s);
    await page.fill(id("position-field"), "1 2 3 4 5 6 7 0 8");
    await page.press(id("position-field"), "Enter");
    await page.waitForFunction(() => location.hash.startsWith("#tiles/1%202%203"));
    assert.equal(await page.locator(id("position-error")).count(), 0);
  },
  async a_pasted_picture_is_read_at_once(page, open) {
    await open(`#tiles/${hard}?room=solve`);
    await page.focus(id("position-field"));
    await page.evaluate(() => {
      const data = new DataTransfer();
      data.setData("text/plain", "1 2 3\n4 0 5\n7 8 6");
      document.activeElement.dispatchEvent(
        new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }),
      );
    });
    await page.waitForFunction(() => location.hash.startsWith("#tiles/1%202%203%204%200"));
  },
  async a_paste_outside_fields_is_read(page, open) {
    await open(`#tiles/${hard}?room=solve`);
    await page.evaluate(() => {
      const data = new DataTransfer();
      data.setData("text/plain", "1 2 3 4 5 6 7 0 8");
      document.body.dispatchEvent(
        new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }),
      );
    });
    await page.waitForFunction(() => location.hash.startsWith("#tiles/1%202%203"));
  },
  async keys_play_after_a_press_by_the_pointer(page, open) {
    await open(`#tiles/${hard}?room=play`);
    await page.click(id("spot-1-1"));
    await page.waitForFunction(() =>
      /move 1 of 1/.test(document.querySelector('[data-testid="status"]').textContent),
    );
    await page.keyboard.press("ArrowUp");
    await page.waitForFunction(() =>
      /move 2 of 2/.test(document.querySelector('[data-testid="status"]').textContent),
    );
  },
  async experiments_and_runs_have_addresses(page, open) {
    await open(`#tiles/${hard}?room=research&show=experiment/korf-100`);
    await page.waitForFunction(
      () => document.querySelectorAll('[aria-label="Runs"] tbody tr').length === 24,
    );
    await page.selectOption(
      '[aria-label="Experiment korf-100"] select >> nth=0',
      "astar(manhattan)",
    );
    await page.waitForFunction(
      () => document.querySelectorAll('[aria-label="Runs"] tbody tr').length === 12,
    );
    assert.match(await hash(page), /by=astar/);
    await open(`#tiles/${hard}?room=research&show=run/tiles15`);
    await page.waitForFunction(() => document.querySelectorAll(".curve").length === 3);
  },
  async several_instances_are_listed(page, open) {
    await open(`#tiles/${hard}?room=setup`);
    await page.setInputFiles(id("file"), {
      name: "boards.txt",
      mimeType: "text/plain",
      buffer: Buffer.from("8 6 7 2 5 4 3 0 1\n1 2 3 4 5 6 7 0 8\n"),
    });
    await page.waitForSelector(id("instances"));
    await page.click('[aria-label="Next instance"]');
    await page.waitForFunction(() => location.hash.startsWith("#tiles/1%202%203"));
  },
  async random_uses_the_seed(page, open) {
    await open(`#tiles/${hard}?room=setup`);
    await page.fill(id("seed"), "5");
    await page.click(id("random"));
    await page.waitForFunction((before) => !location.hash.startsWith(before), `#tiles/${hard}`);
    const first = await hash(page);
    await page.click(id("random"));
    await page.waitForTimeout(100);
    assert.equal(await hash(page), first);
  },
  async a_position_becomes_the_start(page, open) {
    await open(`#tiles/${hard}/LDD?room=setup`);
    await page.click(id("make-start"));
    await page.waitForFunction(() =>
      /the start/.test(document.querySelector('[data-testid="status"]').textContent),
    );
    assert.equal(await line(page), "");
    assert.ok(!(await hash(page)).startsWith(`#tiles/${hard}`));
  },
  async the_editor_swaps_and_paints(page, open) {
    await open(`#tiles/${hard}?room=setup`);
    await page.click(id("tab-editor"));
    await page.click(id("cell-0-0"));
    await page.click(id("cell-0-1"));
    await page.waitForFunction(() => location.hash.startsWith("#tiles/6%208%207"));
    await open(`#pegs/${pegs}?room=setup`);
    await page.click(id("tab-editor"));
    await page.click(id("palette-."));
    await page.click(id("cell-0-0"));
    await page.waitForFunction(() => location.hash.startsWith("#pegs/.%0Aoo"));
  },
  async an_error_of_the_editor_marks_its_cell(page, open) {
    const one = encodeURIComponent("o\n..\n...\n....\n.....");
    await open(`#pegs/${one}?room=setup`);
    await page.click(id("tab-editor"));
    await page.click(id("palette-."));
    await page.click(id("cell-0-0"));
    await page.waitForSelector(".cell.wrong");
    assert.match(await text(page, "sketch-error"), /no peg/);
  },
  async values_of_a_document_are_written_into_tables(page, open) {
    await open("#purse?room=setup");
    await page.click(id("tab-editor"));
    await page.waitForSelector(id("sheet"));
    assert.equal(await page.locator(".sheet tbody").nth(1).locator("tr").count(), 100);
    await page.fill(id("search-1"), "coin 1234");
    assert.equal(await page.locator(".sheet tbody").nth(1).locator("tr").count(), 1);
    await page.selectOption(id("field-1-1233-2"), "kept");
    await page.waitForFunction(() => /1234%22%2C%22worth%22%3A\d+%2C%22use%22%3A%22kept/.test(location.hash));
    await page.fill(id("search-1"), "");
    await page.check(id("chosen-1"));
    assert.equal(await page.locator(".sheet tbody").nth(1).locator("tr").count(), 1);
    await page.uncheck(id("chosen-1"));
    await page.check(id("field-1-0-3"));
    await page.fill(id("field-1-1-1"), "49");
    await page.press(id("field-1-1-1"), "Enter");
    await page.waitForFunction(() => /lucky%22%3Atrue.*worth%22%3A49%2C/.test(location.hash));
    assert.equal(await page.inputValue(id("field-1-1-1")), "49");
    // The name of a field has its row and its column.
    assert.equal(await page.getAttribute(id("field-1-1-1"), "aria-label"), "coin 2, worth");
  },
  async an_error_of_a_table_is_at_its_cell(page, open) {
    await open("#purse?room=setup");
    await page.click(id("tab-editor"));
    const before = await hash(page);
    await page.fill(id("field-1-2-1"), "-3");
    await page.waitForSelector(id("sheet-cell-error"));
    assert.match(await text(page, "sheet-cell-error"), /at least 1/);
    assert.equal(await page.getAttribute(id("field-1-2-1"), "aria-invalid"), "true");
    assert.equal(await hash(page), before);
    await page.fill(id("field-1-2-1"), "3");
    await page.waitForFunction((old) => location.hash !== old, before);
    assert.equal(await page.locator(id("sheet-cell-error")).count(), 0);
    await page.fill(id("field-0-0-1"), "x");
    await page.waitForSelector(id("sheet-cell-error"));
    await page.click(id("discard-changes"));
    assert.equal(await page.inputValue(id("field-0-0-1")), "3");
  },
  async a_changed_table_is_validated_again(page, open) {
    await open("#purse?room=design");
    await page.click(id("validate"));
    await page.waitForFunction(() =>
      /solvable/.test(document.querySelector('[data-testid="validations"]').textContent),
    );
    await page.click(id("tab-editor"));
    await page.fill(id("field-0-0-1"), "2000");
    await page.waitForFunction(() =>
      /too few coins/.test(document.querySelector('[data-testid="validations"]').textContent),
    );
  },
  async a_text_with_an_error_marks_its_line(page, open) {
    await open(`#pegs/${pegs}?room=setup`);
    await page.click(id("tab-text"));
    await page.fill(id("text-editor"), "o\noo\nozo\noooo\nooooo");
    await page.click(id("read-text"));
    await page.waitForSelector(id("text-error"));
    assert.equal((await page.textContent(".gutter .wrong")).trim(), "3");
  },
  async design_reports_each_instance(page, open) {
    await open(`#tiles/${hard}?room=design`);
    await page.click(id("tab-text"));
    await page.fill(id("text-editor"), "8 6 7 2 5 4 3 0 1\n1 2 3 4 5 6 8 7 0");
    await page.click(id("validate"));
    await page.waitForFunction(
      () => document.querySelectorAll('[data-testid="validations"] details').length === 2,
    );
    assert.match(await text(page, "validations"), /unsolvable/);
  },
  async two_solvers_run_side_by_side(page, open) {
    await open(`#tiles/${hard}?room=research`);
    await page.click(id("race"));
    await page.waitForFunction(
      () => document.querySelectorAll(".lane .seal.proved").length === 1,
      null,
      { timeout: 10000 },
    );
    assert.equal(await page.locator(".ends tbody tr").count(), 2);
  },
  async a_spec_is_checked_and_completed(page, open) {
    await open(`#tiles/${hard}?room=solve`);
    await page.click("text=write a spec");
    await page.fill(id("spec-solve"), "ast");
    await page.waitForSelector('[role="option"]');
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.keyboard.type("man");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    assert.equal(await page.inputValue(id("spec-solve")), "astar(manhattan)");
    await page.fill(id("spec-solve"), "nothing(x");
    await page.waitForSelector(id("spec-solve-error"));
    assert.match(await text(page, "spec-solve-error"), /unknown search/i);
  },
  async a_cut_link_goes_on(page, open) {
    await open("#tiles/8%206%2");
    assert.match(await page.textContent(".notice"), /cut or damaged/);
    await page.waitForSelector(`${id("board")} svg`);
    await open(`#tiles/${hard}/UUUU?room=play`);
    assert.match(await page.textContent(".notice"), /cannot be played/);
  },
  async an_unknown_puzzle_is_a_sentence(page, open) {
    await open("#nothing/1");
    assert.match(await page.textContent(".notice"), /which this program lacks/);
  },
  async a_browser_without_storage_works(page, open) {
    await page.addInitScript(() => {
      for (const name of ["localStorage", "sessionStorage"]) {
        Object.defineProperty(window, name, {
          get: () => {
            throw new Error("forbidden");
          },
        });
      }
    });
    await open(`#tiles/${hard}?room=solve`);
    await page.click('[aria-label^="Theme"]');
    await page.click(id("solve"));
    await page.waitForSelector(".seal.proved", { timeout: 10000 });
  },
  async keys_do_not_act_while_typing(page, open) {
    await open(`#tiles/${hard}?room=play`);
    await page.focus(id("position-field"));
    await page.keyboard.press("ArrowDown");
    await page.keyboard.type("h?");
    assert.equal(await page.locator(".help").count(), 0);
    assert.equal(await line(page), "");
  },
  async a_drawing_cannot_run_scripts(page, open) {
    await page.route("**/api/position", async (route) => {
      const answer = await (await route.fetch()).json();
      answer.svg = answer.svg.replace(
        "</svg>",
        '<script>window.hit=1</script><rect width="9" height="9" onclick="window.hit=1"/><a href="javascript:window.hit=1"><text>x</text></a></svg>',
      );
      await route.fulfill({ json: answer });
    });
    await open(`#tiles/${hard}?room=play`);
    const html = await page.innerHTML(".drawing");
    assert.ok(!/script|onclick|javascript/.test(html));
  },
};
Object.assign(tests, solids({ id, line, text }));

const server = await serve();
const base = `http://127.0.0.1:${server.address().port}/`;
const browser = await chromium.launch({
  executablePath: CHROMIUM,
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"],
});
let failed = 0;
for (const [name, test] of Object.entries(tests)) {
  if (!filter.test(name)) continue;
  const context = await browser.newContext({ viewport: { width: 1280, height: 820 } });
  const page = await context.newPage();
  page.setDefaultTimeout(5000);
  const errors = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  const open = async (address) => {
    await page.goto("about:blank");
    await page.goto(base + address);
    await page.waitForSelector(`${id("board")} svg`);
  };
  try {
    await test(page, open);
    assert.deepEqual(errors, []);
    console.log(`ok   ${name}`);
  } catch (error) {
    failed += 1;
    console.log(`FAIL ${name}: ${String(error.message ?? error).slice(0, 500)}`);
  }
  await context.close();
}
await browser.close();
server.close();
server.closeAllConnections();
console.log(failed === 0 ? "all passed" : `${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
