// Write: rules with what is wrong about them in place, and the board beside it.

import { useEffect, useRef, useState } from 'preact/hooks';
import { get, list, post, type Checked, type Diagnostic, type Game, type Replay, type Subject, type Witness } from './api';
import { Board } from './board';
import type { Editor } from './editor';
import { FileButton, save, Section, Trouble, upper, useLoaded, Waiting } from './parts';

const KEY = 'alea-rules';
const START = `;; title: My game
;; description: Whoever takes the last of five stones wins.
(role first)
(role second)

(init (stones 5))
(init (control first))

(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)

(<= (legal ?p (take 1)) (true (control ?p)) (true (stones ?n)) (succ ?m ?n))
(<= (legal ?p (take 2)) (true (control ?p)) (true (stones ?n)) (succ ?m ?n) (succ ?k ?m))
(<= (legal first noop) (true (control second)))
(<= (legal second noop) (true (control first)))

(<= (next (stones ?m)) (does ?p (take 1)) (true (stones ?n)) (succ ?m ?n))
(<= (next (stones ?k)) (does ?p (take 2)) (true (stones ?n)) (succ ?m ?n) (succ ?k ?m))
(<= (next (control second)) (true (control first)))
(<= (next (control first)) (true (control second)))

(<= terminal (true (stones 0)))
(<= (goal first 100) (true (stones 0)) (true (control second)))
(<= (goal first 0) (true (stones 0)) (true (control first)))
(<= (goal second 100) (true (stones 0)) (true (control first)))
(<= (goal second 0) (true (stones 0)) (true (control second)))
`;

type Info = Record<string, unknown>;
const FACTS: [string, string][] = [['information', 'Information'], ['moves', 'Moves'], ['fluents', 'Fluents'],
  ['inputs', 'Moves in all'], ['gates', 'Gates of the network'], ['symmetries', 'Symmetries'], ['has_random', 'Chance']];

function Facts(props: { info: Info }) {
  const scsp = props.info.scsp as Record<string, number> | null | undefined;
  const said = (value: unknown) => value === true ? 'yes' : value === false ? 'no' : String(value ?? '–');
  return (
    <dl class="facts">
      {FACTS.filter(([key]) => key in props.info).map(([key, label]) => (
        <div key={key}><dt>{label}</dt><dd>{said(props.info[key])}</dd></div>
      ))}
      {scsp && <div><dt>Constraint network</dt>
        <dd>{scsp.vars} variables, {scsp.constraints} constraints, domains up to {scsp.max_domain}</dd></div>}
    </dl>
  );
}

function Problems(props: { list: Diagnostic[]; onShow: (d: Diagnostic) => void }) {
  return (
    <ul class="problems">
      {props.list.map((d, i) => (
        <li key={i}>
          <button class={`problem ${d.severity ?? 'error'}`} onClick={() => props.onShow(d)}>
            <span class="quiet">line {d.line}</span> {d.message}
          </button>
        </li>
      ))}
    </ul>
  );
}

