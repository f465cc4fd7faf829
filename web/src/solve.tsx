// Solve: models of the papers and instances of one's own, with bounds as they improve, and strategies,
// policies and a game to walk through.

import { useEffect, useState } from 'preact/hooks';
import { post, SILENT, type Solved } from './api';
import { Lines } from './lines';
import { GROUPS, MODELS } from './models';
import { OrchardGame } from './orchard-game';
import { compact, Field, FileButton, Section, sentence, Trouble, upper, useArrival, Waiting } from './parts';
import { reasonOf, stopRun, useRun, type Run } from './run';
import { ofPolicy, ofStrategy, walk, type Fork, type Step } from './tree';

interface Live { seconds: number; nodes: number; depth: number; bounds: [number, number][]; limits: [number, number][] }

const STATUS: Record<string, string> = { sat: 'It can be done', unsat: 'It cannot be done', limit: 'Not decided in time' };
const LIMITS = [[10, '10 seconds'], [60, 'a minute'], [600, '10 minutes']] as const;
const number = (value: number | null) => value === null ? '–' : String(Math.round(value * 1e6) / 1e6);

function Walk(props: { root: Fork; side: number | null }) {
  const [chosen, setChosen] = useState<number[]>([]);
  const { steps, at } = walk(props.root, chosen);
  const last = steps[steps.length - 1];
  return (
    <div class="stack">
      {props.side !== null && <Squares side={props.side} steps={steps} at={at} onAnswer={(way) => setChosen([...chosen, way])} />}
      <ol class="path">
        {steps.map((step, i) => (
          <li key={i} class={step.forced ? 'forced' : 'free'}>
            <span class="quiet">{step.variable}</span> <strong>{step.way.value}</strong>
            {step.way.chance !== null && <span class="quiet"> by chance, {Math.round(100 * step.way.chance)} %</span>}
          </li>
        ))}
      </ol>
      {at ? (
        <Section title={`What does ${at.variable} become?`}>
          <div class="chips">
            {at.ways.map((way, i) => (
              <button class="chip" key={way.value} data-way={way.value} onClick={() => setChosen([...chosen, i])}>
                {way.value}{way.chance !== null && <span class="quiet"> {Math.round(100 * way.chance)} %</span>}
                {way.worth !== null && <span class="quiet"> worth {Number(way.worth.toPrecision(3))}</span>}
              </button>
            ))}
          </div>
        </Section>
      ) : <p class="quiet" role="status">{last?.way.cut ? 'The strategy goes on; this is as deep as it is shown.' : 'Here it is decided.'}</p>}
      {chosen.length > 0 && <div class="row">
        <button class="button" onClick={() => setChosen(chosen.slice(0, -1))}>One answer back</button>
        <button class="button quiet-button" onClick={() => setChosen([])}>From the start</button>
      </div>}
    </div>
  );
}

/** The board of Connect: who occupies which cell, and which cells may be answered. */
function Squares(props: { side: number; steps: Step[]; at: Fork | null; onAnswer: (way: number) => void }) {
  const holder = new Map(props.steps.map((step, i) => [Number(step.way.value), i]));
  return (
    <div class="squares" style={{ gridTemplateColumns: `repeat(${props.side}, 1fr)` }} role="group" aria-label="Board">
      {Array.from({ length: props.side * props.side }, (_, cell) => {
        const by = holder.get(cell);
        const way = props.at?.ways.findIndex((one) => Number(one.value) === cell) ?? -1;
        const who = by === undefined ? '' : by % 2 === 0 ? 'first' : 'second';
        return (
          <button key={cell} class={`square ${who} ${way >= 0 ? 'open' : ''}`} disabled={way < 0}
            aria-label={`cell ${cell}${who ? `, ${who} player` : ''}`} onClick={() => props.onAnswer(way)}>
            {by === undefined ? '' : by + 1}</button>
        );
      })}
    </div>
  );
}

type Point = [number, number];

/** A course up to now: its last value holds still. */
function upTo(points: Point[], end: number): Point[] {
  const last = points[points.length - 1];
  return last && end > last[0] ? [...points, [end, last[1]]] : points;
}

