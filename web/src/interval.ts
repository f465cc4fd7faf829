// How sure a mean of outcomes between 0 and 1 is.

/** Wilson's 95 % interval, as reports have it. */
export function wilson(mean: number, outcomes: number): [number, number] {
  const z = 1.959964, n = Math.max(outcomes, 1), z2 = (z * z) / n;
  const middle = (mean + z2 / 2) / (1 + z2);
  const half = (z * Math.sqrt((mean * (1 - mean)) / n + z2 / (4 * n))) / (1 + z2);
  return [Math.max(0, middle - half), Math.min(1, middle + half)];
}
