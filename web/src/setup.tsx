// Laying a table: the game, the role, the others, how well they play.

import { useMemo, useState } from 'preact/hooks';
import { list, type Game, type Player, type Subject } from './api';
import { byTitle, Field, FileButton, named, Trouble, upper, useLoaded, Waiting } from './parts';

export interface Wish extends Subject {
  role?: string; player?: string; players?: Record<string, string>;
  level?: number; seconds?: number; people?: string[]; clock?: number; increment?: number;
}

/** Who sits where another person is to sit. */
const PERSON = '@person';
const CLOCKS = [[0, 'no clock'], [60, '1 minute'], [180, '3 minutes'], [300, '5 minutes'], [900, '15 minutes'], [3600, '1 hour']] as const;
const INCREMENTS = [0, 2, 5, 10, 30];

const FIRST = 'tictactoe';

/** The roles that rules in GDL name; the server knows them all, this is for the form. */
export function rolesOf(rules: string, language: string): string[] {
  const pattern = language === 'toss' ? /PLAYERS\s+([^\n;]*)/gi : /\(\s*role\s+([^\s()]+)\s*\)/gi;
  const found: string[] = [];
  for (const match of rules.replace(/;.*$/gm, '').matchAll(pattern))
    found.push(...match[1].split(/[\s,]+/).filter((name) => name !== ''));
  return [...new Set(found.map((name) => name.toLowerCase()))];
}

/** The title that the comments of rules tell. */
const titleIn = (rules: string) => /^\s*(?:;+|\/\/)\s*title:\s*(\S.*)$/m.exec(rules)?.[1].trim() ?? null;

function kinds(game: Game): string {
  const players = game.roles - (game.has_random ? 1 : 0);
  const parts = [players === 1 ? 'one player' : `${players} players`];
  if (game.has_sees) parts.push('hidden information');
  else if (game.has_random) parts.push('chance');
  if (game.language === 'toss') parts.push('rewriting');
  return parts.join(' · ');
}

function GameList(props: { games: Game[]; chosen: string | null; onChoose: (name: string) => void }) {
  const [search, setSearch] = useState('');
  const wanted = useMemo(() => {
    const words = search.toLowerCase().split(/\s+/).filter((word) => word !== '');
    return byTitle(props.games)!.filter((game) => {
      const text = `${game.name} ${game.title} ${game.tags.join(' ')} ${kinds(game)} ${game.description}`;
      return words.every((word) => text.toLowerCase().includes(word));
    });
  }, [search, props.games]);
  return (
    <div class="game-list">
      <input type="search" placeholder={`Search ${props.games.length} games`} aria-label="Search games"
        value={search} onInput={(event) => setSearch(event.currentTarget.value)} />
      <ul role="listbox" aria-label="Games">
        {wanted.map((game) => (
          <li key={game.name}>
            <button role="option" aria-selected={game.name === props.chosen} data-game={game.name}
              onClick={() => props.onChoose(game.name)}>
              <strong>{game.title}</strong>
              <span class="quiet">{kinds(game)}</span>
            </button>
          </li>
        ))}
        {wanted.length === 0 && <li class="quiet none">No game is like that.</li>}
      </ul>
    </div>
  );
}

const LEVELS = ['a beginner', 'a beginner', 'easy', 'fair', 'fair', 'strong', 'strong', 'very strong', 'very strong'];

