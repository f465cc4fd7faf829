// Replay, Events, Solve and Experiments in a real browser, used as a person would use them.
//
//   node web/browser-results.mjs ALEA [FOLDER [TEST,...]]
//
// With FOLDER pictures of the views are written there.  Skipped (77) where
// Chromium or web/node_modules is missing.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import assert from 'node:assert/strict';
import { alea, isNarrow, PHONE, runAll, shot, start, unlimited } from './browser-kit.mjs';
import { MATCH, XML_MATCH } from './samples.mjs';

const go = async (page, view) => { await page.click(`nav >> text=${view}`); };
const says = (page, selector, words) => page.waitForFunction(([where, what]) =>
  new RegExp(what).test(document.querySelector(where)?.textContent ?? ''), [selector, words]);
const lastOf = (page) => page.locator('.status').textContent();

// ---- Replay ----

// As ggp-base writes them: the states and moves of a match, and the address of its game.
const BASE = JSON.stringify({ matchId: 'x.1', gameMetaURL: 'http://games.ggp.org/base/games/ticTacToe/v0/',
  startClock: 10, playClock: 5, moves: [['( mark 1 1 )', 'noop'], ['noop', '( mark 2 2 )']], states: [] });

async function show(page, name, text) {
  await go(page, 'Replay');
  await page.waitForSelector('.reel, h1:has-text("Replay a match")');
  if (await page.locator('.reel').count()) await page.click('text=Another record');
  await page.setInputFiles('input[type=file] >> nth=0', { name, mimeType: 'application/json', buffer: Buffer.from(text) });
  await page.click('text=Show it');
}

async function replay(page, { results }) {
  await go(page, 'Replay');
  await page.waitForSelector('h1:has-text("Replay a match")');
  await shot(page, 'replay-empty');
  await show(page, 'theirs.json', BASE);
  await says(page, '.status', 'Step 0 of 2');
  await show(page, 'ours.json', JSON.stringify(MATCH));
  await says(page, '.status', 'Step 0 of 6');
  await page.keyboard.press('ArrowRight');
  await says(page, '.status', 'Step 1 of 6');
  await page.click('[aria-label="To the end"]');
  await says(page, '.hint', 'The end: .*100');
  await page.locator('.jump button').nth(2).click();
  await says(page, '.status', 'Step 2 of 6');
  await page.fill('[aria-label="Step"]', '5');
  await says(page, '.status', 'Step 5 of 6');
  await page.click('.reel .primary'); // lets it run to the end
  await says(page, '.status', 'Step 6 of 6');
  await page.click('text=Compute');
  await page.waitForSelector('.plot canvas');
  await shot(page, 'replay');
  // The record as a file, and the play as a page that needs nothing else.
  const saved = async (button) => {
    const [download] = await Promise.all([page.waitForEvent('download'), page.click(button)]);
    const path = join(results, `saved-${download.suggestedFilename()}`);
    await download.saveAs(path);
    return path;
  };
  const record = JSON.parse(readFileSync(await saved('text=Save the record'), 'utf8'));
  assert.deepEqual(record.moves[0], ['(mark 2 2)', 'noop']);
  const file = await saved('text=Save as a page');
  const alone = await page.context().browser().newPage();
  const asked = [];
  alone.on('request', (request) => asked.push(request.url()));
  await alone.goto(`file://${file}`);
  await alone.waitForSelector('section.first svg');
  await alone.click('section.first >> text=on');
  await alone.waitForSelector('#s1 svg:visible');
  assert.match(await alone.locator('#s1').textContent(), /Step 1 of 6/);
  const cell = await alone.locator('#s1 rect.cell').first().evaluate((element) => getComputedStyle(element).fill);
  assert.notEqual(cell, 'rgb(0, 0, 0)', 'the drawing has no colours');
  await shot(alone, 'replay-alone');
  assert.ok(asked.every((url) => url.startsWith('file:')), `it asked for ${asked}`);
  await alone.close();
}

