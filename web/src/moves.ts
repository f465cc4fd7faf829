// Which cells of a board a move touches, found from its names alone.

/** A cell: its key in the drawing, and the names by which moves may mean it. */
export interface Spot { key: CellKey; names: string[]; board: string }
export type CellKey = string;

/** The names of a move without parentheses: `(move wp e 2)` is move, wp, e, 2. */
export function words(move: string): string[] {
  return move.replace(/[()]/g, ' ').trim().split(/\s+/).filter((word) => word !== '');
}

/** A move as people read it: without the outer parentheses. */
export function plain(move: string): string {
  return move.startsWith('(') && move.endsWith(')') ? move.slice(1, -1) : move;
}

/** The cells that each move touches. */
export class Touched extends Map<string, CellKey[]> {
  /** A move means a whole column. */
  columns = false;
  /** Cells are what a move would change, in no order: one that only one move changes is enough. */
  changes = false;
}

/** Relations whose fluents lie on cells: which arguments name the cell. */
export type Places = Map<string, number>;

/** Where the fluents of a drawing lie: from those that are seen. */
export function placesOf(seen: { fluent: string; cell: string[] }[]): Places {
  const places: Places = new Map();
  for (const { fluent, cell } of seen) {
    const [relation, ...rest] = words(fluent.toLowerCase());
    const at = rest.findIndex((_, i) => cell.every((name, k) => rest[i + k] === name));
    if (relation !== undefined && at >= 0 && !places.has(relation)) places.set(relation, at);
  }
  return places;
}

/** Where fluents lie that are not seen: a relation of which each has the names of some cell at one place. */
export function addPlaces(places: Places, fluents: string[], spots: Spot[]): Places {
  const all = new Map(places), byRelation = new Map<string, string[][]>();
  for (const fluent of fluents) {
    const [relation, ...rest] = words(fluent.toLowerCase());
    if (relation !== undefined && !all.has(relation)) byRelation.set(relation, [...(byRelation.get(relation) ?? []), rest]);
  }
  const cells = spots.filter((spot) => spot.names.length > 1);
  for (const [relation, rows] of byRelation) {
    const at = rows[0].findIndex((_, i) => rows.every((row) => cells.some((s) => s.names.every((name, k) => row[i + k] === name))));
    if (at >= 0) all.set(relation, at);
  }
  return all;
}

/** The cells that fluents lie on. */
export function cellsOf(fluents: string[], spots: Spot[], places: Places): CellKey[] {
  const found: CellKey[] = [];
  for (const fluent of fluents) {
    const [relation, ...rest] = words(fluent.toLowerCase());
    const at = places.get(relation);
    if (at === undefined) continue;
    const spot = spots.find((s) => s.names.every((name, k) => rest[at + k] === name));
    if (spot && !found.includes(spot.key)) found.push(spot.key);
  }
  return found;
}

/** Who moves, and by the names of moves whether they mean the own board or another's. */
export interface Aims { role: string; of: Map<string, string> }

/** As a position tells them. */
export const aimsOf = (role: string, told: Record<string, string>): Aims =>
  ({ role: role.toLowerCase(), of: new Map(Object.entries(told).map(([name, side]) => [name.toLowerCase(), side])) });

/** Whether aims tell which board a move means: one of the boards is that of who moves. */
export const isAimed = (aims: Aims | null, spots: Spot[]) => aims !== null && spots.some((spot) => spot.board === aims.role);

/** A way to read cells out of moves. */
type Reading = (names: string[], spots: Spot[], aims: Aims | null) => CellKey[];

/** Of the cells that the names at a place mean, the one on a board that is named too, or that the move aims at. */
function best(fits: Spot[], names: string[], aims: Aims | null): Spot | undefined {
  const named = fits.find((spot) => spot.board !== '' && names.includes(spot.board));
  const side = aims?.of.get(names[0]);
  if (named || side === undefined || !isAimed(aims, fits)) return named ?? fits[0];
  return fits.find((spot) => (spot.board === aims!.role) === (side === 'own')) ?? fits[0];
}

/** The names of a cell, one after another, in their order or the other way round. */
function runs(reverse: boolean): Reading {
  return (names, spots, aims) => {
    const found: CellKey[] = [];
    for (let i = 1; i < names.length; i++) {
      const fits = spots.filter((s) => s.names.length > 1
        && s.names.every((_, k) => names[i + k] === s.names[reverse ? s.names.length - 1 - k : k]));
      const longest = Math.max(...fits.map((s) => s.names.length));
      const spot = best(fits.filter((s) => s.names.length === longest), names, aims);
      if (!spot) continue;
      found.push(spot.key);
      i += spot.names.length - 1;
    }
    return found;
  };
}

/** Cells of one name: elements of a structure, or one place on a track; numbers behind that
 *  are amounts, such as dice. */
const single: Reading = (names, spots, aims) => {
  const found: CellKey[] = [];
  for (const name of names.slice(1)) {
    const spot = best(spots.filter((s) => s.names.length === 1 && s.names[0] === name), names, aims);
    if (spot) found.push(spot.key);
    if (spot && /^\d+$/.test(name)) break;
  }
  return found;
};

/** One name that is a column: the whole column is touched. */
const column: Reading = (names, spots) => {
  if (names.length !== 2) return [];
  return spots.filter((spot) => spot.names.length > 1 && spot.names[0] === names[1])
    .map((spot) => spot.key);
};

