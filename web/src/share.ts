// A play as one HTML file that needs nothing else.

import type { Replay } from './api';
import { plain } from './moves';
import { crop, readDrawing } from './svg';

const escape = (text: string) => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);

/** The scale and the colours of the page. */
const STYLE = `:root{--text-s:.8125rem;--text:.9375rem;--text-l:1.125rem;--text-xl:1.5rem;--paper:#f6f4ef;--card:#fffdf9;--line:#e2ddd2;--ink:#25282c;--quiet:#6b6a66;--accent:#1d6b64}
@media(prefers-color-scheme:dark){:root{--paper:#15171a;--card:#1d2024;--line:#32373d;--ink:#e7e5e0;--quiet:#9a9a96;--accent:#63c7b9}}
body{font:var(--text)/1.5 system-ui,sans-serif;max-width:40rem;margin:2rem auto;padding:0 1rem;color:var(--ink);background:var(--paper)}
h1{font-size:var(--text-xl);line-height:1.2;margin:0 0 1rem}section{display:none}section:target,section.first{display:block}section:target~section.first{display:none}
nav{display:flex;flex-wrap:wrap;gap:.5rem}nav>*{border:1px solid var(--line);border-radius:10px;padding:.45rem .9rem;min-height:2.5rem;box-sizing:border-box;background:var(--card);color:var(--accent);text-decoration:none;font-weight:600}
nav span{opacity:.35}figure{margin:1rem 0;padding:1.25rem;background:var(--card);border:1px solid var(--line);border-radius:12px;color:var(--ink)}
svg{display:block;margin:0 auto;max-width:100%;max-height:65vh;height:auto}svg.bare{display:none}
ul{display:flex;flex-wrap:wrap;justify-content:center;gap:.25rem 1.25rem;list-style:none;margin:.875rem 0 0;padding:0;font-size:var(--text-s);color:var(--quiet)}.step{color:var(--quiet)}.end{font-size:var(--text-l);font-weight:600}`;

/** Cuts a drawing to what is drawn, for which it must be in the page for a moment. */
function cropped(root: SVGSVGElement): SVGSVGElement {
  const place = document.createElement('div');
  place.className = 'offstage';
  document.body.append(place);
  place.append(root);
  crop(root);
  root.setAttribute('width', String(2 * root.viewBox.baseVal.width));
  place.remove();
  return root;
}

/** Every step is a section; links lead from one to the next, without script. */
export function share(film: Replay): string {
  const last = film.steps.length - 1;
  const light = new Set<string>(), dark = new Set<string>(); // rules of colours, which svg.ts has checked
  const sections = film.steps.map((step, i) => {
    const drawing = readDrawing(step.svg);
    drawing?.light.split('\n').forEach((rule) => light.add(rule));
    drawing?.dark.split('\n').forEach((rule) => dark.add(rule));
    const svg = drawing ? new XMLSerializer().serializeToString(cropped(drawing.root)) : '';
    const notes = drawing && drawing.notes.length > 0 ? `<ul>${drawing.notes.map((note) => `<li>${escape(note.words)}</li>`).join('')}</ul>` : '';
    const real = (step.moves ?? []).map((move, r) => ({ move, who: film.roles[r].spelling }));
    const acted = real.filter(({ move }) => move.startsWith('(')); // without those who wait
    const moves = (acted.length > 0 ? acted : real).map(({ move, who }) => `${who} ${plain(move)}`).join(', ');
    const goals = step.over ? film.roles.map((role, r) => `${role.spelling} ${step.goals[r] ?? '–'}`).join(', ') : '';
    const link = (to: number, name: string) => to >= 0 && to <= last && to !== i ? `<a href="#s${to}">${name}</a>` : `<span aria-hidden="true">${name}</span>`;
    return `<section id="s${i}"${i === 0 ? ' class="first"' : ''}><nav>${link(0, 'start')}${link(i - 1, 'back')}${link(i + 1, 'on')}${link(last, 'end')}</nav>`
      + `<p><span class="step">Step ${i} of ${last}</span> ${escape(moves)}</p><figure>${svg}${notes}</figure>${goals ? `<p class="end">The end: ${escape(goals)}</p>` : ''}</section>`;
  });
  // The start comes last, so that it shows where no step is asked for.
  const [first, ...rest] = sections;
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">`
    + `<title>${escape(film.title)}</title><style>${STYLE}\n${[...light].join('\n')}\n@media(prefers-color-scheme:dark){${[...dark].join('\n')}}</style><h1>${escape(film.title)}</h1>`
    + `${rest.join('')}${first}</html>`;
}