/** A record of ggp-base as XML, which names no game: it is chosen, stepped through and jumped in. */
async function xmlRecord(page) {
  await go(page, 'Replay');
  await page.waitForSelector('.reel, h1:has-text("Replay a match")');
  if (await page.locator('.reel').count()) await page.click('text=Another record');
  await page.setInputFiles('input[type=file] >> nth=0', { name: 'match.xml', mimeType: 'text/xml', buffer: Buffer.from(XML_MATCH) });
  await page.waitForSelector('text=The record does not tell its game');
  assert.ok(await page.locator('text=Show it').isDisabled());
  await page.selectOption('.narrow select', 'tictactoe');
  await page.click('text=Show it');
  await says(page, '.status', 'Step 0 of 6');
  await page.click('[aria-label="One step on"]');
  await says(page, '.status', 'Step 1 of 6');
  assert.equal(await page.locator('.board [data-fluent="(cell 2 2 x)"]').count() > 0, true, 'the first cross is in the middle');
  await page.locator('.jump button').nth(4).click();
  await says(page, '.status', 'Step 4 of 6');
  await page.click('[aria-label="To the end"]');
  await says(page, '.hint', 'The end: xplayer 0, oplayer 100');
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('text=Save the record')]);
  assert.equal(download.suggestedFilename(), 'match.xml');
}

// ---- Events ----

async function tournament(page) {
  await go(page, 'Events');
  await page.waitForSelector('text=None yet');
  await shot(page, 'events-empty');
  await page.fill('[aria-label="Name of the tournament"]', 'browser');
  await page.selectOption('[aria-label="Add: Players"]', 'random');
  await page.fill('[aria-label="Matches of every pair in every game"]', '150');
  await page.fill('[aria-label="Simulations a move"]', '200');
  await page.click('form .primary');
  await page.waitForSelector('.entrants');
  await shot(page, 'events-running');
  await page.click('.event >> text=Stop');
  await says(page, '.event [role=status]', 'Stopped|Finished');
  if (await page.locator('.event >> text=Resume').count()) await page.click('.event >> text=Resume');
  await says(page, '.event [role=status]', 'Finished, 450 of 450');
  await page.waitForSelector('.plot canvas');
  assert.equal(await page.locator('.heat td:not(.none)').count(), 6);
  await shot(page, 'events');
}

/** A database that is opened, and refused where it is none. */
async function database(page, { results }) {
  await go(page, 'Events');
  const give = (name, bytes) => page.setInputFiles('input[accept*=".db"]', { name, mimeType: 'application/octet-stream', buffer: bytes });
  await give('no.db', Buffer.from('this is none'));
  await page.waitForSelector('.trouble >> text=not a database');
  await give('copy.db', readFileSync(join(results, 'browser.db')));
  await page.waitForSelector('h1:has-text("copy.db")');
  await page.waitForSelector('.heat');
  await says(page, '.event [role=status]', '450 of 450');
}

/** Entrants elsewhere, one that plays and one that is absent; and the event of another server. */
async function elsewhere(page, { results }) {
  const { process: player, found } = await start(['serve', '--port', '0', '--player', 'random', '--quiet', ...unlimited], /http:\S+/);
  const near = found.replace(/\/$/, '');
  try {
    await go(page, 'Events');
    await page.fill('[aria-label="Name of the tournament"]', 'far');
    await page.fill('[aria-label="Address of a player elsewhere"]', 'http://10.1.2.3:9147');
    await page.press('[aria-label="Address of a player elsewhere"]', 'Enter');
    await page.fill('[aria-label="Matches of every pair in every game"]', '2');
    await page.fill('[aria-label="Seconds a move"]', '0.1');
    await page.click('form .primary');
    await page.waitForSelector('.trouble >> text=--allow');
    await page.click('[aria-label="Remove http://10.1.2.3:9147"]');
    await page.click('[aria-label="Remove alea"]');
    await page.fill('[aria-label="Address of a player elsewhere"]', near);
    await page.press('[aria-label="Address of a player elsewhere"]', 'Enter');
    await shot(page, 'events-form');
    await page.click('form .primary');
    await page.waitForSelector('.entrants .far');
    await shot(page, 'events-far');
    await page.waitForSelector('.entrants .pill:has-text("done")');
    await says(page, '.event [role=status]', 'Finished, (\\d+) of \\1');
    // Watched from elsewhere: a tournament with its server of events.
    writeFileSync(join(results, 'shown.yaml'), JSON.stringify({ name: 'shown', games: ['tictactoe'], players: ['uct', 'random'],
      matches: 400, budget: { sims: 300 } }));
    const event = await start(['tournament', join(results, 'shown.yaml'), '--workers', '1', '--watch-port', '0'], /http:\S+/, 'stderr');
    try {
      await page.fill('[aria-label="Address of an event"]', event.found);
      await page.click('text="Watch"');
      await page.waitForSelector('h1:has-text("shown")');
      await page.waitForSelector('.entrants');
      await shot(page, 'events-watched');
    } finally { event.process.kill(); }
    await page.waitForFunction(() => /Over/.test(document.querySelector('.event [role=status]')?.textContent ?? ''));
    await page.fill('[aria-label="Address of an event"]', 'http://127.0.0.1:1');
    await page.click('text="Watch"');
    await page.waitForSelector('.trouble >> text=Nobody answers');
  } finally { player.kill(); }
}

