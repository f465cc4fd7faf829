// How soon the page is there: from asking for the address to the first paint, to the list of games, and from a click on
// Play to a board on which a move can be made.
//
//   node web/paint.mjs ALEA [RUNS]
//
// Each run has a server and a profile of its own, so that nothing is kept from the one before; Chromium has been started.
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { findChromium, start } from './browser-kit.mjs';

const runs = Number(process.argv[3] ?? 9);
const rows = [];

async function measure(browser) {
  const results = mkdtempSync(join(tmpdir(), 'alea-paint-'));
  const { process: server, found: url } = await start(['web', '--port', '0', '--events', results], /http:\S+/);
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 } });
  const page = await context.newPage();
  const load = loadavg()[0];
  try {
    await page.goto(url, { waitUntil: 'commit' });
    await page.waitForSelector('[data-game]');
    const first = await page.evaluate(() => ({ listed: performance.now(),
      painted: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? performance.now() }));
    const board = await page.evaluate(() => new Promise((done) => {
      const began = performance.now();
      new MutationObserver((_, watch) => {
        if (!document.querySelector('.board [role="button"][tabindex]')) return;
        watch.disconnect();
        done(performance.now() - began);
      }).observe(document.body, { subtree: true, childList: true, attributes: true });
      document.querySelector('.setup-table .primary').click();
    }));
    return { load, ...first, board };
  } finally {
    await context.close();
    server.kill();
    rmSync(results, { recursive: true, force: true });
  }
}

const browser = await findChromium();
try {
  for (let i = 0; i < runs; i++) rows.push(await measure(browser));
} finally { await browser.close(); }
for (const [name, words] of [['painted', 'first paint'], ['listed', 'list of games'], ['board', 'board after Play'], ['load', 'load average']]) {
  const sorted = rows.map((row) => row[name]).sort((a, b) => a - b);
  const shown = (value) => name === 'load' ? value.toFixed(1) : `${Math.round(value)} ms`;
  console.log(`${words}: median ${shown(sorted[Math.floor(sorted.length / 2)])}, worst ${shown(sorted[sorted.length - 1])}, ${runs} runs`);
}
