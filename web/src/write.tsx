// Write: rules with what is wrong about them in place, and the board beside it.

import { useEffect, useRef, useState } from 'preact/hooks';
import { get, list, post, type Checked, type Diagnostic, type Game, type Pictures, type Replay, type Subject, type Witness } from './api';
import { Board } from './board';
import type { Editor } from './editor';
import { ConstraintPicture, NetworkPicture, SymmetryPicture } from './graphs';
import { byTitle, FileButton, Said, save, Section, sentence, Trouble, useLoaded, Waiting } from './parts';

type Language = 'gdl' | 'toss';
const KEYS: Record<Language, string> = { gdl: 'alea-rules', toss: 'alea-rules-toss' };
const SPOKEN = 'alea-rules-language';
const START_TOSS = `// title: My rewriting game
// description: Whoever completes a column or a row of three takes it.

PLAYERS first, second

REL Row(x, y, z) = R(x, y) and R(y, z)
REL Column(x, y, z) = C(x, y) and C(y, z)
REL Won() = ex x, y, z ((Row(x, y, z) or Column(x, y, z)) and M(x) and M(y) and M(z))

RULE Mark: [a | | ] -> [a | M(a) | ] emb M pre not Won()

LOC 0 {
  PLAYER first { PAYOFF 0 - :(Won())  MOVES [Mark as mark -> 1] }
  PLAYER second { PAYOFF :(Won()) }
}
LOC 1 {
  PLAYER first { PAYOFF :(Won()) }
  PLAYER second { PAYOFF 0 - :(Won())  MOVES [Mark as mark -> 0] }
}

START [ | M:1 {} | ] "
  . . .
  . . .
  . . .
"
`;
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

const STARTS: Record<Language, string> = { gdl: START, toss: START_TOSS };
const ENDINGS: Record<Language, string> = { gdl: 'kif', toss: 'toss' };

type Info = Record<string, unknown>;
const FACTS: [string, string][] = [['information', 'Information'], ['moves', 'Moves'], ['has_random', 'Chance'], ['horizon', 'Longest play'],
  ['fluents', 'Fluents'], ['inputs', 'Moves in all'], ['gates', 'Gates of the network'], ['engine', 'Played by']];
const PLAYED: [string, string][] = [['playable', 'Everybody can always move'], ['terminating', 'Every play ends'],
  ['weakly_winnable', 'Everybody can win'], ['states', 'Positions'], ['mean_length', 'Steps of a random play'], ['most_moves', 'Most moves at once']];

const TURNS: Record<string, string> = { turn: 'in turn', simultaneous: 'at the same time' };
const ENGINES: Record<string, string> = { net: 'a network', lanes: 'a network', prover: 'a prover', toss: 'rewriting' };
const NAMES: Record<string, Record<string, string>> = { engine: ENGINES, moves: TURNS };
/** `unknown(100 plays)` is what is true of all plays that were tried. */
const said = (value: unknown) => typeof value === 'string' && value.startsWith('unknown(') ? `as far as seen in ${value.slice(8, -1)}` : value === true ? 'yes' : value === false ? 'no'
  : typeof value === 'number' ? value.toLocaleString('en-GB', { maximumFractionDigits: 1 }) : String(value);

/** What is known of the game; what is not is left out. */
function Facts(props: { info: Info }) {
  const scsp = props.info.scsp as Record<string, number> | null | undefined;
  const play = props.info.play as Info | null | undefined;
  const roles = props.info.roles as string[] | undefined;
  const row = (from: Info) => ([key, label]: [string, string]) => from[key] === null || from[key] === undefined ? null
    : <div key={key}><dt>{label}</dt><dd>{NAMES[key]?.[String(from[key])] ?? said(from[key])}</dd></div>;
  return (
    <dl class="facts">
      {roles && <div><dt>Roles</dt><dd>{roles.join(', ')}</dd></div>}
      {FACTS.map(row(props.info))}
      {play && PLAYED.map(row(play))}
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
            <span class="quiet">line {d.line}</span> <Said text={d.message} />
          </button>
        </li>
      ))}
    </ul>
  );
}

function useRules() {
  const [language, setLanguage] = useState<Language>(() => sessionStorage.getItem(SPOKEN) === 'toss' ? 'toss' : 'gdl');
  const [text, setText] = useState(() => sessionStorage.getItem(KEYS[language]) ?? STARTS[language]);
  useEffect(() => {
    sessionStorage.setItem(SPOKEN, language);
    sessionStorage.setItem(KEYS[language], text);
  }, [text, language]);
  return { language, setLanguage, text, setText };
}

