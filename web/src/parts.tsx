// Small parts that several views share.

import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

/** A message of the program: what stands between backticks is code. */
export function Said(props: { text: string }) {
  return <>{props.text.split('`').map((part, i) => i % 2 === 1 ? <code key={i}>{part}</code> : part)}</>;
}

/** What went wrong, in words, with a way to close it. */
export function Trouble(props: { message: string | null; onClose?: () => void }) {
  if (!props.message) return null;
  return (
    <div class="trouble" role="alert">
      <span><Said text={props.message} /></span>
      {props.onClose && <button class="plain" aria-label="Close" onClick={props.onClose}>✕</button>}
    </div>
  );
}

export function Waiting(props: { children: ComponentChildren }) {
  return <p class="waiting" role="status"><span class="dots" aria-hidden="true" />{props.children}</p>;
}

export function Section(props: { title: string; children: ComponentChildren; aside?: ComponentChildren }) {
  return (
    <section class="section">
      <header><h2>{props.title}</h2>{props.aside}</header>
      {props.children}
    </section>
  );
}

export function Field(props: { label: string; children: ComponentChildren; help?: string }) {
  return (
    <label class="field">
      <span class="label">{props.label}</span>
      {props.children}
      {props.help && <span class="help">{props.help}</span>}
    </label>
  );
}

/** The outcome of a promise, asked for once per key. */
export function useLoaded<T>(load: () => Promise<T>, key: string): { value: T | null; trouble: string | null } {
  const [state, setState] = useState<{ value: T | null; trouble: string | null }>({ value: null, trouble: null });
  useEffect(() => {
    let here = true;
    setState({ value: null, trouble: null });
    load().then((value) => here && setState({ value, trouble: null }),
      (trouble: Error) => here && setState({ value: null, trouble: trouble.message }));
    return () => { here = false; };
  }, [key]);
  return state;
}

/** Brings its element into view when the key changes to something, where the views stand below each other. */
export function useArrival(key: string | null) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (key !== null && matchMedia('(max-width: 70rem)').matches) place.current?.scrollIntoView({ block: 'start' });
  }, [key]);
  return place;
}

const MANY = new Intl.NumberFormat('en-GB', { notation: 'compact', maximumFractionDigits: 1 });
export const compact = (count: number) => MANY.format(count);
/** What went wrong, as a sentence. */
export const sentence = (problem: unknown) => upper((problem as Error).message.trim()).replace(/([^.?!])$/, '$1.');
export const upper = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** Games in the order of their titles. */
export function byTitle<T extends { title: string }>(games: T[] | null): T[] | null {
  return games && [...games].sort((a, b) => a.title.localeCompare(b.title, 'en-GB'));
}

/** What rules are called whose file has this name, where they have no title: `four-in_a-row.kif` is Four in a row. */
export const named = (file: string) => upper(file.replace(/\.\w+$/, '').replace(/[-_]+/g, ' ').trim()).slice(0, 60);

/** Lets the person choose a file: its text, or the file itself. */
export function FileButton(props: { label: string; accept: string; onText?: (name: string, text: string) => void; onFile?: (file: File) => void }) {
  async function read(event: Event) {
    const input = event.currentTarget as HTMLInputElement;
    const file = input.files?.[0];
    if (file) props.onFile?.(file);
    if (file && props.onText) props.onText(file.name, await file.text());
    input.value = '';
  }
  return (
    <label class="button quiet-button file">
      {props.label}
      <input type="file" accept={props.accept} onChange={read} />
    </label>
  );
}

/** Gives the person a file. */
export function save(name: string, type: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

export function Icon(props: { path: string }) {
  return <svg class="glyph" viewBox="0 0 24 24" aria-hidden="true"><path d={props.path} /></svg>;
}
