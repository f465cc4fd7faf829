// What can be solved: models of the papers, and a ruler whose bounds are worth watching.

export interface Parameter { label: string; least: number; most: number; first: number }
/** The wish that is sent for a model; 'numbers' are its parameters. */
export interface Model {
  name: string; title: string; group: string; about: string; parameters: Parameter[];
  wish: (numbers: number[]) => Record<string, unknown>;
}

const plain = (name: string) => (numbers: number[]) => ({ model: [name, ...numbers].join(':') });
const SIDE = { label: 'Side of the board', least: 2, most: 6, first: 4 };
const LINE = { label: 'In a line', least: 2, most: 5, first: 3 };
const STRATEGIC = 'Two sides: strategies';
const CHANCE = 'One side and chance: policies';
const BEST = 'One side: the best value';

const ORCHARD = [{ label: 'Trees', least: 1, most: 4, first: 3 }, { label: 'Fruits on each', least: 1, most: 6, first: 3 },
  { label: 'Steps of the raven', least: 1, most: 9, first: 4 }];

/** Golomb's ruler as XCSP3: marks whose distances all differ, on the shortest ruler. */
export function ruler(marks: number): string {
  const longest = marks * marks;
  const gaps: string[] = [];
  for (let i = 0; i < marks; i++)
    for (let j = i + 1; j < marks; j++)
      gaps.push(`<intension> eq(gap[${gaps.length}],sub(mark[${j}],mark[${i}])) </intension>`);
  return `<instance format="XCSP3" type="COP"><variables>
<array id="mark" size="[${marks}]"> 0..${longest} </array>
<array id="gap" size="[${gaps.length}]"> 1..${longest} </array>
</variables><constraints>
<intension> eq(mark[0],0) </intension>
<ordered><list> mark[] </list><operator> lt </operator></ordered>
${gaps.join('\n')}
<allDifferent> gap[] </allDifferent>
</constraints><objectives><minimize> mark[${marks - 1}] </minimize></objectives></instance>`;
}

export const MODELS: Model[] = [
  { name: 'connect', title: 'Connect', group: STRATEGIC, parameters: [SIDE, LINE], wish: plain('connect'),
    about: 'Two players occupy cells of a square board in turn; the first with so many in a line wins. Can the first player force it?' },
  { name: 'connect-hold', title: 'Connect, at least a draw', group: STRATEGIC, wish: plain('connect-hold'),
    parameters: [{ ...SIDE, most: 5, first: 3 }, LINE], about: 'The same, but a draw is enough for the first player.' },
  { name: 'tictactoe:1:closed', title: 'Tic-tac-toe, model 1', group: STRATEGIC, parameters: [], wish: plain('tictactoe:1:closed'),
    about: 'Tic-tac-toe as a strategic network, with the constraints that close it.' },
  { name: 'tictactoe:2', title: 'Tic-tac-toe, model 2', group: STRATEGIC, parameters: [], wish: plain('tictactoe:2'),
    about: 'Tic-tac-toe with a shorter network.' },
  { name: 'tokens', title: 'Token game', group: STRATEGIC, parameters: [{ label: 'Tokens', least: 1, most: 9, first: 4 }],
    wish: plain('tokens'), about: 'Two players take tokens in turn: who can always go on?' },
  { name: 'orchard', title: 'Orchard, to be played', group: CHANCE, parameters: ORCHARD, wish: plain('orchard'),
    about: 'Pick all fruit before the raven comes. The die says from which tree, moves the raven, or gives you the basket: two '
      + 'fruits of your choice. Play it beside the optimal policy, with the same dice.' },
  { name: 'orchard-tree', title: 'Orchard, a few rounds', group: CHANCE,
    parameters: [{ ...ORCHARD[0], most: 3, first: 2 }, { ...ORCHARD[1], most: 4, first: 2 }, { ...ORCHARD[2], most: 4, first: 1 },
      { label: 'Rounds', least: 1, most: 6, first: 3 }],
    wish: (numbers) => ({ model: ['orchard', ...numbers.slice(0, 3)].join(':'), horizon: numbers[3] }),
    about: 'The whole policy for the first rounds. You answer for the die.' },
  { name: 'orchard-search', title: 'Orchard, the paper’s search', group: CHANCE,
    parameters: [{ ...ORCHARD[0], most: 3, first: 3 }, { ...ORCHARD[1], most: 4, first: 3 }, { ...ORCHARD[2], most: 4, first: 3 },
      { label: 'Rounds', least: 1, most: 7, first: 7 }],
    wish: (numbers) => ({ model: ['orchard', ...numbers.slice(0, 3)].join(':'), horizon: numbers[3], method: 'search' }),
    about: 'A policy that pays more and more, until none pays more: the search that the paper describes, which remembers nothing. '
      + 'Every better policy is shown when it is found; stop it, and the best so far is yours.' },
  { name: 'pennies', title: 'Pennies', group: CHANCE, parameters: [], wish: plain('pennies'),
    about: 'Two coins are shown, a third is tossed; all equal pays. What does the best policy expect?' },
  { name: 'p3', title: 'Three variables', group: CHANCE, parameters: [], wish: plain('p3'),
    about: 'One choice, one chance, one choice that must repeat the first.' },
  { name: 'split', title: 'Split', group: CHANCE, parameters: [], wish: plain('split'),
    about: 'Thresholds for the parts of a stochastic network.' },
  { name: 'ruler', title: 'Golomb’s ruler', group: BEST, parameters: [{ label: 'Marks', least: 4, most: 12, first: 8 }],
    wish: ([marks]) => ({ instance: ruler(marks), best: true }),
    about: 'Marks on a ruler whose distances are all different; how short can it be? Shorter rulers appear as they are found, '
      + 'and at the end the shortest is proved.' },
];
export const GROUPS = [STRATEGIC, CHANCE, BEST];
