// The page in a real browser, used as a person would use it.
//
//   node web/browser.mjs ALEA [FOLDER [TEST,...]]
//
// With FOLDER pictures of the views are written there.  browser-results.mjs has the views of results.  Skipped (77) where
// Chromium or web/node_modules is missing.
import assert from 'node:assert/strict';
import { isNarrow, PHONE, runAll, shot } from './browser-kit.mjs';
import { handTests } from './browser-hands.mjs';
import { playTests } from './browser-play.mjs';
import { BROKEN, DOWN } from './samples.mjs';

async function lay(page, game, level = 1) {
  await page.click(`[data-game="${game}"]`);
  await page.fill('input[aria-label="Level"]', String(level));
  await page.click('.setup-table .primary');
  await page.waitForSelector('.board svg');
}

const cell = (page, name) => page.locator(`.board [role="button"][data-cell="${name}"]`);
/** Clicks where the cell is, whatever lies on it. */
async function pointAt(page, name) {
  const box = await cell(page, name).first().boundingBox();
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
}
const yours = (page) => page.waitForFunction(() => /Your move|win|lose|draw|end|Solved/.test(
  document.querySelector('.status')?.textContent ?? ''));

async function ticTacToe(page) {
  await lay(page, 'tictactoe');
  await shot(page, 'play');
  for (let turn = 0; turn < 9; turn++) {
    await yours(page);
    if (!/Your move/.test(await page.textContent('.status'))) break;
    await page.locator('.board [role="button"].is-target').first().click();
    await page.waitForFunction((n) => document.querySelectorAll('.history li').length > n, 2 * turn);
  }
  await page.waitForFunction(() => /win|lose|draw/.test(document.querySelector('.status').textContent));
  await shot(page, 'end');
  await page.click('text=Replay it');
  await page.waitForSelector('.reel');
  await page.waitForFunction(() => /Step 0 of [1-9]/.test(document.querySelector('.status').textContent));
  await page.waitForTimeout(100); // keys are heard from the next frame on
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction(() => /Step 1 of/.test(document.querySelector('.status').textContent));
  await page.click('text=Compute');
  await page.waitForSelector('.plot canvas');
  await page.click('[aria-label="To the end"]');
  await page.waitForSelector('text=The end:');
  await shot(page, 'replay');
  await page.click('nav >> text=Play');
  await page.click('text=Another game');
}

async function chess(page) {
  await lay(page, 'chess');
  await yours(page);
  const from = await cell(page, 'e 2').first().boundingBox();
  const to = await cell(page, 'e 4').first().boundingBox();
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(to.x + to.width / 2, to.y + to.height / 3, { steps: 8 });
  await page.mouse.up();
  await page.waitForFunction(() => /e 2 e 4/.test(document.querySelector('.history')?.textContent ?? ''));
  await page.waitForFunction(() => document.querySelectorAll('.history li').length === 2);
  await shot(page, 'chess');
  await page.click('text=Undo');
  await page.waitForFunction(() => !document.querySelector('.history'));
  // The same by two clicks, and by the keyboard.
  await yours(page);
  await pointAt(page, 'd 2');
  await page.waitForSelector('.marks .mark-chosen');
  assert.equal(await page.locator('.marks .mark-target').count(), 2);
  await pointAt(page, 'd 4');
  await page.waitForFunction(() => document.querySelectorAll('.history li').length === 2);
  await yours(page);
  await page.fill('[aria-label="Type a move"]', 'g 1 f 3');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.querySelectorAll('.history li').length === 4);
  await page.click('text=Another game');
}

async function dice(page) {
  await lay(page, 'kaseklau');
  await yours(page);
  await page.locator('.moves .chip').first().click();
  await page.waitForFunction(() => document.querySelectorAll('.history li').length > 1);
  await shot(page, 'dice');
  await page.click('text=Another game');
}

async function hidden(page) {
  const said = [];
  page.on('response', async (reply) => {
    if (reply.url().includes('/api/tables/') && !reply.url().endsWith('/events')) said.push(await reply.text());
  });
  await lay(page, 'kuhn-poker');
  await yours(page);
  const held = /dealt (\w+)/.exec(await page.textContent('.sees'))[1];
  const others = ['jack', 'queen', 'king'].filter((card) => card !== held);
  const shown = await page.textContent('main');
  for (const card of others) assert.ok(!new RegExp(`\\b${card}\\b`).test(shown), `${card} is shown`);
  await page.click('text=Hint');
  await page.waitForSelector('.hint');
  for (const text of said) assert.ok(!/second (jack|queen|king)/.test(text), text);
  await shot(page, 'hidden');
  await page.click('text=Another game');
}

async function type(page, text) {
  const content = page.locator('.editor .cm-content');
  await content.click();
  await page.keyboard.press('Control+A');
  await page.keyboard.press('Delete');
  await page.keyboard.insertText(text);
}

async function write(page) {
  await page.click('nav >> text=Write');
  await page.waitForSelector('.verdict.good');
  await type(page, BROKEN);
  await page.waitForSelector('.verdict.bad');
  const problem = page.locator('.problem').first();
  assert.match(await problem.textContent(), /line 10/);
  await page.locator('.editor .cm-lint-marker-error').first().waitFor();
  await shot(page, 'write-broken');
  await type(page, DOWN);
  await page.waitForSelector('.verdict.good');
  // One can go down for ever: a play shows it.
  await page.locator('[data-witness]').first().click();
  await page.waitForSelector('.reel');
  await page.waitForSelector('.notes >> text=n 0'); // a position of words alone
  await shot(page, 'witness');
  await page.click('nav >> text=Write');
  await page.waitForSelector('.verdict.good');
  await page.click('text=Describe');
  await page.waitForSelector('.facts');
  await shot(page, 'write');
  await page.click('text=Play it');
  await page.waitForSelector('.status.yours');
  assert.equal(await page.locator('.moves .chip').count(), 2);
  await page.click('text=Another game');
}

async function token(page) {
  assert.ok(!page.url().includes('token'), 'the token stays in the address');
  await shot(page, 'setup', false);
}

async function phone(browser, { url, watch }) {
  const context = await browser.newContext(PHONE);
  const page = await context.newPage();
  watch(page);
  await page.goto(url);
  await page.waitForSelector('[data-game]');
  await isNarrow(page);
  await shot(page, 'phone-setup', false);
  await lay(page, 'tictactoe');
  await yours(page);
  await cell(page, '2 2').first().tap();
  await page.waitForFunction(() => document.querySelectorAll('.history li').length === 2);
  await page.tap('.switch:has-text("Symmetry")');
  await page.waitForFunction(() => !document.querySelector('.switch:disabled'));
  await isNarrow(page);
  await shot(page, 'phone', false);
  await page.tap('nav [aria-label="Write"]');
  await page.waitForSelector('.verdict.good');
  await page.tap('text=Describe');
  await page.waitForSelector('.facts');
  await isNarrow(page);
  await shot(page, 'phone-write', false);
  await context.close();
}

const hands = handTests({ lay, yours, cell, pointAt });
await runAll({ token, ticTacToe, chess, dice, hidden, write,
  ...playTests({ lay, yours, shot, cell, pointAt, type }), ...hands.tests }, { phone, ...hands.last });
