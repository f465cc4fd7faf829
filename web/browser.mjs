// The page in a real browser, used as a person would use it.
//
//   node web/browser.mjs ALEA [FOLDER]
//
// With FOLDER pictures of the views are written there.  Skipped (77) where
// Chromium or web/node_modules is missing.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import assert from 'node:assert/strict';
import { playTests } from './browser_play.mjs';

const alea = process.argv[2] ?? 'build/alea';
const folder = process.argv[3];
const chromiums = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const program = chromiums.find((path) => path && existsSync(path));
let chromium;
try { ({ chromium } = await import('playwright-core')); } catch { /* told below */ }
if (!program || !chromium) {
  console.log(`skipped: ${program ? 'web/node_modules is missing (npm ci in web/)' : 'Chromium is not installed'}`);
  process.exit(77);
}

const BROKEN = `(role me)
(init (n 0))
(succ 0 1) (succ 1 2)
(<= (legal me up) (true (n ?x)))
(<= (legal me down) (true (n ?x)))
(<= (next (n ?y)) (does me up) (true (n ?x)) (succ ?x ?y))
(<= (next (n ?x)) (does me down) (true (n ?x)))
(<= terminal (true (n 2)))
(<= (goal me 100) (true (n 2)))
(<= (goal me 0) (true (n ?x)) (not (true (n 2))) (distinct ?z 1))
`;
const CURED = BROKEN.replace(' (distinct ?z 1)', '');

const events = mkdtempSync(join(tmpdir(), 'alea-page-'));

async function serve() {
  const server = spawn(alea, ['web', '--port', '0', '--events', events], { stdio: ['ignore', 'pipe', 'inherit'] });
  const url = await new Promise((found, failed) => {
    let said = '';
    server.stdout.on('data', (data) => {
      said += data;
      const address = /http:\S+/.exec(said);
      if (address) found(address[0]);
    });
    server.on('exit', () => failed(new Error('alea web ended')));
  });
  return { server, url };
}

async function shot(page, name) {
  if (!folder) return;
  for (const scheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.waitForTimeout(100);
    await page.screenshot({ path: `${folder}/${name}-${scheme}.png` });
  }
  await page.emulateMedia({ colorScheme: 'light' });
}

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
  await type(page, CURED);
  await page.waitForSelector('.verdict.good');
  // One can go down for ever: a play shows it.
  await page.locator('[data-witness]').first().click();
  await page.waitForSelector('.reel');
  await page.waitForSelector('.board svg');
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

async function record(page) {
  const moves = [['(mark 2 2)', 'noop'], ['noop', '(mark 1 1)']];
  await page.click('nav >> text=Replay');
  await page.waitForSelector('.reel, h1:has-text("Replay a match")');
  if (await page.locator('.reel').count()) await page.click('text=Another record');
  await page.setInputFiles('input[type=file] >> nth=0', { name: 'match.json', mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify({ game: 'tictactoe', moves })) });
  await shot(page, 'records');
  await page.click('text=Show it');
  await page.waitForFunction(() => /of 2/.test(document.querySelector('.status')?.textContent ?? ''));
}

async function tournament(page) {
  await page.click('nav >> text=Events');
  await page.fill('[aria-label="Name of the tournament"]', 'browser');
  await page.selectOption('[aria-label="Add: Players"]', 'random');
  await page.fill('[aria-label="Matches"]', '4');
  await page.click('form .primary');
  await page.waitForFunction(() => /Finished, 12 of 12/.test(document.querySelector('.event [role=status]')?.textContent ?? ''));
  assert.equal(await page.locator('.results tbody tr').count(), 6);
  assert.equal(await page.locator('.heat td:not(.none)').count(), 6);
  await shot(page, 'events');
}

async function solve(page) {
  await page.click('nav >> text=Solve');
  await page.click('aside .primary');
  await page.waitForSelector('.outcome.sat');
  await page.locator('.square.open').first().click();
  await page.waitForFunction(() => document.querySelectorAll('.path li').length >= 3);
  await page.click('text=One answer back');
  await page.waitForFunction(() => document.querySelectorAll('.path li').length === 1);
  await page.locator('[data-way]').last().click();
  await shot(page, 'solve');
  await page.selectOption('[aria-label="Model"]', 'orchard');
  await page.click('aside .primary');
  await page.waitForSelector('.outcome.sat');
  await page.locator('[data-way]').first().click();
  await shot(page, 'solve-orchard');
}

async function experiments(page) {
  await page.click('nav >> text=Experiments');
  await page.waitForSelector('.claim');
  const all = await page.locator('.claim').count();
  assert.ok(all > 50, `${all} claims`);
  await page.click('.tabs >> text=contradicted');
  await page.waitForFunction((n) => document.querySelectorAll('.claim').length < n, all);
  await page.click('.tabs >> text=all');
  await shot(page, 'experiments');
}

async function phone(browser, url) {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  const page = await context.newPage();
  await page.goto(url);
  await page.waitForSelector('[data-game]');
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= 390, `the page is ${wide} wide`);
  await shot(page, 'phone-setup');
  await lay(page, 'tictactoe');
  await yours(page);
  await cell(page, '2 2').first().tap();
  await page.waitForFunction(() => document.querySelectorAll('.history li').length === 2);
  await page.tap('.switch:has-text("Symmetry")');
  await page.waitForFunction(() => !document.querySelector('.switch:disabled'));
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= 390);
  await shot(page, 'phone');
  await page.tap('nav [aria-label="Write"]');
  await page.waitForSelector('.verdict.good');
  await page.tap('text=Describe');
  await page.waitForSelector('.facts');
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= 390);
  await shot(page, 'phone-write');
  await context.close();
}

const { server, url } = await serve();
if (folder) mkdirSync(folder, { recursive: true });
const browser = await chromium.launch({ executablePath: program, args: ['--no-sandbox'] });
const troubles = [];
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 }, colorScheme: 'light' });
  page.setDefaultTimeout(30000);
  page.on('pageerror', (error) => troubles.push(error.message));
  page.on('console', (line) => {
    // Refusals are answers that tests ask for; everything else is a fault of the page.
    if (line.type() === 'error' && !/status of 4/.test(line.text())) troubles.push(line.text());
  });
  const began = Date.now();
  await page.goto(url);
  await page.waitForSelector('[data-game]');
  const first = Date.now() - began;
  assert.ok(!page.url().includes('token'), 'the token stays in the address');
  await shot(page, 'setup');
  const playing = playTests({ lay, yours, shot, cell, pointAt, type, browser, url });
  for (const [name, test] of Object.entries({ ticTacToe, chess, dice, hidden, write, ...playing, record, tournament, solve, experiments })) {
    try {
      await test(page);
    } catch (error) {
      console.log(`${name} failed; the page says: ${(await page.textContent('main')).slice(0, 500)}`);
      throw error;
    }
    console.log(`${name}: done`);
  }
  await phone(browser, url);
  console.log(`phone: done; first view after ${first} ms`);
  assert.deepEqual(troubles, []);
} finally {
  await browser.close();
  server.kill();
  rmSync(events, { recursive: true, force: true });
}
