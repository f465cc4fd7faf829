// Orchard: its rules, and what its positions are worth by the solver.

/** What the solver says every state is worth: the chance to win under a best policy. */
export interface States { variables: string[]; values: number[][] }
export interface Orchard { trees: number[]; raven: number }
export type Worth = (at: Orchard) => number;

const keyOf = (numbers: number[]) => numbers.join(',');

export function worthOf(states: States): Worth {
  const known = new Map(states.values.map((row) => [keyOf(row.slice(0, -1)), row[row.length - 1]]));
  return (at) => known.get(keyOf([...at.trees, at.raven])) ?? 0;
}

/** The solver names the start first. */
export function startOf(states: States): Orchard {
  const row = states.values[0];
  return { trees: row.slice(0, -2), raven: row[row.length - 2] };
}

export const left = (at: Orchard) => at.trees.reduce((sum, fruits) => sum + fruits, 0);
export const isWon = (at: Orchard) => left(at) === 0;
export const isOver = (at: Orchard) => isWon(at) || at.raven === 0;

/** Faces of the die: one for each tree, then the raven, then the basket. */
export const faces = (at: Orchard) => at.trees.length + 2;
export const isBasket = (at: Orchard, face: number) => face === at.trees.length + 1;

export function take(at: Orchard, tree: number): Orchard {
  return { ...at, trees: at.trees.map((fruits, i) => i === tree && fruits > 0 ? fruits - 1 : fruits) };
}

/** What a face without choice does; where the game is over, nothing. */
export function roll(at: Orchard, face: number): Orchard {
  if (isOver(at)) return at;
  if (face === at.trees.length) return { ...at, raven: at.raven - 1 };
  return take(at, face);
}

export interface Pick { trees: number[]; after: Orchard; worth: number }

/** What the basket may take: two fruits, or the last one. The best comes first. */
export function picks(at: Orchard, worth: Worth): Pick[] {
  const found: Pick[] = [];
  at.trees.forEach((_, a) => {
    if (at.trees[a] === 0) return;
    const once = take(at, a);
    if (isWon(once)) found.push({ trees: [a], after: once, worth: worth(once) });
    for (let b = a; b < at.trees.length; b++) {
      if (once.trees[b] === 0) continue;
      const after = take(once, b);
      found.push({ trees: [a, b], after, worth: worth(after) });
    }
  });
  return found.sort((one, other) => other.worth - one.worth);
}
