// Strategies and policies as one kind of tree, to be walked through.

import type { StrategyNode } from './api';

/** A choice of a variable: whoever makes it, and where each value leads. */
export interface Fork { variable: string; ways: Way[] }
export interface Way { value: string; chance: number | null; worth: number | null; next: Fork | null; cut: boolean }

/** The tree of a strategic network. */
export function ofStrategy(node: StrategyNode | undefined): Fork | null {
  if (!node?.variable || !node.values) return null;
  const ways = Object.entries(node.values).map(([value, next]) => ({
    value, chance: null, worth: null, next: ofStrategy(next), cut: next.cut === true,
  }));
  return { variable: node.variable, ways };
}

const LINE = /^( *)(\S.*?) = (.*?)(?: {2}\(probability ([\d.e-]+)\))? {2}-> ([\d.e-]+)$/;

/** The tree of a policy, which comes as lines that are indented by their depth. */
export function ofPolicy(text: string): Fork | null {
  const forks: Fork[] = [];
  let root: Fork | null = null;
  for (const line of text.split('\n')) {
    const found = LINE.exec(line);
    if (!found) continue;
    const depth = found[1].length / 2;
    const way: Way = { value: found[3], chance: found[4] ? Number(found[4]) : null, worth: Number(found[5]),
      next: null, cut: false };
    const sibling = forks[depth];
    if (sibling && sibling.variable === found[2] && forks.length > depth) {
      sibling.ways.push(way);
    } else {
      const fork: Fork = { variable: found[2], ways: [way] };
      if (depth === 0) root = fork;
      else {
        const above = forks[depth - 1];
        if (!above) return root;
        above.ways[above.ways.length - 1].next = fork;
      }
      forks[depth] = fork;
    }
    forks.length = depth + 1;
  }
  return root;
}

export interface Step { variable: string; way: Way; forced: boolean }

/** Follows the steps chosen so far, and every fork that has one way only. */
export function walk(root: Fork, chosen: number[]): { steps: Step[]; at: Fork | null } {
  const steps: Step[] = [];
  let at: Fork | null = root, next = 0;
  while (at) {
    const forced: boolean = at.ways.length === 1;
    if (!forced && next >= chosen.length) break;
    const way: Way = at.ways[forced ? 0 : chosen[next++]];
    steps.push({ variable: at.variable, way, forced });
    at = way.next;
  }
  return { steps, at };
}
