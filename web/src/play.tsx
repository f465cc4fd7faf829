// Play: one table, from laying it to the rematch.

import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { post, SILENT, type Fault, type Line, type Position, type Seat, type Thinking } from './api';
import { Board } from './board';
import { plain } from './moves';
import { Said, Section, sentence, Trouble, upper, Waiting } from './parts';
import type { Film } from './replay';
import { People, Seats } from './seats';
import { Setup, type Wish } from './setup';
import { ahead, Think } from './think';

/** The table that is open, kept while the person looks at other views. */
export interface Open { id: string; wish: Wish; seats?: Seat[]; guest?: boolean }

/** Who gave up or ran out of time, as one of the people reads it. */
function quitText(position: Position, several: boolean): string {
  const who = position.roles.find((role) => role.name === position.quitter);
  const others = position.roles.filter((role) => role.kind !== 'chance' && role !== who);
  const mine = who?.kind === 'you' && !several;
  const name = upper(who?.spelling ?? '');
  const winner = others.length === 1 ? (mine || several ? ` ${upper(others[0].spelling)} wins.` : ' You win.') : '';
  if (position.flagged) return `${mine ? 'Your time is over.' : `${name} has run out of time.`}${winner}`;
  return mine ? 'You gave up.' : `${name} gave up.${winner}`;
}

