// Solve: models of the papers and instances of one's own; strategies to walk through.

import { useState } from 'preact/hooks';
import { post, type Solved } from './api';
import { compact, Field, FileButton, Section, Trouble, upper, Waiting } from './parts';
import { ofPolicy, ofStrategy, walk, type Fork, type Step } from './tree';

interface Parameter { label: string; least: number; most: number; first: number }
interface Model { name: string; title: string; about: string; parameters: Parameter[]; horizon?: number }

const MODELS: Model[] = [
  { name: 'connect', title: 'Connect', about: 'Two players occupy cells of a square board in turn; the first with so many in a line wins. Can the first player force it?',
    parameters: [{ label: 'Side of the board', least: 2, most: 6, first: 4 }, { label: 'In a line', least: 2, most: 5, first: 3 }] },
  { name: 'connect-hold', title: 'Connect, at least a draw', about: 'The same, but a draw is enough for the first player.',
    parameters: [{ label: 'Side of the board', least: 2, most: 5, first: 3 }, { label: 'In a line', least: 2, most: 5, first: 3 }] },
  { name: 'tictactoe:1:closed', title: 'Tic-tac-toe, model 1', about: 'Tic-tac-toe as a strategic network, with the constraints that close it.', parameters: [] },
  { name: 'tictactoe:2', title: 'Tic-tac-toe, model 2', about: 'Tic-tac-toe with a shorter network.', parameters: [] },
  { name: 'tokens', title: 'Token game', about: 'Two players take tokens in turn: who can always go on?',
    parameters: [{ label: 'Tokens', least: 1, most: 9, first: 4 }] },
  { name: 'pennies', title: 'Pennies', about: 'Two coins are shown, a third is tossed; all equal pays. What does the best policy expect?', parameters: [] },
  { name: 'p3', title: 'Three variables', about: 'One choice, one chance, one choice that must repeat the first.', parameters: [] },
  { name: 'split', title: 'Split', about: 'Thresholds for the parts of a stochastic network.', parameters: [] },
  { name: 'orchard', title: 'Orchard', about: 'Fruit must be picked before the raven comes: a die says from which tree, the basket is a free choice.',
    parameters: [{ label: 'Trees', least: 1, most: 3, first: 2 }, { label: 'Fruits on each', least: 1, most: 4, first: 2 },
      { label: 'Steps of the raven', least: 1, most: 4, first: 1 }], horizon: 3 },
];

const STATUS: Record<string, string> = { sat: 'It can be done', unsat: 'It cannot be done', limit: 'Not decided in time' };

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
                {way.worth !== null && <span class="quiet"> worth {way.worth.toFixed(3)}</span>}
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

function Outcome(props: { solved: Solved; side: number | null }) {
  const { result } = props.solved;
  const tree = result.strategy ? ofStrategy(result.strategy) : ofPolicy(result.policy);
  const number = (value: number | null) => value === null ? '–' : String(Math.round(value * 1e6) / 1e6);
  return (
    <div class="stack">
      <div class="card">
        <h2 class={`outcome ${result.status}`} role="status">{STATUS[result.status] ?? result.status}</h2>
        <dl class="facts">
          <div><dt>Value</dt><dd>{number(result.value)}</dd></div>
          {result.side && <div><dt>Who wins</dt><dd>{result.side === 'existential' ? 'the side that wants it' : 'the other side'}</dd></div>}
          <div><dt>Nodes</dt><dd>{compact(result.nodes)}</dd></div>
          <div><dt>Propagations</dt><dd>{compact(result.propagations)}</dd></div>
          <div><dt>Seconds</dt><dd>{result.seconds.toFixed(3)}</dd></div>
        </dl>
      </div>
      {tree && <Section title={result.strategy ? 'The winning strategy' : 'A best policy'}
        aside={<span class="quiet">you answer for {result.strategy ? 'the other side' : 'chance'}</span>}>
        <Walk root={tree} side={props.side} key={JSON.stringify(props.solved).length} /></Section>}
    </div>
  );
}

export function Solve() {
  const [name, setName] = useState(MODELS[0].name);
  const model = MODELS.find((one) => one.name === name)!;
  const [numbers, setNumbers] = useState<Record<string, number>>({});
  const [instance, setInstance] = useState<{ name: string; text: string } | null>(null);
  const [solved, setSolved] = useState<Solved | null>(null);
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<string | null>(null);
  const value = (i: number) => numbers[`${name}/${i}`] ?? model.parameters[i].first;
  const horizon = numbers[`${name}/horizon`] ?? model.horizon;

  async function solve() {
    setBusy(true);
    setTrouble(null);
    setSolved(null);
    const wish = instance ? { instance: instance.text }
      : { model: [name, ...model.parameters.map((_, i) => value(i))].join(':'), horizon };
    try { setSolved(await post<Solved>('/api/solve', wish)); }
    catch (problem) { setTrouble(upper((problem as Error).message)); }
    setBusy(false);
  }
  const choose = (next: string) => { setInstance(null); setName(next); setSolved(null); setTrouble(null); };
  return (
    <div class="events">
      <aside class="card stack">
        <h2>What is to be solved?</h2>
        <Field label="Model">
          <select value={instance ? '' : name} aria-label="Model" onChange={(event) => choose(event.currentTarget.value)}>
            {instance && <option value="">{instance.name}</option>}
            {MODELS.map((one) => <option value={one.name} key={one.name}>{one.title}</option>)}
          </select></Field>
        {!instance && <p class="quiet">{model.about}</p>}
        {!instance && model.parameters.map((parameter, i) => (
          <Field label={`${parameter.label}: ${value(i)}`} key={parameter.label}>
            <input type="range" min={parameter.least} max={parameter.most} value={value(i)} aria-label={parameter.label}
              onInput={(event) => setNumbers({ ...numbers, [`${name}/${i}`]: Number(event.currentTarget.value) })} /></Field>
        ))}
        {!instance && horizon !== undefined && (
          <Field label={`Rounds: ${horizon}`}>
            <input type="range" min="1" max="6" value={horizon} aria-label="Rounds"
              onInput={(event) => setNumbers({ ...numbers, [`${name}/horizon`]: Number(event.currentTarget.value) })} /></Field>
        )}
        <button class="button primary" disabled={busy} onClick={solve}>{busy ? 'Solving…' : 'Solve'}</button>
        <FileButton label="An instance of your own…" accept=".xml,.json,.txt"
          onText={(file, text) => { setInstance({ name: file, text }); setSolved(null); }} />
        <p class="help">XCSP3, or the JSON of <code>alea solve --write json</code></p>
      </aside>
      <div class="stack">
        <Trouble message={trouble} onClose={() => setTrouble(null)} />
        {busy && <Waiting>Solving; at most half a minute</Waiting>}
        {solved && <Outcome solved={solved} side={!instance && name.startsWith('connect') ? value(0) : null} />}
        {!solved && !busy && !trouble && <div class="narrow"><h1>Solve</h1>
          <p class="quiet">Models of the papers as constraint networks: strategic ones, where an opponent answers, and stochastic
            ones, where chance does. The solution is a strategy or a policy that you can walk through.</p></div>}
      </div>
    </div>
  );
}
