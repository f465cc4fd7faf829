// Plots: a curve of values over the steps of a play.

import uPlot from 'uplot';

export interface Series { label: string; values: (number | null)[] }
export interface Plot { at(step: number): void; destroy(): void }

function ink(host: HTMLElement, name: string): string {
  return getComputedStyle(host).getPropertyValue(name).trim();
}

export function plot(host: HTMLElement, series: Series[], onStep: (step: number) => void): Plot {
  const steps = series[0]?.values.map((_, i) => i) ?? [];
  const colours = ['--accent', '--amber', '--rose', '--sky'].map((name) => ink(host, name));
  const axis = { stroke: ink(host, '--quiet'), grid: { stroke: ink(host, '--line'), width: 1 }, ticks: { show: false } };
  const chart = new uPlot({
    width: Math.max(host.clientWidth, 240),
    height: 220,
    cursor: { y: false },
    scales: { x: { time: false }, y: { range: [0, 100] } },
    axes: [{ ...axis, label: 'step', labelSize: 18, incrs: [1, 2, 5, 10, 20, 50, 100] }, { ...axis, size: 36 }],
    series: [{ label: 'step' }, ...series.map((one, i) => ({
      label: one.label, stroke: colours[i % colours.length], width: 2, spanGaps: true,
      points: { show: steps.length < 60, size: 6 },
    }))],
  }, [steps, ...series.map((one) => one.values)] as uPlot.AlignedData, host);
  chart.over.addEventListener('click', () => {
    if (typeof chart.cursor.idx === 'number') onStep(chart.cursor.idx);
  });
  const watch = new ResizeObserver(() => chart.setSize({ width: Math.max(host.clientWidth, 240), height: 220 }));
  watch.observe(host);
  return {
    at: (step) => chart.setCursor({ left: chart.valToPos(step, 'x'), top: 10 }, false),
    destroy: () => { watch.disconnect(); chart.destroy(); },
  };
}
