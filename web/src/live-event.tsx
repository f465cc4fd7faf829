// An event while it runs: where it stands, and how its entrants are.

import { Section } from './parts';

export interface Entrant { entrant: string; player: string; points: number; matches: number; faults: number; forfeits: number; playing: number }
export interface LiveEvent { name: string; matches: number; done: number; failed: number; round: number; seconds: number; winner?: string; standings: Entrant[] }

/** What an entrant is doing, in words; one elsewhere may be missing. */
function stateOf(one: Entrant, over: boolean): { words: string; tone: string } {
  if (one.playing > 0) return { words: one.playing === 1 ? 'playing' : `playing ${one.playing} matches`, tone: 'live' };
  if (one.forfeits > 0 && one.forfeits >= one.matches) return { words: 'absent', tone: 'bad' };
  return { words: over ? 'done' : 'waiting', tone: '' };
}

export const isFar = (one: Entrant) => one.player.startsWith('http://');

export function Entrants(props: { event: LiveEvent }) {
  const { event } = props;
  return (
    <Section title="Entrants" aside={event.round > 0 ? <span class="quiet">round {event.round}</span> : null}>
      <div class="scroll">
        <table class="results entrants">
          <thead><tr><th>Entrant</th><th>State</th><th class="n">Points</th><th class="n">Matches</th><th class="n">Faults</th><th class="n">Forfeits</th></tr></thead>
          <tbody>{event.standings.map((one) => {
            const state = stateOf(one, event.done >= event.matches);
            return (
              <tr key={one.entrant}>
                <th scope="row">{one.entrant}{isFar(one) && <span class="pill far">elsewhere</span>}</th>
                <td><span class={`pill ${state.tone}`}>{state.words}</span></td>
                <td class="n">{one.points}</td><td class="n">{one.matches}</td><td class="n">{one.faults}</td><td class="n">{one.forfeits}</td>
              </tr>
            );
          })}</tbody>
        </table>
      </div>
    </Section>
  );
}