function outcome(position: Position, several: boolean): string {
  const you = several ? undefined : position.roles.find((role) => role.kind === 'you');
  if (position.quitter !== null) return quitText(position, several);
  const others = position.roles.filter((role) => role.kind !== 'chance' && role !== you);
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

function status(position: Position, several: boolean): string {
  if (position.over) return outcome(position, several);
  if (position.hinting) return 'Thinking of a hint';
  if (position.thinking) return `${upper(position.thinking)} thinks`;
  const you = position.roles.find((role) => role.kind === 'you');
  if (position.yours) return several ? `${upper(you!.spelling)} to move` : 'Your move';
  const awaited = position.roles.filter((role) => role.waited_for).map((role) => upper(role.spelling));
  return awaited.length > 0 ? `Waiting for ${awaited.join(' and ')}` : 'The game goes on';
}

/** Who made which moves last; chance is not marked on the board. */
function lastOf(position: Position): { move: string; role: string }[] {
  const joint = position.history[position.history.length - 1] ?? [];
  return joint.flatMap((move, r) => move === null || position.roles[r].kind === 'chance' ? [] : [{ move, role: position.roles[r].name }]);
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
  const [line, setLine] = useState<Line | null>(null);
  const [fault, setFault] = useState<Fault | null>(null);
  const [silent, setSilent] = useState(false);
  useEffect(() => {
    setThinking(null); setLine(null); setFault(null); setSilent(false);
    if (!id) return;
    const events = new EventSource(`/api/tables/${id}/events`);
    events.addEventListener('position', (event) => setPosition(JSON.parse((event as MessageEvent).data)));
    events.addEventListener('thinking', (event) => setThinking(JSON.parse((event as MessageEvent).data)));
    events.addEventListener('line', (event) => setLine(JSON.parse((event as MessageEvent).data)));
    events.addEventListener('fault', (event) => {
      setFault(JSON.parse((event as MessageEvent).data));
      events.close();
    });
    events.onopen = () => setSilent(false);
    events.onerror = () => {
      setSilent(events.readyState === EventSource.CONNECTING);
      if (events.readyState === EventSource.CLOSED)
        setFault({ message: 'This table is closed. Lay a new one.', diagnostics: [] });
    };
    return () => events.close();
  }, [id]);
  return { position, thinking, line, fault, silent };
}

function FaultCard(props: { fault: Fault; onLeave: () => void }) {
  return (
    <div class="card fault" role="alert">
      <h2>This game cannot go on</h2>
      <p><Said text={upper(props.fault.message)} /></p>
      <ul>{props.fault.diagnostics.map((d, i) => (
        <li key={i}>{d.line > 0 && <code>line {d.line}: </code>}<Said text={d.message} /></li>))}</ul>
      <button class="button" onClick={props.onLeave}>Back</button>
    </div>
  );
}

/** Between two people at one screen in a game with hidden information. */
function Curtain(props: { role: string; onReady: () => void }) {
  return (
    <div class="card curtain" role="dialog" aria-label="Hand over">
      <h2>{upper(props.role)} is next</h2>
      <p class="quiet">Hand the screen over. What {props.role} holds is shown when they say so.</p>
      <button class="button primary" onClick={props.onReady}>I am {upper(props.role)}</button>
    </div>
  );
}

/** A switch with two states, in words. */
function Switch(props: { label: string; on: boolean; busy?: boolean; title: string; onToggle: () => void }) {
  return (
    <button class="switch" role="switch" aria-checked={props.on} title={props.title} disabled={props.busy} onClick={props.onToggle}>
      <span class="knob" aria-hidden="true" />{props.busy ? 'Looking for symmetries…' : props.label}
    </button>
  );
}

/** The seat that is looked from: where several people share a screen, that of who is to move. */
function useSeat(open: Open) {
  const seats = useMemo(() => open.seats ?? [], [open]);
  const [id, setId] = useState(open.id);
  const [away, setAway] = useState<Set<string>>(new Set());
  const here = seats.filter((seat) => !away.has(seat.id));
  /** The seat at this screen whose turn it is now, unless it is the one that is looked from. */
  function next(position: Position | null): Seat | null {
    if (!position || position.over || position.yours || position.thinking || here.length < 2) return null;
    const roles = position.roles.filter((role) => role.waited_for && role.kind !== 'you').map((role) => role.name);
    return here.find((seat) => seat.id !== id && roles.includes(seat.role)) ?? null;
  }
  return { id, setId, seats, away, setAway, several: here.length > 1, next };
}

const GHOSTS = 'alea-ghosts';

/** Whether ghosts are shown, kept from one game to the next. */
function useGhosts(): [boolean, () => void] {
  const [on, setOn] = useState(() => localStorage.getItem(GHOSTS) !== 'off');
  return [on, () => { localStorage.setItem(GHOSTS, on ? 'off' : 'on'); setOn(!on); }];
}

function Table(props: { open: Open; onLeave: () => void; onReplay: (film: Film) => void }) {
  const seat = useSeat(props.open);
  const { position, thinking, line, fault, silent } = useTable(seat.id);
  const [shown, setShown] = useState<string | null>(null);
  const [hint, setHint] = useState<string | null>(null);
  const [trouble, setTrouble] = useState<string | null>(null);
  const [looking, setLooking] = useState(false);
  const [alike, setAlike] = useState(false);
  const [ghosts, toggleGhosts] = useGhosts();
  const next = seat.next(position);
  useEffect(() => { setShown(null); setHint(null); setTrouble(null); }, [position?.step, position?.over, seat.id]);
  // Who sees everything anyway is passed on at once.
  useEffect(() => { if (next && !position!.hidden) seat.setId(next.id); }, [next?.id]);

  async function wish(body: Record<string, unknown>): Promise<boolean> {
    setTrouble(null);
    try {
      const answer = await post<{ message: string }>(`/api/tables/${seat.id}/wish`, body);
      if (body.do === 'hint') setHint(answer.message);
      return true;
    } catch (problem) {
      setTrouble(sentence(problem));
      return false;
    }
  }

  async function toggleAlike() {
    setLooking(!alike);
    const done = await wish({ do: 'alike', on: !alike });
    setLooking(false);
    setAlike(done ? !alike : false);
  }

  function replay() {
    const { game, rules, language, name } = props.open.wish;
    props.onReplay({ subject: { game, rules, language, name }, title: position!.title,
      moves: position!.history.map((joint) => joint.join(' ')) });
  }

  if (fault) return <FaultCard fault={fault} onLeave={props.onLeave} />;
  if (!position) return <div class="card"><Waiting>Reading the rules and drawing the board</Waiting></div>;
  if (next && position.hidden) return <Curtain role={next.role} onReady={() => seat.setId(next.id)} />;
  const step = position.step;
  const move = (text: string) => wish({ do: 'move', move: text, step });
  const last = lastOf(position);
  const real = last.filter((one) => one.move.startsWith('(')); // without those who wait
  const you = position.roles.find((role) => role.kind === 'you');
  const others = position.roles.filter((role) => role.kind === 'player' || role.kind === 'person');
  const hides = position.hidden && !position.over && you !== undefined;
  const now = line && line.step === step && !position.over ? line : null;
  const opinion = thinking && thinking.step <= step ? thinking : null;
  const kinds = position.alike?.classes.length ?? 0;
  return (
    <div class="table">
      <div class="table-main">
        <header class="table-head">
          <div><h1>{position.title}</h1><Seats position={position} /></div>
          <p class={`status ${position.yours ? 'yours' : ''} ${position.over ? 'over' : ''}`} role="status">
            {status(position, seat.several)}</p>
        </header>
        <p class="unseen" aria-live="polite">{last.length > 0 ? `Played: ${(real.length > 0 ? real : last).map((one) => plain(one.move)).join(', ')}` : ''}</p>
        <Trouble message={trouble ?? (silent ? SILENT : null)} onClose={trouble ? () => setTrouble(null) : undefined} />
        <Board svg={position.svg} text={position.text} legal={position.legal} role={you?.name} effects={position.effects} aims={position.aims} last={last}
          line={ghosts && now ? ahead(now) : undefined} alike={position.alike?.classes}
          shown={shown ?? hint} onMove={position.yours ? move : undefined} />
        {!hides && !position.over && <div class="row switches">
          <Switch label="Main line" on={ghosts} onToggle={toggleGhosts} title="Show what the thinking player expects as ghosts on the board" />
          <Switch label="Symmetry" on={alike} busy={looking} onToggle={toggleAlike} title="Show moves that are alike by a symmetry of the game in one colour" />
          {alike && position.alike && <span class="quiet">{kinds === 0 ? 'No two moves are alike here.'
            : `Moves of one colour are alike: ${kinds} ${kinds === 1 ? 'group' : 'groups'}, by ${
              position.alike.leaving > 0 ? position.alike.leaving : 'many'} symmetries of this position.`}</span>}
        </div>}
        {position.sees.length > 0 && <p class="sees"><span class="label">You see</span> {position.sees.map(plain).join(', ')}</p>}
        {hint && <p class="hint" role="status">Hint: <strong>{plain(hint)}</strong></p>}
        <div class="row actions">
          {you && !position.over && <>
            <button class="button" disabled={!position.yours} onClick={() => wish({ do: 'hint' })}>Hint</button>
            <button class="button" disabled={step === 0 || (hides && others.some((role) => role.kind === 'person'))}
              onClick={() => wish({ do: 'undo' })}>Undo</button>
            <button class="button" onClick={() => wish({ do: 'resign' })}>Resign</button>
          </>}
          {position.thinking && <button class="button" onClick={() => wish({ do: 'now' })}>Move now</button>}
          {position.over && <>
            <button class="button primary" onClick={() => wish({ do: 'rematch' })}>Rematch</button>
            {you && !seat.several && others.length === 1 && <button class="button"
              onClick={() => wish({ do: 'rematch', role: others[0].name })}>Change seats</button>}
            {you && <button class="button" onClick={() => wish({ do: 'undo' })}>Undo</button>}
          </>}
          {position.over && step > 0 && <button class="button" onClick={replay}>Replay it</button>}
          <button class="button quiet-button" onClick={props.onLeave}>{props.open.guest ? 'Leave' : 'Another game'}</button>
        </div>
      </div>
      <aside class="table-side">
        <Moves position={position} onMove={move} onShow={setShown} />
        <Think thinking={opinion} line={now} alike={position.alike} live={position.thinking !== null} hidden={hides}
          onShow={setShown} />
        <People seats={seat.seats} mine={seat.id} away={seat.away} onAway={(id) => seat.setAway(new Set([...seat.away, id]))} />
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
      const { id, seats } = await post<{ id: string; seats: Seat[] }>('/api/tables', wish);
      props.onOpen({ id, wish, seats });
    } catch (problem) {
      setTrouble(sentence(problem));
    }
    setBusy(false);
  }
  function leave() {
    if (props.open && !props.open.guest) post(`/api/tables/${props.open.id}/close`, {}).catch(() => undefined);
    props.onOpen(null);
  }
  if (props.open) return <Table key={props.open.id} open={props.open} onLeave={leave} onReplay={props.onReplay} />;
  return <><Trouble message={trouble} onClose={() => setTrouble(null)} /><Setup onPlay={begin} busy={busy} /></>;
}
