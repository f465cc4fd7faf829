// Drawings of the server, put into the page.
//
// A drawing is parsed as XML and copied element by element: only the shapes and
// attributes named here pass, so names of a game never become markup or script.
// The same pass finds the cells of boards.

import { plain, words, type Spot } from './moves';

const SVG = 'http://www.w3.org/2000/svg';
const ELEMENTS = new Set(['svg', 'g', 'rect', 'circle', 'ellipse', 'line', 'polyline', 'polygon',
  'path', 'text', 'tspan', 'title', 'desc', 'defs', 'use', 'symbol']);
const ATTRIBUTES = new Set(['x', 'y', 'x1', 'y1', 'x2', 'y2', 'cx', 'cy', 'r', 'rx', 'ry', 'width',
  'height', 'd', 'points', 'fill', 'stroke', 'stroke-width', 'stroke-dasharray', 'stroke-linecap',
  'stroke-linejoin', 'opacity', 'fill-opacity', 'stroke-opacity', 'transform', 'text-anchor',
  'dominant-baseline', 'font-size', 'font-family', 'font-weight', 'viewBox', 'id', 'href',
  'fill-rule', 'class', 'dx', 'dy', 'role']);

/** A cell: the shape of it, and everything that lies on it. */
export interface Cell { spot: Spot; box: SVGGraphicsElement; pieces: SVGElement[]; label: string; fluents: string[] }
/** What is said beside the boards, and the colour of whom it names: a class of the drawing. */
export interface Note { words: string; ink: string | null }
/** 'things' lie beside the boards, such as a pool of pieces; 'look' is the class that its colours go by. */
export interface Drawing { root: SVGSVGElement; cells: Cell[]; things: Cell[]; notes: Note[]; look: string; light: string; dark: string }

