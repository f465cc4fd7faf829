// Strategies and policies as one kind of tree, to be walked through.

import type { PolicyNode, StrategyNode } from './api';

/** A choice of a variable: whoever makes it, and where each value leads. */
export interface Fork { variable: string; ways: Way[] }
/** 'next' is what follows: a policy shares what is the same, and is never written out as a whole. */
export interface Way { value: string; chance: number | null; worth: number | null; next: () => Fork | null; cut: boolean }

/** The tree of a strategic network. */
export function ofStrategy(node: StrategyNode | undefined): Fork | null {
  if (!node?.variable || !node.values) return null;
  const ways = Object.entries(node.values).map(([value, next]) => ({
    value, chance: null, worth: null, next: () => ofStrategy(next), cut: next.cut === true,
  }));
  return { variable: node.variable, ways };
}

/** The tree of a policy, a list of nodes that name each other by their place; every edge leads further down it. */
export function ofPolicy(nodes: PolicyNode[] | undefined, at = 0): Fork | null {
  const node = nodes?.[at];
  if (!nodes || !node?.variable) return null;
  const ways = node.edges.map((edge) => ({
    value: String(edge.value), chance: node.chance ? edge.probability : null, worth: edge.expected,
    next: () => edge.node > at ? ofPolicy(nodes, edge.node) : null, cut: false,
  }));
  return { variable: node.variable, ways };
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
    at = way.next();
  }
  return { steps, at };
}
