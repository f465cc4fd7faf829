// Pictures of every view and its states, for whoever looks at them, and the complaints of looks.mjs about each.
//
//   node web/gallery.mjs ALEA FOLDER [STOP,...]
//
// At the width of a desk and of a phone, light and dark.  FOLDER gets one picture of each, and sheets with several
// of them: sheet-wide-1.png and so on.  The exit status is 1 where there is something to complain about.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { alea, findChromium, PHONE, start } from './browser-kit.mjs';
import { complaints } from './looks.mjs';
import { BROKEN, DOWN, MATCH, TOSS, UNREADABLE } from './samples.mjs';

const folder = resolve(process.argv[3] ?? 'gallery');
const only = process.argv[4]?.split(',');
const FORMS = { wide: { viewport: { width: 1280, height: 860 } }, phone: PHONE };
const TALLEST = 2000; // of a picture

const go = async (page, view) => { await page.click(`nav [aria-label="${view}"]`); await page.waitForTimeout(150); };
const says = (page, where, what) => page.waitForFunction(([selector, text]) =>
  new RegExp(text).test(document.querySelector(selector)?.textContent ?? ''), [where, what]);
const yours = (page) => says(page, '.status', 'Your move|win|lose|draw|end|Solved|to move');
const file = (name, text) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });

async function lay(page, game, { level = 1, role, player } = {}) {
  await go(page, 'Play');
  if (await page.locator('text=Another game').count()) await page.click('text=Another game');
  await page.click(`[data-game="${game}"]`);
  if (role !== undefined) await page.click(`.choice:has-text("${role}")`);
  if (player !== undefined) await page.selectOption('.setup-table .field select', player);
  if (await page.locator('[aria-label="Level"]').count()) await page.fill('[aria-label="Level"]', String(level));
  await page.click('.setup-table .primary');
  await page.waitForSelector('.board svg');
}

/** Types into the editor. */
async function type(page, text) {
  await page.locator('.editor .cm-content').click();
  await page.keyboard.press('Control+A');
  await page.keyboard.press('Delete');
  await page.keyboard.insertText(text);
}

// ---- playing ----

async function setup(page, take) {
  await page.waitForSelector('[data-game]');
  await take('setup');
  await page.fill('[aria-label="Search games"]', 'dice and dragons');
  await page.waitForSelector('text=No game is like that');
  await take('setup-none');
  await page.fill('[aria-label="Search games"]', '');
  await page.setInputFiles('input[type=file]', file('own.kif', UNREADABLE));
  await page.waitForSelector('h2:has-text("Own")');
  await page.click('.setup-table .primary');
  await page.waitForSelector('.fault');
  await take('refused-rules');
  await page.click('text=Back');
}

const GAMES = ['chess', 'backgammon', 'kaseklau', 'hex', 'reversi', 'quarto', 'chinese-checkers', 'blind-tictactoe', 'kuhn-poker', 'sudoku',
  'eight-puzzle', 'toss-connect-four', 'awale', 'battleship', 'yahtzee', 'toss-cat-and-mouse'];

/** Each game after a move of either side, a cell taken up where one can be. */
async function games(page, take) {
  for (const game of GAMES) {
    await lay(page, game);
    await yours(page);
    await page.locator('.moves .chip').first().click();
    await yours(page);
    const open = page.locator('.board [role="button"][tabindex]');
    if (await open.count()) await open.nth(await open.count() > 4 ? 4 : 0).press('Enter').catch(() => undefined);
    await take(`play-${game}`);
  }
}

/** Rules of one's own without a title, named by their file. */
async function own(page, take) {
  await go(page, 'Play');
  if (await page.locator('text=Another game').count()) await page.click('text=Another game');
  await page.setInputFiles('input[type=file]', file('up-and-down.kif', DOWN));
  await page.waitForSelector('h2:has-text("Up and down")');
  await take('setup-own');
  await page.click('.setup-table .primary');
  await yours(page);
  await take('play-own');
}

async function thinking(page, take) {
  await lay(page, 'reversi', { level: 4 });
  await yours(page);
  await page.click('text=Hint');
  await page.waitForSelector('.hint');
  await page.waitForSelector('.ghost-piece');
  await take('think-ghosts');
  await lay(page, 'tictactoe', { level: 3 });
  await yours(page);
  await page.click('.switch:has-text("Symmetry")');
  await page.waitForSelector('.tint');
  await page.click('text=Hint');
  await page.waitForSelector('.hint');
  await take('think-symmetry');
  await lay(page, 'tictactoe', { level: 5, role: 'oplayer', player: 'mac-ucb' });
  await yours(page);
  await page.waitForSelector('.stage .domains li');
  await page.click('.stats summary');
  await take('think-stage');
  await page.click('text=Another game');
  await page.click('[data-game="chess"]');
  await page.click('.choice:has-text("only watch")');
  await page.click('text=By clock');
  await page.fill('[aria-label="Seconds a move"]', '8');
  await take('setup-clock');
  await page.click('.setup-table .primary');
  await page.waitForSelector('.opinions li');
  await take('think-live');
  await page.click('text=Another game');
  await page.click('text=By level');
}