function passes(name: string, value: string): boolean {
  if (name.startsWith('data-') || name.startsWith('aria-')) return true;
  if (!ATTRIBUTES.has(name)) return false;
  if (name === 'href') return value.startsWith('#');
  return !/url\s*\(\s*['"]?\s*[^#'"\s]/i.test(value);
}

/** Colours that an element has of its own, which the policy forbids as markup. */
function applyStyle(to: SVGElement, style: string): void {
  for (const found of style.matchAll(/(fill|stroke):(none|currentColor|#[0-9a-f]{3,6})(?:;|$)/g))
    to.style.setProperty(found[1], found[2]);
}

function copy(from: Element): SVGElement | null {
  if (from.namespaceURI !== SVG || !ELEMENTS.has(from.localName)) return null;
  const to = document.createElementNS(SVG, from.localName) as SVGElement;
  for (const attribute of from.attributes)
    if (attribute.name === 'data-style') applyStyle(to, attribute.value);
    else if (passes(attribute.name, attribute.value)) to.setAttribute(attribute.name, attribute.value);
  for (const child of from.childNodes) {
    if (child.nodeType === Node.TEXT_NODE) to.append(child.nodeValue ?? '');
    else if (child.nodeType === Node.ELEMENT_NODE) {
      const part = copy(child as Element);
      if (part) to.append(part);
    }
  }
  return to;
}

/** The key of a cell: cells of several boards may have the same names. */
export function keyOf(element: Element): string {
  const { cell = '', board = '', thing } = (element as SVGElement).dataset;
  if (thing !== undefined) return `#${thing}`;
  return `${board}|${cell}`.toLowerCase();
}

/** Elements say which cell they belong to: src/draw/draw.h. */
function findCells(root: SVGSVGElement): Cell[] {
  const cells = new Map<string, Cell>();
  for (const element of root.querySelectorAll<SVGGraphicsElement>('[data-cell]')) {
    const key = keyOf(element);
    const { cell, board, fluent } = element.dataset;
    const known = cells.get(key);
    if (!known) {
      const spot = { key, names: words(cell!.toLowerCase()), board: board?.toLowerCase() ?? '' };
      cells.set(key, { spot, box: element, pieces: [], label: fluent ?? '', fluents: fluent ? [fluent] : [] });
    } else {
      known.pieces.push(element);
      known.label ||= fluent ?? '';
      if (fluent) known.fluents.push(fluent);
    }
  }
  return [...cells.values()];
}

/** What is drawn beside the boards, each with all of its shapes in one group.  Words alone are none. */
function findThings(root: SVGSVGElement): Cell[] {
  const shapes = new Map<string, SVGElement[]>();
  for (const element of root.querySelectorAll<SVGElement>('[data-fluent]:not([data-cell])')) {
    const { fluent } = element.dataset;
    if (!element.closest('[data-cell]')) shapes.set(fluent!, [...(shapes.get(fluent!) ?? []), element]);
  }
  return [...shapes].filter(([, all]) => all.some((one) => one.localName !== 'text')).map(([fluent, all]) => {
    const box = document.createElementNS(SVG, 'g');
    box.dataset.thing = fluent;
    all[0].before(box);
    box.append(...all);
    const spot = { key: keyOf(box), names: words(fluent.toLowerCase()).slice(1), board: '' };
    return { spot, box, pieces: [box], label: fluent, fluents: [fluent] };
  });
}

/** Takes out what is said in words: the page sets it as text, which can be read on a screen of any width. */
function takeNotes(root: SVGSVGElement): Note[] {
  return [...root.querySelectorAll(':scope > text.ink:not([text-anchor]):not([data-cell])')].flatMap((text) => {
    const before = text.previousElementSibling;
    const dot = before?.localName === 'circle' && before.getAttribute('r') === '5' && (before as SVGElement).dataset.cell === undefined ? before : null;
    const ink = dot?.getAttribute('class') ?? null;
    dot?.remove();
    text.remove();
    return (text.textContent ?? '').split(/(?<=\)) (?=\()/).filter((one) => one !== '').map((one) => ({ words: plain(one), ink }));
  });
}

const RULE = /^\.alea-[a-z]+ \.[a-z0-9]+\{[-a-z0-9:;#.() ]*\}$/;

/** The colours of a drawing, which the page applies itself: in both themes. */
function readColours(style: string): { light: string; dark: string } {
  const [light, dark = ''] = style.split(/@media[^{]*\{/);
  const rules = (text: string) => text.split('\n').map((line) => line.trim())
    .filter((line) => RULE.test(line) && !line.includes('url')).join('\n');
  return { light: rules(light), dark: rules(dark) };
}

/** Removes the background that fills the picture: the page has its own. */
function dropBackground(root: SVGSVGElement): void {
  const first = [...root.children].find((child) => child.localName === 'rect');
  if (first?.getAttribute('width') === '100%') first.remove();
  root.querySelector(':scope > title')?.remove();
}

export function readDrawing(text: string): Drawing | null {
  // The policy of the page would report styles, even in a document apart.
  const style = /<style>([^<]*)<\/style>/.exec(text);
  const bare = (style ? text.replace(style[0], '') : text).replace(/ style="/g, ' data-style="');
  const parsed = new DOMParser().parseFromString(bare, 'image/svg+xml');
  if (parsed.querySelector('parsererror')) return null;
  const root = copy(parsed.documentElement) as SVGSVGElement | null;
  if (!root || root.localName !== 'svg') return null;
  dropBackground(root);
  root.removeAttribute('width');
  root.removeAttribute('height');
  const colours = readColours(style?.[1] ?? '');
  return { root, notes: takeNotes(root), look: root.getAttribute('class') ?? '', cells: findCells(root), things: findThings(root), ...colours };
}

/** The least size of letters and numbers beside a board on the screen, and how much they may grow for it. */
const LEAST = 11, MOST_GROWTH = 1.6;

/** Cuts the picture to what is drawn; the picture is in the page. */
export function crop(root: SVGSVGElement): void {
  const box = root.getBBox();
  root.classList.toggle('bare', box.width < 1 || box.height < 1);
  if (root.classList.contains('bare')) return;
  const pad = 6;
  root.setAttribute('viewBox',
    `${box.x - pad} ${box.y - pad} ${box.width + 2 * pad} ${box.height + 2 * pad}`);
  root.style.setProperty('--wide', `${Math.round(box.width + 2 * pad)}px`);
}

/** Names of rows and columns are made larger where the board is shown small. */
export function fit(root: SVGSVGElement): void {
  const scale = root.getBoundingClientRect().width / root.viewBox.baseVal.width;
  if (!(scale > 0)) return;
  for (const text of root.querySelectorAll<SVGElement>('text.dim[text-anchor]')) {
    const size = Number(text.getAttribute('font-size'));
    const growth = Math.min(MOST_GROWTH, Math.max(1, LEAST / (size * scale)));
    text.style.setProperty('font-size', `${size * growth}px`);
  }
}
