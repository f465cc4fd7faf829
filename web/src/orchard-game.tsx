// Orchard as a game: the person's trees and those of the optimal policy, under the same dice.

import { useMemo, useState } from 'preact/hooks';
import { faces, isBasket, isOver, isWon, left, picks, roll, startOf, take, worthOf, type Orchard, type Pick, type States } from './orchard';

const percent = (chance: number) => `${(100 * chance).toFixed(1)} %`;
const nameOf = (pick: Pick) => pick.trees.map((tree) => `tree ${tree + 1}`).join(' and ');

interface Turn { face: number; mine: Orchard; theirs: Orchard; basket: boolean; choice: Pick | null; best: Pick | null }

function Die(props: { face: number | null; trees: number }) {
  const { face, trees } = props;
  const said = face === null ? 'not rolled yet' : face < trees ? `tree ${face + 1}` : face === trees ? 'raven' : 'basket';
  return (
    <span class="die" role="img" aria-label={`Die: ${said}`}>
      {face === null ? <span class="quiet">?</span> : face < trees ? <span class={`fruit fruit-${face % 4}`} />
        : <svg viewBox="0 0 24 24" aria-hidden="true"><path d={face === trees ? RAVEN : BASKET} /></svg>}
    </span>
  );
}
const RAVEN = 'M3 13c4 0 5-6 10-6 3 0 4 2 4 3l4 1-4 1c-1 4-4 6-8 6l-5 2 3-4c-2 0-3-1-4-3z';
const BASKET = 'M4 10h16l-2 9H6zM7 10a5 5 0 0 1 10 0';

function Trees(props: { at: Orchard; steps: number; open?: (tree: number) => boolean; onPick?: (tree: number) => void; title: string; worth: number }) {
  const { at } = props;
  return (
    <section class="orchard" aria-label={props.title}>
      <header class="row spread"><h3>{props.title}</h3>
        <span class="pill">{isWon(at) ? 'won' : at.raven === 0 ? 'the raven came' : `${percent(props.worth)} to win`}</span></header>
      <div class="bar" aria-hidden="true"><span style={{ width: `${100 * (isWon(at) ? 1 : props.worth)}%` }} /></div>
      <div class="trees" style={{ gridTemplateColumns: `repeat(${at.trees.length}, minmax(0, 1fr))` }}>
        {at.trees.map((fruits, tree) => {
          const open = props.open?.(tree) ?? false;
          const label = `Tree ${tree + 1}, ${fruits} ${fruits === 1 ? 'fruit' : 'fruits'}`;
          const body = <span class="crown">{Array.from({ length: fruits }, (_, i) => <span key={i} class={`fruit fruit-${tree % 4}`} />)}</span>;
          return props.onPick
            ? <button key={tree} class={`tree ${open ? 'open' : ''}`} disabled={!open} aria-label={label} data-tree={tree}
              onClick={() => props.onPick!(tree)}>{body}<span class="quiet">{tree + 1}</span></button>
            : <div key={tree} class="tree" role="img" aria-label={label}>{body}<span class="quiet">{tree + 1}</span></div>;
        })}
      </div>
      <p class="raven-path" role="img" aria-label={`The raven is ${at.raven} of ${props.steps} steps away`}>
        {Array.from({ length: props.steps + 1 }, (_, i) => (
          <span key={i} class={i === at.raven ? 'here' : ''}>
            {i === at.raven && <svg viewBox="0 0 24 24" aria-hidden="true"><path d={RAVEN} /></svg>}</span>
        )).reverse()}
      </p>
    </section>
  );
}