async function endOfGame(page, take) {
  await lay(page, 'tictactoe', { level: 9, role: 'xplayer' });
  for (let turn = 0; turn < 6; turn++) {
    await yours(page);
    if (!/Your move/.test(await page.textContent('.status'))) break;
    await page.locator('.moves .chip').first().click();
    await page.waitForFunction((n) => document.querySelectorAll('.history li').length > n, 2 * turn);
  }
  await says(page, '.status', 'win|lose|draw');
  await take('end');
  await page.click('text=Replay it');
  await page.waitForSelector('.reel');
  await take('replay-own');
  await lay(page, 'connect-four');
  await yours(page);
  await page.click('text=Resign');
  await says(page, '.status', 'gave up');
  await take('end-resigned');
}

async function people(page, take) {
  await lay(page, 'tictactoe', { player: '@person' });
  await page.click('text=Invite by link');
  await take('people');
  await page.click('text=Another game');
  await page.click('[data-game="kuhn-poker"]');
  await page.selectOption('.setup-table .field select', '@person');
  await page.selectOption('[aria-label="Your time"]', '60');
  await take('setup-people');
  await page.click('.setup-table .primary');
  await says(page, '.status', 'to move');
  await take('people-clock');
  await page.locator('.moves .chip').first().click();
  await page.waitForSelector('.curtain');
  await take('people-curtain');
}

// ---- writing ----

async function write(page, take) {
  await go(page, 'Write');
  await page.waitForSelector('.verdict.good');
  await take('write');
  await type(page, BROKEN);
  await page.waitForSelector('.verdict.bad');
  await take('write-broken');
  await type(page, DOWN);
  await page.waitForSelector('.verdict.good');
  await take('write-witness');
  await page.locator('[data-witness]').first().click();
  await page.waitForSelector('.reel');
  await take('witness');
  for (const game of ['tictactoe', 'connect-four', 'chess']) {
    await go(page, 'Write');
    await page.selectOption('[aria-label="Begin with a game that ships"]', game);
    await page.locator('.verdict').waitFor({ state: 'detached' });
    await page.waitForSelector('.verdict.good');
    await page.click('text=Describe');
    await page.waitForSelector('.facts');
    await take(`write-${game}`);
  }
  await page.click('.tabs >> text=Toss');
  await page.waitForSelector('.verdict.good');
  await type(page, TOSS.replace('-> 1]', '=> 1]'));
  await page.waitForSelector('.verdict.bad');
  await take('write-toss-broken');
  await type(page, TOSS);
  await page.waitForSelector('.verdict.good');
  await page.click('text=Describe');
  await page.waitForSelector('.facts');
  await take('write-toss');
}

// ---- replay ----

async function replay(page, take) {
  await go(page, 'Replay');
  await page.waitForSelector('.reel, h1:has-text("Replay a match")');
  if (await page.locator('.reel').count()) await page.click('text=Another record');
  await take('replay-empty');
  await page.setInputFiles('input[type=file] >> nth=0', file('strange.json', '{"game": "unheard-of", "moves": []}'));
  await page.waitForSelector('text=does not ship');
  await take('replay-unknown');
  await page.selectOption('.narrow select', 'chess');
  await page.click('text=Show it');
  await page.waitForSelector('.reel, .trouble');
  await take('replay-refused');
  await page.click('text=Another record');
  await page.setInputFiles('input[type=file] >> nth=0', file('match.json', JSON.stringify(MATCH)));
  await page.click('text=Show it');
  await page.waitForSelector('.reel');
  await page.click('text=Compute');
  await page.waitForSelector('.plot canvas');
  await page.click('[aria-label="To the end"]');
  await take('replay-curve');
  await shared(page);
}

/** The page that is saved, as whoever gets it sees it. */
async function shared(page) {
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('text=Save as a page')]);
  const saved = join(folder, 'play.html');
  await download.saveAs(saved);
  const context = await page.context().browser().newContext({ viewport: page.viewportSize(), offline: true });
  const other = await context.newPage();
  const take = taker(other, page.viewportSize().width < 500 ? 'phone' : 'wide');
  await other.goto(`file://${saved}`);
  await take('share-start');
  await other.click('section.first nav a:has-text("end")');
  await take('share-end');
  await context.close();
}

