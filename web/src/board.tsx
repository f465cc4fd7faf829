// A board: the drawing of a position, on which moves are made by pointing.

import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { drawGhosts, type Ahead } from './ghosts';
import { aimsOf, fitting, isAimed, placesOf, plain, point, targets, touches, touchesOf, touchesThings, type CellKey, type Touched } from './moves';
import { useDark } from './theme';
import { crop, fit, keyOf, readDrawing, type Cell, type Drawing, type Note } from './svg';

export interface BoardProps {
  svg: string;
  /** The same in words, for those who do not see it. */
  text: string;
  /** Moves that may be made by pointing. */
  legal: string[];
  /** Whose moves they are. */
  role?: string;
  /** What each of them would change, where that is known. */
  effects?: string[][] | null;
  /** On whose board they are meant, by their names. */
  aims?: Record<string, string>;
  /** Moves that were made last, and by whom: their cells are marked. */
  last: { move: string; role: string }[];
  /** Positions that a line of moves leads to: shown as ghosts. */
  line?: Ahead[];
  /** Classes of moves that are alike, each to be shown in one hue. */
  alike?: string[][];
  /** A move to be shown, such as a hint. */
  shown?: string | null;
  onMove?: (move: string) => void;
}

interface Held { cell: CellKey; ghost: SVGElement | null; x: number; y: number; moved: boolean }

function cellAt(cells: Cell[], target: EventTarget | null): Cell | undefined {
  const element = target instanceof Element ? target.closest('[data-cell], [data-thing]') : null;
  return element ? cells.find((cell) => cell.spot.key === keyOf(element)) : undefined;
}

/** The place of a pointer in the coordinates of the drawing. */
function placeIn(root: SVGSVGElement, event: PointerEvent): { x: number; y: number } {
  const matrix = root.getScreenCTM();
  if (!matrix) return { x: 0, y: 0 };
  const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
  return { x: at.x, y: at.y };
}

const SVG = 'http://www.w3.org/2000/svg';

/** A frame around what is made of several shapes. */
function frame(box: DOMRect): SVGElement {
  const made = document.createElementNS(SVG, 'rect');
  const around = { x: box.x - 3, y: box.y - 3, width: box.width + 6, height: box.height + 6, rx: 5 };
  for (const [name, value] of Object.entries(around)) made.setAttribute(name, String(value));
  return made;
}

/** The outline of a cell or a thing, for a layer above the board. */
function outline(cell: Cell, kind: string): SVGElement {
  const shape = cell.box.localName === 'g' ? frame(cell.box.getBBox()) : cell.box.cloneNode(false) as SVGElement;
  for (const name of ['fill', 'stroke', 'id', 'role', 'tabindex', 'data-cell', 'aria-label', 'aria-disabled']) shape.removeAttribute(name);
  shape.setAttribute('class', kind);
  return shape;
}

/** Marks on top of everything: the outline of a cell, or a dot in it. */
function marks(root: SVGSVGElement, cells: Cell[], kinds: [string, Set<CellKey>][],
  quiet: (cell: Cell) => boolean): void {
  root.querySelector('.marks')?.remove();
  const layer = document.createElementNS(SVG, 'g');
  const lettered = root.querySelector('text.faint') !== null; // cells have their names in the middle
  layer.setAttribute('class', 'marks');
  for (const [kind, keys] of kinds) {
    for (const cell of cells) {
      const shownAs = kind === 'target' && cell.pieces.length > 0 ? 'taken' : kind;
      for (const part of [cell.box, ...cell.pieces]) part.classList.toggle(`is-${kind}`, keys.has(cell.spot.key));
      if (!keys.has(cell.spot.key) || (kind === 'target' && quiet(cell))) continue;
      if (shownAs !== 'target') { layer.append(outline(cell, `mark-${shownAs}`)); continue; }
      const box = cell.box.getBBox();
      const dot = document.createElementNS(SVG, 'circle');
      dot.setAttribute('cx', String(box.x + box.width / 2));
      dot.setAttribute('cy', String(box.y + box.height * (lettered ? 0.75 : 0.5)));
      dot.setAttribute('r', String(Math.max(Math.min(box.width, box.height) * (lettered ? 0.08 : 0.13), 2.5)));
      dot.setAttribute('class', 'mark-target');
      layer.append(dot);
    }
  }
  root.append(layer);
}