/** A match that `alea host` shows is watched, and its board is seen as far as it was played. */
async function hosted(page) {
  const host = await start(['host', 'connect-four', '--player', 'uct', '--player', 'uct', '--start', '1', '--time', '1',
    '--watch-port', '0'], /http:\S+/, 'stderr');
  try {
    await go(page, 'Events');
    await page.fill('[aria-label="Address of an event"]', host.found);
    await page.click('text="Watch"');
    await says(page, '.event h1', 'A match of connect-four');
    await says(page, '.event [role=status]', '[1-9] steps?');
    await shot(page, 'events-match');
    await page.click('text=See the board');
    await says(page, '.status', 'Step 0 of [1-9]');
    await page.waitForSelector('.board svg');
  } finally { host.process.kill(); }
}

// ---- Solve ----

async function solve(page) {
  await go(page, 'Solve');
  await shot(page, 'solve-empty');
  await page.click('aside .primary');
  await page.waitForSelector('.outcome.sat');
  await page.locator('.square.open').first().click();
  await page.waitForFunction(() => document.querySelectorAll('.path li').length >= 3);
  await page.click('text=One answer back');
  await page.waitForFunction(() => document.querySelectorAll('.path li').length === 1);
  await page.locator('[data-way]').last().click();
  await shot(page, 'solve');
  await page.selectOption('[aria-label="Model"]', 'orchard-tree');
  await page.click('aside .primary');
  await page.waitForSelector('.outcome.sat');
  await page.locator('[data-way]').first().click();
  await shot(page, 'solve-tree');
}

/** Bounds improve while the search runs; it is stopped; a shorter one is proved. */
async function bounds(page) {
  await go(page, 'Solve');
  await page.selectOption('[aria-label="Model"]', 'ruler');
  await page.fill('[aria-label="Marks"]', '12');
  await page.click('aside .primary');
  await page.waitForSelector('.plot canvas');
  await page.waitForSelector('text=Better values');
  const first = await page.locator('.section:has-text("Better values") .quiet').first().textContent();
  await page.waitForFunction((before) => document.querySelector('main').textContent.includes('so far, the last')
    && !document.querySelector('main').textContent.includes(before), first);
  await shot(page, 'solve-bounds');
  await page.click('main >> text=Stop');
  await says(page, '.outcome', 'Stopped: the best so far is \\d+');
  // What was found is kept: a ruler whose distances differ, as long as its last mark says.
  const reached = Number(/\d+/.exec(await page.textContent('.outcome'))[0]);
  const marks = await page.$$eval('.chip.still', (chips) => chips.map((chip) => chip.textContent)
    .filter((text) => text.startsWith('mark')).map((text) => Number(text.split(' ')[1])));
  assert.equal(marks.length, 12);
  assert.equal(marks[11], reached);
  assert.equal(new Set(marks.flatMap((high, i) => marks.slice(0, i).map((low) => high - low))).size, 66);
  await page.fill('[aria-label="Marks"]', '7');
  await page.click('aside .primary');
  await says(page, '.outcome', 'This is the best');
  assert.match(await page.textContent('.facts'), /Value25/); // the shortest ruler of seven marks
  await page.setInputFiles('input[accept*=".xml"]', { name: 'broken.xml', mimeType: 'text/xml', buffer: Buffer.from('<instance') });
  await page.click('aside .primary');
  await page.waitForSelector('.trouble');
  await shot(page, 'solve-trouble');
}

/** A search for a policy: bounds on both sides while it runs; stopped, its best policy can be walked through. */
async function stochastic(page) {
  await go(page, 'Solve');
  await page.selectOption('[aria-label="Model"]', 'orchard-search');
  await page.fill('[aria-label="Fruits on each"]', '4');
  await page.click('aside .primary');
  await says(page, '.section:has(.plot) .quiet', '[1-9]\\d* so far, the last 0\\.\\d+, at most 1');
  await shot(page, 'solve-stochastic');
  await page.click('main button:has-text("Stop")');
  await says(page, '.outcome', 'Stopped: the best so far is 0\\.\\d+');
  await page.waitForSelector('h2:has-text("The best policy so far")');
  await page.locator('[data-way]').first().click();
  await page.waitForFunction(() => document.querySelectorAll('.path li').length > 3);
  await shot(page, 'solve-stopped-policy');
}

