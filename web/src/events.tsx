// Events: tournaments, from a form to the table of results.

import { useEffect, useState } from 'preact/hooks';
import { get, list, post, type EventEntry, type Game, type Pairing, type Player, type Report, type Standing } from './api';
import { Field, Section, Trouble, upper, useLoaded, Waiting } from './parts';

/** Where a score and its interval lie, between 0 and 1. */
function Interval(props: { score: number; low: number; high: number }) {
  const said = `${Math.round(100 * props.score)} %, between ${Math.round(100 * props.low)} and ${Math.round(100 * props.high)}`;
  return (
    <span class="interval" role="img" aria-label={said} title={said}>
      <span class="span" style={{ left: `${100 * props.low}%`, width: `${100 * (props.high - props.low)}%` }} />
      <span class="point" style={{ left: `${100 * props.score}%` }} />
    </span>
  );
}

/** Wilson's interval of a score, as reports have it. */
function wilson(score: number, matches: number): [number, number] {
  const z = 1.959964, n = Math.max(matches, 1), z2 = (z * z) / n;
  const middle = (score + z2 / 2) / (1 + z2);
  const half = (z * Math.sqrt((score * (1 - score)) / n + z2 / (4 * n))) / (1 + z2);
  return [Math.max(0, middle - half), Math.min(1, middle + half)];
}

function Standings(props: { players: Standing[] }) {
  const sorted = [...props.players].sort((a, b) => (b.elo ?? 0) - (a.elo ?? 0));
  return (
    <div class="scroll">
      <table class="results">
        <thead><tr><th>Player</th><th class="n">Elo</th><th>Score, 95 %</th><th class="n">W / D / L</th><th class="n">Matches</th></tr></thead>
        <tbody>{sorted.map((player) => {
          const score = player.matches > 0 ? (player.wins + player.draws / 2) / player.matches : 0.5;
          const [low, high] = wilson(score, player.matches);
          return (
            <tr key={player.player}>
              <th scope="row">{player.player}</th>
              <td class="n">{player.elo === null ? '–' : <>{player.elo.toFixed(0)} <span class="quiet">± {player.elo_error?.toFixed(0)}</span></>}</td>
              <td><Interval score={score} low={low} high={high} /></td>
              <td class="n">{player.wins} / {player.draws} / {player.losses}</td>
              <td class="n">{player.matches}</td>
            </tr>
          );
        })}</tbody>
      </table>
    </div>
  );
}

/** Points of the player of a row against that of a column, all games together. */
function cross(pairings: Pairing[], row: string, column: string): { score: number; matches: number } | null {
  let points = 0, matches = 0;
  for (const p of pairings) {
    const played = p.wins + p.draws + p.losses;
    if (p.first === row && p.second === column) { points += p.wins + p.draws / 2; matches += played; }
    else if (p.first === column && p.second === row) { points += p.losses + p.draws / 2; matches += played; }
  }
  return matches > 0 ? { score: points / matches, matches } : null;
}

function HeatMap(props: { report: Report }) {
  const names = props.report.players.map((player) => player.player);
  if (names.length < 2) return null;
  return (
    <div class="scroll">
      <table class="heat">
        <thead><tr><th aria-label="player" />{names.map((name) => <th key={name} scope="col">{name}</th>)}</tr></thead>
        <tbody>{names.map((row) => (
          <tr key={row}><th scope="row">{row}</th>{names.map((column) => {
            const cell = row === column ? null : cross(props.report.pairings, row, column);
            if (!cell) return <td key={column} class="none" />;
            const strength = Math.round(Math.abs(cell.score - 0.5) * 100);
            return (
              <td key={column} title={`${row} against ${column}: ${cell.matches} matches`}
                style={{ background: `color-mix(in srgb, var(${cell.score >= 0.5 ? '--accent' : '--rose'}) ${strength}%, var(--wash))` }}>
                {Math.round(100 * cell.score)}</td>
            );
          })}</tr>
        ))}</tbody>
      </table>
    </div>
  );
}

function Games(props: { pairings: Pairing[] }) {
  return (
    <div class="scroll">
      <table class="results">
        <thead><tr><th>Game</th><th>First</th><th>Second</th><th>Score of the first, 95 %</th><th class="n">Played</th></tr></thead>
        <tbody>{props.pairings.map((p, i) => (
          <tr key={i}><td>{p.game}</td><td>{p.first}</td><td>{p.second}</td>
            <td>{p.done > 0 ? <Interval score={p.score} low={p.low} high={p.high} /> : <span class="quiet">not yet</span>}</td>
            <td class="n">{p.done} of {p.planned}</td></tr>
        ))}</tbody>
      </table>
    </div>
  );
}

