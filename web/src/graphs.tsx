// What a game is made of, as pictures: the network of its rules, the constraint graph of
// a stage, and the symmetries on its board.

import { useMemo, useState } from 'preact/hooks';
import type { Pictures } from './api';
import { addPlaces, cellsOf, placesOf } from './moves';
import { compact, upper } from './parts';
import { readDrawing } from './svg';

type Network = NonNullable<Pictures['network']>;
type Constraints = NonNullable<Pictures['constraints']>;
type Symmetry = NonNullable<Pictures['symmetry']>;
interface Dot { x: number; y: number; kind: string; text: string }

const WIDTH = 360;

// ---- layers ----

/** Nodes in columns by level, each near the mean of what leads to it. */
function layered(network: Network): { dots: Dot[]; height: number } {
  const nodes = network.nodes!, edges = network.edges!;
  const deepest = Math.max(1, ...nodes.map((node) => node.level));
  const columns: number[][] = Array.from({ length: deepest + 1 }, () => []);
  const used = new Set(edges.flatMap(([from, to]) => [from, to]));
  nodes.forEach((node, i) => { if (used.has(i)) columns[node.level].push(i); });
  const rows = Math.max(...columns.map((column) => column.length));
  const height = Math.min(Math.max(rows * 7, 120), 420);
  const inputs = new Map<number, number[]>();
  for (const [from, to] of edges) inputs.set(to, [...(inputs.get(to) ?? []), from]);
  const y = new Map<number, number>();
  for (const column of columns) {
    const mean = (i: number) => {
      const from = inputs.get(i)?.filter((one) => y.has(one)) ?? [];
      return from.length > 0 ? from.reduce((sum, one) => sum + y.get(one)!, 0) / from.length : 0;
    };
    if (column !== columns[0]) column.sort((a, b) => mean(a) - mean(b) || a - b);
    column.forEach((i, k) => y.set(i, ((k + 0.5) / column.length) * height));
  }
  const dots = nodes.map((node, i) => ({
    x: 10 + (node.level / deepest) * (WIDTH - 20), y: y.get(i) ?? -9, kind: node.kind, text: node.text }));
  return { dots, height };
}

const NODES: [string, string, string[]][] = [['fluent', 'fluents', ['fluent']], ['move', 'moves', ['move']],
  ['and', 'and', ['and']], ['or', 'or', ['or']], ['legal', 'legal', ['legal']], ['next', 'next', ['next']],
  ['goal', 'goal, terminal', ['goal', 'terminal']]];

function Legend(props: { rows: [string, string, string[]][]; dots: Dot[] }) {
  return (
    <ul class="legend">
      {props.rows.filter(([, , kinds]) => props.dots.some((dot) => kinds.includes(dot.kind))).map(([kind, label]) => (
        <li key={kind}><svg viewBox="0 0 10 10" width="10" height="10" aria-hidden="true"><circle class={`node ${kind}`} cx="5" cy="5" r="4" /></svg>{label}</li>
      ))}
    </ul>
  );
}

function Levels(props: { levels: number[] }) {
  const most = Math.max(1, ...props.levels), step = WIDTH / props.levels.length;
  return (
    <svg class="graph" viewBox={`0 0 ${WIDTH} 110`} role="img" aria-label={`Gates by level: ${props.levels.join(', ')}`}>
      {props.levels.map((count, i) => {
        const high = Math.max((count / most) * 84, 1);
        return <g key={i}><title>{`level ${i + 1}: ${count} gates`}</title>
          <rect class="level" x={i * step + 1} y={94 - high} width={Math.max(step - 2, 1)} height={high} rx="2" /></g>;
      })}
      <text class="axis" x="0" y="108">level 1</text>
      <text class="axis" x={WIDTH} y="108" text-anchor="end">level {props.levels.length}</text>
    </svg>
  );
}

export function NetworkPicture(props: { network: Network }) {
  const { network } = props;
  const [over, setOver] = useState<number | null>(null);
  const drawn = useMemo(() => network.nodes ? layered(network) : null, [network]);
  const words = `${compact(network.fluents)} fluents, ${compact(network.moves)} moves, ${compact(network.gates)} gates in ${network.levels.length} ${network.levels.length === 1 ? 'level' : 'levels'}`;
  if (!drawn) return <><p class="quiet">{words}. Too many to draw one by one: gates by their distance from the position.</p><Levels levels={network.levels} /></>;
  const said = over === null ? null : drawn.dots[over];
  return (
    <>
      <p class="quiet">{words}. From the position and the moves on the left to what follows on the right.</p>
      <svg class="graph" viewBox={`0 0 ${WIDTH} ${drawn.height}`} role="img" aria-label={`The network: ${words}`} onMouseLeave={() => setOver(null)}>
        {network.edges!.map(([from, to, negated], i) => {
          const a = drawn.dots[from], b = drawn.dots[to], bend = (b.x - a.x) / 2;
          const near = over === from || over === to;
          return <path key={i} class={`edge ${negated ? 'negated' : ''} ${near ? 'near' : ''}`} d={`M${a.x} ${a.y}C${a.x + bend} ${a.y} ${b.x - bend} ${b.y} ${b.x} ${b.y}`} />;
        })}
        {drawn.dots.map((dot, i) => dot.y >= 0 && (
          <circle key={i} class={`node ${dot.kind} ${over === i ? 'over' : ''}`} cx={dot.x} cy={dot.y} r={over === i ? 4.5 : 2.8} onMouseEnter={() => setOver(i)} />
        ))}
      </svg>
      <p class="said">{said ? `${said.kind}${said.text && said.text !== said.kind ? ` ${said.text}` : ''}` : 'Point at a node to see what it is. Dashed lines negate.'}</p>
      <Legend rows={NODES} dots={drawn.dots} />
    </>
  );
}