/** Better values over the seconds at which they were found, and the limits that no value exceeds. */
function Bounds(props: { live: Live | null; end: number | null }) {
  const { bounds = [], limits = [] } = props.live ?? {};
  if (bounds.length + limits.length === 0) return null;
  const end = Math.max(props.end ?? 0, props.live!.seconds);
  const best = bounds.length > 0 ? number(bounds[bounds.length - 1][1]) : null;
  const most = limits.length > 0 ? number(limits[limits.length - 1][1]) : null;
  const words = [best === null ? 'none so far' : `${bounds.length} so far, the last ${best}`, ...(most === null ? [] : [`at most ${most}`])].join(', ');
  return (
    <Section title="Better values" aside={<span class="quiet">{words}</span>}>
      <Lines lines={[...(best === null ? [] : [{ label: 'best so far', points: upTo(bounds, end) }]),
        ...(most === null ? [] : [{ label: 'no more than', points: upTo(limits, end) }])]} x="seconds" stepped
        label={`The best value over time: ${words}`} />
    </Section>
  );
}

function Assignment(props: { values: Record<string, number | string | null> }) {
  const all = Object.entries(props.values), most = 200;
  return (
    <Section title="The solution" aside={all.length > most ? <span class="quiet">the first {most} of {all.length} variables</span> : null}>
      <ul class="chips">{all.slice(0, most).map(([name, value]) => (
        <li class="chip still" key={name}><span class="quiet">{name}</span> {value ?? 'any'}</li>))}</ul>
    </Section>
  );
}

function titleOf(result: Solved, stopped: boolean): string {
  if (result.status === 'limit' && result.value !== null) return `${stopped ? 'Stopped' : 'Not decided in time'}: the best so far is ${number(result.value)}`;
  if (stopped) return 'Stopped';
  if (result.states) return `Won with probability ${number(result.value)}`;
  if (result.policy) return `The best policy expects ${number(result.value)}`;
  return result.optimal ? 'This is the best' : result.optimal === false ? 'The best so far' : STATUS[result.status] ?? result.status;
}

function Outcome(props: { result: Solved; live: Live | null; side: number | null; stopped: boolean }) {
  const { result } = props;
  const whole = result.status !== 'limit' && result.states ? result.states : null;
  const tree = result.strategy ? ofStrategy(result.strategy) : ofPolicy(result.policy);
  const empty = result.status === 'limit' && result.value === null;
  return (
    <div class="stack wide">
      {whole && <OrchardGame states={whole} />}
      <div class="card">
        <h2 class={`outcome ${result.status}`} role="status">{titleOf(result, props.stopped)}</h2>
        {empty && <p class="quiet">Nothing was decided until then.</p>}
        {whole && <p class="quiet">That is what the best policy expects from the start; it is exact, over {compact(whole.values.length)} states.</p>}
        <dl class="facts">
          <div><dt>Value</dt><dd>{number(result.value)}</dd></div>
          {result.side && <div><dt>Who wins</dt><dd>{result.side === 'existential' ? 'the side that wants it' : 'the other side'}</dd></div>}
          <div><dt>Nodes</dt><dd>{compact(result.nodes)}</dd></div>
          {result.propagations > 0 && <div><dt>Propagations</dt><dd>{compact(result.propagations)}</dd></div>}
          <div><dt>Seconds</dt><dd>{result.seconds.toFixed(3)}</dd></div>
        </dl>
      </div>
      <Bounds live={props.live} end={result.seconds} />
      {tree && <Section title={result.strategy ? 'The winning strategy' : result.status === 'limit' ? 'The best policy so far' : 'A best policy'}
        aside={<span class="quiet">you answer for {result.strategy ? 'the other side' : 'chance'}</span>}>
        <Walk root={tree} side={props.side} key={JSON.stringify(result).length} /></Section>}
      {result.assignment && <Assignment values={result.assignment} />}
    </div>
  );
}

function Progress(props: { run: Run<Live>; onStop: () => void }) {
  const live = props.run.live;
  return (
    <div class="stack wide">
      <div class="row spread"><Waiting>Solving{live ? `: ${compact(live.nodes)} nodes in ${live.seconds.toFixed(1)} s, depth ${live.depth}` : ''}</Waiting>
        <button class="button" onClick={props.onStop}>Stop</button></div>
      <Bounds live={live} end={null} />
    </div>
  );
}

/** Whether an instance has variables of chance, so that its solution is a policy. */
function isStochastic(text: string): boolean {
  return /"type"\s*:\s*"scsp"/.test(text) || /type="stochastic"/.test(text);
}

/** The object that a run has printed, one that was stopped as far as it came; null where it is none. */
function resultOf(run: Run<Live> | null): Solved | null {
  const ended = run?.state === 'done' || run?.state === 'stopped';
  try { return ended && run.output ? JSON.parse(run.output) as Solved : null; } catch { return null; }
}