export function OrchardGame(props: { states: States }) {
  const worth = useMemo(() => worthOf(props.states), [props.states]);
  const start = useMemo(() => startOf(props.states), [props.states]);
  const [turns, setTurns] = useState<Turn[]>([]);
  const [picked, setPicked] = useState<number | null>(null);
  const [hints, setHints] = useState(false);
  const [wins, setWins] = useState({ played: 0, mine: 0, theirs: 0 });
  const last = turns[turns.length - 1] ?? null;
  const mine = last?.mine ?? start, theirs = last?.theirs ?? start;
  const choosing = last !== null && last.basket && last.choice === null && !isOver(mine);
  const over = isOver(mine) && isOver(theirs);
  const options = choosing ? picks(mine, worth) : [];
  const shown = picked === null ? mine : take(mine, picked);
  const cost = turns.reduce((sum, turn) => sum + (turn.choice && turn.best ? turn.best.worth - turn.choice.worth : 0), 0);

  function count(next: Turn) {
    if (!isOver(next.mine) || !isOver(next.theirs)) return;
    setWins({ played: wins.played + 1, mine: wins.mine + Number(isWon(next.mine)), theirs: wins.theirs + Number(isWon(next.theirs)) });
  }
  function throwDie() {
    const face = Math.floor(Math.random() * faces(start));
    const basket = isBasket(start, face);
    const answer = basket && !isOver(theirs) ? picks(theirs, worth)[0].after : roll(theirs, face);
    const next = { face, basket, mine: basket ? mine : roll(mine, face), theirs: basket && isOver(theirs) ? theirs : answer, choice: null, best: null };
    setTurns([...turns, next]);
    count(next);
  }
  function choose(choice: Pick) {
    const next = { ...last!, mine: choice.after, choice, best: options[0] };
    setPicked(null);
    setTurns([...turns.slice(0, -1), next]);
    count(next);
  }
  function pick(tree: number) {
    const trees = picked === null ? [tree] : [Math.min(picked, tree), Math.max(picked, tree)];
    const whole = options.find((one) => one.trees.join() === trees.join());
    if (whole) choose(whole); else setPicked(tree);
  }

  const outcome = isWon(mine) === isWon(theirs) ? (isWon(mine) ? 'Both orchards are picked.' : 'The raven took both.')
    : isWon(mine) ? 'You beat the policy: it lost with the same dice.' : 'The policy won with the dice that you lost with.';
  const said = over ? outcome : choosing
    ? picked === null ? 'The basket: take two fruits of any trees.' : 'And one more.'
    : last === null ? 'Roll the die. Both orchards get the same rolls.'
      : isOver(mine) ? 'Yours is decided; the policy goes on.' : 'Roll again.';
  return (
    <div class="stack orchard-game">
      <div class="row spread">
        <p class="status" role="status">{said}</p>
        <div class="row"><Die face={last?.face ?? null} trees={start.trees.length} />
          {over ? <button class="button primary" onClick={() => { setTurns([]); setPicked(null); }}>Another game</button>
            : <button class="button primary" disabled={choosing} onClick={throwDie}>Roll</button>}</div>
      </div>
      <div class="orchards">
        <Trees title="Yours" at={shown} steps={start.raven} worth={worth(mine)}
          open={(tree) => choosing && shown.trees[tree] > 0} onPick={pick} />
        <Trees title="The policy’s" at={theirs} steps={start.raven} worth={worth(theirs)} />
      </div>
      {choosing && <div class="row">
        <label class="choice"><input type="checkbox" checked={hints} onChange={(event) => setHints(event.currentTarget.checked)} />
          Show what each choice is worth</label>
        {picked !== null && <button class="button small" onClick={() => setPicked(null)}>Put it back</button>}
      </div>}
      {choosing && hints && <ul class="chips" aria-label="Choices">{options.map((one) => (
        <li key={one.trees.join()}><button class="chip" onClick={() => choose(one)}>{nameOf(one)} <span class="quiet">{percent(one.worth)}</span></button></li>
      ))}</ul>}
      {last?.choice && last.best && <p class={`hint ${last.best.worth - last.choice.worth > 1e-9 ? '' : 'good'}`} role="status">
        {last.best.worth - last.choice.worth > 1e-9
          ? `You took ${nameOf(last.choice)}. The policy takes ${nameOf(last.best)}; yours costs ${percent(last.best.worth - last.choice.worth)} of winning.`
          : `You took ${nameOf(last.choice)}, as good as any.`}</p>}
      <p class="quiet">{turns.length} {turns.length === 1 ? 'roll' : 'rolls'}, {left(mine)} fruits left.
        Your choices have cost {percent(cost)} so far.
        {wins.played > 0 && ` ${wins.played} ${wins.played === 1 ? 'game' : 'games'}: you won ${wins.mine}, the policy ${wins.theirs}.`}</p>
    </div>
  );
}
