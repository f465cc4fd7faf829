// Replay: a play step by step, from a record or from what was just played.

import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { list, post, type Game, type Replay as Played, type Subject } from './api';
import { Board } from './board';
import { plain } from './moves';
import { byTitle, FileButton, Icon, named, save, Section, sentence, Trouble, useLoaded, Waiting } from './parts';
import type { Plot } from './plot';
import { share } from './share';
import { useDark } from './theme';

/** What is replayed: the game, and its moves or a record. */
export interface Film { subject: Subject; moves?: string[]; record?: string; title?: string }

/** The name of the game that a record tells. */
export function gameOf(record: string): string | null {
  try {
    const value = JSON.parse(record) as Record<string, unknown>;
    const told = value.game ?? value.gameMetaURL ?? value.gameName;
    if (typeof told !== 'string') return null;
    const parts = told.replace(/\/(v\d+\/?)?$/, '').split('/');
    return parts[parts.length - 1].replace(/\.(kif|gdl|toss)$/, '').toLowerCase();
  } catch {
    const told = /<game-?name>([^<]+)</i.exec(record);
    return told ? told[1].trim().toLowerCase() : null;
  }
}

/** The record as it was opened, or one of what was played. */
function saveRecord(film: Film, played: Played): void {
  const text = film.record
    ?? JSON.stringify({ game: film.subject.game, moves: played.steps.slice(1).map((step) => step.moves) }, null, 1);
  const xml = text.trimStart().startsWith('<');
  save(xml ? 'match.xml' : 'match.json', xml ? 'application/xml' : 'application/json', text);
}

function Curve(props: { film: Played; at: number; onStep: (step: number) => void }) {
  const host = useRef<HTMLDivElement>(null);
  const chart = useRef<Plot | null>(null);
  const dark = useDark();
  const now = useRef(props.at); // for a curve that is drawn anew
  now.current = props.at;
  useEffect(() => {
    let here = true;
    const script = './plot.js';
    const series = props.film.roles.filter((role) => props.film.steps.some((s) => s.value?.role === role.name)).map((role) => ({
      label: role.spelling,
      values: props.film.steps.map((step, _, all) => step.value?.role === role.name ? step.value.value
        : step.over ? step.goals[props.film.roles.findIndex((r) => r.name === role.name)] : all.length === 1 ? 50 : null),
    }));
    (import(script) as Promise<typeof import('./plot')>).then((module) => {
      if (!here || !host.current) return;
      chart.current = module.plot(host.current, series, props.onStep);
      chart.current.at(now.current);
    });
    return () => { here = false; chart.current?.destroy(); chart.current = null; };
  }, [props.film, dark]);
  useEffect(() => chart.current?.at(props.at), [props.at]);
  return <div class="plot" ref={host} role="img" aria-label="The expected goal of the role to move, step by step" />;
}

