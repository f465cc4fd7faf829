// Events: tournaments of this page, databases from elsewhere, and events that run elsewhere.

import { useEffect, useState } from 'preact/hooks';
import { get, post, type EventEntry, type Report } from './api';
import { Form } from './event-form';
import { Entrants, isFar, type LiveEvent } from './live-event';
import { FileButton, Section, sentence, Trouble, upper, useArrival, Waiting } from './parts';
import { gameOf, type Film } from './replay';
import { countOf, Results } from './report';
import { reasonOf, stopRun, useRun } from './run';

type News = { event: LiveEvent };

function Detail(props: { entry: EventEntry; onChange: () => void }) {
  const { name, running } = props.entry;
  const [report, setReport] = useState<Report | null>(null);
  const [trouble, setTrouble] = useState<string | null>(null);
  const [id, setId] = useState<string | null>(null);
  const { run } = useRun<News>(id);
  useEffect(() => { if (props.entry.run) setId(props.entry.run); }, [props.entry.run]);
  useEffect(() => { if (run && run.state !== 'running') props.onChange(); }, [run?.state]);
  useEffect(() => {
    let here = true;
    let timer = 0;
    async function look() {
      try {
        const next = await get<Report>(`/api/events/${name}`);
        if (here) { setReport(next); setTrouble(null); }
      } catch (problem) {
        if (here && !running) setTrouble(sentence(problem));
      }
      if (here && running) timer = window.setTimeout(look, 1500);
    }
    void look();
    return () => { here = false; clearTimeout(timer); };
  }, [name, running]);

  async function act(what: 'stop' | 'resume') {
    try { await post(`/api/events/${name}/${what}`, {}); setTrouble(null); }
    catch (problem) { setTrouble(sentence(problem)); }
    props.onChange();
  }

  const live = run?.live?.event ?? null;
  const stored = report ? countOf(report) : { planned: 0, done: 0 };
  const planned = running && live ? live.matches : stored.planned;
  const done = running && live ? live.done : stored.done;
  const failed = !running && run?.state === 'failed';
  const reading = !running && report === null && trouble === null;
  const complete = report !== null && planned > 0 && done >= planned;
  return (
    <div class="stack event">
      <header class="row spread">
        <div><h1>{name}</h1><p class="quiet" role="status">{running ? 'Running' : failed ? 'Ended too early' : reading ? '' : complete ? 'Finished' : 'Stopped'}
          {planned > 0 && <>, {done} of {planned} matches</>}</p></div>
        {running ? <button class="button" onClick={() => act('stop')}>Stop</button>
          : props.entry.described && !reading && !complete && <button class="button primary" onClick={() => act('resume')}>Resume</button>}
      </header>
      {planned > 0 && (running || done < planned) && <progress max={planned} value={done} aria-label="Matches played" />}
      <Trouble message={trouble ?? (failed ? `It could not go on: ${reasonOf(run!)}.` : null)} />
      {running && !trouble && stored.done === 0 && <Waiting>Waiting for the first results</Waiting>}
      {reading && <Waiting>Reading the results</Waiting>}
      {live && (running || live.standings.some(isFar)) && <Entrants event={live} />}
      {report && (stored.done > 0 || !running) && <Results report={report} />}
    </div>
  );
}

/** An event that another server shows: standings, or a match that is being played. */
function Watched(props: { address: string; id: string; onReplay: (film: Film) => void }) {
  const { run, lost } = useRun<{ event: Record<string, unknown> }>(props.id);
  const event = run?.live?.event ?? null;
  const standings = event && Array.isArray(event.standings) ? event as unknown as LiveEvent : null;
  const record = event && !standings && Array.isArray(event.moves) ? event : null;
  const steps = record ? (record.moves as unknown[]).length : 0;
  const text = record ? JSON.stringify(record) : '';
  const game = record ? gameOf(text) : null;
  const words = lost ? 'The page has forgotten this watch' : !run || (run.state === 'running' && !event) ? null
    : run.state === 'running' ? 'Running' : run.state === 'failed' ? 'Not to be seen' : 'Over';
  return (
    <div class="stack event">
      <header class="row spread"><div><h1>{standings?.name ?? (record ? `A match of ${game ?? 'some game'}` : 'An event elsewhere')}</h1>
        <p class="quiet" role="status">{words ?? 'Calling'}{standings && `, ${standings.done} of ${standings.matches} matches`}
          {record && `, ${steps} ${steps === 1 ? 'step' : 'steps'}`} · {props.address}</p></div>
        {run?.state === 'running' && <button class="button" onClick={() => stopRun(props.id).catch(() => undefined)}>Stop watching</button>}
      </header>
      {run?.state === 'failed' && <Trouble message={upper(reasonOf(run)) + '.'} />}
      {words === null && <Waiting>Waiting for what the other side shows</Waiting>}
      {standings && <><progress max={standings.matches} value={standings.done} aria-label="Matches played" /><Entrants event={standings} /></>}
      {record && <div class="card stack"><p class="move">{(record.moves as unknown[]).slice(-6).map((row) => JSON.stringify(row)).join('  ')}</p>
        {game && <button class="button primary start" onClick={() => props.onReplay({ subject: { game }, record: text, title: 'What was played so far' })}>
          See the board</button>}</div>}
    </div>
  );
}

