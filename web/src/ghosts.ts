// Ghosts: what a line of moves would make of a board, as translucent pieces on it.

import type { Cell, Drawing } from './svg';

const SVG = 'http://www.w3.org/2000/svg';
const STRENGTH = [0.62, 0.46, 0.34];
const PLACED = ['transform', 'x', 'y', 'cx', 'cy', 'd', 'points', 'class', 'data-cell', 'data-board', 'data-fluent'];

/** A position that a line leads to, and the number of the move that led there. */
export interface Ahead { svg: string; number: number }

/** What a piece looks like, wherever it lies and whatever the page has marked it with. */
function kind(piece: SVGElement): string {
  const bare = piece.cloneNode(true) as SVGElement;
  const drawn = [...piece.classList].filter((name) => !name.startsWith('is-')).join(' ');
  for (const name of PLACED) bare.removeAttribute(name);
  return drawn + bare.outerHTML;
}

/** The pieces of one cell that another time has not. */
function gained(now: Cell | undefined, before: Cell | undefined): SVGElement[] {
  const old = before?.pieces.map(kind) ?? [];
  return (now?.pieces ?? []).filter((piece) => {
    const at = old.indexOf(kind(piece));
    if (at >= 0) old.splice(at, 1);
    return at < 0;
  });
}

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

/** From one cell to another; a long way bends, so as not to run through what lies between. */
function arrow(from: Cell, to: Cell): SVGElement {
  const a = centre(from), b = centre(to);
  const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  const dx = (b.x - a.x) / length, dy = (b.y - a.y) / length, head = a.size * 0.22;
  const bend = length > 2.2 * a.size ? Math.min(0.16 * length, 0.55 * a.size) : 0;
  const start = { x: a.x + dx * a.size * 0.3, y: a.y + dy * a.size * 0.3 };
  const tip = { x: b.x - dx * b.size * 0.36, y: b.y - dy * b.size * 0.36 };
  const top = { x: (a.x + b.x) / 2 + dy * 2 * bend, y: (a.y + b.y) / 2 - dx * 2 * bend };
  const far = Math.hypot(tip.x - top.x, tip.y - top.y) || 1;
  const ux = (tip.x - top.x) / far, uy = (tip.y - top.y) / far;
  const neck = { x: tip.x - ux * head, y: tip.y - uy * head };
  const group = shape('g', { class: 'ghost-arrow' });
  group.append(shape('path', { d: `M${start.x} ${start.y}Q${top.x} ${top.y} ${neck.x} ${neck.y}`, 'stroke-width': Math.max(a.size * 0.075, 1.5) }),
    shape('polygon', { points: `${tip.x},${tip.y} ${neck.x - uy * head * 0.6},${neck.y + ux * head * 0.6} ${neck.x + uy * head * 0.6},${neck.y - ux * head * 0.6}` }));
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

const byKey = (drawing: Drawing) => new Map(drawing.cells.map((cell) => [cell.spot.key, cell]));

function ghostOf(pieces: SVGElement[], strength: number): SVGElement {
  const ghost = shape('g', { class: 'ghost-piece', opacity: strength });
  for (const piece of pieces) {
    const copy = piece.cloneNode(true) as SVGElement;
    for (const name of ['data-cell', 'data-board', 'data-fluent']) copy.removeAttribute(name);
    ghost.append(copy);
  }
  return ghost;
}

/** Draws what each position changes against the one before it, on a layer that replaces the last
 *  one; the cells that got a ghost. */
export function drawGhosts(board: Drawing, line: { drawing: Drawing; number: number }[]): Set<string> {
  board.root.querySelector('.ghosts')?.remove();
  const shown = new Set<string>(), here = byKey(board);
  const layer = shape('g', { class: 'ghosts', 'aria-hidden': 'true' });
  let before = here;
  for (const { drawing, number } of line) {
    const now = byKey(drawing);
    const lost: { key: string; kind: string }[] = [];
    for (const key of here.keys())
      for (const piece of gained(before.get(key), now.get(key))) lost.push({ key, kind: kind(piece) });
    addGlyphs(board.root, drawing);
    const strength = STRENGTH[Math.min(number, STRENGTH.length) - 1];
    for (const [key, cell] of here) {
      const pieces = gained(now.get(key), before.get(key));
      // One arrow to a cell: what else came there is a mark that goes with the piece.
      for (const piece of pieces) {
        const from = lost.findIndex((one) => one.kind === kind(piece) && one.key !== key);
        if (from < 0) continue;
        layer.append(arrow(here.get(lost[from].key)!, cell));
        lost.splice(from, 1);
        break;
      }
      if (pieces.length === 0 || shown.has(key)) continue;
      shown.add(key);
      layer.append(ghostOf(pieces, strength), badge(cell, number));
    }
    before = now;
  }
  if (shown.size > 0) board.root.append(layer);
  return shown;
}
