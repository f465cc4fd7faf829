// The tests in a browser of playing, thinking aloud and writing; web/browser.mjs runs them.
import assert from 'node:assert/strict';
import { MARKUP, STRANGE, TOSS } from './samples.mjs';

/** Tests by name; each gets the page.  'tools' are what browser.mjs has: lay, yours, shot, cell, pointAt, type. */
export function playTests({ lay, yours, shot, cell, pointAt, type }) {
  const leave = (page) => page.click('text=Another game');
  const count = (page, selector, wanted) => page.waitForFunction(([what, n]) => document.querySelectorAll(what).length === n, [selector, wanted]);
  const status = (page, pattern) => page.waitForFunction((text) => new RegExp(text).test(document.querySelector('.status')?.textContent ?? ''), pattern.source);

  /** The main line as ghosts, which the switch and the next move take away. */
  async function ghosts(page) {
    await lay(page, 'tictactoe', 4);
    await yours(page);
    await page.click('text=Hint');
    await page.waitForSelector('.hint');
    await count(page, '.ghost-piece', 3);
    assert.ok(await page.locator('.line li.on-board').count() === 3, 'the line is listed');
    assert.match(await page.locator('.opinions li').first().textContent(), /\d± \d|= \d/, 'how sure it is, or proved');
    const first = (await page.textContent('.line li')).replace(/^1 /, '').trim();
    assert.equal(first, (await page.textContent('.hint strong')).trim(), 'the line begins with the hint');
    await shot(page, 'ghosts');
    await page.click('.switch:has-text("Main line")');
    await count(page, '.ghost-piece', 0);
    await page.click('.switch:has-text("Main line")');
    await count(page, '.ghost-piece', 3);
    await pointAt(page, '2 2');
    await count(page, '.history li', 2);
    await count(page, '.ghost-piece', 0);
    await leave(page);
  }

  /** Corners and edges of the empty board in two hues; pointing at one shows all that are like it. */
  async function alike(page) {
    await lay(page, 'tictactoe');
    await yours(page);
    await page.click('.switch:has-text("Symmetry")');
    await count(page, '.tint', 8);
    const hues = await page.$$eval('.tint', (tints) => new Set(tints.map((tint) => tint.style.fill)).size);
    assert.equal(hues, 2);
    await cell(page, '1 1').first().hover({ force: true });
    await count(page, '.mark-alike', 4);
    await shot(page, 'alike');
    await page.click('.switch:has-text("Symmetry")');
    await count(page, '.tint', 0);
    await leave(page);
  }

  /** MAC-UCB begins: its stage has a variable for each role. */
  async function stage(page) {
    await page.click('[data-game="tictactoe"]');
    await page.click('.choice:has-text("oplayer")');
    await page.selectOption('.setup-table .field select', 'mac-ucb');
    await page.fill('input[aria-label="Level"]', '5');
    await page.click('.setup-table .primary');
    await yours(page);
    await count(page, '.stage .domains li', 2);
    assert.match(await page.textContent('.stage'), /32 variables and 34 constraints/);
    await shot(page, 'stage');
    await leave(page);
  }

  /** Dice are no places: what can be clicked is where mouse and cat would go. */
  async function places(page) {
    await lay(page, 'kaseklau');
    await yours(page);
    const run = /run (\d) (\d)/.exec(await page.locator('.moves .chip').first().textContent());
    const [mouse, cat] = [Number(run[1]), Number(run[2])];
    const on = (from, by) => String((from + by - 1) % 12 + 1);
    // A throw of two alike leaves no choice, so that they may have run before.
    const at = (who) => page.$eval(`.board [data-fluent^="(${who} "]`, (piece) => Number(piece.dataset.cell));
    const from = { mouse: await at('mouse'), cat: await at('cat') };
    const goals = new Set([on(from.mouse, mouse), on(from.cat, cat), on(from.mouse, cat), on(from.cat, mouse)]);
    const open = await page.$$eval('.board [role="button"][tabindex]', (cells) => cells.map((one) => one.dataset.cell));
    assert.deepEqual(new Set(open), goals);
    const both = [on(from.mouse, cat), on(from.cat, mouse)]; // what the other move changes
    const sure = [on(from.mouse, mouse), on(from.cat, cat)].find((place) => !both.includes(place));
    if (sure === undefined) { await leave(page); return; } // they sit on one square: both moves change the same cells
    await pointAt(page, sure);
    await page.waitForFunction((made) => (document.querySelector('.history')?.textContent ?? '').includes(made), `run ${mouse} ${cat}`);
    await leave(page);
  }

  /** A man of backgammon goes where the die takes it: two clicks. */
  async function men(page) {
    await lay(page, 'backgammon');
    await yours(page);
    const move = /move (\d+) (\d)/.exec(await page.locator('.moves .chip').first().textContent());
    await page.waitForTimeout(100);
    await cell(page, move[1]).first().focus();
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.querySelector('.marks .mark-chosen, .history li:nth-child(2)'));
    if (await page.locator('.marks .mark-chosen').count()) {
      await cell(page, String(Number(move[1]) - Number(move[2]))).first().focus();
      await page.keyboard.press('Enter');
    }
    await page.waitForFunction((made) => (document.querySelector('.history')?.textContent ?? '').includes(made), move[0]);
    await leave(page);
  }

  /** Ships are placed on the own board, and shots go to the other's, though moves name neither. */
  async function aims(page) {
    await page.click('[data-game="battleship"]');
    await page.click('.choice:has-text("right")');
    await page.fill('input[aria-label="Level"]', '1');
    await page.click('.setup-table .primary');
    const boards = () => page.$$eval('.board [role="button"][tabindex]', (cells) => [...new Set(cells.map((one) => one.dataset.board))]);
    for (const [at, moves] of [['a 1', 'place long'], ['c 1', 'place short']]) {
      await yours(page);
      await page.waitForSelector(`.moves .chip:has-text("${moves}")`);
      assert.deepEqual(await boards(), ['right']);
      await page.click(`.moves .chip:has-text("${moves} upward ${at}")`);
    }
    await page.waitForSelector('.moves .chip:has-text("shoot a 1")');
    assert.deepEqual(await boards(), ['left']);
    const box = await page.locator('.board [data-board="left"][data-cell="e 5"]').first().boundingBox();
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    await page.waitForFunction(() => /shoot e 5/.test(document.querySelector('.history')?.textContent ?? ''));
    await page.waitForSelector('.board [data-board="left"][data-fluent="(shot left e 5)"]');
    await leave(page);
  }

  /** Names that look like markup stay names: of the file, in its comments, of roles, moves and fluents, and in the saved page. */
  async function strange(page, { results }) {
    const clean = async (where) => {
      assert.equal(await where.evaluate(() => window.hit), undefined);
      assert.equal(await where.locator('img[src="x"], [onerror]').count(), 0);
    };
    await page.setInputFiles('input[type=file]', { name: '<img src=x onerror=window.hit=1>.kif', mimeType: 'text/plain', buffer: Buffer.from(STRANGE) });
    await page.waitForSelector('.setup-table h2:has-text("<img src=x onerror=window.hit=1>")');
    await page.click('.setup-table .primary');
    await yours(page);
    await page.waitForSelector('h1:has-text("<img src=x")');
    await page.waitForSelector(`.notes >> text=note ${MARKUP}`);
    await clean(page);
    await page.locator('.moves .chip').first().click();
    await page.click('text=Replay it');
    await page.waitForSelector('.reel');
    await clean(page);
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('text=Save as a page')]);
    await download.saveAs(`${results}/strange.html`);
    const alone = await page.context().browser().newPage();
    await alone.goto(`file://${results}/strange.html`); // no policy protects it there
    await alone.click('section.first nav >> text=end');
    await alone.waitForSelector('#s1:visible');
    assert.ok((await alone.textContent('#s1')).includes(MARKUP));
    await clean(alone);
    await alone.close();
    await page.click('nav >> text=Write');
    await page.waitForSelector('.verdict');
    await type(page, `;; title: ${MARKUP}\n${STRANGE}`);
    await page.locator('.editor .cm-content', { hasText: 'title: <img' }).waitFor();
    await page.waitForSelector('.verdict.good');
    await page.click('text=Describe');
    await page.waitForSelector('.facts');
    await clean(page);
    await page.click('nav >> text=Play');
    await leave(page);
  }

  /** Nothing stands before what can be pointed at: not what is written on it. */
  async function centres(page) {
    for (const game of ['chess', 'hex', 'majorities', 'chinese-checkers', 'backgammon', 'awale', 'yahtzee', 'war', 'toss-cat-and-mouse', 'toss-connect-four']) {
      await lay(page, game);
      await yours(page);
      await page.waitForSelector('.board [role="button"][tabindex]');
      const missed = await page.$$eval('.board [role="button"][tabindex]', (parts) => parts.filter((part) => {
        const box = part.getBoundingClientRect();
        const met = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)?.closest('[data-cell], [data-thing]');
        return met?.dataset.cell !== part.dataset.cell || met?.dataset.thing !== part.dataset.thing;
      }).map((part) => part.getAttribute('aria-label')));
      assert.deepEqual(missed, [], game);
      await leave(page);
    }
  }

  /** Moves by direction, made by pointing at the cell where they lead, though others move at the same time. */
  async function directions(page) {
    await lay(page, 'pacman');
    await yours(page);
    const open = await page.$$eval('.board [role="button"][tabindex]', (cells) => cells.map((one) => one.dataset.cell));
    const [x, y] = (await page.$eval('.board [data-fluent^="(at pacman "]', (piece) => piece.dataset.cell)).split(' ').map(Number);
    const steps = { west: [-1, 0], east: [1, 0], north: [0, 1], south: [0, -1] };
    const legal = await page.$$eval('.moves .chip', (chips) => chips.map((chip) => chip.textContent.replace('move ', '')));
    assert.deepEqual(new Set(open), new Set(legal.map((way) => `${x + steps[way][0]} ${y + steps[way][1]}`)));
    await pointAt(page, `${x + steps[legal[0]][0]} ${y + steps[legal[0]][1]}`);
    await page.waitForFunction((made) => (document.querySelector('.history')?.textContent ?? '').includes(made), `move ${legal[0]}`);
    await leave(page);
  }

  /** Arrow keys go from cell to cell, return plays; the cell says what it is. */
  async function keys(page) {
    await lay(page, 'tictactoe');
    await yours(page);
    await cell(page, '1 1').first().focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowUp');
    assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('aria-label')), '2 2: empty, can be chosen');
    await page.keyboard.press('Enter');
    await count(page, '.history li', 2);
    await leave(page);
  }

  /** Two people at one screen; then one of them elsewhere, by the link. */
  async function people(page) {
    await page.click('[data-game="tictactoe"]');
    await page.selectOption('.setup-table .field select', '@person');
    await page.selectOption('[aria-label="Your time"]', '60');
    await page.click('.setup-table .primary');
    await status(page, /Xplayer to move/);
    await count(page, '.clock', 2);
    await page.waitForSelector('.clock.running');
    await pointAt(page, '2 2');
    await status(page, /Oplayer to move/);
    await pointAt(page, '1 1');
    await status(page, /Xplayer to move/);
    await shot(page, 'people');
    await page.click('text=Invite by link');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.click('.people >> text=Copy');
    await page.waitForSelector('.people >> text=Copied');
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), await page.inputValue('.people input'));
    const link = await page.inputValue('.people input');
    const context = await page.context().browser().newContext({ viewport: { width: 900, height: 800 } });
    const other = await context.newPage();
    await other.goto(link);
    await status(other, /Waiting for Xplayer/);
    assert.ok(!other.url().includes('token'));
    await pointAt(page, '2 1');
    await status(page, /Waiting for Oplayer/);
    await status(other, /Your move/);
    await pointAt(other, '2 3');
    await status(page, /Your move/);
    await other.click('text=Resign');
    await status(page, /Oplayer gave up/);
    await status(other, /You gave up/);
    await context.close();
    await leave(page);
  }

  /** What one of two people at one screen holds is covered before the other looks. */
  async function curtain(page) {
    await page.click('[data-game="kuhn-poker"]');
    await page.selectOption('.setup-table .field select', '@person');
    await page.click('.setup-table .primary');
    await status(page, /to move/);
    const held = /dealt (\w+)/.exec(await page.textContent('.sees'))[1];
    await page.locator('.moves .chip').first().click();
    await page.waitForSelector('.curtain');
    assert.ok(!(await page.textContent('main')).includes(held), 'the card is still shown');
    await shot(page, 'curtain');
    await page.click('.curtain .primary');
    await page.waitForSelector('.sees');
    assert.ok(!(await page.textContent('.sees')).includes(held));
    await leave(page);
  }

  /** Whoever is out of time has lost. */
  async function flag(first, { url }) {
    const context = await first.context().browser().newContext();
    const page = await context.newPage();
    await page.goto(url);
    await page.waitForSelector('[data-game]');
    const id = await page.evaluate(async () => (await (await fetch('/api/tables', { method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Alea-Token': sessionStorage.getItem('alea-token') },
      body: JSON.stringify({ game: 'tictactoe', level: 1, clock: 5 }) })).json()).id);
    await page.goto('about:blank'); // the address differs in its fragment alone
    await page.goto(`${url}&seat=${id}`);
    await page.waitForSelector('.clock.low');
    await status(page, /Your time is over\. Oplayer wins/);
    await shot(page, 'flag');
    await context.close();
  }

  /** A rewriting game: an error in place, its cure, a picture of the network, and a game of it at once. */
  async function toss(page) {
    await page.click('nav >> text=Write');
    await page.waitForSelector('.verdict');
    await page.click('.tabs >> text=Toss');
    await page.waitForSelector('.verdict.good');
    await type(page, TOSS.replace('-> 1]', '=> 1]'));
    await page.waitForSelector('.verdict.bad');
    assert.match(await page.locator('.problem').first().textContent(), /line 3/);
    await type(page, TOSS);
    await page.waitForSelector('.verdict.good');
    await page.click('text=Describe');
    await page.waitForSelector('.facts');
    await count(page, '.graph', 1);
    await shot(page, 'write-toss');
    await page.click('text=Play it');
    await yours(page);
    await cell(page, 'a1').first().click();
    await page.waitForFunction(() => /mark a1/.test(document.querySelector('.history')?.textContent ?? ''));
    await leave(page);
    await page.click('nav >> text=Write');
    await page.click('.tabs >> text=GDL');
    await page.waitForSelector('.verdict');
    await page.click('nav >> text=Play');
  }

  /** The network, the constraints and the symmetries of a game that ships. */
  async function pictures(page) {
    await page.click('nav >> text=Write');
    await page.waitForSelector('.verdict');
    await page.selectOption('[aria-label="Begin with a game that ships"]', 'tictactoe');
    await page.locator('.editor .cm-content', { hasText: 'noughts-and-crosses' }).waitFor();
    await page.waitForSelector('.verdict.good');
    await page.click('text=Describe');
    await page.waitForSelector('.facts');
    await count(page, '.graph', 2);
    assert.match(await page.textContent('.write-side'), /group of 8 symmetries, made by 2 generators/);
    await count(page, '.turns path', 6);
    await page.hover('.graph .node.fluent >> nth=0', { force: true });
    await page.waitForFunction(() => /fluent/.test(document.querySelector('.graph + .said')?.textContent ?? ''));
    await shot(page, 'pictures');
    await page.click('nav >> text=Play');
  }

  return { ghosts, alike, stage, places, men, aims, strange, centres, directions, keys, people, curtain, flag, toss, pictures };
}
