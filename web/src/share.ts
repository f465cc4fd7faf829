// A play as one HTML file that needs nothing else.

import type { Replay } from './api';
import { plain } from './moves';
import { readDrawing } from './svg';

const escape = (text: string) => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:44rem;margin:2rem auto;padding:0 1rem;color:#22262b;background:#faf9f6}
svg{max-width:100%;max-height:70vh;height:auto}section{display:none}section:target,section.first{display:block}section:target~section.first{display:none}
nav a{color:#1d6b64;margin-right:1rem}@media(prefers-color-scheme:dark){body{color:#e8e6e1;background:#17191d}nav a{color:#63c7b9}}`;

/** Every step is a section; links lead from one to the next, without script. */
export function share(film: Replay): string {
  const last = film.steps.length - 1;
  const light = new Set<string>(), dark = new Set<string>(); // rules of colours, which svg.ts has checked
  const sections = film.steps.map((step, i) => {
    const drawing = readDrawing(step.svg);
    const size = /viewBox="[^"]* ([\d.]+) ([\d.]+)"/.exec(step.svg);
    if (drawing && size) drawing.root.setAttribute('width', String(2 * Number(size[1])));
    drawing?.light.split('\n').forEach((rule) => light.add(rule));
    drawing?.dark.split('\n').forEach((rule) => dark.add(rule));
    const svg = drawing ? new XMLSerializer().serializeToString(drawing.root) : '';
    const moves = (step.moves ?? []).map((move, r) => `${film.roles[r].spelling} ${plain(move)}`).join(', ');
    const goals = step.over ? film.roles.map((role, r) => `${role.spelling} ${step.goals[r] ?? '–'}`).join(', ') : '';
    const link = (to: number, name: string) => to >= 0 && to <= last && to !== i ? `<a href="#s${to}">${name}</a>` : '';
    return `<section id="s${i}"${i === 0 ? ' class="first"' : ''}><nav>${link(0, 'start')}${link(i - 1, 'back')}${link(i + 1, 'on')}${link(last, 'end')}</nav>`
      + `<p>Step ${i} of ${last}. ${escape(moves)}</p>${svg}${goals ? `<p>The end: ${escape(goals)}</p>` : ''}</section>`;
  });
  // The start comes last, so that it shows where no step is asked for.
  const [first, ...rest] = sections;
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">`
    + `<title>${escape(film.title)}</title><style>${STYLE}\n${[...light].join('\n')}\n@media(prefers-color-scheme:dark){${[...dark].join('\n')}}</style><h1>${escape(film.title)}</h1>`
    + `${rest.join('')}${first}</html>`;
}
