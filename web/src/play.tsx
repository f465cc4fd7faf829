// Play: one table, from laying it to the rematch.

import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { post, type Fault, type Position, type Thinking } from './api';
import { Board } from './board';
import { plain } from './moves';
import { Section, Trouble, upper, Waiting } from './parts';
import type { Film } from './replay';
import { Setup, type Wish } from './setup';
import { Think } from './think';

/** The table that is open, kept while the person looks at other views. */
export interface Open { id: string; wish: Wish }

function outcome(position: Position): string {
  const you = position.roles.find((role) => role.kind === 'you');
  if (position.resigned) return 'You gave up.';
  const others = position.roles.filter((role) => role.kind === 'player');
  const best = Math.max(-1, ...others.map((role) => role.goal ?? -1));
  if (!you) {
    const top = Math.max(best, ...position.roles.map((role) => role.goal ?? -1));
    const winners = others.filter((role) => role.goal === top);
    return winners.length === 1 && others.length > 1 ? `${upper(winners[0].spelling)} wins.`
      : others.length > 1 ? 'Nobody is ahead: a draw.' : `The end: ${top} of 100.`;
  }
  const mine = you.goal ?? 0;
  if (others.length === 0) return mine === 100 ? 'Solved: 100 of 100.' : `The end: ${mine} of 100.`;
  return mine > best ? 'You win.' : mine < best ? 'You lose.' : 'Nobody is ahead: a draw.';
}

function status(position: Position): string {
  if (position.over) return outcome(position);
  if (position.hinting) return 'Thinking of a hint';
  if (position.thinking) return `${upper(position.thinking)} thinks`;
  return position.yours ? 'Your move' : 'The game goes on';
}

function Seats(props: { position: Position }) {
  return (
    <ul class="seats-line">
      {props.position.roles.filter((role) => role.kind !== 'chance').map((role) => (
        <li key={role.name} class={props.position.thinking === role.name ? 'active'
          : role.kind === 'you' && props.position.yours ? 'active' : ''}>
          <span class="who">{role.spelling}</span>
          <span class="quiet">{role.kind === 'you' ? 'you' : role.player}</span>
          {role.goal !== null && <span class="goal">{role.goal}</span>}
        </li>
      ))}
    </ul>
  );
}

function Moves(props: { position: Position; onMove: (move: string) => void; onShow: (move: string | null) => void }) {
  const [typed, setTyped] = useState('');
  const { legal } = props.position;
  const fitting = useMemo(() => {
    const words = typed.toLowerCase().split(/\s+/).filter((word) => word !== '');
    return legal.filter((move) => words.every((word) => move.toLowerCase().includes(word)));
  }, [typed, legal]);
  useEffect(() => setTyped(''), [props.position.step]);
  if (!props.position.yours) return null;
  return (
    <Section title="Moves" aside={<span class="pill">{props.position.legal_count}</span>}>
      <form onSubmit={(event) => {
        event.preventDefault();
        if (fitting.length === 1) props.onMove(fitting[0]); else if (typed !== '') props.onMove(typed);
      }}>
        <input type="text" value={typed} placeholder="Type a move" aria-label="Type a move"
          autocomplete="off" spellcheck={false} onInput={(event) => setTyped(event.currentTarget.value)} />
      </form>
      <div class="chips moves" role="group" aria-label="Legal moves">
        {fitting.slice(0, 120).map((move) => (
          <button class="chip" key={move} onClick={() => props.onMove(move)} data-move={move}
            onMouseEnter={() => props.onShow(move)} onMouseLeave={() => props.onShow(null)}
            onFocus={() => props.onShow(move)} onBlur={() => props.onShow(null)}>{plain(move)}</button>
        ))}
        {fitting.length > 120 && <span class="quiet">and {fitting.length - 120} more: type to find them</span>}
      </div>
    </Section>
  );
}

function History(props: { position: Position }) {
  const end = useRef<HTMLLIElement>(null);
  const { history, roles } = props.position;
  useEffect(() => {
    const last = end.current;
    if (last?.parentElement) last.parentElement.scrollTop = last.offsetTop;
  }, [history.length]);
  if (history.length === 0) return null;
  return (
    <Section title="Played">
      <ol class="history" start={props.position.history_from + 1}>
        {history.map((joint, i) => (
          <li key={i} ref={i === history.length - 1 ? end : undefined}>
            {joint.map((move, r) => move !== null && (move.startsWith('(') || roles.length === 1 || joint.length === 1)
              ? <span key={r}><span class="quiet">{roles[r].spelling}</span> <span class="move">{plain(move)}</span></span>
              : null)}
            {joint.every((move) => move === null || !move.startsWith('(')) &&
              <span class="move">{joint.filter((move) => move !== null).join(' ')}</span>}
          </li>
        ))}
      </ol>
    </Section>
  );
}

export function useTable(id: string | null) {
  const [position, setPosition] = useState<Position | null>(null);
  const [thinking, setThinking] = useState<Thinking | null>(null);
  const [fault, setFault] = useState<Fault | null>(null);
  useEffect(() => {
    setPosition(null); setThinking(null); setFault(null);
    if (!id) return;
    const events = new EventSource(`/api/tables/${id}/events`);
    events.addEventListener('position', (event) => setPosition(JSON.parse((event as MessageEvent).data)));
    events.addEventListener('thinking', (event) => setThinking(JSON.parse((event as MessageEvent).data)));
    events.addEventListener('fault', (event) => {
      setFault(JSON.parse((event as MessageEvent).data));
      events.close();
    });
    events.onerror = () => {
      if (events.readyState === EventSource.CLOSED)
        setFault({ message: 'This table is closed. Lay a new one.', diagnostics: [] });
    };
    return () => events.close();
  }, [id]);
  return { position, thinking, fault };
}

