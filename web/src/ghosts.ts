// Ghosts: what a line of moves would make of a board, as translucent pieces on it.

import type { Cell, Drawing } from './svg';

const SVG = 'http://www.w3.org/2000/svg';
const STRENGTH = [0.62, 0.46, 0.34];

/** What lies on a cell, as it looks. */
const look = (cell: Cell | undefined) => cell ? cell.pieces.map((piece) => piece.outerHTML).join('') : '';
/** The same wherever it lies. */
const kind = (cell: Cell | undefined) => cell ? cell.pieces.map((piece) => {
  const bare = piece.cloneNode(true) as SVGElement;
  for (const name of ['transform', 'x', 'y', 'cx', 'cy', 'data-cell', 'data-board', 'data-fluent', 'd', 'points']) bare.removeAttribute(name);
  return bare.outerHTML;
}).join('') : '';

function shape(name: string, attributes: Record<string, string | number>): SVGElement {
  const made = document.createElementNS(SVG, name) as SVGElement;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  return made;
}

const centre = (cell: Cell) => {
  const box = cell.box.getBBox();
  return { x: box.x + box.width / 2, y: box.y + box.height / 2, size: Math.min(box.width, box.height), box };
};

/** Glyphs that the board has not drawn so far. */
function addGlyphs(root: SVGSVGElement, from: Drawing): void {
  const known = new Set([...root.querySelectorAll('[id]')].map((element) => element.id));
  for (const glyph of from.root.querySelectorAll('defs > [id], symbol[id]'))
    if (!known.has(glyph.id)) {
      const defs = document.createElementNS(SVG, 'defs');
      defs.append(glyph.cloneNode(true));
      root.prepend(defs);
    }
}

function arrow(from: Cell, to: Cell): SVGElement {
  const a = centre(from), b = centre(to);
  const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  const dx = (b.x - a.x) / length, dy = (b.y - a.y) / length, head = a.size * 0.22;
  const start = { x: a.x + dx * a.size * 0.3, y: a.y + dy * a.size * 0.3 };
  const tip = { x: b.x - dx * b.size * 0.36, y: b.y - dy * b.size * 0.36 };
  const neck = { x: tip.x - dx * head, y: tip.y - dy * head };
  const group = shape('g', { class: 'ghost-arrow' });
  group.append(shape('line', { x1: start.x, y1: start.y, x2: neck.x, y2: neck.y, 'stroke-width': Math.max(a.size * 0.075, 1.5) }),
    shape('polygon', { points: `${tip.x},${tip.y} ${neck.x - dy * head * 0.6},${neck.y + dx * head * 0.6} ${neck.x + dy * head * 0.6},${neck.y - dx * head * 0.6}` }));
  return group;
}

/** The number of a step, in a corner of the cell. */
function badge(cell: Cell, step: number): SVGElement {
  const { box, size } = centre(cell), r = Math.max(size * 0.15, 4.5);
  const group = shape('g', { class: 'ghost-step' });
  const x = box.x + box.width - r * 1.05, y = box.y + r * 1.05;
  const text = shape('text', { x, y: y + r * 0.42, 'font-size': r * 1.25, 'text-anchor': 'middle' });
  text.textContent = String(step);
  group.append(shape('circle', { cx: x, cy: y, r }), text);
  return group;
}

interface Change { key: string; cell: Cell; after: Cell; step: number }

/** Draws what each position changes against the one before it; the layer is replaced. */
export function drawGhosts(board: Drawing, line: Drawing[]): void {
  board.root.querySelector('.ghosts')?.remove();
  if (line.length === 0) return;
  const layer = shape('g', { class: 'ghosts', 'aria-hidden': 'true' });
  const cells = new Map(board.cells.map((cell) => [cell.spot.key, cell]));
  const shown = new Set<string>();
  let before = new Map(cells);
  let step = 0;
  for (const drawing of line) {
    const now = new Map(drawing.cells.map((cell) => [cell.spot.key, cell]));
    const filled: Change[] = [], left: string[] = [];
    for (const [key, cell] of cells) {
      const old = before.get(key), after = now.get(key);
      if (!after || look(old) === look(after)) continue;
      if (after.pieces.length > 0) filled.push({ key, cell, after, step });
      else left.push(key);
    }
    if (filled.length > 0 || left.length > 0) step++;
    addGlyphs(board.root, drawing);
    for (const change of filled) {
      const from = left.find((key) => kind(before.get(key)) === kind(change.after)) ?? (left.length === 1 && filled.length === 1 ? left[0] : undefined);
      if (from !== undefined && step <= STRENGTH.length) layer.append(arrow(cells.get(from)!, change.cell));
      if (shown.has(change.key) || step > STRENGTH.length) continue;
      shown.add(change.key);
      const ghost = shape('g', { class: 'ghost-piece', opacity: STRENGTH[step - 1] });
      for (const piece of change.after.pieces) {
        const copy = piece.cloneNode(true) as SVGElement;
        for (const name of ['data-cell', 'data-board', 'data-fluent']) copy.removeAttribute(name);
        ghost.append(copy);
      }
      layer.append(ghost, badge(change.cell, step));
    }
    before = now;
  }
  board.root.append(layer);
}