export function Solve() {
  const [name, setName] = useState(MODELS[0].name);
  const model = MODELS.find((one) => one.name === name)!;
  const [numbers, setNumbers] = useState<Record<string, number>>({});
  const [instance, setInstance] = useState<{ name: string; text: string } | null>(null);
  const [limit, setLimit] = useState(60);
  const [id, setId] = useState<string | null>(null);
  const [side, setSide] = useState<number | null>(null);
  const [trouble, setTrouble] = useState<string | null>(null);
  const { run, lost, silent } = useRun<Live>(id);
  const value = (i: number) => numbers[`${name}/${i}`] ?? model.parameters[i].first;
  const busy = id !== null && !lost && (run === null || run.state === 'running');
  const result = resultOf(run);
  const place = useArrival(id);

  useEffect(() => {
    if (run?.state === 'failed') setTrouble(upper(reasonOf(run)) + '.');
    if (lost) setTrouble('The server has forgotten this search; solve it again.');
  }, [run?.state, lost]);
  useEffect(() => () => { if (id) stopRun(id).catch(() => undefined); }, [id]);

  async function solve() {
    setTrouble(null);
    const wish = instance ? { instance: instance.text, ...(isStochastic(instance.text) ? { best: true, policy: true } : {}) } : model.wish(model.parameters.map((_, i) => value(i)));
    try {
      setId((await post<{ id: string }>('/api/solve', { ...wish, seconds: limit })).id);
      setSide(!instance && name.startsWith('connect') ? value(0) : null);
    } catch (problem) { setTrouble(sentence(problem)); }
  }
  const clear = () => { setId(null); setTrouble(null); };
  const choose = (next: string) => { setInstance(null); setName(next); clear(); };
  return (
    <div class="events">
      <aside class="card stack">
        <h2>What is to be solved?</h2>
        <Field label="Model">
          <select value={instance ? '' : name} aria-label="Model" onChange={(event) => choose(event.currentTarget.value)}>
            {instance && <option value="">{instance.name}</option>}
            {GROUPS.map((group) => <optgroup label={group} key={group}>
              {MODELS.filter((one) => one.group === group).map((one) => <option value={one.name} key={one.name}>{one.title}</option>)}</optgroup>)}
          </select></Field>
        {!instance && <p class="quiet">{model.about}</p>}
        {!instance && model.parameters.map((parameter, i) => (
          <Field label={`${parameter.label}: ${value(i)}`} key={parameter.label}>
            <input type="range" min={parameter.least} max={parameter.most} value={value(i)} aria-label={parameter.label}
              onInput={(event) => { setNumbers({ ...numbers, [`${name}/${i}`]: Number(event.currentTarget.value) }); }} /></Field>
        ))}
        <Field label="For at most">
          <select value={limit} aria-label="Time limit" onChange={(event) => setLimit(Number(event.currentTarget.value))}>
            {LIMITS.map(([seconds, words]) => <option value={seconds} key={seconds}>{words}</option>)}
          </select></Field>
        <button class="button primary" disabled={busy} onClick={solve}>{busy ? 'Solving…' : 'Solve'}</button>
        <FileButton label="An instance of your own…" accept=".xml,.json,.txt"
          onText={(file, text) => { setInstance({ name: file, text }); clear(); }} />
        <p class="help">XCSP3, or the JSON of <code>alea solve --write json</code></p>
      </aside>
      <div class="stack arrival" ref={place}>
        <Trouble message={trouble ?? (silent ? SILENT : null)} onClose={trouble ? () => setTrouble(null) : undefined} />
        {busy && (run ? <Progress run={run} onStop={() => stopRun(id!).catch(() => undefined)} /> : <Waiting>Starting the search</Waiting>)}
        {run?.state === 'stopped' && !result && <div class="stack wide"><div class="card"><h2 class="outcome" role="status">Stopped</h2>
          <p class="quiet">{run.live?.bounds.length ? `The best value until then is ${number(run.live.bounds[run.live.bounds.length - 1][1])}.`
            : 'Nothing was decided until then.'}</p></div><Bounds live={run.live} end={null} /></div>}
        {result && run && <Outcome result={result} live={run.live} side={side} stopped={run.state === 'stopped'} key={id} />}
        {id === null && !trouble && <div class="narrow"><h1>Solve</h1>
          <p class="quiet">Models of the papers as constraint networks: strategic ones, where an opponent answers, and stochastic
            ones, where chance does. The solution is a strategy or a policy that you can walk through; Orchard can be played
            beside its optimal policy. Of an optimisation every better value is shown when it is found.</p></div>}
      </div>
    </div>
  );
}