export function Write(props: { onPlay: (subject: Subject) => void; onWitness: (subject: Subject, moves: string[], title: string) => void }) {
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<Editor | null>(null);
  const { language, setLanguage, text, setText } = useRules();
  const [checked, setChecked] = useState<Checked | null>(null);
  const [board, setBoard] = useState<Replay | null>(null);
  const [info, setInfo] = useState<Info | null>(null);
  const [pictures, setPictures] = useState<Pictures | null>(null);
  const [busy, setBusy] = useState<string | null>('Checking the rules');
  const [trouble, setTrouble] = useState<string | null>(null);
  const games = useLoaded(() => list<Game[]>('/api/games'), 'games');
  const subject: Subject = { rules: text, language };
  const written = useRef(text);
  written.current = text;

  useEffect(() => {
    let here = true;
    const script = './editor.js';
    (import(script) as Promise<typeof import('./editor')>).then((module) => {
      if (here && host.current) editor.current = module.mount(host.current, text, language, setText);
    }, () => setTrouble('The editor cannot be loaded.'));
    return () => { here = false; editor.current?.destroy(); editor.current = null; };
  }, []);

  useEffect(() => {
    const cancel = new AbortController();
    setInfo(null);
    setPictures(null);
    const timer = setTimeout(async () => {
      setBusy('Checking the rules');
      try {
        const found = await post<Checked>('/api/check', subject, cancel.signal);
        setChecked(found);
        setTrouble(null);
        editor.current?.mark(found.diagnostics.filter((d) => d.line > 0));
        if (found.valid) setBoard(await post<Replay>('/api/replay', { ...subject, moves: [] }, cancel.signal));
        setBusy(null);
      } catch (problem) {
        if ((problem as Error).name === 'AbortError') return;
        setBusy(null);
        setTrouble(sentence(problem));
      }
    }, 350);
    return () => { clearTimeout(timer); cancel.abort(); };
  }, [text, language]);

  async function describe() {
    setBusy('Looking for sizes, constraints and symmetries');
    try {
      const [facts, parts] = await Promise.all([post<Info>('/api/info', subject), post<Pictures>('/api/pictures', subject)]);
      if (written.current !== text) return; // it is about rules that are no longer there
      setInfo(facts);
      setPictures(parts);
    } catch (problem) { setTrouble(sentence(problem)); }
    setBusy(null);
  }

  /** Other rules in the editor; the old marks would point at nothing. */
  function replace(rules: string, spoken: Language) {
    setChecked(null);
    setLanguage(spoken);
    setText(rules);
    editor.current?.mark([]);
    editor.current?.set(rules, spoken);
  }

  async function load(name: string) {
    if (name === '') return;
    try {
      const file = await get<{ rules: string; file: string }>(`/api/games/${encodeURIComponent(name)}/rules`);
      replace(file.rules, file.file.endsWith('.toss') ? 'toss' : 'gdl');
    } catch (problem) { setTrouble(sentence(problem)); }
  }

  function speak(next: Language) {
    if (next !== language) replace(sessionStorage.getItem(KEYS[next]) ?? STARTS[next], next);
  }

  function witness(play: Witness) {
    props.onWitness(subject, play.moves, `Play to ${play.code.replace(/-/g, ' ')}`);
  }

  const errors = checked?.diagnostics.filter((d) => d.severity === 'error').length ?? 0;
  const warnings = (checked?.diagnostics.length ?? 0) - errors;
  return (
    <div class="write">
      <div class="write-main">
        <header class="row spread">
          <div class="row"><h1>Write a game</h1>
            <div class="tabs" role="group" aria-label="Language">
              <button aria-pressed={language === 'gdl'} onClick={() => speak('gdl')}>GDL</button>
              <button aria-pressed={language === 'toss'} onClick={() => speak('toss')}>Toss</button>
            </div></div>
          <div class="row">
            <select aria-label="Begin with a game that ships" value="" onChange={(event) => load(event.currentTarget.value)}>
              <option value="">Begin with…</option>
              {byTitle(games.value)?.map((g) => <option value={g.name} key={g.name}>{g.title}</option>)}
            </select>
            <FileButton label="Open…" accept=".kif,.gdl,.toss,.txt"
              onText={(name, rules) => replace(rules, name.endsWith('.toss') ? 'toss' : 'gdl')} />
            <button class="button quiet-button" onClick={() => save(`game.${ENDINGS[language]}`, 'text/plain', text)}>Save</button>
          </div>
        </header>
        <div class="editor card" ref={host} />
      </div>
      <aside class="write-side">
        <div class="row">
          <button class="button primary" disabled={!checked?.valid || busy !== null}
            onClick={() => props.onPlay(subject)}>Play it</button>
          <button class="button" disabled={!checked?.valid || busy !== null} onClick={describe}>Describe</button>
        </div>
        <Trouble message={trouble} onClose={() => setTrouble(null)} />
        {busy && <Waiting>{busy}</Waiting>}
        {checked && !busy && <p class={`verdict ${checked.valid ? 'good' : 'bad'}`} role="status">
          {checked.valid ? 'Valid rules' : 'Not valid yet'}
          <span class="quiet"> {errors + warnings === 0 ? 'without a warning'
            : `${errors === 1 ? '1 error' : `${errors} errors`}, ${warnings === 1 ? '1 warning' : `${warnings} warnings`}`}</span></p>}
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
        {board && checked?.valid && board.steps.length > 0 && (
          <Section title="The first position">
            <Board svg={board.steps[0].svg} text={board.steps[0].text} legal={[]} last={[]} />
          </Section>
        )}
        {info && <Section title="What it is"><Facts info={info} /></Section>}
        {pictures?.symmetry && <Section title="Symmetries"><SymmetryPicture symmetry={pictures.symmetry} svg={board?.steps[0]?.svg ?? null} /></Section>}
        {pictures?.network && <Section title="The network of the rules"><NetworkPicture network={pictures.network} /></Section>}
        {pictures?.constraints && <Section title="The constraints of a stage"><ConstraintPicture constraints={pictures.constraints} /></Section>}
        {pictures && !pictures.network && <p class="quiet">This game is played without a network: it is proved or rewritten step by step.</p>}
      </aside>
    </div>
  );
}
