// The server's API (docs/openapi.yaml).  The token comes in the fragment of the
// address, is kept for this tab, and goes into a header.

export interface Game {
  name: string; title: string; roles: number; role_names: string[];
  has_random: boolean; has_sees: boolean; language: string; tags: string[]; description: string;
}
export interface Player { name: string; summary: string }
export interface Role {
  name: string; spelling: string; kind: 'you' | 'person' | 'player' | 'chance';
  player: string | null; goal: number | null; left: number | null; waited_for: boolean;
}
/** Moves that are symmetric to each other: classes of several. */
export interface Alike { role: string; symmetries: number; leaving: number; classes: string[][] }
export interface Position {
  type: string; title: string; description: string; step: number; over: boolean;
  resigned: boolean; flagged: boolean; quitter: string | null; hidden: boolean;
  thinking: string | null; hinting: boolean; at: number; roles: Role[];
  yours: boolean; legal_count: number; legal: string[]; effects?: string[][] | null; aims: Record<string, string>;
  alike: Alike | null; sees: string[];
  history_from: number; history: (string | null)[][];
  values: [number, number, number][]; svg: string; text: string; seed: number | null;
}
export interface Opinion { move: string; visits: number; value: number | null; proved: string | null }
export interface Stage {
  engine: string; variables: number; constraints: number; rounds: number;
  choices: { role: string; chance: boolean; values: number; pruned: number; threshold: number | null }[];
  pruned: string[];
}
/** The main line of who thinks; the first steps with the position after them. */
export interface Line {
  step: number; role: string; proved: boolean; ended: boolean;
  steps: { moves: { role: string; move: string }[]; svg?: string; text?: string }[];
}
export interface Thinking {
  stage: Stage | null; role: string; player: string; step: number; hinting: boolean; seconds: number;
  value: number | null; proved: string | null; note: string | null; moves: Opinion[];
  visits: number; stats: Record<string, number>;
}
export interface Diagnostic {
  line: number; column: number; severity?: string; code?: string; message: string;
}
export interface Fault { message: string; diagnostics: Diagnostic[] }
export interface Witness { code: string; role?: string; moves: string[] }
export interface Checked { valid: boolean; diagnostics: Diagnostic[]; plays?: Witness[] }
export interface ReplayStep {
  moves: string[] | null; svg: string; text: string; over: boolean; goals: (number | null)[];
  value: { role: string; value: number } | null;
}
export interface Replay {
  title: string; description: string; aims: Record<string, string>; roles: { name: string; spelling: string }[];
  steps: ReplayStep[]; problem: string | null;
}
/** What a game is made of. */
export interface Pictures {
  network: { fluents: number; moves: number; gates: number; levels: number[];
    nodes: { kind: string; level: number; text: string }[] | null; edges?: [number, number, number][] } | null;
  constraints: { variables: { name: string; kind: string; size: number }[] | null; scopes: number[][] | null } | null;
  symmetry: { order: number; complete: boolean; generator_count: number; generators: [string, string][][] } | null;
}
/** A seat at a table that has just been laid. */
export interface Seat { role: string; id: string }
export interface EventEntry { name: string; running: boolean; run?: string; described: boolean; stored: boolean }
export interface Standing {
  player: string; matches: number; wins: number; draws: number; losses: number;
  elo: number | null; elo_error: number | null; sims: number; seconds: number;
}
export interface Pairing {
  game: string; budget: string; first: string; second: string | null; planned: number; done: number;
  wins: number; draws: number; losses: number; score: number; low: number; high: number;
  curve: [number, number][];
}
export interface Report { players: Standing[]; pairings: Pairing[] }
export interface StrategyNode { variable?: string; values?: Record<string, StrategyNode>; cut?: boolean }
/** What alea solve --json prints. */
export interface Solved {
  status: string; value: number | null; solutions: number; nodes: number; propagations: number;
  seconds: number; optimal?: boolean; side?: string; strategy?: StrategyNode; policy?: PolicyNode[];
  states?: { variables: string[]; values: number[][] };
  assignment?: Record<string, number | string | null>;
}
export interface PolicyNode {
  variable?: string; chance?: boolean; expected: number;
  edges: { value: number | string; probability: number; expected: number; node: number }[];
}
/** What is played: a game that ships, or rules and what they are called where they have no title. */
export interface Subject { game?: string; rules?: string; language?: string; name?: string }

const KEY = 'alea-token';

/** Takes the token out of the address, and the seat that somebody was invited to. */
export function takeToken(): string | null {
  const found = /[#&]token=([0-9a-z]+)/.exec(location.hash);
  const seat = /[#&]seat=([0-9a-f]{32})\b/.exec(location.hash);
  if (found) sessionStorage.setItem(KEY, found[1]);
  if (found || seat) history.replaceState(null, '', '#/play');
  return seat ? seat[1] : null;
}

/** The address by which somebody else takes a seat. */
export function invitation(seat: string): string {
  return `${location.origin}/#token=${sessionStorage.getItem(KEY) ?? ''}&seat=${seat}`;
}

export class Refused extends Error {
  constructor(public status: number, message: string) { super(message); }
}

async function read<T>(answer: Response): Promise<T> {
  const text = await answer.text();
  let value: unknown = null;
  try { value = JSON.parse(text); } catch { /* told below */ }
  if (answer.ok && value !== null) return value as T;
  const said = (value as { error?: string } | null)?.error;
  throw new Refused(answer.status, said ?? (text.trim() || `the server answered ${answer.status}`));
}

export const SILENT = 'The server does not answer. Is alea web still running?';

async function reach(path: string, init?: RequestInit): Promise<Response> {
  try {
    return await fetch(path, init);
  } catch (trouble) {
    if (trouble instanceof DOMException && trouble.name === 'AbortError') throw trouble;
    throw new Refused(0, SILENT);
  }
}

export async function get<T>(path: string): Promise<T> {
  return read<T>(await reach(path));
}

export async function post<T>(path: string, body: unknown, signal?: AbortSignal): Promise<T> {
  const headers = {
    'Content-Type': 'application/json',
    'X-Alea-Token': sessionStorage.getItem(KEY) ?? '',
  };
  return read<T>(await reach(path, { method: 'POST', headers, body: JSON.stringify(body), signal }));
}

const kept = new Map<string, Promise<unknown>>();

/** A list that does not change while the program runs. */
export function list<T>(path: string): Promise<T> {
  if (!kept.has(path))
    kept.set(path, get<T>(path).catch((trouble) => { kept.delete(path); throw trouble; }));
  return kept.get(path) as Promise<T>;
}