function FaultCard(props: { fault: Fault; onLeave: () => void }) {
  return (
    <div class="card fault" role="alert">
      <h2>This game cannot go on</h2>
      <p>{upper(props.fault.message)}</p>
      <ul>{props.fault.diagnostics.map((d, i) => (
        <li key={i}>{d.line > 0 && <code>line {d.line}: </code>}{d.message}</li>))}</ul>
      <button class="button" onClick={props.onLeave}>Back</button>
    </div>
  );
}

function Table(props: { open: Open; onLeave: () => void; onReplay: (film: Film) => void }) {
  const { position, thinking, fault } = useTable(props.open.id);
  const [shown, setShown] = useState<string | null>(null);
  const [hint, setHint] = useState<string | null>(null);
  const [trouble, setTrouble] = useState<string | null>(null);
  useEffect(() => { setShown(null); setHint(null); setTrouble(null); }, [position?.step, position?.over]);

  async function wish(body: Record<string, unknown>) {
    setTrouble(null);
    try {
      const answer = await post<{ message: string }>(`/api/tables/${props.open.id}/wish`, body);
      if (body.do === 'hint') setHint(answer.message);
    } catch (problem) {
      setTrouble(upper((problem as Error).message) + '.');
    }
  }

  function replay() {
    const { game, rules, language } = props.open.wish;
    props.onReplay({ subject: { game, rules, language }, title: position!.title,
      moves: position!.history.map((joint) => joint.join(' ')) });
  }

  if (fault) return <FaultCard fault={fault} onLeave={props.onLeave} />;
  if (!position) return <div class="card"><Waiting>Reading the rules and drawing the board</Waiting></div>;
  const step = position.step;
  const move = (text: string) => wish({ do: 'move', move: text, step });
  const last = (position.history[position.history.length - 1] ?? [])
    .filter((m, r): m is string => m !== null && position.roles[r].kind !== 'chance');
  const you = position.roles.find((role) => role.kind === 'you');
  const others = position.roles.filter((role) => role.kind === 'player');
  return (
    <div class="table">
      <div class="table-main">
        <header class="table-head">
          <div><h1>{position.title}</h1><Seats position={position} /></div>
          <p class={`status ${position.yours ? 'yours' : ''} ${position.over ? 'over' : ''}`} role="status">
            {status(position)}</p>
        </header>
        <Trouble message={trouble} onClose={() => setTrouble(null)} />
        <Board svg={position.svg} text={position.text} legal={position.legal} last={last}
          shown={shown ?? hint} onMove={position.yours ? move : undefined} />
        {position.sees.length > 0 && <p class="sees"><span class="label">You see</span> {position.sees.map(plain).join(', ')}</p>}
        {hint && <p class="hint" role="status">Hint: <strong>{plain(hint)}</strong></p>}
        <div class="row actions">
          {you && !position.over && <>
            <button class="button" disabled={!position.yours} onClick={() => wish({ do: 'hint' })}>Hint</button>
            <button class="button" disabled={step === 0} onClick={() => wish({ do: 'undo' })}>Undo</button>
            <button class="button" onClick={() => wish({ do: 'resign' })}>Resign</button>
          </>}
          {position.thinking && <button class="button" onClick={() => wish({ do: 'now' })}>Move now</button>}
          {position.over && <>
            <button class="button primary" onClick={() => wish({ do: 'rematch' })}>Rematch</button>
            {you && others.length === 1 && <button class="button"
              onClick={() => wish({ do: 'rematch', role: others[0].name })}>Change seats</button>}
            {you && <button class="button" onClick={() => wish({ do: 'undo' })}>Undo</button>}
          </>}
          {position.over && step > 0 && <button class="button" onClick={replay}>Replay it</button>}
          <button class="button quiet-button" onClick={props.onLeave}>Another game</button>
        </div>
      </div>
      <aside class="table-side">
        <Moves position={position} onMove={move} onShow={setShown} />
        <Think thinking={thinking} live={position.thinking !== null} hidden={position.hidden && !position.over && you !== undefined}
          onShow={setShown} />
        <History position={position} />
      </aside>
    </div>
  );
}

export function Play(props: { open: Open | null; onOpen: (open: Open | null) => void; onReplay: (film: Film) => void }) {
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<string | null>(null);
  async function begin(wish: Wish) {
    setBusy(true);
    setTrouble(null);
    try {
      const { id } = await post<{ id: string }>('/api/tables', wish);
      props.onOpen({ id, wish });
    } catch (problem) {
      setTrouble(upper((problem as Error).message) + '.');
    }
    setBusy(false);
  }
  function leave() {
    if (props.open) post(`/api/tables/${props.open.id}/close`, {}).catch(() => undefined);
    props.onOpen(null);
  }
  if (props.open) return <Table open={props.open} onLeave={leave} onReplay={props.onReplay} />;
  return <><Trouble message={trouble} onClose={() => setTrouble(null)} /><Setup onPlay={begin} busy={busy} /></>;
}