// ---- constraints ----

/** A layout by springs, the same every time: variables pull at each other through constraints. */
function springs(count: number, links: [number, number][], height: number): { x: number; y: number }[] {
  const dots = Array.from({ length: count }, (_, i) => {
    const angle = i * 2.399963, far = Math.sqrt((i + 0.5) / count) * 0.45;
    return { x: WIDTH * (0.5 + far * Math.cos(angle)), y: height * (0.5 + far * Math.sin(angle)) };
  });
  const ideal = 0.75 * Math.sqrt((WIDTH * height) / Math.max(count, 1));
  for (let round = 0, heat = 24; round < 160; round++, heat *= 0.97) {
    const push = dots.map(() => ({ x: 0, y: 0 }));
    for (let i = 0; i < count; i++) for (let k = i + 1; k < count; k++) {
      const dx = dots[i].x - dots[k].x, dy = dots[i].y - dots[k].y, far = Math.max(Math.hypot(dx, dy), 0.5);
      const force = (ideal * ideal) / far / far;
      push[i].x += dx * force; push[i].y += dy * force; push[k].x -= dx * force; push[k].y -= dy * force;
    }
    for (const [i, k] of links) {
      const dx = dots[i].x - dots[k].x, dy = dots[i].y - dots[k].y, force = Math.hypot(dx, dy) / ideal * 0.6;
      push[i].x -= dx * force; push[i].y -= dy * force; push[k].x += dx * force; push[k].y += dy * force;
    }
    dots.forEach((dot, i) => {
      push[i].x += (WIDTH / 2 - dot.x) * 0.9; push[i].y += (height / 2 - dot.y) * 0.9;
      const far = Math.max(Math.hypot(push[i].x, push[i].y), 0.01), go = Math.min(far, heat);
      dot.x = Math.min(WIDTH - 8, Math.max(8, dot.x + (push[i].x / far) * go));
      dot.y = Math.min(height - 8, Math.max(8, dot.y + (push[i].y / far) * go));
    });
  }
  return dots;
}

const VARIABLES: [string, string, string[]][] = [['state', 'state', ['state']], ['action', 'moves', ['action']], ['chance', 'chance', ['chance']],
  ['derived', 'derived', ['derived', 'percept']], ['next', 'next state', ['next']], ['goal', 'goal, terminal', ['goal', 'terminal']]];

export function ConstraintPicture(props: { constraints: Constraints }) {
  const { variables, scopes } = props.constraints;
  const [over, setOver] = useState<number | null>(null);
  const drawn = useMemo(() => {
    if (!variables || !scopes) return null;
    const height = variables.length > 60 ? 340 : 260;
    // A constraint of two variables is a line; a wider one is a small square that they all reach.
    const hubs = scopes.map((scope, c) => ({ c, scope: [...new Set(scope)] })).filter(({ scope }) => scope.length > 2);
    const links: [number, number][] = scopes.map((scope) => [...new Set(scope)]).filter((scope) => scope.length === 2)
      .map((scope) => [scope[0], scope[1]]);
    hubs.forEach(({ scope }, h) => scope.forEach((v) => links.push([variables.length + h, v])));
    return { at: springs(variables.length + hubs.length, links, height), links, hubs: hubs.length, height };
  }, [variables, scopes]);
  if (!drawn || !variables || !scopes) return <p class="quiet">The network of a stage is too large for a picture.</p>;
  const dots = variables.map((variable, i) => ({ ...drawn.at[i], kind: variable.kind, text: variable.name }));
  const words = `${variables.length} variables, ${scopes.length} constraints`;
  const near = new Set(over === null ? [] : drawn.links.flatMap(([a, b]) => a === over ? [b] : b === over ? [a] : []));
  return (
    <>
      <p class="quiet">{words}: one stage of the game, from the state through the moves to the next state.</p>
      <svg class="graph" viewBox={`0 0 ${WIDTH} ${drawn.height}`} role="img" aria-label={`The constraint graph: ${words}`} onMouseLeave={() => setOver(null)}>
        {drawn.links.map(([a, b], i) => (
          <line key={i} class={`edge ${over === a || over === b || (near.has(a) && a >= variables.length) ? 'near' : ''}`}
            x1={drawn.at[a].x} y1={drawn.at[a].y} x2={drawn.at[b].x} y2={drawn.at[b].y} />
        ))}
        {drawn.at.slice(variables.length).map((dot, h) => <rect key={h} class="hub" x={dot.x - 2} y={dot.y - 2} width="4" height="4" />)}
        {dots.map((dot, i) => (
          <circle key={i} class={`node ${dot.kind} ${over === i ? 'over' : ''}`} cx={dot.x} cy={dot.y}
            r={(over === i ? 1.5 : 0) + Math.min(3 + Math.log2(variables[i].size) * 0.8, 8)} onMouseEnter={() => setOver(i)} />
        ))}
      </svg>
      <p class="said">{over === null ? 'A larger dot has more values; small squares are constraints.'
        : `${variables[over].name}: ${variables[over].kind}, ${variables[over].size} values`}</p>
      <Legend rows={VARIABLES} dots={dots} />
    </>
  );
}

