// Tests of boards in space.
import assert from "node:assert/strict";

export function solids({ id, line, text }) {
  return {
    async a_solid_is_pressed_and_turned_by_dragging(page, open) {
      await open("#box/12?room=play");
      const drawn = () => page.innerHTML(id("solid"));
      const [before, box] = [await drawn(), await page.locator(id("solid")).boundingBox()];
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x + 60, y + 20, { steps: 4 });
      await page.mouse.up();
      assert.notEqual(await drawn(), before);
      // A drag is no press.
      assert.match(await text(page, "status"), /the start/);
      const turned = await drawn();
      await page.focus(id("solid"));
      await page.keyboard.press("ArrowLeft");
      await page.waitForTimeout(250);
      assert.notEqual(await drawn(), turned);
      assert.match(await text(page, "status"), /the start/);
      await page.click(id("look-around"));
      await page.waitForTimeout(250);
      await page.click(id("look-around"));
      await page.waitForTimeout(250);
      assert.equal(await drawn(), before);
      await page.focus(id("position-field"));
      await page.locator(`${id("solid")} g[data-facet="1"]`).click();
      await page.waitForFunction(() =>
        /turn 1 of 1/.test(document.querySelector('[data-testid="status"]').textContent),
      );
      assert.equal(await line(page), "T");
      // Keys play after a press, wherever the focus was.
      await page.keyboard.press("b");
      await page.waitForFunction(() =>
        /turn 2 of 2/.test(document.querySelector('[data-testid="status"]').textContent),
      );
    },
    async an_action_turns_a_part_of_the_solid(page, open) {
      await open("#box/12?room=play");
      const outline = () => page.getAttribute(`${id("solid")} path[data-facet="0"]`, "d");
      const [before, still] = [
        await outline(),
        await page.getAttribute(`${id("solid")} path[data-facet="4"]`, "d"),
      ];
      await page.evaluate(() => {
        window.seen = new Set();
        const host = document.querySelector('[data-testid="solid"] svg');
        const look = () =>
          window.seen.add(host.querySelector('path[data-facet="1"]')?.getAttribute("d"));
        const changes = { subtree: true, attributes: true, childList: true };
        new MutationObserver(look).observe(host, changes);
      });
      // Keys that follow each other quickly: the motions are not queued.
      for (const key of ["t", "b", "t", "B"]) await page.keyboard.press(key);
      await page.waitForFunction(() =>
        /turn 4 of 4/.test(document.querySelector('[data-testid="status"]').textContent),
      );
      await page.waitForTimeout(230);
      assert.ok((await page.evaluate(() => window.seen.size)) > 3);
      assert.equal(await page.getAttribute(`${id("solid")} path[data-facet="4"]`, "d"), still);
      assert.equal(await outline(), before);
      assert.equal(await line(page), "TBTB'");
      await page.keyboard.press("z");
      await page.waitForTimeout(60);
      assert.ok((await page.locator(`${id("solid")} path.cut`).count()) > 0);
      await page.waitForTimeout(230);
      assert.equal(await page.locator(`${id("solid")} path.cut`).count(), 0);
    },
    async reduced_motion_shows_the_next_solid_at_once(page, open) {
      await page.emulateMedia({ reducedMotion: "reduce" });
      await open("#box/12?room=play");
      await page.evaluate(() => {
        window.cuts = 0;
        const host = document.querySelector('[data-testid="solid"] svg');
        const look = () => (window.cuts += host.querySelectorAll(".cut").length);
        const changes = { subtree: true, attributes: true, childList: true };
        new MutationObserver(look).observe(host, changes);
      });
      await page.keyboard.press("t");
      await page.waitForSelector(`${id("solid")} .last`);
      await page.waitForTimeout(100);
      assert.equal(await page.evaluate(() => window.cuts), 0);
    },
    async the_net_of_a_solid_is_shown_and_remembered(page, open) {
      await open("#box/12?room=play");
      // The buttons of the net stay for keyboards and screen readers.
      await page.focus(id("spot-0-0"));
      await page.keyboard.press("ArrowRight");
      assert.equal(
        await page.evaluate(() => document.activeElement.dataset.testid),
        "spot-0-1",
      );
      await page.waitForSelector(`${id("solid")} g.focused`);
      await page.keyboard.press("Enter");
      await page.waitForFunction(() =>
        /turn 1 of 1/.test(document.querySelector('[data-testid="status"]').textContent),
      );
      await page.click(id("flat"));
      assert.equal(await page.locator(id("solid")).count(), 0);
      assert.equal(await page.locator(".drawing svg rect.side").count(), 8);
      await page.reload();
      await page.waitForSelector(".drawing svg rect.side");
      await page.click(id("spot-1-0"));
      await page.waitForFunction(() =>
        /turn 2 of 2/.test(document.querySelector('[data-testid="status"]').textContent),
      );
      await page.click(id("flat"));
      await page.waitForSelector(id("solid"));
    },
  };
}