// ---- events ----

async function events(page, take, { results }) {
  await go(page, 'Events');
  await page.waitForSelector('form');
  await take('events-empty');
  await page.fill('[aria-label="Name of the tournament"]', 'spring');
  await page.selectOption('[aria-label="Add: Players"]', 'random');
  await page.fill('[aria-label="Matches of every pair in every game"]', '60');
  await page.fill('[aria-label="Simulations a move"]', '100');
  await take('events-form');
  await page.click('form .primary');
  await page.waitForSelector('.entrants');
  await take('events-live');
  await page.click('.event >> text=Stop');
  await says(page, '.event [role=status]', 'Stopped|Finished');
  await take('events-stopped');
  if (await page.locator('.event >> text=Resume').count()) await page.click('.event >> text=Resume');
  await says(page, '.event [role=status]', 'Finished');
  await page.waitForSelector('.plot canvas');
  await take('events-report');
  await page.setInputFiles('input[accept*=".db"]', file('no.db', 'this is none'));
  await page.waitForSelector('.trouble');
  await take('events-refused');
  await far(page, take, results);
}

async function far(page, take, results) {
  const { process: player, found } = await start(['serve', '--port', '0', '--player', 'random', '--quiet'], /http:\S+/);
  try {
    await page.fill('[aria-label="Name of the tournament"]', 'far');
    await page.fill('[aria-label="Address of a player elsewhere"]', found.replace(/\/$/, ''));
    await page.press('[aria-label="Address of a player elsewhere"]', 'Enter');
    await page.fill('[aria-label="Matches of every pair in every game"]', '2');
    await page.fill('[aria-label="Seconds a move"]', '0.1');
    await page.click('form .primary');
    await page.waitForSelector('.entrants .far');
    await take('events-far');
    await page.click('.event >> text=Stop').catch(() => undefined);
    writeFileSync(join(results, 'shown.yaml'), JSON.stringify({ name: 'shown', games: ['tictactoe'], players: ['uct', 'random'],
      matches: 400, budget: { sims: 300 } }));
    const event = await start(['tournament', join(results, 'shown.yaml'), '--workers', '1', '--watch-port', '0'], /http:\S+/, 'stderr');
    try {
      await page.fill('[aria-label="Address of an event"]', event.found);
      await page.click('text="Watch"');
      await page.waitForSelector('h1:has-text("shown")');
      await page.waitForSelector('.entrants');
      await take('events-watched');
    } finally { event.process.kill(); }
    await page.fill('[aria-label="Address of an event"]', 'http://127.0.0.1:1');
    await page.click('text="Watch"');
    await page.waitForSelector('.trouble');
    await take('events-nobody');
  } finally { player.kill(); }
}

// ---- solving ----

async function solve(page, take) {
  const choose = (model) => page.selectOption('[aria-label="Model"]', model);
  const begin = () => page.click('aside .primary');
  await go(page, 'Solve');
  await take('solve-empty');
  await begin();
  await page.waitForSelector('.outcome.sat');
  await page.locator('.square.open').first().click();
  await take('solve-strategy');
  await choose('ruler');
  await page.fill('[aria-label="Marks"]', '11');
  await begin();
  await page.waitForSelector('.plot canvas');
  await take('solve-bounds');
  await page.click('main >> text=Stop');
  await says(page, '.outcome', 'Stopped|best');
  await take('solve-stopped');
  await choose('orchard-tree');
  await begin();
  await page.waitForSelector('.outcome.sat');
  await page.locator('[data-way]').first().click();
  await take('solve-policy');
  await page.setInputFiles('input[accept*=".xml"]', file('broken.xml', '<instance'));
  await begin();
  await page.waitForSelector('.trouble');
  await take('solve-refused');
  await orchard(page, take, choose, begin);
}

async function orchard(page, take, choose, begin) {
  await choose('orchard');
  await page.fill('[aria-label="Trees"]', '4');
  await page.fill('[aria-label="Fruits on each"]', '4');
  await begin();
  await page.waitForSelector('.orchard-game');
  for (let rolls = 0; rolls < 40 && !(await page.locator('.tree.open').count()); rolls++) await page.click('.orchard-game .primary');
  await take('orchard');
  for (let rolls = 0; rolls < 200 && !(await page.locator('.orchard-game >> text=Another game').count()); rolls++) {
    if (await page.locator('.tree.open').count()) await page.locator('.tree.open').last().click();
    else await page.click('.orchard-game .primary');
  }
  await take('orchard-end');
}

// ---- experiments, and errors ----

