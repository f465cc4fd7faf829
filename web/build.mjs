// Bundles the page into dist/ (or the folder given): three scripts, so that the
// editor and the plots are loaded with their views only.
import { build } from 'esbuild';
import { copyFileSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2] ?? join(here, 'dist');
mkdirSync(out, { recursive: true });

await build({
  absWorkingDir: here,
  entryPoints: ['src/page.tsx', 'src/editor.ts', 'src/plot.ts'],
  outdir: out,
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2021',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  legalComments: 'none',
  charset: 'utf8',
  logLevel: 'warning',
});

// One style sheet: ours, and that of the plots.
const plots = readFileSync(join(here, 'node_modules/uplot/dist/uPlot.min.css'), 'utf8');
const ours = readFileSync(join(here, 'src/style.css'), 'utf8');
writeFileSync(join(out, 'style.css'), plots + ours);
for (const file of readdirSync(join(here, 'static')))
  copyFileSync(join(here, 'static', file), join(out, file));