function Reel(props: { film: Film; onClose: () => void }) {
  const [played, setPlayed] = useState<Played | null>(null);
  const [at, setAt] = useState(0);
  const [running, setRunning] = useState(false);
  const [busy, setBusy] = useState<string | null>('Playing it through');
  const [trouble, setTrouble] = useState<string | null>(null);
  const last = (played?.steps.length ?? 1) - 1;
  const end = useRef(last); // for the keys, from the first drawing on
  end.current = last;

  async function ask(values: boolean) {
    setBusy(values ? 'Thinking about every position' : 'Playing it through');
    try {
      const { subject, moves, record } = props.film;
      setPlayed(await post<Played>('/api/replay', { ...subject, moves, record, values }));
      setTrouble(null);
    } catch (problem) { setTrouble(sentence(problem)); }
    setBusy(null);
  }
  useEffect(() => { setAt(0); void ask(false); }, [props.film]);
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => setAt((step) => {
      if (step + 1 >= last) setRunning(false);
      return Math.min(step + 1, last);
    }), 900);
    return () => clearInterval(timer);
  }, [running, last]);
  useEffect(() => {
    function keyed(event: KeyboardEvent) {
      if (event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement) return;
      if (event.key === 'ArrowRight') setAt((step) => Math.min(step + 1, end.current));
      else if (event.key === 'ArrowLeft') setAt((step) => Math.max(step - 1, 0));
      else if (event.key === 'Home') setAt(0);
      else if (event.key === 'End') setAt(end.current);
      else return;
      event.preventDefault();
    }
    window.addEventListener('keydown', keyed);
    return () => window.removeEventListener('keydown', keyed);
  }, []);

  const step = played?.steps[at];
  const hasValues = played?.steps.some((s) => s.value !== null) ?? false;
  return (
    <div class="table">
      <div class="table-main">
        <header class="table-head">
          <div><h1>{played?.title ?? props.film.title ?? 'Replay'}</h1>
            <p class="quiet">{played && [props.film.title === played.title ? '' : props.film.title, last === 1 ? '1 step' : `${last} steps`]
              .filter((words) => words).join(', ')}</p></div>
          <p class="status" role="status">{step ? `Step ${at} of ${last}` : ''}</p>
        </header>
        <Trouble message={trouble ?? (played?.problem ? `It can be followed no further: ${played.problem}.` : null)} />
        {busy && <Waiting>{busy}</Waiting>}
        {step && <Board svg={step.svg} text={step.text} legal={[]} aims={played!.aims} last={(step.moves ?? []).map((move, r) => ({ move, role: played!.roles[r].name }))} />}
        {step && <div class="row actions reel">
          <button class="button icon" aria-label="To the start" disabled={at === 0} onClick={() => setAt(0)}><Icon path="M18 6l-8 6 8 6zM7 6v12" /></button>
          <button class="button icon" aria-label="One step back" disabled={at === 0} onClick={() => setAt(at - 1)}><Icon path="M16 6l-8 6 8 6z" /></button>
          <button class="button primary" disabled={last === 0} onClick={() => { if (at === last) setAt(0); setRunning(!running); }}>
            {running ? 'Pause' : 'Play'}</button>
          <button class="button icon" aria-label="One step on" disabled={at === last} onClick={() => setAt(at + 1)}><Icon path="M8 6l8 6-8 6z" /></button>
          <button class="button icon" aria-label="To the end" disabled={at === last} onClick={() => setAt(last)}><Icon path="M6 6l8 6-8 6zM17 6v12" /></button>
          <input type="range" min="0" max={last} value={at} aria-label="Step"
            onInput={(event) => setAt(Number(event.currentTarget.value))} />
        </div>}
        {step?.over && <p class="hint">The end: {played!.roles.map((role, r) => step.goals[r] === null ? null
          : `${role.spelling} ${step.goals[r]}`).filter((text) => text !== null).join(', ')}</p>}
      </div>
      <aside class="table-side">
        <Section title="Values" aside={hasValues ? null : <button class="button small" disabled={busy !== null || !played}
          onClick={() => ask(true)}>Compute</button>}>
          {hasValues && played ? <Curve film={played} at={at} onStep={setAt} />
            : <p class="quiet">What the role to move may expect at every step, by the player alea.</p>}
        </Section>
        {played && <Section title="Steps">
          <ol class="history jump" start={0}>
            {played.steps.map((one, i) => (
              <li key={i}><button aria-current={i === at} onClick={() => setAt(i)}>
                {one.moves === null ? 'start' : one.moves.filter((move) => move.startsWith('(')).map(plain).join('   ')
                  || one.moves.join(' ')}</button></li>
            ))}
          </ol>
        </Section>}
        <div class="row">
          {played && <button class="button" onClick={() => save('play.html', 'text/html', share(played))}>Save as a page</button>}
          {played && <button class="button" onClick={() => saveRecord(props.film, played)}>Save the record</button>}
          <button class="button quiet-button" onClick={props.onClose}>Another record</button>
        </div>
      </aside>
    </div>
  );
}

export function Replay(props: { film: Film | null; onFilm: (film: Film | null) => void }) {
  const games = useLoaded(() => list<Game[]>('/api/games'), 'games');
  const [record, setRecord] = useState<{ name: string; text: string } | null>(null);
  const [rules, setRules] = useState<{ name: string; text: string } | null>(null);
  const [game, setGame] = useState('');
  const told = useMemo(() => record ? gameOf(record.text) : null, [record]);
  const known = games.value?.some((g) => g.name === told) ?? false;
  if (props.film) return <Reel film={props.film} onClose={() => props.onFilm(null)} />;
  const chosen = game !== '' ? game : known ? told! : '';
  const ready = record !== null && (rules !== null || chosen !== '');
  function show() {
    const subject: Subject = rules
      ? { rules: rules.text, language: rules.name.endsWith('.toss') ? 'toss' : 'gdl', name: named(rules.name) } : { game: chosen };
    props.onFilm({ subject, record: record!.text, title: record!.name });
  }
  return (
    <div class="narrow">
      <h1>Replay a match</h1>
      <p class="quiet">A record as <code>alea match --json</code> prints it, or one of ggp-base, JSON or XML.</p>
      <div class="card stack">
        <div class="row"><FileButton label={record ? 'Another record…' : 'Open a record…'} accept=".json,.xml,.txt"
          onText={(name, text) => { setRecord({ name, text }); setGame(''); }} />
          <span class="quiet">{record ? record.name : 'no record yet'}</span></div>
        <label class="field"><span class="label">Its game</span>
          <select value={rules ? '' : chosen} onChange={(event) => { setRules(null); setGame(event.currentTarget.value); }}>
            <option value="">{rules ? rules.name : 'choose one'}</option>
            {byTitle(games.value)?.map((g) => <option value={g.name} key={g.name}>{g.title}</option>)}
          </select>
          <span class="help">{!record || rules || chosen !== '' ? ''
            : told ? `The record tells “${told}”, which does not ship: choose a game or open its rules.`
              : 'The record does not tell its game: choose one or open its rules.'}</span>
        </label>
        <div class="row"><FileButton label="Rules of your own…" accept=".kif,.gdl,.toss,.txt"
          onText={(name, text) => setRules({ name, text })} /></div>
        <button class="button primary" disabled={!ready} onClick={show}>Show it</button>
      </div>
      <p class="quiet">A game that you have played at the table can be replayed from there.</p>
    </div>
  );
}
