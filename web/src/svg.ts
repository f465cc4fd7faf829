// Drawings of the server, put into the page.
//
// A drawing is parsed as XML and copied element by element: only the shapes and
// attributes named here pass, so names of a game never become markup or script.
// The same pass finds the cells of boards.

import { words, type Spot } from './moves';

const SVG = 'http://www.w3.org/2000/svg';
const ELEMENTS = new Set(['svg', 'g', 'rect', 'circle', 'ellipse', 'line', 'polyline', 'polygon',
  'path', 'text', 'tspan', 'title', 'desc', 'defs', 'use', 'symbol']);
const ATTRIBUTES = new Set(['x', 'y', 'x1', 'y1', 'x2', 'y2', 'cx', 'cy', 'r', 'rx', 'ry', 'width',
  'height', 'd', 'points', 'fill', 'stroke', 'stroke-width', 'stroke-dasharray', 'stroke-linecap',
  'stroke-linejoin', 'opacity', 'fill-opacity', 'stroke-opacity', 'transform', 'text-anchor',
  'dominant-baseline', 'font-size', 'font-family', 'font-weight', 'viewBox', 'id', 'href',
  'fill-rule', 'class', 'dx', 'dy', 'role']);

export interface Cell { spot: Spot; box: SVGGraphicsElement; group: SVGElement; label: string }
export interface Drawing { root: SVGSVGElement; cells: Cell[] }

function passes(name: string, value: string): boolean {
  if (name.startsWith('data-') || name.startsWith('aria-')) return true;
  if (!ATTRIBUTES.has(name)) return false;
  if (name === 'href') return value.startsWith('#');
  return !/url\s*\(\s*['"]?\s*[^#'"\s]/i.test(value);
}

function copy(from: Element): SVGElement | null {
  if (from.namespaceURI !== SVG || !ELEMENTS.has(from.localName)) return null;
  const to = document.createElementNS(SVG, from.localName) as SVGElement;
  for (const attribute of from.attributes)
    if (passes(attribute.name, attribute.value)) to.setAttribute(attribute.name, attribute.value);
  for (const child of from.childNodes) {
    if (child.nodeType === Node.TEXT_NODE) to.append(child.nodeValue ?? '');
    else if (child.nodeType === Node.ELEMENT_NODE) {
      const part = copy(child as Element);
      if (part) to.append(part);
    }
  }
  return to;
}

const number = (element: Element, name: string) => Number(element.getAttribute(name));

/** What is in a cell, for a label. */
function content(group: Element): string {
  const title = [...group.children].find((child) => child.localName === 'title');
  return title?.textContent?.trim() ?? '';
}

/** Cells that say themselves which they are: data-cell has their names. */
function markedCells(root: SVGSVGElement): Cell[] {
  const cells: Cell[] = [];
  const seen = new Set<string>();
  for (const group of root.querySelectorAll<SVGElement>('[data-cell]')) {
    const box = (group.localName === 'g' ? group.querySelector('rect,path,polygon,circle') : group) as
      SVGGraphicsElement | null;
    const key = group.dataset.cell!.toLowerCase();
    if (!box || seen.has(key)) continue;
    seen.add(key);
    const names = words(key);
    cells.push({ spot: { key, names }, box, group, label: content(group) });
  }
  return cells;
}

/** Cells of boards that have coordinates beside them. */
function labelledCells(root: SVGSVGElement): Cell[] {
  const texts = [...root.children].filter((child) => child.localName === 'text');
  const cells: Cell[] = [];
  for (const group of root.querySelectorAll<SVGElement>('svg > g')) {
    const box = group.firstElementChild as SVGGraphicsElement | null;
    if (box?.localName !== 'rect') continue;
    const [x, y] = [number(box, 'x') + number(box, 'width') / 2, number(box, 'y') + number(box, 'height') / 2];
    const below = texts.filter((text) => number(text, 'x') === x && number(text, 'y') > y);
    const beside = texts.find((text) => Math.abs(number(text, 'y') - y - 5) < 2 && number(text, 'x') < x);
    if (below.length === 0 || !beside) continue;
    const names = [below[0].textContent!.toLowerCase(), beside.textContent!.toLowerCase()];
    const key = `${names.join(' ')} ${number(below[0], 'y')}`;
    cells.push({ spot: { key, names }, box, group, label: content(group) });
  }
  return cells;
}

/** Removes the background that fills the picture: the page has its own. */
function dropBackground(root: SVGSVGElement): void {
  const first = [...root.children].find((child) => child.localName === 'rect');
  if (first?.getAttribute('width') === '100%') first.remove();
}

export function readDrawing(text: string): Drawing | null {
  const parsed = new DOMParser().parseFromString(text, 'image/svg+xml');
  if (parsed.querySelector('parsererror')) return null;
  const root = copy(parsed.documentElement) as SVGSVGElement | null;
  if (!root || root.localName !== 'svg') return null;
  dropBackground(root);
  root.removeAttribute('width');
  root.removeAttribute('height');
  const marked = markedCells(root);
  return { root, cells: marked.length > 0 ? marked : labelledCells(root) };
}

/** Cuts the picture to what is drawn; the picture is in the page. */
export function crop(root: SVGSVGElement): void {
  const box = root.getBBox();
  if (box.width < 1 || box.height < 1) return;
  const pad = 6;
  root.setAttribute('viewBox',
    `${box.x - pad} ${box.y - pad} ${box.width + 2 * pad} ${box.height + 2 * pad}`);
  root.style.setProperty('--wide', `${Math.round(box.width + 2 * pad)}px`);
}
