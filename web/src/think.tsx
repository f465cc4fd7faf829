// Think aloud: what a player thinks, while it does.

import type { Thinking } from './api';
import { plain } from './moves';
import { compact, Section, upper } from './parts';

const PROOFS: Record<string, string> = { win: 'a proved win', loss: 'a proved loss', exact: 'the exact value' };

export function Think(props: { thinking: Thinking | null; live: boolean; hidden: boolean;
  onShow: (move: string | null) => void }) {
  const t = props.thinking;
  if (!t) {
    return (
      <Section title="Think aloud">
        <p class="quiet">{props.hidden
          ? 'What the others think stays with them: it would tell what they hold. Ask for a hint to see what your own side thinks.'
          : 'While a player thinks, its moves appear here with their values.'}</p>
      </Section>
    );
  }
  const most = Math.max(1, ...t.moves.map((move) => move.visits));
  const rate = t.seconds > 0.2 ? t.visits / t.seconds : 0;
  return (
    <Section title="Think aloud" aside={<span class={props.live ? 'pill live' : 'pill'}>
      {props.live ? 'thinking' : `move ${t.step + 1}`}</span>}>
      <p class="quiet" aria-live="off">
        {t.hinting ? 'A hint for ' : ''}{upper(t.role)} ({t.player})
        {t.value !== null && <>, expects <strong>{t.value.toFixed(0)}</strong> of 100</>}
        {t.proved && <>, {PROOFS[t.proved] ?? t.proved}</>}
        {' · '}{compact(t.visits)} visits
        {rate > 0 && <> · {compact(rate)} a second</>}
      </p>
      {t.note && <p class="quiet">{upper(t.note)}.</p>}
      <ol class="opinions">
        {t.moves.map((move) => (
          <li key={move.move} tabIndex={0} onMouseEnter={() => props.onShow(move.move)}
            onMouseLeave={() => props.onShow(null)} onFocus={() => props.onShow(move.move)}
            onBlur={() => props.onShow(null)}>
            <span class="move">{plain(move.move)}</span>
            <span class="bar" aria-hidden="true">
              <span style={{ width: `${(100 * move.visits) / most}%` }} />
            </span>
            <span class="figure" title="visits">{compact(move.visits)}</span>
            <span class="figure value" title="expected goal">
              {move.proved && move.proved !== 'exact' ? <em class={`proof ${move.proved}`}>{move.proved}</em>
                : move.value === null ? '–' : `${move.proved ? '= ' : ''}${move.value.toFixed(0)}`}
            </span>
          </li>
        ))}
      </ol>
      {Object.keys(t.stats).length > 0 && (
        <details class="stats">
          <summary>Counters</summary>
          <dl>{Object.entries(t.stats).map(([name, count]) => (
            <div key={name}><dt>{name.replace(/_/g, ' ')}</dt><dd>{compact(count)}</dd></div>
          ))}</dl>
        </details>
      )}
    </Section>
  );
}