export function Write(props: { onPlay: (subject: Subject) => void; onWitness: (subject: Subject, moves: string[], title: string) => void }) {
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<Editor | null>(null);
  const [text, setText] = useState(() => sessionStorage.getItem(KEY) ?? START);
  const [checked, setChecked] = useState<Checked | null>(null);
  const [board, setBoard] = useState<Replay | null>(null);
  const [info, setInfo] = useState<Info | null>(null);
  const [busy, setBusy] = useState<string | null>('Checking the rules');
  const [trouble, setTrouble] = useState<string | null>(null);
  const games = useLoaded(() => list<Game[]>('/api/games'), 'games');

  useEffect(() => {
    let here = true;
    const script = './editor.js';
    (import(script) as Promise<typeof import('./editor')>).then((module) => {
      if (here && host.current) editor.current = module.mount(host.current, text, setText);
    }, () => setTrouble('The editor cannot be loaded.'));
    return () => { here = false; editor.current?.destroy(); editor.current = null; };
  }, []);

  useEffect(() => {
    sessionStorage.setItem(KEY, text);
    const cancel = new AbortController();
    setInfo(null);
    const timer = setTimeout(async () => {
      setBusy('Checking the rules');
      try {
        const found = await post<Checked>('/api/check', { rules: text }, cancel.signal);
        setChecked(found);
        setTrouble(null);
        editor.current?.mark(found.diagnostics.filter((d) => d.line > 0));
        if (found.valid) setBoard(await post<Replay>('/api/replay', { rules: text, moves: [] }, cancel.signal));
        setBusy(null);
      } catch (problem) {
        if ((problem as Error).name === 'AbortError') return;
        setBusy(null);
        setTrouble(upper((problem as Error).message));
      }
    }, 350);
    return () => { clearTimeout(timer); cancel.abort(); };
  }, [text]);

  async function describe() {
    setBusy('Looking for sizes and symmetries');
    try { setInfo(await post<Info>('/api/info', { rules: text })); }
    catch (problem) { setTrouble(upper((problem as Error).message)); }
    setBusy(null);
  }

  async function load(name: string) {
    if (name === '') return;
    try {
      const file = await get<{ rules: string; file: string }>(`/api/games/${encodeURIComponent(name)}/rules`);
      editor.current?.set(file.rules);
    } catch (problem) { setTrouble(upper((problem as Error).message)); }
  }

  function witness(play: Witness) {
    props.onWitness({ rules: text, language: 'gdl' }, play.moves, `Play to ${play.code}`);
  }

  const errors = checked?.diagnostics.filter((d) => d.severity === 'error').length ?? 0;
  const warnings = (checked?.diagnostics.length ?? 0) - errors;
  return (
    <div class="write">
      <div class="write-main">
        <header class="row spread">
          <h1>Write a game</h1>
          <div class="row">
            <select aria-label="Begin with a game that ships" value="" onChange={(event) => load(event.currentTarget.value)}>
              <option value="">Begin with…</option>
              {games.value?.filter((g) => g.language === 'gdl').map((g) => <option value={g.name} key={g.name}>{g.title}</option>)}
            </select>
            <FileButton label="Open…" accept=".kif,.gdl,.txt" onText={(_, rules) => editor.current?.set(rules)} />
            <button class="button quiet-button" onClick={() => save('game.kif', 'text/plain', text)}>Save</button>
          </div>
        </header>
        <div class="editor card" ref={host} />
      </div>
      <aside class="write-side">
        <div class="row">
          <button class="button primary" disabled={!checked?.valid || busy !== null}
            onClick={() => props.onPlay({ rules: text, language: 'gdl' })}>Play it</button>
          <button class="button" disabled={!checked?.valid || busy !== null} onClick={describe}>Describe</button>
        </div>
        <Trouble message={trouble} onClose={() => setTrouble(null)} />
        {busy && <Waiting>{busy}</Waiting>}
        {checked && !busy && <p class={`verdict ${checked.valid ? 'good' : 'bad'}`} role="status">
          {checked.valid ? 'Valid rules' : 'Not valid yet'}
          <span class="quiet"> {errors === 1 ? '1 error' : `${errors} errors`}, {warnings === 1 ? '1 warning' : `${warnings} warnings`}</span></p>}
        {checked && checked.diagnostics.length > 0 && (
          <Section title="Problems">
            <Problems list={checked.diagnostics} onShow={(d) => editor.current?.show(d.line, d.column)} />
          </Section>
        )}
        {checked?.plays && checked.plays.length > 0 && (
          <Section title="Plays that show it">
            <div class="chips">
              {checked.plays.map((play, i) => (
                <button class="chip" key={i} data-witness={play.code} onClick={() => witness(play)}>
                  {play.code.replace(/-/g, ' ')}{play.role ? ` (${play.role})` : ''}, {play.moves.length} {play.moves.length === 1 ? "step" : "steps"}
                </button>
              ))}
            </div>
          </Section>
        )}
        {info && <Section title="What it is"><Facts info={info} /></Section>}
        {board && checked?.valid && board.steps.length > 0 && (
          <Section title="The first position">
            <Board svg={board.steps[0].svg} text={board.steps[0].text} legal={[]} last={[]} />
          </Section>
        )}
      </aside>
    </div>
  );
}
