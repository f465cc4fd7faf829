// The form of a new tournament: games, entrants here and elsewhere, matches, time.

import { useState } from 'preact/hooks';
import { list, post, type Game, type Player } from './api';
import { byTitle, Field, sentence, Trouble, useLoaded } from './parts';

const ADDRESS = /^http:\/\/[^\s/]+:\d+\/?$/;

/** What was chosen, as chips that can be removed, and a list of what else there is. */
function Picker(props: { label: string; all: { name: string; text: string }[]; have: string[]; onChange: (to: string[]) => void }) {
  const { label, have } = props;
  return (
    <div class="field">
      <span class="label">{label}</span>
      {have.length > 0 && <div class="chips">{have.map((one) => (
        <button type="button" class="chip on" key={one} aria-label={`Remove ${one}`}
          onClick={() => props.onChange(have.filter((other) => other !== one))}>{one} ✕</button>))}</div>}
      <select aria-label={`Add: ${label}`} value="" onChange={(event) => {
        const one = event.currentTarget.value;
        if (one !== '' && !have.includes(one)) props.onChange([...have, one]);
        event.currentTarget.value = '';
      }}>
        <option value="">Add…</option>
        {props.all.filter((one) => !have.includes(one.name)).map((one) => <option value={one.name} key={one.name}>{one.text}</option>)}
      </select>
    </div>
  );
}

/** An entrant elsewhere, by its address. */
function Elsewhere(props: { onAdd: (address: string) => void }) {
  const [address, setAddress] = useState('');
  const good = ADDRESS.test(address);
  function add() { props.onAdd(address.replace(/\/$/, '')); setAddress(''); }
  return (
    <div class="field">
      <span class="label">A player elsewhere</span>
      <div class="row tight">
        <input type="text" inputMode="url" placeholder="http://127.0.0.1:9147" aria-label="Address of a player elsewhere" value={address}
          onInput={(event) => setAddress(event.currentTarget.value)}
          onKeyDown={(event) => { if (event.key === 'Enter') { event.preventDefault(); if (good) add(); } }} />
        <button type="button" class="button" disabled={!good} onClick={add}>Add</button>
      </div>
      <span class="help">one of <code>alea serve</code>, or any that speaks the GGP protocol, on this machine</span>
    </div>
  );
}

function Amount(props: { label: string; value: number; least: number; most: number; step?: number; onChange: (to: number) => void }) {
  return (
    <Field label={props.label}>
      <input type="number" min={props.least} max={props.most} step={props.step ?? 1} value={props.value} aria-label={props.label}
        onInput={(event) => props.onChange(Number(event.currentTarget.value))} /></Field>
  );
}

/** The first of 'first', 'first-2', … that is free. */
function freeName(taken: string[]): string {
  for (let i = 1; ; i++) {
    const name = i === 1 ? 'first' : `first-${i}`;
    if (!taken.includes(name)) return name;
  }
}

export function Form(props: { taken: string[]; onStart: (name: string) => void }) {
  const games = useLoaded(() => list<Game[]>('/api/games'), 'games');
  const players = useLoaded(() => list<Player[]>('/api/players'), 'players');
  const [name, setName] = useState<string | null>(null);
  const [chosen, setChosen] = useState<string[]>(['tictactoe']);
  const [field, setField] = useState<string[]>(['alea', 'uct']);
  const [matches, setMatches] = useState(10);
  const [clock, setClock] = useState(false);
  const [sims, setSims] = useState(200);
  const [seconds, setSeconds] = useState(1);
  const [trouble, setTrouble] = useState<string | null>(null);
  const remote = field.some((one) => one.startsWith('http://'));
  const timed = clock || remote;
  const called = name ?? freeName(props.taken);
  async function start(event: Event) {
    event.preventDefault();
    setTrouble(null);
    try {
      await post('/api/events', { name: called, games: chosen, players: field, matches, ...(timed ? { seconds } : { sims }) });
      setName(null);
      props.onStart(called);
    } catch (problem) { setTrouble(sentence(problem)); }
  }
  return (
    <form class="card stack" onSubmit={start}>
      <h2>A new tournament</h2>
      <Trouble message={trouble} onClose={() => setTrouble(null)} />
      <Field label="Name" help="small letters, digits, hyphens">
        <input type="text" value={called} pattern="[a-z0-9\-]{1,40}" required aria-label="Name of the tournament"
          onInput={(event) => setName(event.currentTarget.value)} /></Field>
      <Picker label="Games" all={byTitle(games.value)?.map((g) => ({ name: g.name, text: g.title })) ?? []} have={chosen} onChange={setChosen} />
      <Picker label="Players" all={players.value?.map((p) => ({ name: p.name, text: `${p.name} – ${p.summary}` })) ?? []}
        have={field} onChange={setField} />
      <Elsewhere onAdd={(address) => { if (!field.includes(address)) setField([...field, address]); }} />
      <Amount label="Matches of every pair in every game" value={matches} least={1} most={1000} onChange={setMatches} />
      <div class="field"><span class="label">Time for a move</span>
        <div class="tabs" role="group" aria-label="Time for a move">
          <button type="button" aria-pressed={!timed} disabled={remote} onClick={() => setClock(false)}>Simulations</button>
          <button type="button" aria-pressed={timed} onClick={() => setClock(true)}>Seconds</button>
        </div>
        {remote && <span class="help">players elsewhere have a clock, ten times as long for the rules</span>}</div>
      {timed ? <Amount label="Seconds a move" value={seconds} least={0.05} most={60} step={0.05} onChange={setSeconds} />
        : <Amount label="Simulations a move" value={sims} least={1} most={1000000} onChange={setSims} />}
      <button class="button primary" disabled={chosen.length === 0 || field.length === 0}>Start</button>
    </form>
  );
}