export function Setup(props: { onPlay: (wish: Wish) => void; busy: boolean }) {
  const games = useLoaded(() => list<Game[]>('/api/games'), 'games');
  const known = useLoaded(() => list<Player[]>('/api/players'), 'players');
  const [name, setName] = useState(FIRST);
  const [own, setOwn] = useState<{ name: string; rules: string; language: string } | null>(null);
  const [role, setRole] = useState<string | null>(null);
  const [opponents, setOpponents] = useState<Record<string, string>>({});
  const [clock, setClock] = useState<'level' | 'seconds'>('level');
  const [level, setLevel] = useState(5);
  const [seconds, setSeconds] = useState(2);
  const [minutes, setMinutes] = useState(0);
  const [increment, setIncrement] = useState(0);

  const game = own ? null : games.value?.find((g) => g.name === name) ?? null;
  const all = own ? rolesOf(own.rules, own.language) : game?.role_names ?? [];
  const roles = all.filter((r) => r !== 'random');
  const seat = role !== null && (role === '' || roles.includes(role)) ? role : roles[0] ?? null;

  const helpOf = (player: string) => player === PERSON ? 'In turn at this screen, or elsewhere by a link.'
    : upper(known.value?.find((one) => one.name === player)?.summary ?? '');
  const people = roles.filter((r) => r !== seat && opponents[r] === PERSON && seat !== '');
  const players = roles.filter((r) => r !== seat && !people.includes(r));

  function begin() {
    const wish: Wish = own ? { rules: own.rules, language: own.language, name: own.name } : { game: name };
    if (seat !== null) wish.role = seat;
    if (people.length > 0) wish.people = [seat!, ...people];
    wish.players = Object.fromEntries(players.filter((r) => opponents[r] && opponents[r] !== PERSON)
      .map((r) => [r, opponents[r]]));
    if (clock === 'level') wish.level = level; else wish.seconds = seconds;
    if (minutes > 0 && seat !== '') { wish.clock = minutes; wish.increment = increment; }
    props.onPlay(wish);
  }

  function choose(chosen: string) { setOwn(null); setName(chosen); setRole(null); }

  return (
    <div class="setup">
      <div class="setup-games">
        <h1>What shall we play?</h1>
        <Trouble message={games.trouble} />
        {games.value === null && !games.trouble && <Waiting>Reading the list of games</Waiting>}
        {games.value && <GameList games={games.value} chosen={own ? null : name} onChoose={choose} />}
        <div class="row">
          <FileButton label="Rules of your own…" accept=".kif,.gdl,.toss,.txt" onText={(file, rules) => {
            setOwn({ name: titleIn(rules) ?? named(file), rules, language: file.endsWith('.toss') ? 'toss' : 'gdl' });
            setRole(null);
          }} />
          <span class="quiet">GDL, GDL-II, or a rewriting game (.toss)</span>
        </div>
      </div>
      <div class="setup-table card">
        <h2>{own ? own.name : game?.title ?? upper(name)}</h2>
        <p class="quiet">{own ? 'Your own rules.' : game?.description}</p>
        <fieldset class="seats">
          <legend class="label">Your seat</legend>
          {roles.map((r) => (
            <label class="choice" key={r}>
              <input type="radio" name="seat" checked={seat === r} onChange={() => setRole(r)} />
              <span>{r}</span>
            </label>
          ))}
          <label class="choice">
            <input type="radio" name="seat" checked={seat === ''} onChange={() => setRole('')} />
            <span>only watch</span>
          </label>
        </fieldset>
        {roles.filter((r) => r !== seat).map((r) => (
          <Field label={`Who plays ${r}`} key={r} help={helpOf(opponents[r] ?? 'alea')}>
            <select value={opponents[r] === PERSON && seat === '' ? 'alea' : opponents[r] ?? 'alea'}
              onChange={(event) => setOpponents({ ...opponents, [r]: event.currentTarget.value })}>
              {seat !== '' && <option value={PERSON}>another person, here or by link</option>}
              {(known.value ?? [{ name: 'alea', summary: '' }]).map((player) => (
                <option value={player.name} key={player.name}>{player.name}</option>
              ))}
            </select>
          </Field>
        ))}
        {seat !== '' && <div class="pair">
          <Field label={people.length > 0 ? 'Time of each person' : 'Your time'}>
            <select value={minutes} aria-label="Your time" onChange={(event) => setMinutes(Number(event.currentTarget.value))}>
              {CLOCKS.map(([value, label]) => <option value={value} key={value}>{label}</option>)}
            </select>
          </Field>
          <Field label="For each move">
            <select value={increment} aria-label="For each move" disabled={minutes === 0}
              onChange={(event) => setIncrement(Number(event.currentTarget.value))}>
              {INCREMENTS.map((value) => <option value={value} key={value}>{value === 0 ? 'nothing' : `+ ${value} seconds`}</option>)}
            </select>
          </Field>
        </div>}
        {players.length > 0 && <>
        <div class="tabs" role="group" aria-label="How the others think">
          <button aria-pressed={clock === 'level'} onClick={() => setClock('level')}>By level</button>
          <button aria-pressed={clock === 'seconds'} onClick={() => setClock('seconds')}>By clock</button>
        </div>
        {clock === 'level' ? (
          <Field label={`Level ${level}: ${LEVELS[level - 1]}`}>
            <input type="range" min="1" max="9" value={level} aria-label="Level"
              onInput={(event) => setLevel(Number(event.currentTarget.value))} />
          </Field>
        ) : (
          <Field label={`${seconds} seconds a move`}>
            <input type="range" min="0.5" max="30" step="0.5" value={seconds} aria-label="Seconds a move"
              onInput={(event) => setSeconds(Number(event.currentTarget.value))} />
          </Field>
        )}</>}
        <button class="button primary" disabled={props.busy || (!own && !game)} onClick={begin}>
          {props.busy ? 'Laying the table…' : seat === '' ? 'Watch' : 'Play'}
        </button>
      </div>
    </div>
  );
}