/** One name for a cell, such as e2: its names without a gap. */
const joined: Reading = (names, spots) => {
  const found: CellKey[] = [];
  for (const name of names.slice(1)) {
    const spot = spots.find((s) => s.names.length > 1 && s.names.join('') === name);
    if (spot) found.push(spot.key);
  }
  return found;
};

const isWithin = (some: CellKey[], all: CellKey[]) => some.every((cell) => all.includes(cell));

/**
 * The cells that each move touches.  Names alone may deceive, since a number can be a
 * place or a die: where it is known what moves change, and most of them change other cells than
 * they seem to name, the cells are those that they change.
 */
export function touchesOf(moves: string[], spots: Spot[], effects: string[][] | null, places: Places, aims: Aims | null): Touched {
  const named = touches(moves, spots, aims);
  if (!effects || effects.length !== moves.length) return named;
  const changed = new Touched();
  changed.changes = true;
  let right = 0;
  moves.forEach((move, i) => {
    const cells = cellsOf(effects[i], spots, places);
    if (cells.length > 0) changed.set(move, cells);
    const seeming = named.get(move) ?? [];
    if (seeming.length > 0 && cells.length > 0 && (isWithin(seeming, cells) || isWithin(cells, seeming))) right++;
  });
  return 2 * right < changed.size ? changed : withGoals(named, changed);
}

/**
 * Things beside the boards that moves name, each by the last name of its fluent: `(give dsrh)` means
 * what is drawn for `(pool dsrh)`.  Where several have that name, the one of 'role' is meant.
 */
export function touchesThings(moves: string[], things: Spot[], role: string): Touched {
  const found = new Touched();
  for (const move of moves) {
    const cells = words(move.toLowerCase()).slice(1).flatMap((name) => {
      const fits = things.filter((thing) => thing.names[thing.names.length - 1] === name);
      const one = fits.find((thing) => thing.names.includes(role)) ?? fits[0];
      return one ? [one.key] : [];
    });
    if (cells.length > 0) found.set(move, [...new Set(cells)]);
  }
  return found;
}

/** Moves that name one cell and are told apart by an amount, such as a die: where the piece would go
 *  is touched, too. */
function withGoals(named: Touched, changed: Touched): Touched {
  const groups = new Map<string, string[]>();
  for (const [move, cells] of named) groups.set(cells.join(), [...(groups.get(cells.join()) ?? []), move]);
  for (const moves of groups.values()) {
    const goals = moves.map((move) => (changed.get(move) ?? []).filter((cell) => !named.get(move)!.includes(cell)));
    if (moves.length < 2 || goals.some((cells) => cells.length !== 1)) continue;
    moves.forEach((move, i) => named.set(move, [...named.get(move)!, goals[i][0]]));
  }
  return named;
}

/**
 * The cells that each move touches, in the order in which it names them.  Games
 * write cells in different ways; the way that explains most of the moves is taken.
 */
export function touches(moves: string[], spots: Spot[], aims: Aims | null = null): Touched {
  let most = new Touched();
  for (const reading of [runs(false), runs(true), joined, single, column]) {
    const found = new Touched();
    found.columns = reading === column;
    for (const move of moves) {
      const cells = reading(words(move.toLowerCase()), spots, aims);
      if (cells.length > 0) found.set(move, cells);
    }
    if (found.size > most.size) most = found;
  }
  return most;
}

export interface Choice {
  /** Play this one. */
  move?: string;
  /** Or let the person choose among these, which touch the same cells. */
  several?: string[];
  /** Or go on choosing cells: those that were chosen so far. */
  chosen: CellKey[];
}

const startsWith = (cells: CellKey[], chosen: CellKey[]) =>
  chosen.every((cell, i) => cells[i] === cell);
const hasAll = (cells: CellKey[], chosen: CellKey[]) => chosen.every((cell) => cells.includes(cell));

/** The moves that fit the cells chosen so far; in their order if any does. */
export function fitting(touched: Touched, chosen: CellKey[]): string[] {
  const all = [...touched.keys()];
  const ordered = all.filter((move) => startsWith(touched.get(move)!, chosen));
  return ordered.length > 0 ? ordered : all.filter((move) => hasAll(touched.get(move)!, chosen));
}

/** The person points at a cell: what follows. */
export function point(touched: Touched, chosen: CellKey[], cell: CellKey): Choice {
  if (chosen.includes(cell)) return { chosen: [] };
  const now = [...chosen, cell];
  const moves = fitting(touched, now);
  if (moves.length === 0) return chosen.length > 0 ? point(touched, [], cell) : { chosen: [] };
  if (moves.length === 1 && touched.changes) return { move: moves[0], chosen: [] };
  const done = moves.filter((move) => new Set(touched.get(move)).size <= now.length
    || (touched.columns && chosen.length === 0));
  if (done.length === moves.length)
    return done.length === 1 ? { move: done[0], chosen: [] } : { several: done, chosen: now };
  if (moves.length === 1 && now.length > 1) return { move: moves[0], chosen: [] };
  return { chosen: now };
}

/** Cells that would go on with a move. */
export function targets(touched: Touched, chosen: CellKey[]): Set<CellKey> {
  const cells = new Set<CellKey>();
  for (const move of fitting(touched, chosen)) {
    const all = touched.get(move)!;
    if (chosen.length === 0 && !touched.columns && !touched.changes) cells.add(all[0]);
    else for (const cell of all) if (!chosen.includes(cell)) cells.add(cell);
  }
  return cells;
}