// ---- symmetries ----

/** Where a generator takes each cell of the board. */
function arrowsOf(svg: string, moved: [string, string][]): { root: SVGSVGElement; arrows: [string, string][] } | null {
  const drawing = readDrawing(svg);
  if (!drawing) return null;
  const spots = drawing.cells.map((cell) => cell.spot);
  const seen = placesOf(drawing.cells.flatMap((cell) => cell.fluents.map((fluent) => ({ fluent, cell: cell.spot.names }))));
  const places = addPlaces(seen, moved.flat(), spots);
  const arrows = new Map<string, string>();
  for (const [from, to] of moved) {
    const [a] = cellsOf([from], spots, places), [b] = cellsOf([to], spots, places);
    if (a && b && a !== b) arrows.set(a, b);
  }
  return { root: drawing.root, arrows: [...arrows] };
}

/** Draws the arrows on a copy of the board that is in the page. */
function drawArrows(host: HTMLElement | null, svg: string, moved: [string, string][]): void {
  const found = host && arrowsOf(svg, moved);
  if (!host || !found) return;
  host.replaceChildren(found.root);
  const box = found.root.getBBox();
  found.root.setAttribute('viewBox', `${box.x - 4} ${box.y - 4} ${box.width + 8} ${box.height + 8}`);
  const centres = new Map([...found.root.querySelectorAll<SVGGraphicsElement>('[data-cell]')].reverse().map((element) => {
    const b = element.getBBox();
    return [`${element.dataset.board ?? ''}|${element.dataset.cell ?? ''}`.toLowerCase(), { x: b.x + b.width / 2, y: b.y + b.height / 2 }];
  }));
  const layer = document.createElementNS('http://www.w3.org/2000/svg', 'g');
  layer.setAttribute('class', 'turns');
  for (const [from, to] of found.arrows) {
    const a = centres.get(from), b = centres.get(to);
    if (!a || !b) continue;
    const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
    const mx = (a.x + b.x) / 2 - (b.y - a.y) * 0.16, my = (a.y + b.y) / 2 + (b.x - a.x) * 0.16;
    path.setAttribute('d', `M${a.x} ${a.y}Q${mx} ${my} ${b.x} ${b.y}`);
    const dot = document.createElementNS('http://www.w3.org/2000/svg', 'circle');
    dot.setAttribute('cx', String(b.x)); dot.setAttribute('cy', String(b.y)); dot.setAttribute('r', '3');
    layer.append(path, dot);
  }
  found.root.append(layer);
}

export function SymmetryPicture(props: { symmetry: Symmetry; svg: string | null }) {
  const { symmetry, svg } = props;
  const [at, setAt] = useState(0);
  const { generators } = symmetry;
  const order = symmetry.order > 0 ? symmetry.order.toLocaleString('en-GB') : null;
  if (symmetry.generator_count === 0)
    return <p class="quiet">None but the one that leaves everything as it is{symmetry.complete ? '' : ', as far as was found in the time'}.</p>;
  const moved = generators[Math.min(at, generators.length - 1)];
  const onBoard = svg !== null && (arrowsOf(svg, moved)?.arrows.length ?? 0) > 0;
  return (
    <>
      <p class="quiet">A group of {order ? <strong>{order}</strong> : 'too many to count'} symmetries, made by {symmetry.generator_count}{' '}
        {symmetry.generator_count === 1 ? 'generator' : 'generators'}{symmetry.complete ? '' : '; there may be more'}.</p>
      <div class="chips">
        {generators.map((_, i) => <button class={`chip ${i === at ? 'on' : ''}`} key={i} aria-pressed={i === at} onClick={() => setAt(i)}>{i + 1}</button>)}
      </div>
      {onBoard ? <div class="turned" role="img" aria-label={`Generator ${at + 1}: ${moved.length} fluents change places`}
        ref={(host) => drawArrows(host, svg!, moved)} key={at} />
        : <ul class="moved">{moved.slice(0, 12).map(([from, to]) => <li key={from}><code>{from}</code> → <code>{to}</code></li>)}
          {moved.length > 12 && <li class="quiet">and {moved.length - 12} more</li>}</ul>}
      {onBoard && <p class="said">{upper(`generator ${at + 1}`)}: what lies at one end of a line goes to the dot at its other end.</p>}
    </>
  );
}