function Detail(props: { entry: EventEntry; onChange: () => void }) {
  const { name, running } = props.entry;
  const [report, setReport] = useState<Report | null>(null);
  const [trouble, setTrouble] = useState<string | null>(null);
  useEffect(() => {
    let here = true;
    let timer = 0;
    async function look() {
      try {
        const next = await get<Report>(`/api/events/${name}`);
        if (here) { setReport(next); setTrouble(null); }
      } catch (problem) {
        if (here && !running) setTrouble(upper((problem as Error).message));
      }
      if (here && running) { timer = window.setTimeout(look, 1500); props.onChange(); }
    }
    void look();
    return () => { here = false; clearTimeout(timer); };
  }, [name, running]);
  useEffect(() => setReport(null), [name]);

  async function act(what: 'stop' | 'resume') {
    try { await post(`/api/events/${name}/${what}`, {}); }
    catch (problem) { setTrouble(upper((problem as Error).message)); }
    props.onChange();
  }

  const planned = report?.pairings.reduce((sum, p) => sum + p.planned, 0) ?? 0;
  const done = report?.pairings.reduce((sum, p) => sum + p.done, 0) ?? 0;
  return (
    <div class="stack event">
      <header class="row spread">
        <div><h1>{name}</h1><p class="quiet" role="status">{running ? 'Running' : done < planned ? 'Stopped' : 'Finished'}
          {planned > 0 && <>, {done} of {planned} matches</>}</p></div>
        {running ? <button class="button" onClick={() => act('stop')}>Stop</button>
          : props.entry.described && done < planned && <button class="button primary" onClick={() => act('resume')}>Resume</button>}
      </header>
      {planned > 0 && <progress max={planned} value={done} aria-label="Matches played" />}
      <Trouble message={trouble} />
      {!report && !trouble && <Waiting>Waiting for the first results</Waiting>}
      {report && <>
        <Section title="Players"><Standings players={report.players} /></Section>
        <Section title="Who beats whom" aside={<span class="quiet">points in 100 of the row against the column</span>}>
          <HeatMap report={report} /></Section>
        <Section title="Games"><Games pairings={report.pairings} /></Section>
      </>}
    </div>
  );
}

function Form(props: { onStart: (name: string) => void }) {
  const games = useLoaded(() => list<Game[]>('/api/games'), 'games');
  const players = useLoaded(() => list<Player[]>('/api/players'), 'players');
  const [name, setName] = useState('first');
  const [chosen, setChosen] = useState<string[]>(['tictactoe']);
  const [field, setField] = useState<string[]>(['alea', 'uct']);
  const [matches, setMatches] = useState(10);
  const [sims, setSims] = useState(200);
  const [trouble, setTrouble] = useState<string | null>(null);
  async function start(event: Event) {
    event.preventDefault();
    try {
      await post('/api/events', { name, games: chosen, players: field, matches, sims });
      props.onStart(name);
    } catch (problem) { setTrouble(upper((problem as Error).message) + '.'); }
  }
  const without = (from: string[], one: string) => from.filter((other) => other !== one);
  const picker = (label: string, all: { name: string; text: string }[], have: string[], set: (to: string[]) => void) => (
    <div class="field">
      <span class="label">{label}</span>
      <div class="chips">{have.map((one) => (
        <button type="button" class="chip on" key={one} aria-label={`Remove ${one}`} onClick={() => set(without(have, one))}>{one} ✕</button>))}</div>
      <select aria-label={`Add: ${label}`} value="" onChange={(event) => {
        const one = event.currentTarget.value;
        if (one !== '' && !have.includes(one)) set([...have, one]);
        event.currentTarget.value = '';
      }}>
        <option value="">Add…</option>
        {all.filter((one) => !have.includes(one.name)).map((one) => <option value={one.name} key={one.name}>{one.text}</option>)}
      </select>
    </div>
  );
  return (
    <form class="card stack" onSubmit={start}>
      <h2>A new tournament</h2>
      <Trouble message={trouble} onClose={() => setTrouble(null)} />
      <Field label="Name" help="small letters, digits, hyphens">
        <input type="text" value={name} pattern="[a-z0-9\-]{1,40}" required aria-label="Name of the tournament"
          onInput={(event) => setName(event.currentTarget.value)} /></Field>
      {picker('Games', games.value?.map((g) => ({ name: g.name, text: g.title })) ?? [], chosen, setChosen)}
      {picker('Players', players.value?.map((p) => ({ name: p.name, text: `${p.name} – ${p.summary}` })) ?? [], field, setField)}
      <Field label="Matches of every pair in every game">
        <input type="number" min="1" max="1000" value={matches} aria-label="Matches"
          onInput={(event) => setMatches(Number(event.currentTarget.value))} /></Field>
      <Field label="Simulations a move">
        <input type="number" min="1" max="1000000" value={sims} aria-label="Simulations a move"
          onInput={(event) => setSims(Number(event.currentTarget.value))} /></Field>
      <button class="button primary" disabled={chosen.length === 0 || field.length === 0}>Start</button>
    </form>
  );
}

export function Events() {
  const [entries, setEntries] = useState<EventEntry[] | null>(null);
  const [chosen, setChosen] = useState<string | null>(null);
  const [trouble, setTrouble] = useState<string | null>(null);
  const load = () => get<EventEntry[]>('/api/events').then((found) => { setEntries(found); setTrouble(null); },
    (problem: Error) => setTrouble(upper(problem.message)));
  useEffect(() => { void load(); }, []);
  const entry = entries?.find((one) => one.name === chosen) ?? null;
  return (
    <div class="events">
      <aside class="stack">
        <Trouble message={trouble} />
        <Section title="Events">
          {entries === null && !trouble && <Waiting>Looking for databases of results</Waiting>}
          {entries?.length === 0 && <p class="quiet">No database of results is in the folder yet.</p>}
          <ul class="event-list">{entries?.map((one) => (
            <li key={one.name}><button aria-current={one.name === chosen} onClick={() => setChosen(one.name)}>
              <span>{one.name}</span>{one.running && <span class="pill live">running</span>}</button></li>
          ))}</ul>
        </Section>
        <Form onStart={(name) => { setChosen(name); void load(); }} />
      </aside>
      {entry ? <Detail entry={entry} onChange={load} />
        : <div class="narrow"><h1>Tournaments</h1>
          <p class="quiet">Choose an event to see its table, or start a new one: every player meets every other in every game,
            matches are stored as they end, and a stopped tournament goes on where it was.</p></div>}
    </div>
  );
}
