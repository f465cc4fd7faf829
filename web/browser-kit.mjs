// What the tests in a real browser share: the server, Chromium, pictures, and the order of play.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import assert from 'node:assert/strict';

export const alea = process.argv[2] ?? 'build/alea';
const folder = process.argv[3]; // for pictures
const only = process.argv[4]?.split(','); // names of tests
/** For programs that are slow and need much memory, such as those with sanitizers: ALEA_PATIENCE=4 waits four times as
 *  long, and sets no limits of memory. */
const patience = Number(process.env.ALEA_PATIENCE ?? 1);
export const unlimited = patience > 1 ? ['--memory', '0'] : [];

const chromiums = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Chromium, or the end of this program where it cannot be had. */
export async function findChromium() {
  const program = chromiums.find((path) => path && existsSync(path));
  let chromium;
  try { ({ chromium } = await import('playwright-core')); } catch { /* told below */ }
  if (program && chromium) return chromium.launch({ executablePath: program, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
  console.log(`skipped: ${program ? 'web/node_modules is missing (npm ci in web/)' : 'Chromium is not installed'}`);
  process.exit(77);
}

/** Starts a command and waits until it has printed what is looked for; the result has its first match. */
export async function start(words, wanted, stream = 'stdout') {
  const process = spawn(alea, words, { stdio: ['ignore', stream === 'stdout' ? 'pipe' : 'ignore', stream === 'stderr' ? 'pipe' : 'inherit'] });
  const found = await new Promise((good, bad) => {
    let said = '';
    process[stream].on('data', (data) => {
      said += data;
      const match = wanted.exec(said);
      if (match) good(match[0]);
    });
    process.on('exit', () => bad(new Error(`alea ${words[0]} ended: ${said}`)));
  });
  return { process, found };
}

/** Pictures in both schemes, of the whole page or of what is in the window. */
export async function shot(page, name, fullPage = true) {
  if (!folder) return;
  for (const scheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.waitForTimeout(150);
    await page.screenshot({ path: `${folder}/${name}-${scheme}.png`, fullPage });
  }
  await page.emulateMedia({ colorScheme: 'light' });
}

/** Nothing is wider than the window. */
export async function isNarrow(page) {
  const wide = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
  assert.ok(wide[0] <= wide[1], `the page is ${wide[0]} wide in a window of ${wide[1]}`);
}

export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, colorScheme: 'light' };

/** Runs the tests one after another on one page, then those that make their own. */
export async function runAll(tests, last = {}) {
  const browser = await findChromium();
  const results = mkdtempSync(join(tmpdir(), 'alea-page-'));
  const { process: server, found: url } = await start(['web', '--port', '0', '--events', results, ...unlimited], /http:\S+/);
  const ended = new Promise((done) => { server.on('exit', (code, signal) => done(code ?? signal)); });
  if (folder) mkdirSync(folder, { recursive: true });
  const troubles = [];
  const watch = (page) => {
    page.setDefaultTimeout(30000 * patience);
    page.on('pageerror', (error) => troubles.push(error.message));
    page.on('console', (line) => {
      // Refusals are answers that tests ask for; everything else is a fault of the page.
      if (line.type() === 'error' && !/status of 4/.test(line.text())) troubles.push(line.text());
    });
  };
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 860 }, colorScheme: 'light' });
    watch(page);
    const began = Date.now();
    await page.goto(url);
    await page.waitForSelector('[data-game]');
    console.log(`first view after ${Date.now() - began} ms`);
    for (const [name, test] of Object.entries(tests)) {
      if (only && !only.includes(name)) continue;
      try {
        await test(page, { url, results });
      } catch (error) {
        console.log(`${name} failed; the page says: ${(await page.locator('main').innerText()).slice(-1000)}`);
        throw error;
      }
      console.log(`${name}: done`);
    }
    for (const [name, test] of Object.entries(last)) {
      if (only && !only.includes(name)) continue;
      await test(browser, { url, watch });
      console.log(`${name}: done`);
    }
    assert.deepEqual(troubles, []);
    server.kill();
    assert.equal(await ended, 0, 'how the server ended'); // sanitizers speak here
  } finally {
    await browser.close();
    server.kill();
    rmSync(results, { recursive: true, force: true });
  }
}
