// Think aloud: what a player thinks, while it does.

import type { Alike, Line, Opinion, Stage, Thinking } from './api';
import { hueOf } from './board';
import { wilson } from './interval';
import { plain } from './moves';
import { compact, Section, upper } from './parts';

const PROOFS: Record<string, string> = { win: 'a proved win', loss: 'a proved loss', exact: 'the exact value' };
const ENGINES: Record<string, string> = { table: 'constraint tables', net: 'the game’s own network' };

/** The stage of MAC-UCB: variables with their values, those that are pruned, the threshold. */
function StageView(props: { stage: Stage; onShow: (move: string | null) => void }) {
  const { stage } = props;
  const most = Math.max(1, ...stage.choices.map((choice) => choice.values));
  return (
    <div class="stage">
      <h3>The stage</h3>
      <p class="quiet">
        {stage.variables > 0 ? <>{stage.variables} variables and {stage.constraints} constraints, solved with </> : 'Solved with '}
        {ENGINES[stage.engine] ?? stage.engine}{stage.rounds > 0 && <>; thresholds raised {stage.rounds === 1 ? 'once' : `${stage.rounds} times`}</>}.
      </p>
      <ul class="domains">
        {stage.choices.map((choice) => (
          <li key={choice.role}>
            <span class="who">{choice.chance ? 'chance' : choice.role}</span>
            <span class="domain" role="img" aria-label={`${choice.values} values, ${choice.pruned} of them pruned`}>
              <span class="open" style={{ width: `${(100 * (choice.values - choice.pruned)) / most}%` }} />
              <span class="cut" style={{ width: `${(100 * choice.pruned) / most}%` }} />
            </span>
            <span class="figure">{choice.values}{choice.pruned > 0 && <span class="cut-count"> −{choice.pruned}</span>}</span>
            <span class="figure" title="threshold">{choice.chance || !choice.threshold ? '' : `≥ ${choice.threshold.toFixed(0)}`}</span>
          </li>
        ))}
      </ul>
      {stage.pruned.length > 0 && (
        <p class="pruned"><span class="label">Pruned</span> {stage.pruned.slice(0, 24).map((move) => (
          <span class="move" key={move} onMouseEnter={() => props.onShow(move)} onMouseLeave={() => props.onShow(null)}>{plain(move)}</span>
        ))}{stage.pruned.length > 24 && <span class="quiet">and {stage.pruned.length - 24} more</span>}</p>
      )}
    </div>
  );
}

/** The positions of a line that are shown on the board, numbered as its moves are listed. */
export function ahead(line: Line): { svg: string; number: number }[] {
  let number = 0;
  return line.steps.flatMap(({ moves, svg }) => {
    if (moves.length > 0) number++;
    return svg !== undefined && number > 0 ? [{ svg, number }] : [];
  });
}

/** The main line in words; the board shows its first steps. */
function LineView(props: { line: Line }) {
  const steps = props.line.steps.filter((step) => step.moves.length > 0);
  return (
    <div class="line">
      <h3>The main line</h3>
      <ol>
        {steps.map((step, i) => (
          <li key={i} class={step.svg !== undefined ? 'on-board' : ''}>
            <span class="quiet">{i + 1}</span> {step.moves.map((move) => <span key={move.role} title={move.role}>{plain(move.move)}</span>)}
          </li>
        ))}
        {props.line.ended && <li class="end">{props.line.proved ? 'proved' : 'the end'}</li>}
      </ol>
    </div>
  );
}

/** How far the value of a move may be off, in points: half of the 95 % interval that its visits would have as independent
 *  plays.  Searches that list one move alone do not sample. */
function doubt(move: Opinion, sampled: boolean): number | null {
  if (!sampled || move.proved || move.value === null || move.visits === 0) return null;
  const [low, high] = wilson(move.value / 100, move.visits);
  return 50 * (high - low);
}

const FEWEST = 6; // moves that are listed even where nothing is known of them

export function Think(props: { thinking: Thinking | null; line: Line | null; alike: Alike | null; live: boolean; hidden: boolean;
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
  // What is proved comes before and after what is only expected.
  const rank = (move: Opinion) => move.proved === 'win' ? 0 : move.proved === 'loss' ? 2 : 1;
  const sorted = [...t.moves].sort((a, b) => rank(a) - rank(b) || b.visits - a.visits);
  const moves = sorted.filter((move, i) => i < FEWEST || move.visits > 0 || move.proved);
  const sampled = t.moves.filter((move) => move.visits > 0).length > 1;
  const kinds = new Map<string, number>();
  if (props.alike?.role === t.role) props.alike.classes.forEach((moves, i) => moves.forEach((move) => kinds.set(move, i)));
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
        {moves.map((move) => (
          <li key={move.move} tabIndex={0} onMouseEnter={() => props.onShow(move.move)}
            onMouseLeave={() => props.onShow(null)} onFocus={() => props.onShow(move.move)}
            onBlur={() => props.onShow(null)}>
            <span class="move" title={plain(move.move)}>{kinds.has(move.move) && <span class="dot" style={{ background: hueOf(kinds.get(move.move)!) }} title="alike by symmetry" />}
              {plain(move.move)}</span>
            <span class="bar" aria-hidden="true">
              <span style={{ width: `${(100 * move.visits) / most}%` }} />
            </span>
            <span class="figure" title="visits">{compact(move.visits)}</span>
            <span class="figure value" title="expected goal">
              {move.proved && move.proved !== 'exact' ? <em class={`proof ${move.proved}`}>{move.proved}</em>
                : move.value === null ? '–' : `${move.proved ? '= ' : ''}${move.value.toFixed(0)}`}
            </span>
            <span class="figure" title="95 % interval, were the visits independent plays">
              {doubt(move, sampled) === null ? '' : `± ${doubt(move, sampled)!.toFixed(0)}`}</span>
          </li>
        ))}
        {moves.length < sorted.length && <li class="untried quiet">and {sorted.length - moves.length} that are not tried yet</li>}
      </ol>
      {props.line && <LineView line={props.line} />}
      {t.stage && <StageView stage={t.stage} onShow={props.onShow} />}
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