/** Orchard beside its policy: every choice of the person is judged. */
async function orchard(page) {
  await go(page, 'Solve');
  await page.selectOption('[aria-label="Model"]', 'orchard');
  await page.fill('[aria-label="Trees"]', '2');
  await page.fill('[aria-label="Fruits on each"]', '3');
  await page.click('aside .primary');
  await page.waitForSelector('.orchard-game');
  let judged = 0;
  for (let games = 0; games < 20 && judged === 0; games++) {
    for (let rolls = 0; rolls < 200 && !(await page.locator('.orchard-game >> text=Another game').count()); rolls++) {
      if (await page.locator('.tree.open').count()) {
        if (judged === 0) {
          await page.check('.orchard-game input[type=checkbox]');
          await shot(page, 'orchard');
        }
        while (await page.locator('.tree.open').count()) await page.locator('.tree.open').first().click();
        assert.match(await page.textContent('.orchard-game .hint'), /as good as any|costs/);
        judged++;
      } else {
        await page.click('.orchard-game .primary');
      }
    }
    assert.match(await lastOf(page), /Both|raven|policy/);
    if (judged === 0) await page.click('.orchard-game >> text=Another game');
  }
  assert.ok(judged > 0);
  await shot(page, 'orchard-end');
}

// ---- Experiments ----

async function experiments(page) {
  await go(page, 'Experiments');
  await page.waitForSelector('.claim');
  const all = await page.locator('.claim').count();
  assert.ok(all > 50, `${all} claims`);
  await page.click('.tabs >> text=contradicted');
  await page.waitForFunction((n) => document.querySelectorAll('.claim').length < n, all);
  await page.click('.tabs >> text=all');
  // The button runs it: E1 takes seconds, and its exact values come out as they are stored.
  await page.click('[aria-label="Run E1"]');
  await shot(page, 'experiments', false);
  await page.click('[data-experiment="E1"] .run-form .primary');
  await says(page, '[data-experiment="E1"]', 'Computing');
  await says(page, '[data-experiment="E1"]', 'Measured here');
  await page.waitForSelector('[data-experiment="E1"] .here');
  await shot(page, 'experiments-here', false);
  const row = page.locator('[data-experiment="E1"] .claim').first();
  assert.match(await row.locator('.here').textContent(), /68\.4047/);
  assert.match(await row.locator('.figures').nth(1).textContent(), /68\.4047/);
  // One with matches says how far it is, and can be stopped.
  await page.click('[aria-label="Run E3-plays"]');
  await page.click('[data-experiment="E3-plays"] .run-form .primary');
  await page.locator('[data-experiment="E3-plays"]').scrollIntoViewIfNeeded();
  await says(page, '[data-experiment="E3-plays"]', 'Playing|Computing');
  await page.click('[data-experiment="E3-plays"] >> text=Stop');
  await says(page, '[data-experiment="E3-plays"]', 'Stopped');
  await shot(page, 'experiments-run', false);
}

/** All four views on a phone. */
async function phone(browser, { url, watch }) {
  const context = await browser.newContext(PHONE);
  const page = await context.newPage();
  watch(page);
  await page.goto(url);
  await page.waitForSelector('[data-game]');
  for (const [view, wanted] of [['replay', 'h1'], ['events', 'form'], ['solve', 'aside'], ['experiments', '.claim']]) {
    await page.goto(`${url.split('#')[0]}#/${view}`);
    await page.waitForSelector(wanted);
    await isNarrow(page);
    await shot(page, `phone-${view}`, false);
  }
  await page.goto(`${url.split('#')[0]}#/events`);
  await page.click('.event-list button:has-text("browser")');
  await page.waitForSelector('.heat');
  await isNarrow(page);
  await shot(page, 'phone-event');
  await page.goto(`${url.split('#')[0]}#/solve`);
  await page.selectOption('[aria-label="Model"]', 'orchard');
  await page.tap('aside .primary');
  await page.waitForSelector('.orchard-game');
  await page.tap('.orchard-game .primary');
  await isNarrow(page);
  await shot(page, 'phone-orchard');
  await context.close();
}

assert.ok(alea);
await runAll({ replay, xmlRecord, tournament, database, elsewhere, hosted, solve, bounds, stochastic, orchard, experiments }, { phone });
