// Rules and records of our own, for what uses the page as a person would.

/** Not valid: line 10 has a variable that nothing binds. */
export const BROKEN = `(role me)
(init (n 0))
(succ 0 1) (succ 1 2)
(<= (legal me up) (true (n ?x)))
(<= (legal me down) (true (n ?x)))
(<= (next (n ?y)) (does me up) (true (n ?x)) (succ ?x ?y))
(<= (next (n ?x)) (does me down) (true (n ?x)))
(<= terminal (true (n 2)))
(<= (goal me 100) (true (n 2)))
(<= (goal me 0) (true (n ?x)) (not (true (n 2))) (distinct ?z 1))
`;
/** No rules at all. */
export const UNREADABLE = '(role me';
/** The same without that: one can go down for ever. */
export const DOWN = BROKEN.replace(' (distinct ?z 1)', '');

export const TOSS = `PLAYERS first, second
RULE Mark: [a | | ] -> [a | M(a) | ] emb M
LOC 0 { PLAYER first { PAYOFF 0 MOVES [Mark as mark -> 1] } PLAYER second { PAYOFF 0 } }
LOC 1 { PLAYER first { PAYOFF 0 } PLAYER second { PAYOFF 0 MOVES [Mark as mark -> 0] } }
START [ | M:1 {} | ] "
  . .
  . .
"
`;

/** Names that look like markup, wherever rules have names. */
export const MARKUP = '<img/src=x/onerror=window.hit=1>';
export const STRANGE = `(role ${MARKUP})
(init (cell 1 1 ${MARKUP}))
(init (cell 1 2 b))
(init (note ${MARKUP}))
(legal ${MARKUP} (${MARKUP} 1))
(legal ${MARKUP} (${MARKUP} 2))
(<= (next (over ${MARKUP})) (does ${MARKUP} (${MARKUP} ?x)))
(<= terminal (true (over ${MARKUP})))
(goal ${MARKUP} 100)
`;

/** A match of tic-tac-toe that its second player wins. */
export const MATCH = { game: 'tictactoe', moves: [['(mark 2 2)', 'noop'], ['noop', '(mark 1 1)'], ['(mark 1 3)', 'noop'],
  ['noop', '(mark 3 1)'], ['(mark 2 3)', 'noop'], ['noop', '(mark 2 1)']] };

const term = (name, of) => of.length === 0 ? name : `<relation>${name}</relation>${of.map((one) => `<argument>${one}</argument>`).join('')}`;
/** The same as an XML record of ggp-base: the joint moves, and what it writes besides. */
export const XML_MATCH = `<?xml version="1.0"?>
<match><match-id>page.1</match-id><role>XPLAYER</role><role>OPLAYER</role><startclock>10</startclock><playclock>5</playclock>
<history>${MATCH.moves.map((joint) => `<move>${joint.map((move) => {
    const [name, ...of] = move.replace(/[()]/g, '').split(' ');
    return `<action>${term(name, of)}</action>`;
  }).join('')}</move>`).join('\n')}</history><reward>0</reward><reward>100</reward></match>
`;