async function experiments(page, take) {
  await go(page, 'Experiments');
  await page.waitForSelector('.claim');
  await page.waitForSelector('[aria-label="Run E1"]');
  await take('experiments');
  await page.click('[aria-label="Run E1"]');
  await page.click('[data-experiment="E1"] .claim summary >> nth=0');
  await take('experiments-form');
  await page.click('[data-experiment="E1"] .run-form .primary');
  await says(page, '[data-experiment="E1"]', 'Measured here');
  await page.click('[data-experiment="E1"] .runner summary');
  await take('experiments-here');
}

/** What every view says when nobody answers any more. */
async function gone(page, take, { server }) {
  await lay(page, 'tictactoe');
  await yours(page);
  await page.click('.moves .chip >> nth=0');
  await page.waitForFunction(() => document.querySelectorAll('.history li').length === 2); // the answer is there
  await yours(page);
  server.kill();
  await new Promise((done) => { server.on('exit', done); });
  await page.waitForTimeout(500);
  await page.click('.moves .chip >> nth=0');
  await page.waitForSelector('.trouble');
  await take('gone-play');
  await go(page, 'Write');
  await page.waitForSelector('.trouble');
  await take('gone-write');
  await go(page, 'Events');
  await page.waitForSelector('.trouble');
  await take('gone-events');
  await go(page, 'Solve');
  await page.click('aside .primary');
  await page.waitForSelector('.trouble');
  await take('gone-solve');
}

const STOPS = { setup, games, own, thinking, endOfGame, people, write, replay, events, solve, experiments, gone };

// ---- the tour ----

const troubles = [];
let taken = 0;
const complain = (what) => { console.log(what); troubles.push(what); };

function taker(page, form) {
  return async (name) => {
    for (const scheme of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme: scheme });
      await page.waitForTimeout(250); // colours of plots follow
      const path = join(folder, `${name}-${form}-${scheme}.png`);
      const { width, height } = await page.evaluate(() => ({ width: window.innerWidth, height: document.documentElement.scrollHeight }));
      await page.screenshot({ path, fullPage: true, clip: { x: 0, y: 0, width, height: Math.min(height, TALLEST) } });
      taken++;
      for (const one of await complaints(page, form === 'phone')) complain(`${name}, ${form}, ${scheme}: ${one}`);
    }
    await page.emulateMedia({ colorScheme: 'light' });
  };
}

async function tour(browser, form, options) {
  const results = mkdtempSync(join(tmpdir(), 'alea-gallery-'));
  const { process: server, found: url } = await start(['web', '--port', '0', '--events', results], /http:\S+/);
  const context = await browser.newContext({ colorScheme: 'light', ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(90000);
  try {
    await page.goto(url);
    for (const [name, stop] of Object.entries(STOPS)) {
      if (only && !only.includes(name)) continue;
      try { await stop(page, taker(page, form), { results, server }); } catch (error) { complain(`${name}, ${form}: ${error.message.split('\n')[0]}`); }
      console.log(`${form}: ${name}`);
    }
  } finally {
    await context.close();
    server.kill();
    rmSync(results, { recursive: true, force: true });
  }
}

/** Several pictures on one, in their order. */
async function sheets(browser, form, { across, down, width, height }) {
  const page = await browser.newPage({ viewport: { width: across * (width + 8) + 8, height: down * (height + 28) + 8 } });
  const all = readdirSync(folder).filter((name) => new RegExp(`^(?!sheet).*-${form}-`).test(name)).sort();
  for (let at = 0; at * across * down < all.length; at++) {
    const tiles = all.slice(at * across * down, (at + 1) * across * down).map((name) =>
      `<figure><figcaption>${name.replace(/\.png$/, '')}</figcaption><img src="data:image/png;base64,${
        readFileSync(join(folder, name)).toString('base64')}"></figure>`);
    await page.setContent(`<style>body{margin:8px;display:flex;flex-wrap:wrap;gap:8px;background:#888;font:12px sans-serif}
      figure{margin:0;width:${width}px}img{width:100%;max-height:${height}px;object-fit:cover;object-position:top;display:block}</style>${tiles.join('')}`);
    await page.screenshot({ path: join(folder, `sheet-${form}-${at + 1}.png`) });
  }
  await page.close();
}

mkdirSync(folder, { recursive: true });
const browser = await findChromium();
try {
  for (const [form, options] of Object.entries(FORMS)) await tour(browser, form, options);
  await sheets(browser, 'wide', { across: 2, down: 3, width: 860, height: 620 });
  await sheets(browser, 'phone', { across: 6, down: 1, width: 300, height: 1300 });
} finally { await browser.close(); }
console.log(`${taken} pictures of ${alea} in ${folder}, ${troubles.length} complaints`);
process.exitCode = troubles.length > 0 ? 1 : 0;