const NO_LINE: Ahead[] = [];
const NO_CLASSES: string[][] = [];

/** The colour of a class of moves: calm ones that are easily told apart, and after these some that are
 *  at least never the same. */
export const hueOf = (index: number) => index < 8 ? `var(--hue-${index + 1})`
  : `oklch(var(--hue-light) 0.11 ${(index * 137.5) % 360})`;

/** The classes of the moves that go on at each cell. */
function kindsAt(touched: Touched, chosen: CellKey[], alike: string[][]): Map<CellKey, Set<number>> {
  const classOf = new Map<string, number>();
  alike.forEach((moves, i) => moves.forEach((move) => classOf.set(move, i)));
  const kinds = new Map<CellKey, Set<number>>();
  for (const move of fitting(touched, chosen)) {
    const kind = classOf.get(move);
    if (kind === undefined) continue;
    const cells = touched.get(move)!, rest = cells.filter((cell) => !chosen.includes(cell));
    for (const cell of touched.columns || touched.changes ? rest : chosen.length === 0 ? cells.slice(0, 1) : rest)
      kinds.set(cell, (kinds.get(cell) ?? new Set()).add(kind));
  }
  return kinds;
}

/** The colour of each cell: that of its class, or one of its own for each set of several. */
function tintsOf(kinds: Map<CellKey, Set<number>>, classes: number): Map<CellKey, number> {
  const sets = new Map<string, number>(), found = new Map<CellKey, number>();
  for (const [cell, some] of kinds) {
    const sign = [...some].sort((a, b) => a - b).join(' ');
    if (some.size > 1 && !sets.has(sign)) sets.set(sign, classes + sets.size);
    found.set(cell, sets.get(sign) ?? [...some][0]);
  }
  return found;
}

/** Tints between cells and what lies on them. */
function tint(root: SVGSVGElement, cells: Cell[], tints: Map<CellKey, number>): void {
  for (const old of root.querySelectorAll('.tint')) old.remove();
  for (const cell of cells) {
    const colour = tints.get(cell.spot.key);
    if (colour === undefined) continue;
    const shape = cell.box.cloneNode(false) as SVGElement;
    for (const name of ['fill', 'stroke', 'id', 'role', 'tabindex', 'data-cell', 'data-board', 'data-fluent', 'aria-label', 'aria-disabled']) shape.removeAttribute(name);
    shape.setAttribute('class', 'tint');
    shape.style.setProperty('fill', hueOf(colour));
    cell.box.after(shape);
  }
}

/** The cell nearest to one in the direction of an arrow key, among those that can be chosen. */
function neighbour(cells: Cell[], from: Cell, key: string): Cell | undefined {
  const way = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[key];
  if (!way) return undefined;
  const at = from.box.getBoundingClientRect();
  let best: Cell | undefined, least = Infinity;
  for (const cell of cells) {
    if (cell === from || !cell.box.hasAttribute('tabindex')) continue;
    const box = cell.box.getBoundingClientRect();
    const dx = box.x + box.width / 2 - at.x - at.width / 2, dy = box.y + box.height / 2 - at.y - at.height / 2;
    const along = dx * way[0] + dy * way[1], across = Math.abs(dx * way[1]) + Math.abs(dy * way[0]);
    if (along > 1 && along + 2 * across < least) { least = along + 2 * across; best = cell; }
  }
  return best;
}

/** The cell that can be chosen nearest to a place on the screen. */
function nearest(cells: Cell[], at: DOMRect): Cell | undefined {
  const way = (cell: Cell) => {
    const box = cell.box.getBoundingClientRect();
    return Math.hypot(box.x + box.width / 2 - at.x - at.width / 2, box.y + box.height / 2 - at.y - at.height / 2);
  };
  const open = cells.filter((cell) => cell.box.hasAttribute('tabindex'));
  return open.sort((a, b) => way(a) - way(b))[0];
}

