// Experiments: what the papers claim, and what was measured.

import { useMemo, useState } from 'preact/hooks';
import { Refused } from './api';
import { Trouble, upper, useLoaded, Waiting } from './parts';

interface Claim {
  claim: string; source: string; published: string; ours: string; outcome: string;
  more: { name: string; value: string }[];
}

/** A cell of a table without its marks of emphasis and links. */
const bare = (cell: string) => cell.trim().replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/\*\*|`/g, '');

/** The table of claims in the document of results. */
export function readClaims(text: string): { claims: Claim[]; about: string } {
  const part = /<!-- claims -->([\s\S]*?)<!-- \/claims -->/.exec(text)?.[1] ?? '';
  const rows = part.split('\n').filter((line) => line.startsWith('|'))
    .map((line) => line.split('|').slice(1, -1).map(bare));
  const head = rows[0] ?? [];
  const claims = rows.slice(2).filter((row) => row.length === head.length).map((row) => ({
    claim: row[0], source: row[1], published: row[2], ours: row[3], outcome: row[4],
    more: head.map((name, i) => ({ name, value: row[i] })).slice(5).filter(({ value }) => value !== '' && value !== '–'),
  }));
  const about = part.split('\n').map((line) => line.trim()).find((line) => line.startsWith('One number')) ?? '';
  return { claims, about: bare(about) };
}

async function load(): Promise<string> {
  const answer = await fetch('/README.md');
  if (!answer.ok) throw new Refused(answer.status, 'The table of results cannot be read');
  return answer.text();
}

const KINDS = ['reproduced', 'not reproduced', 'contradicted', 'not measured'];
const kindOf = (outcome: string) => [...KINDS].reverse().find((kind) => outcome.startsWith(kind)) ?? 'not measured';
const className = (kind: string) => kind.replace(/ /g, '-');

export function Experiments() {
  const text = useLoaded(load, 'claims');
  const [wanted, setWanted] = useState('all');
  const { claims, about } = useMemo(() => text.value ? readClaims(text.value) : { claims: [], about: '' }, [text.value]);
  const counts = KINDS.map((kind) => ({ kind, count: claims.filter((one) => kindOf(one.outcome) === kind).length }))
    .filter(({ count }) => count > 0);
  const shown = claims.filter((one) => wanted === 'all' || kindOf(one.outcome) === wanted);
  return (
    <div class="experiments">
      <header class="stack">
        <h1>What the papers claim</h1>
        <Trouble message={text.trouble} />
        {!text.value && !text.trouble && <Waiting>Reading the table of results</Waiting>}
        {claims.length > 0 && <>
          <p class="quiet">{about}</p>
          <div class="share" role="img" aria-label={counts.map(({ kind, count }) => `${count} ${kind}`).join(', ')}>
            {counts.map(({ kind, count }) => <span key={kind} class={className(kind)} style={{ flex: count }} />)}
          </div>
          <div class="tabs" role="group" aria-label="Outcomes">
            {[{ kind: 'all', count: claims.length }, ...counts].map(({ kind, count }) => (
              <button key={kind} aria-pressed={wanted === kind} onClick={() => setWanted(kind)}>{kind} {count}</button>
            ))}
          </div>
        </>}
      </header>
      <ul class="claims">
        {shown.map((one, i) => (
          <li class={`claim ${className(kindOf(one.outcome))}`} key={`${one.claim}${i}`}>
            <div><strong>{upper(one.claim)}</strong><br /><span class="quiet">{one.source}</span></div>
            <div class="figures"><span class="label">theirs</span><br />{one.published}</div>
            <div class="figures"><span class="label">ours</span><br />{one.ours}</div>
            <span class="tone">{one.outcome}</span>
            {one.more.length > 0 && <details><summary>How it is measured</summary>
              {one.more.map(({ name, value }) => <p key={name}><strong>{name}</strong>: <span class="move">{value}</span></p>)}</details>}
          </li>
        ))}
      </ul>
    </div>
  );
}