/** Bytes as base64, without a text as long as the file on the stack. */
async function base64(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = '';
  for (let i = 0; i < bytes.length; i += 32768) text += String.fromCharCode(...bytes.subarray(i, i + 32768));
  return btoa(text);
}

type Shown = { kind: 'event'; name: string } | { kind: 'database'; name: string; report: Report }
  | { kind: 'watch'; address: string; id: string } | null;

/** Databases and events from elsewhere. */
function Elsewhere(props: { onShow: (what: Shown) => void }) {
  const [address, setAddress] = useState('');
  const [trouble, setTrouble] = useState<string | null>(null);
  const [busy, setBusy] = useState<string | null>(null);
  async function attempt(words: string, name: string, work: () => Promise<void>) {
    setBusy(words);
    setTrouble(null);
    try { await work(); } catch (problem) {
      setTrouble(sentence(new Error((problem as Error).message.replace('<stdin>: error:', `“${name}”`))));
    }
    setBusy(null);
  }
  const open = (file: File) => attempt(`Reading ${file.name}`, file.name, async () =>
    props.onShow({ kind: 'database', name: file.name, report: await post<Report>('/api/report', { database: await base64(file) }) }));
  const watch = (event: Event) => {
    event.preventDefault();
    void attempt(`Calling ${address}`, address, async () =>
      props.onShow({ kind: 'watch', address, id: (await post<{ id: string }>('/api/watch', { address })).id }));
  };
  return (
    <Section title="From elsewhere">
      <Trouble message={trouble} onClose={() => setTrouble(null)} />
      <div><FileButton label="Open a database…" accept=".db,.sqlite" onFile={open} /></div>
      <form class="field" onSubmit={watch}>
        <div class="row tight">
          <input type="text" inputMode="url" placeholder="http://127.0.0.1:8080" aria-label="Address of an event" value={address}
            onInput={(event) => setAddress(event.currentTarget.value)} />
          <button class="button" disabled={address === ''}>Watch</button></div>
        <span class="help">an event of <code>--watch-port</code> on this machine</span>
      </form>
      {busy && <Waiting>{busy}</Waiting>}
    </Section>
  );
}

export function Events(props: { onReplay: (film: Film) => void }) {
  const [entries, setEntries] = useState<EventEntry[] | null>(null);
  const [shown, setShown] = useState<Shown>(null);
  const [trouble, setTrouble] = useState<string | null>(null);
  const load = () => get<EventEntry[]>('/api/events').then((found) => { setEntries(found); setTrouble(null); },
    (problem: Error) => setTrouble(sentence(problem)));
  useEffect(() => { void load(); }, []);
  const entry = shown?.kind === 'event' ? entries?.find((one) => one.name === shown.name) ?? null : null;
  const place = useArrival(shown === null ? null : shown.kind === 'watch' ? shown.id : shown.name);
  return (
    <div class="events">
      <aside class="stack calm">
        <Trouble message={trouble} />
        <Section title="Events">
          {entries === null && !trouble && <Waiting>Looking for databases of results</Waiting>}
          {entries?.length === 0 && <p class="quiet">None yet. Start one below: its results stay on this machine, and it can be stopped and resumed.</p>}
          <ul class="event-list">{entries?.map((one) => (
            <li key={one.name}><button aria-current={entry?.name === one.name} onClick={() => setShown({ kind: 'event', name: one.name })}>
              <span>{one.name}</span>{one.running && <span class="pill live">running</span>}</button></li>
          ))}</ul>
        </Section>
        <Form taken={entries?.map((one) => one.name) ?? []} onStart={(name) => { setShown({ kind: 'event', name }); void load(); }} />
        <Elsewhere onShow={setShown} />
      </aside>
      <div class="arrival" ref={place}>{entry ? <Detail entry={entry} onChange={load} key={entry.name} />
        : shown?.kind === 'watch' ? <Watched address={shown.address} id={shown.id} onReplay={props.onReplay} key={shown.id} />
          : shown?.kind === 'database' ? <div class="stack event"><header><h1>{shown.name}</h1>
            <p class="quiet" role="status">{countOf(shown.report).done} of {countOf(shown.report).planned} matches</p></header>
            <Results report={shown.report} /></div>
            : <div class="narrow"><h1>Tournaments</h1>
              <p class="quiet">Choose an event to see its table, or start a new one: every player meets every other in every game,
                matches are stored as they end, and a stopped tournament goes on where it was. Players elsewhere take part by
                their addresses, and an event that runs elsewhere can be watched.</p></div>}</div>
    </div>
  );
}