/** The colours of the drawings, as a sheet of the page: one board is shown at a time. */
function useColours(drawing: Drawing | null, more: Drawing[]): void {
  const dark = useDark();
  const sheet = useMemo(() => new CSSStyleSheet(), []);
  useEffect(() => {
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    return () => { document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet); };
  }, [sheet]);
  useEffect(() => {
    const all = drawing ? [...more, drawing] : [];
    sheet.replaceSync([...all.map((one) => one.light), ...(dark ? all.map((one) => one.dark) : [])].join('\n'));
  }, [drawing, more, dark]);
}

/** What holds besides, in words; who does not see it has it in the text of the position. */
function Notes(props: { notes: Note[]; look: string }) {
  if (props.notes.length === 0) return null;
  return (
    <ul class="notes" aria-hidden="true">
      {props.notes.map(({ words, ink }, i) => (
        <li key={i}>{ink && <svg class={props.look} viewBox="0 0 12 12"><circle class={ink} cx="6" cy="6" r="5" /></svg>}{words}</li>
      ))}
    </ul>
  );
}

export function Board(props: BoardProps) {
  const frame = useRef<HTMLDivElement>(null);
  const held = useRef<Held | null>(null);
  /** Where the focus was when the drawing was replaced, until a cell near there can have it. */
  const focused = useRef<DOMRect | null>(null);
  const [chosen, setChosen] = useState<CellKey[]>([]);
  const [several, setSeveral] = useState<string[] | null>(null);
  const drawing = useMemo(() => readDrawing(props.svg), [props.svg]);
  const [near, setNear] = useState<CellKey | null>(null);
  const wanted = props.line ?? NO_LINE;
  const line = useMemo(() => wanted.flatMap(({ svg, number }) => {
    const read = readDrawing(svg);
    return read ? [{ drawing: read, number }] : [];
  }), [wanted.map((one) => one.svg).join('')]);
  useColours(drawing, useMemo(() => line.map((one) => one.drawing), [line]));
  const spots = useMemo(() => drawing?.cells.map((cell) => cell.spot) ?? [], [drawing]);
  const places = useMemo(() => placesOf(drawing?.cells.flatMap((cell) =>
    cell.fluents.map((fluent) => ({ fluent, cell: cell.spot.names }))) ?? []), [drawing]);
  const aims = useMemo(() => props.role && props.aims ? aimsOf(props.role, props.aims) : null, [props.role, props.aims]);
  const touched = useMemo(() => {
    const cells = touchesOf(props.legal, spots, props.effects ?? null, places, aims);
    return cells.size > 0 || !drawing ? cells
      : touchesThings(props.legal, drawing.things.map((thing) => thing.spot), props.role ?? '');
  }, [props.legal, props.effects, props.role, spots, places, aims]);
  const parts = useMemo(() => drawing ? [...drawing.cells, ...drawing.things] : [], [drawing]);
  const alike = props.alike ?? NO_CLASSES;
  // Hues are of who is to move, be it the person or a player that thinks.
  const hued = useMemo(() => props.legal.length > 0 ? touched : touches(alike.flat(), spots), [touched, alike, spots]);
  // A move that names no board means the cells of that name on every one, unless it is known whose it means.
  const twins = useMemo(() => new Map(spots.map((spot) =>
    [spot.key, isAimed(aims, spots) ? spot.key : spots.find((other) => other.names.join(' ') === spot.names.join(' '))!.key])), [spots, aims]);

  useEffect(() => { setChosen([]); setSeveral(null); }, [props.svg]);
  useEffect(() => {
    if (!frame.current || !drawing) return;
    const active = document.activeElement;
    if (active && active !== frame.current && frame.current.contains(active)) focused.current = active.getBoundingClientRect();
    frame.current.replaceChildren(drawing.root);
    drawing.root.setAttribute('aria-hidden', 'false');
    crop(drawing.root);
    const watch = new ResizeObserver(() => fit(drawing.root));
    watch.observe(drawing.root);
    return () => watch.disconnect();
  }, [drawing]);
  useEffect(() => {
    if (!drawing) return;
    const last = new Set<CellKey>();
    for (const [move, cells] of touches(props.last.map((one) => one.move), spots)) {
      const by = aimsOf(props.last.find((one) => one.move === move)!.role, props.aims ?? {});
      (isAimed(by, spots) ? touches([move], spots, by).get(move) ?? [] : cells).forEach((cell) => last.add(cell));
    }
    const shown = props.shown ? touched.get(props.shown) ?? touches([props.shown], spots, aims).get(props.shown) ?? [] : [];
    const open = touched.size > 0 ? targets(touched, chosen) : new Set<CellKey>();
    const firsts = new Set(open);
    for (const { key } of spots) if (firsts.has(twins.get(key)!)) open.add(key);
    const kinds = kindsAt(hued, chosen, alike), tints = tintsOf(kinds, alike.length);
    tint(drawing.root, drawing.cells, tints);
    const ghosts = drawGhosts(drawing, line);
    const pointed = near === null ? undefined : tints.get(near);
    const same = new Set(pointed === undefined ? [] : [...tints].filter(([, one]) => one === pointed).map(([key]) => key));
    marks(drawing.root, parts, [['last', last.size <= 4 ? last : new Set()],
      ['alike', same], ['shown', new Set(shown)], ['chosen', new Set(chosen)], ['target', open]],
      // What can be taken up shows by the pointer; dots say where things can go.
      (cell) => touched.columns || ghosts.has(cell.spot.key) || (chosen.length === 0 && cell.pieces.length > 0));
    const layer = drawing.root.querySelector('.ghosts');
    if (layer) drawing.root.append(layer);
    const graph = drawing.root.querySelector('marker') !== null; // of elements, which are never empty
    for (const cell of parts) {
      const way = open.has(cell.spot.key) || chosen.includes(cell.spot.key);
      if (!way && cell.box.dataset.thing !== undefined) { // only what can be taken up is a button
        for (const name of ['role', 'tabindex', 'aria-label', 'aria-disabled']) cell.box.removeAttribute(name);
        continue;
      }
      cell.box.setAttribute('role', 'button');
      cell.box.setAttribute('aria-label', `${cell.spot.names.join(' ')}${graph ? '' : `: ${plain(cell.label) || 'empty'}`}${
        chosen.includes(cell.spot.key) ? ', chosen' : open.has(cell.spot.key) ? ', can be chosen' : ''}${
        last.has(cell.spot.key) && last.size <= 4 ? ', moved last' : ''}`);
      cell.box.setAttribute('aria-disabled', String(!way));
      if (way) cell.box.setAttribute('tabindex', '0'); else cell.box.removeAttribute('tabindex');
    }
    if (!focused.current) return;
    const next = document.activeElement === document.body ? nearest(parts, focused.current) : undefined;
    next?.box.focus({ preventScroll: true });
    if (next || document.activeElement !== document.body) focused.current = null;
  }, [drawing, touched, chosen, props.last, props.shown, alike, hued, line, near]);

  function choose(key: CellKey, from: CellKey[] = chosen): CellKey[] {
    if (!props.onMove) return [];
    const own = point(touched, from, key);
    const missed = !own.move && !own.several && own.chosen.length === 0 && !from.includes(key);
    const choice = missed ? point(touched, from, twins.get(key) ?? key) : own;
    setChosen(choice.chosen);
    setSeveral(choice.several ?? null);
    if (choice.move) props.onMove(choice.move);
    return choice.chosen;
  }

  function press(event: PointerEvent) {
    const cell = cellAt(parts, event.target);
    if (!cell || event.button !== 0) return;
    const at = placeIn(drawing!.root, event);
    held.current = { cell: cell.spot.key, ghost: null, ...at, moved: false };
    event.preventDefault();
  }

  function carry(event: PointerEvent) {
    const h = held.current;
    if (!h || !drawing) return;
    const at = placeIn(drawing.root, event);
    if (!h.moved && Math.hypot(at.x - h.x, at.y - h.y) < 6) return;
    if (!h.moved) {
      h.moved = true;
      const cell = parts.find((c) => c.spot.key === h.cell)!;
      if (choose(h.cell, []).length > 0) {
        h.ghost = document.createElementNS(SVG, 'g') as SVGElement;
        for (const piece of cell.pieces) h.ghost.append(piece.cloneNode(true));
        for (const piece of h.ghost.querySelectorAll('[data-cell]')) piece.removeAttribute('data-cell');
        h.ghost.classList.add('ghost');
        drawing.root.append(h.ghost);
        frame.current?.classList.add('dragging');
      }
    }
    h.ghost?.setAttribute('transform', `translate(${at.x - h.x} ${at.y - h.y})`);
  }

  /** Whatever was carried is put back. */
  function letGo(): Held | null {
    const h = held.current;
    held.current = null;
    frame.current?.classList.remove('dragging');
    h?.ghost?.remove();
    return h;
  }

  function drop(event: PointerEvent) {
    const h = letGo();
    if (!h || !drawing) return;
    const under = document.elementFromPoint(event.clientX, event.clientY);
    const cell = cellAt(parts, under);
    if (h.moved && cell && cell.spot.key !== h.cell) choose(cell.spot.key, [h.cell]);
    else if (!h.moved && cell) choose(cell.spot.key);
  }

  /** The ring of the focus, above neighbours that would cover it. */
  function ring(event: FocusEvent) {
    drawing?.root.querySelector('.ring')?.remove();
    const cell = event.type === 'focusin' ? cellAt(parts, event.target) : undefined;
    if (cell && (event.target as Element).matches(':focus-visible')) drawing!.root.append(outline(cell, 'ring'));
  }

  function keyed(event: KeyboardEvent) {
    if (event.key === 'Escape') { setChosen([]); setSeveral(null); return; }
    const cell = cellAt(parts, event.target);
    const next = cell && drawing ? neighbour(parts, cell, event.key) : undefined;
    if (next) { event.preventDefault(); next.box.focus(); return; }
    if (!cell || (event.key !== 'Enter' && event.key !== ' ')) return;
    event.preventDefault();
    choose(cell.spot.key);
  }

  /** A finger that takes up a piece does not scroll the page; everywhere else it does. */
  function touch(event: TouchEvent) {
    const cell = cellAt(parts, event.target);
    if (cell && cell.pieces.length > 0 && cell.box.hasAttribute('tabindex') && event.cancelable) event.preventDefault();
  }

  useEffect(() => {
    const board = frame.current;
    window.addEventListener('pointermove', carry);
    window.addEventListener('pointerup', drop);
    window.addEventListener('pointercancel', letGo);
    board?.addEventListener('touchstart', touch, { passive: false });
    return () => {
      window.removeEventListener('pointermove', carry);
      window.removeEventListener('pointerup', drop);
      window.removeEventListener('pointercancel', letGo);
      board?.removeEventListener('touchstart', touch);
    };
  });

  return (
    <div class="board-card">
      {drawing ? null : <p class="quiet">The position cannot be drawn.</p>}
      <div class="board" ref={frame} role="group" aria-label="Board" onPointerDown={press} onFocusIn={ring} onFocusOut={ring}
        onPointerOver={(event) => { if (alike.length > 0) setNear(cellAt(drawing?.cells ?? [], event.target)?.spot.key ?? null); }}
        onPointerLeave={() => setNear(null)} onKeyDown={keyed} data-pointing={props.onMove && touched.size > 0 ? 'yes' : 'no'} />
      {drawing && <Notes notes={drawing.notes} look={drawing.look} />}
      <pre class="unseen">{props.text}</pre>
      {several && (
        <div class="chooser" role="dialog" aria-label="Which move?">
          <p>Which move?</p>
          <div class="chips">
            {several.map((move) => (
              <button class="chip" key={move} onClick={() => { setSeveral(null); props.onMove?.(move); }}>
                {plain(move)}
              </button>
            ))}
            <button class="chip quiet" onClick={() => { setSeveral(null); setChosen([]); }}>None</button>
          </div>
        </div>
      )}
    </div>
  );
}
