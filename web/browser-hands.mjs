// The tests in a browser of other hands than a mouse's: keys alone, fingers, and what a screen reader is told;
// web/browser.mjs runs them.
import assert from 'node:assert/strict';
import { PHONE } from './browser-kit.mjs';
import { heard, looksRight } from './looks.mjs';

/** Tests by name; 'tools' are what browser.mjs has: lay, yours, cell, pointAt. */
export function handTests({ lay, yours, cell, pointAt }) {
  const count = (page, selector, wanted) => page.waitForFunction(([what, n]) => document.querySelectorAll(what).length === n, [selector, wanted]);

  /** Presses tab until something that fits has the focus. */
  async function tabTo(page, selector, most = 60) {
    for (let i = 0; i < most; i++) {
      await page.keyboard.press('Tab');
      if (await page.evaluate((what) => document.activeElement?.matches(what) ?? false, selector)) return;
    }
    assert.fail(`no way to ${selector} by tab`);
  }

  /** From the list of games to the rematch, without a pointer. */
  async function keysAlone(page) {
    await page.evaluate(() => document.activeElement?.blur());
    await tabTo(page, '[aria-label="Search games"]');
    await page.keyboard.type('three in a row on a board of nine');
    await count(page, '[data-game]', 1);
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement?.dataset.game), 'tictactoe');
    await page.keyboard.press('Enter');
    await tabTo(page, '[aria-label="Level"]');
    await page.keyboard.press('Home'); // level 1
    await tabTo(page, '.setup-table .primary');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.board svg');
    await yours(page);
    await tabTo(page, '.board [role="button"]');
    await count(page, '.board .ring', 1); // where the focus is can be seen
    for (let turn = 0; turn < 5; turn++) {
      await yours(page);
      if (!/Your move/.test(await page.textContent('.status'))) break;
      // The focus is on a cell again, near where it was: no tab is needed.
      await page.waitForFunction(() => document.activeElement?.matches('.board [role="button"].is-target'));
      await page.keyboard.press('Enter');
      await page.waitForFunction((n) => document.querySelectorAll('.history li').length > n, 2 * turn);
    }
    await page.waitForFunction(() => /win|lose|draw/.test(document.querySelector('.status').textContent));
    await tabTo(page, '.actions .primary');
    await page.keyboard.press('Enter');
    await count(page, '.history li', 0);
    await page.click('text=Another game');
    await page.fill('[aria-label="Search games"]', '');
  }

  /** The pool of Quarto: a piece is given by pointing at it, and placed by pointing at a cell. */
  async function pool(page) {
    await lay(page, 'quarto');
    await yours(page);
    const piece = page.locator('.board [data-thing="(pool dsrf)"]');
    assert.match(await piece.getAttribute('aria-label'), /pool dsrf, can be chosen/);
    const box = await piece.boundingBox();
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    await page.waitForFunction(() => /give dsrf/.test(document.querySelector('.history')?.textContent ?? ''));
    await yours(page);
    assert.equal(await page.locator('.board [data-thing="(pool dsrf)"]').count(), 0, 'it has left the pool');
    // Now the piece that the other gave is to be placed: on a cell, and nothing in the pool is a button.
    assert.equal(await page.locator('.board [data-thing][role="button"]').count(), 0);
    const before = await page.locator('.history li').count();
    await page.locator('.board [role="button"].is-target').first().click();
    await page.waitForFunction((n) => document.querySelectorAll('.history li').length > n, before);
    await page.click('text=Another game');
  }

  /** What is told to who does not see the board: title, turn, every cell, what was played. */
  async function told(page) {
    await lay(page, 'tictactoe');
    await yours(page);
    await pointAt(page, '2 2');
    await count(page, '.history li', 2);
    await yours(page);
    const all = await heard(page);
    const named = (role, pattern) => all.filter((one) => one.role === role && pattern.test(one.name));
    assert.equal(named('heading', /^Tic-tac-toe$/).length, 1);
    assert.equal(named('group', /^Board$/).length, 1);
    assert.equal(named('button', /: empty, can be chosen$/).length, 7);
    assert.equal(named('button', /^2 2: cell 2 2 x$/).length, 1);
    assert.equal(named('button', /, moved last$/).length, 1);
    for (const button of ['Hint', 'Undo', 'Resign', 'Another game']) assert.equal(named('button', new RegExp(`^${button}$`)).length, 1, button);
    assert.match(await page.locator('[aria-live="polite"]').textContent(), /^Played: mark/);
    assert.equal(await page.locator('[role="status"]').first().textContent(), 'Your move');
    await page.click('text=Another game');
  }

  /** Every view, as it is first seen: nothing that cannot be read, hit or named. */
  async function looks(first, { url }) {
    for (const [form, options] of [['desk', {}], ['phone', PHONE]]) {
      const context = await first.context().browser().newContext(options);
      const page = await context.newPage();
      await page.goto(url);
      for (const [view, wanted] of [['play', '[data-game]'], ['write', '.verdict.good'], ['replay', 'h1'], ['events', 'form'], ['solve', 'aside'], ['experiments', '.claim']]) {
        await page.click(`nav li [href="#/${view}"]`);
        await page.waitForSelector(wanted);
        for (const colorScheme of ['light', 'dark']) {
          await page.emulateMedia({ colorScheme });
          await page.waitForTimeout(200); // colours fade
          await looksRight(page, `${view}, ${form}, ${colorScheme}`, form === 'phone');
        }
      }
      await context.close();
    }
  }

  /** A pawn of chess under a finger, on a phone: the page does not scroll, and the pawn goes where it is dropped. */
  async function touch(browser, { url, watch }) {
    const context = await browser.newContext(PHONE);
    const page = await context.newPage();
    watch(page);
    await page.goto(url);
    await page.waitForSelector('[data-game]');
    await lay(page, 'chess');
    await yours(page);
    await page.evaluate(() => window.scrollTo(0, 0));
    const middle = async (name) => {
      const box = await cell(page, name).first().boundingBox();
      return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    };
    const from = await middle('e 2'), to = await middle('e 4');
    const session = await context.newCDPSession(page);
    const send = (type, points) => session.send('Input.dispatchTouchEvent', { type, touchPoints: points });
    await send('touchStart', [from]);
    for (let i = 1; i <= 8; i++) {
      await send('touchMove', [{ x: from.x + (to.x - from.x) * i / 8, y: from.y + (to.y - from.y) * i / 8 }]);
      if (i === 6) await page.waitForSelector('.board .ghost'); // it is under the finger
    }
    await send('touchEnd', []);
    await page.waitForFunction(() => /e 2 e 4/.test(document.querySelector('.history')?.textContent ?? ''));
    assert.equal(await page.evaluate(() => window.scrollY), 0, 'the page has scrolled');
    await context.close();
  }

  return { tests: { keysAlone, pool, told, looks }, last: { touch } };
}
