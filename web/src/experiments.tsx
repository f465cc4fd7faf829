// Experiments: what the papers claim, what was measured, and the button that measures it again here.

import { useEffect, useMemo, useState } from 'preact/hooks';
import { get, post, Refused } from './api';
import { Field, sentence, Trouble, upper, useLoaded, Waiting } from './parts';
import { reasonOf, stopRun, useRun, type Run } from './run';

interface Claim {
  claim: string; source: string; published: string; ours: string; outcome: string; experiment: string;
  more: { name: string; value: string }[];
}
interface Experiment { name: string; title: string; matches: boolean; run: string | null }
interface Stored { experiments: Experiment[]; claims: string }
type News = { event: { done: number; matches: number } };

/** A cell of a table without its marks of emphasis and links. */
const bare = (cell: string) => cell.trim().replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/\*\*|`/g, '');

/** The table of claims in the document of results, or in what the command prints. */
export function readClaims(text: string): { claims: Claim[]; about: string } {
  const part = /<!-- claims -->([\s\S]*?)<!-- \/claims -->/.exec(text)?.[1] ?? text;
  const rows = part.split('\n').filter((line) => line.startsWith('|'))
    .map((line) => line.split('|').slice(1, -1).map(bare));
  const head = rows[0] ?? [];
  const claims = rows.slice(2).filter((row) => row.length === head.length).map((row) => ({
    claim: row[0], source: row[1], published: row[2], ours: row[3], outcome: row[4],
    experiment: /alea experiment (\S+)/.exec(row[row.length - 1])?.[1] ?? '',
    more: head.map((name, i) => ({ name, value: row[i] })).slice(5).filter(({ value }) => value !== '' && value !== '–'),
  }));
  const about = part.split('\n').map((line) => line.trim()).find((line) => line.startsWith('One number')) ?? '';
  return { claims, about: bare(about) };
}

async function load(): Promise<string> {
  const answer = await fetch('/README.md');
  if (!answer.ok) throw new Refused(answer.status, 'The table of results cannot be read');
  return answer.text();
}

const KINDS = ['reproduced', 'not reproduced', 'contradicted', 'not measured'];
const kindOf = (outcome: string) => [...KINDS].reverse().find((kind) => outcome.startsWith(kind)) ?? 'not measured';
const className = (kind: string) => kind.replace(/ /g, '-');
const number = (name: string) => Number(/\d+/.exec(name)?.[0] ?? 99);

/** Seconds that a run has taken, every second anew. */
function useElapsed(run: Run | null): number {
  const [now, setNow] = useState(Date.now());
  const since = useMemo(() => Date.now() - 1000 * (run?.seconds ?? 0), [run]);
  useEffect(() => {
    if (run?.state !== 'running') return;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [run?.state]);
  return Math.max(0, Math.round((now - since) / 1000));
}

/** How one experiment is run here: bounds, progress, stop, and what it printed. */
function Runner(props: { experiment: Experiment; onNews: () => void }) {
  const { name, matches } = props.experiment;
  const [id, setId] = useState<string | null>(props.experiment.run);
  const [open, setOpen] = useState(false);
  const [count, setCount] = useState(10);
  const [minutes, setMinutes] = useState(5);
  const [trouble, setTrouble] = useState<string | null>(null);
  const { run, lost } = useRun<News>(id);
  const elapsed = useElapsed(run);
  const running = run?.state === 'running';
  const live = run?.live?.event ?? null;
  useEffect(() => { if (run && !running) props.onNews(); }, [run?.state]);
  useEffect(() => {
    if (!running || !matches) return;
    const timer = setInterval(props.onNews, 5000);
    return () => clearInterval(timer);
  }, [running]);

  async function start(event: Event) {
    event.preventDefault();
    setTrouble(null);
    try {
      setId((await post<{ id: string }>(`/api/experiments/${name}/run`, { matches: count, minutes })).id);
      setOpen(false);
    } catch (problem) { setTrouble(sentence(problem)); }
  }
  if (running) return (
    <div class="runner">
      <div class="row spread"><Waiting>{live ? `Playing: ${live.done} of ${live.matches} matches, ${elapsed} s` : `Computing, ${elapsed} s`}</Waiting>
        <button class="button small" onClick={() => stopRun(id!).catch(() => undefined)}>Stop</button></div>
      {live && <progress max={live.matches} value={live.done} aria-label="Matches played" />}
    </div>
  );
  return (
    <div class="runner">
      {!open ? <div class="row">
        <button class="button small" aria-label={`Run ${name}`} onClick={() => setOpen(true)}>Run it here…</button>
        {run && !lost && <span class="quiet" role="status">{run.state === 'done' ? `Measured here in ${elapsed} s`
          : run.state === 'stopped' ? 'Stopped; what was played counts' : `It ended without a result: ${reasonOf(run)}`}</span>}
      </div> : <form class="run-form" onSubmit={start}>
        {matches && <Field label="Matches of every pair"><input type="number" min="1" max="1000" value={count} aria-label="Matches of every pair"
          onInput={(event) => setCount(Number(event.currentTarget.value))} /></Field>}
        <Field label="Minutes at most"><input type="number" min="0.5" max="120" step="0.5" value={minutes} aria-label="Minutes at most"
          onInput={(event) => setMinutes(Number(event.currentTarget.value))} /></Field>
        <div class="row"><button class="button primary">Run</button>
          <button type="button" class="button quiet-button" onClick={() => setOpen(false)}>Cancel</button></div>
        <p class="help">It runs on this machine, in a process of its own.{matches && ' Matches are stored: a second run goes on where the first ended, and more of them make the intervals narrower.'}</p>
      </form>}
      <Trouble message={trouble} onClose={() => setTrouble(null)} />
      {run?.state === 'done' && run.output && <details class="stats"><summary>The whole report</summary><pre class="report">{run.output}</pre></details>}
    </div>
  );
}

function ClaimRow(props: { one: Claim; here: Claim | undefined }) {
  const { one, here } = props;
  const measured = here !== undefined && kindOf(here.outcome) !== 'not measured';
  return (
    <li class={`claim ${className(kindOf(one.outcome))}`}>
      <div><strong>{upper(one.claim)}</strong><br /><span class="quiet">{one.source}</span></div>
      <div class="figures"><span class="label">theirs</span><br />{one.published}</div>
      <div class="figures"><span class="label">ours</span><br />{one.ours}</div>
      <span class="tone">{one.outcome}</span>
      {measured && <p class={`here ${className(kindOf(here.outcome))}`}><span class="label">measured here</span> {here.ours}
        <span class="tone">{here.outcome}</span></p>}
      {one.more.length > 0 && <details><summary>How it is measured</summary>
        {one.more.map(({ name, value }) => <p key={name}><strong>{name}</strong>: <span class="move">{value}</span></p>)}</details>}
    </li>
  );
}

export function Experiments() {
  const text = useLoaded(load, 'claims');
  const [wanted, setWanted] = useState('all');
  const [stored, setStored] = useState<Stored | null>(null);
  const [trouble, setTrouble] = useState<string | null>(null);
  const look = () => get<Stored>('/api/experiments').then(setStored, (problem: Error) => setTrouble(sentence(problem)));
  useEffect(() => { void look(); }, []);
  const { claims, about } = useMemo(() => text.value ? readClaims(text.value) : { claims: [], about: '' }, [text.value]);
  const here = useMemo(() => new Map((stored ? readClaims(stored.claims).claims : []).map((one) => [`${one.claim}/${one.source}`, one])), [stored]);
  const counts = KINDS.map((kind) => ({ kind, count: claims.filter((one) => kindOf(one.outcome) === kind).length }))
    .filter(({ count }) => count > 0);
  const shown = claims.filter((one) => wanted === 'all' || kindOf(one.outcome) === wanted);
  const names = [...new Set(shown.map((one) => one.experiment))].sort((a, b) => number(a) - number(b) || a.localeCompare(b));
  return (
    <div class="experiments">
      <header class="stack">
        <h1>What the papers claim</h1>
        <Trouble message={text.trouble ?? trouble} />
        {!text.value && !text.trouble && <Waiting>Reading the table of results</Waiting>}
        {claims.length > 0 && <>
          <p class="quiet">{about}</p>
          <div class="share" role="img" aria-label={counts.map(({ kind, count }) => `${count} ${kind}`).join(', ')}>
            {counts.map(({ kind, count }) => <span key={kind} class={className(kind)} style={{ flex: count }} />)}
          </div>
          <div class="tabs" role="group" aria-label="Outcomes">
            {[{ kind: 'all', count: claims.length }, ...counts].map(({ kind, count }) => (
              <button key={kind} aria-pressed={wanted === kind} onClick={() => setWanted(kind)}>{kind} {count}</button>
            ))}
          </div>
        </>}
      </header>
      {names.map((name) => {
        const experiment = stored?.experiments.find((one) => one.name === name);
        return (
          <section class="experiment" key={name} data-experiment={name}>
            <header><h2><span class="quiet">{name}</span> {experiment?.title ?? ''}</h2></header>
            {experiment && <Runner experiment={experiment} onNews={look} />}
            <ul class="claims">{shown.filter((one) => one.experiment === name).map((one, i) => (
              <ClaimRow key={`${one.claim}${i}`} one={one} here={here.get(`${one.claim}/${one.source}`)} />))}</ul>
          </section>
        );
      })}
    </div>
  );
}
