// Plots: a curve of values over the steps of a play, and curves over other numbers.

import uPlot from 'uplot';

export interface Series { label: string; values: (number | null)[] }
export interface Plot { at(step: number): void; destroy(): void }
export interface Line { label: string; points: [number, number][] }

const HEIGHT = 220;
const WHOLE = [1, 2, 5, 10, 20, 50, 100, 200, 500];
const LABEL = { labelSize: 20, labelGap: 0, size: 30, labelFont: '12px system-ui, sans-serif' };
const COLOURS = ['--accent', '--amber', '--rose', '--sky'];

function ink(host: HTMLElement, name: string): string {
  return getComputedStyle(host).getPropertyValue(name).trim();
}

const axisOf = (host: HTMLElement) =>
  ({ stroke: ink(host, '--quiet'), grid: { stroke: ink(host, '--line'), width: 1 }, ticks: { show: false } });
const widthOf = (host: HTMLElement) => Math.max(host.clientWidth, 240);

/** Keeps the chart as wide as its host; the result ends both. */
function settle(chart: uPlot, host: HTMLElement): () => void {
  const watch = new ResizeObserver(() => chart.setSize({ width: widthOf(host), height: HEIGHT }));
  watch.observe(host);
  return () => { watch.disconnect(); chart.destroy(); };
}

export function plot(host: HTMLElement, series: Series[], onStep: (step: number) => void): Plot {
  const steps = series[0]?.values.map((_, i) => i) ?? [];
  const chart = new uPlot({
    width: widthOf(host),
    height: HEIGHT,
    cursor: { y: false },
    scales: { x: { time: false }, y: { range: [0, 100] } },
    axes: [{ ...axisOf(host), label: 'step', ...LABEL, incrs: WHOLE }, { ...axisOf(host), size: 36 }],
    series: [{ label: 'step' }, ...series.map((one, i) => ({
      label: one.label, stroke: ink(host, COLOURS[i % COLOURS.length]), width: 2, spanGaps: true,
      points: { show: steps.length < 60, size: 6 },
    }))],
  }, [steps, ...series.map((one) => one.values)] as uPlot.AlignedData, host);
  chart.over.addEventListener('click', () => {
    if (typeof chart.cursor.idx === 'number') onStep(chart.cursor.idx);
  });
  return { at: (step) => chart.setCursor({ left: chart.valToPos(step, 'x'), top: 10 }, false), destroy: settle(chart, host) };
}

/** Lines with points of their own; the result removes them. */
export function drawLines(host: HTMLElement,
  what: { lines: Line[]; x: string; whole?: boolean; stepped?: boolean; range?: [number, number] }): () => void {
  const shape = what.stepped ? uPlot.paths.stepped?.({ align: 1 }) : undefined;
  const few = what.lines.every((line) => line.points.length < 40);
  const data = uPlot.join(what.lines.map((line) =>
    [line.points.map(([x]) => x), line.points.map(([, y]) => y)] as uPlot.AlignedData));
  const chart = new uPlot({
    width: widthOf(host),
    height: HEIGHT,
    cursor: { y: false },
    legend: { live: false },
    scales: { x: { time: false }, y: what.range ? { range: what.range } : {} },
    axes: [{ ...axisOf(host), label: what.x, ...LABEL, ...(what.whole ? { incrs: WHOLE } : {}) }, { ...axisOf(host), size: 48 }],
    series: [{ label: what.x }, ...what.lines.map((line, i) => ({
      label: line.label, stroke: ink(host, COLOURS[i % COLOURS.length]), width: 2, spanGaps: true, paths: shape,
      points: { show: few, size: 6 },
    }))],
  }, data, host);
  return settle(chart, host);
}
