// The seats of a table: who sits where, how much time is left, and whom to invite.

import { useEffect, useState } from 'preact/hooks';
import { invitation, type Position, type Role, type Seat } from './api';
import { Section, upper } from './parts';

/** Minutes and seconds, and tenths at the end. */
export function clockText(seconds: number): string {
  const left = Math.max(0, seconds);
  if (left < 10) return left.toFixed(1);
  const whole = Math.ceil(left), minutes = Math.floor(whole / 60) % 60, hours = Math.floor(whole / 3600);
  const rest = String(whole % 60).padStart(2, '0');
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${rest}` : `${minutes}:${rest}`;
}

/** The time of day, while something runs. */
function useNow(running: boolean): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => setNow(Date.now()), 100);
    return () => clearInterval(timer);
  }, [running]);
  return now;
}

function Clock(props: { role: Role; at: number; over: boolean }) {
  const { role } = props;
  const runs = role.waited_for && !props.over;
  const now = useNow(runs);
  if (role.left === null) return null;
  const left = runs ? role.left - Math.max(0, now - props.at) / 1000 : role.left;
  return <span class={`clock ${runs ? 'running' : ''} ${left < 10 ? 'low' : ''}`} role="timer"
    aria-label={`${role.spelling}: ${Math.ceil(Math.max(0, left))} seconds left`}>{clockText(left)}</span>;
}

export function Seats(props: { position: Position }) {
  const { position } = props;
  return (
    <ul class="seats-line">
      {position.roles.filter((role) => role.kind !== 'chance').map((role) => (
        <li key={role.name} class={position.thinking === role.name || role.waited_for ? 'active' : ''}>
          <span class="who">{role.spelling}</span>
          <span class="quiet">{role.kind === 'you' ? 'you' : role.kind === 'person' ? 'a person' : role.player}</span>
          {role.goal !== null && <span class="goal">{role.goal}</span>}
          <Clock role={role} at={position.at} over={position.over} />
        </li>
      ))}
    </ul>
  );
}

/** The link of a seat, to be copied; where the browser forbids that, it can be selected. */
function Link(props: { role: string; address: string }) {
  const [copied, setCopied] = useState(false);
  const copy = () => navigator.clipboard?.writeText(props.address).then(() => setCopied(true), () => undefined);
  return <>
    <input type="text" readOnly aria-label={`The link for ${props.role}`} value={props.address}
      onFocus={(event) => event.currentTarget.select()} />
    <button class="button small" aria-live="polite" onClick={copy}>{copied ? 'Copied' : 'Copy'}</button>
  </>;
}

/** The seats of other people: played here in turn, or by whoever has the link. */
export function People(props: { seats: Seat[]; mine: string; away: Set<string>; onAway: (id: string) => void }) {
  const others = props.seats.filter((seat) => seat.id !== props.mine);
  if (others.length === 0) return null;
  return (
    <Section title="People">
      <ul class="people">
        {others.map((seat) => (
          <li key={seat.id}>
            <span class="who">{upper(seat.role)}</span>
            {props.away.has(seat.id) ? (
              <Link role={seat.role} address={invitation(seat.id)} />
            ) : <>
              <span class="quiet">plays at this screen</span>
              <button class="button small" onClick={() => props.onAway(seat.id)}>Invite by link</button>
            </>}
          </li>
        ))}
      </ul>
      <p class="help">Whoever opens the link takes that seat. It lets them use this page, too.</p>
    </Section>
  );
}
