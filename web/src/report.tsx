// A report on results: ratings, who beats whom, scores over the matches, games.

import { useMemo, useState } from 'preact/hooks';
import type { Pairing, Report, Standing } from './api';
import { wilson } from './interval';
import { Lines } from './lines';
import { Section } from './parts';

/** Where a score and its interval lie, between 0 and 1. */
function Interval(props: { score: number; low: number; high: number }) {
  const said = `${Math.round(100 * props.score)} %, between ${Math.round(100 * props.low)} and ${Math.round(100 * props.high)}`;
  return (
    <span class="interval" role="img" aria-label={said} title={said}>
      <span class="span" style={{ left: `${100 * props.low}%`, width: `${100 * (props.high - props.low)}%` }} />
      <span class="point" style={{ left: `${100 * props.score}%` }} />
    </span>
  );
}

function Standings(props: { players: Standing[] }) {
  const sorted = [...props.players].sort((a, b) => (b.elo ?? 0) - (a.elo ?? 0));
  return (
    <div class="scroll">
      <table class="results">
        <thead><tr><th>Player</th><th class="n">Elo</th><th>Score, 95 %</th><th class="n">W / D / L</th><th class="n">Matches</th></tr></thead>
        <tbody>{sorted.map((player) => {
          const score = player.matches > 0 ? (player.wins + player.draws / 2) / player.matches : 0.5;
          const [low, high] = wilson(score, player.matches);
          return (
            <tr key={player.player}>
              <th scope="row">{player.player}</th>
              <td class="n">{player.elo === null || player.matches === 0 ? '–' : <>{player.elo.toFixed(0)} <span class="quiet">± {player.elo_error?.toFixed(0)}</span></>}</td>
              <td>{player.matches > 0 ? <Interval score={score} low={low} high={high} /> : <span class="quiet">not yet</span>}</td>
              <td class="n">{player.wins} / {player.draws} / {player.losses}</td>
              <td class="n">{player.matches}</td>
            </tr>
          );
        })}</tbody>
      </table>
    </div>
  );
}

/** Points of the player of a row against that of a column, all games together. */
function cross(pairings: Pairing[], row: string, column: string): { score: number; matches: number } | null {
  let points = 0, matches = 0;
  for (const p of pairings) {
    const played = p.wins + p.draws + p.losses;
    if (p.first === row && p.second === column) { points += p.wins + p.draws / 2; matches += played; }
    else if (p.first === column && p.second === row) { points += p.losses + p.draws / 2; matches += played; }
  }
  return matches > 0 ? { score: points / matches, matches } : null;
}

function HeatMap(props: { report: Report }) {
  const names = props.report.players.map((player) => player.player);
  return (
    <div class="scroll">
      <table class="heat">
        <thead><tr><th aria-label="player" />{names.map((name) => <th key={name} scope="col">{name}</th>)}</tr></thead>
        <tbody>{names.map((row) => (
          <tr key={row}><th scope="row">{row}</th>{names.map((column) => {
            const cell = row === column ? null : cross(props.report.pairings, row, column);
            if (!cell) return <td key={column} class="none" />;
            const strength = Math.round(Math.abs(cell.score - 0.5) * 80); // letters stay readable on the strongest
            return (
              <td key={column} title={`${row} against ${column}: ${cell.matches} matches`}
                style={{ background: `color-mix(in srgb, var(${cell.score >= 0.5 ? '--accent' : '--rose'}) ${strength}%, var(--wash))` }}>
                {Math.round(100 * cell.score)}</td>
            );
          })}</tr>
        ))}</tbody>
      </table>
    </div>
  );
}

const nameOf = (p: Pairing) => p.second ? `${p.first} against ${p.second}` : p.first;

/** Scores over the matches, game by game: how sure is what the table says? */
function Curves(props: { pairings: Pairing[] }) {
  const games = useMemo(() => [...new Set(props.pairings.filter((p) => p.curve.length > 1).map((p) => p.game))], [props.pairings]);
  const [chosen, setChosen] = useState('');
  if (games.length === 0) return null;
  const game = games.includes(chosen) ? chosen : games[0];
  const lines = props.pairings.filter((p) => p.game === game && p.curve.length > 1)
    .map((p) => ({ label: nameOf(p), points: p.curve.map(([n, score]) => [n, 100 * score] as [number, number]) }));
  return (
    <Section title="Scores over the matches" aside={games.length > 1 ? (
      <select aria-label="Game of the curves" value={game} onChange={(event) => setChosen(event.currentTarget.value)}>
        {games.map((one) => <option key={one} value={one}>{one}</option>)}</select>) : <span class="quiet">{game}</span>}>
      <Lines lines={lines} x="matches" whole range={[0, 100]} label={`Mean score of the first player over the matches of ${game}`} />
    </Section>
  );
}

function Games(props: { pairings: Pairing[] }) {
  return (
    <div class="scroll">
      <table class="results">
        <thead><tr><th>Game</th><th>First</th><th>Second</th><th>Score of the first, 95 %</th><th class="n">Played</th></tr></thead>
        <tbody>{props.pairings.map((p, i) => (
          <tr key={i}><td>{p.game}</td><td>{p.first}</td><td>{p.second ?? '–'}</td>
            <td>{p.done > 0 ? <Interval score={p.score} low={p.low} high={p.high} /> : <span class="quiet">not yet</span>}</td>
            <td class="n">{p.done} of {p.planned}</td></tr>
        ))}</tbody>
      </table>
    </div>
  );
}

export function Results(props: { report: Report }) {
  const { report } = props;
  return (
    <>
      <Section title="Players"><Standings players={report.players} /></Section>
      {report.players.length > 1 && <Section title="Who beats whom"
        aside={<span class="quiet">points in 100 of the row against the column</span>}><HeatMap report={report} /></Section>}
      <Curves pairings={report.pairings} />
      <Section title="Games"><Games pairings={report.pairings} /></Section>
    </>
  );
}

export function countOf(report: Report): { planned: number; done: number } {
  return report.pairings.reduce((sum, p) => ({ planned: sum.planned + p.planned, done: sum.done + p.done }), { planned: 0, done: 0 });
}
