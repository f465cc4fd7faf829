// Curves over numbers, in a picture that loads its script when it is first needed.

import { useEffect, useRef } from 'preact/hooks';
import type { Line } from './plot';
import { useDark } from './theme';

export function Lines(props: { lines: Line[]; x: string; label: string; whole?: boolean; stepped?: boolean; range?: [number, number] }) {
  const host = useRef<HTMLDivElement>(null);
  const dark = useDark();
  const key = JSON.stringify(props.lines);
  useEffect(() => {
    let here = true;
    let end = () => { /* nothing drawn yet */ };
    const script = './plot.js';
    (import(script) as Promise<typeof import('./plot')>).then((module) => {
      if (here && host.current) end = module.drawLines(host.current, props);
    });
    return () => { here = false; end(); };
  }, [key, dark]);
  return <div class="plot" ref={host} role="img" aria-label={props.label} />;
}
