// The editor of rules: CodeMirror with the colours of GDL and of rewriting games.
//
// It lives in a shadow root, where its styles are constructed sheets: the page's
// policy allows no style elements.

import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { bracketMatching, HighlightStyle, StreamLanguage, syntaxHighlighting } from '@codemirror/language';
import { lintGutter, setDiagnostics, type Diagnostic as Mark } from '@codemirror/lint';
import { Compartment, EditorState } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import type { Diagnostic } from './api';

const KEYWORDS = new Set(['role', 'init', 'true', 'next', 'legal', 'does', 'goal', 'terminal', 'sees',
  'base', 'input', 'distinct', 'not', 'or', 'and', 'random']);

const gdl = StreamLanguage.define({
  name: 'gdl',
  token(stream) {
    if (stream.eatSpace()) return null;
    if (stream.match(/;.*/)) return 'comment';
    if (stream.match('<=')) return 'operator';
    if (stream.match(/\?[^\s()]+/)) return 'variableName';
    if (stream.match(/[()]/)) return 'bracket';
    const word = stream.match(/[^\s()?;]+/) as RegExpMatchArray | null;
    if (!word) { stream.next(); return null; }
    if (KEYWORDS.has(word[0].toLowerCase())) return 'keyword';
    return /^-?\d+$/.test(word[0]) ? 'number' : 'atom';
  },
  languageData: { commentTokens: { line: ';' } },
});

const TOSS = new Set(['PLAYERS', 'RANGE', 'MODEL', 'EDGE', 'REL', 'RULE', 'LOC', 'PLAYER', 'PAYOFF', 'MOVES', 'START', 'emb', 'pre', 'inv',
  'post', 'update', 'dynamics', 'carry', 'as', 'by', 'and', 'or', 'not', 'ex', 'all', 'in', 'with', 'true', 'false', 'Sum', 'Prod', 'Min', 'Root']);

const toss = StreamLanguage.define({
  name: 'toss',
  startState: () => ({ board: false }),
  token(stream, state: { board: boolean }) {
    if (state.board) {
      if (stream.match(/[^"]+/)) return 'atom';
      if (stream.eat('"')) state.board = false;
      return 'operator';
    }
    if (stream.eatSpace()) return null;
    if (stream.match(/\/\/.*/)) return 'comment';
    if (stream.eat('"')) { state.board = true; return 'operator'; }
    if (stream.match(/->|:=|[=+*/<>|&:-]/)) return 'operator';
    if (stream.match(/[(){}[\];,.]/)) return 'bracket';
    if (stream.match(/\d+(\.\d+)?/)) return 'number';
    const word = stream.match(/[A-Za-z_]\w*/) as RegExpMatchArray | null;
    if (!word) { stream.next(); return null; }
    if (TOSS.has(word[0])) return 'keyword';
    return /^[a-z]/.test(word[0]) ? 'variableName' : 'atom';
  },
  languageData: { commentTokens: { line: '//' } },
});

const languageOf = (name: string) => name === 'toss' ? toss : gdl;

const colours = HighlightStyle.define([
  { tag: tags.comment, color: 'var(--code-comment)', fontStyle: 'italic' },
  { tag: tags.keyword, color: 'var(--code-keyword)', fontWeight: '600' },
  { tag: tags.operator, color: 'var(--code-operator)' },
  { tag: tags.variableName, color: 'var(--code-variable)' },
  { tag: tags.number, color: 'var(--code-number)' },
  { tag: tags.bracket, color: 'var(--code-bracket)' },
  { tag: tags.atom, color: 'var(--ink)' },
]);

const theme = EditorView.theme({
  '&': { height: '100%', fontSize: '14px', color: 'var(--ink)', backgroundColor: 'var(--card)' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.6' },
  '.cm-content': { caretColor: 'var(--accent)', padding: '12px 0' },
  '.cm-cursor': { borderLeftColor: 'var(--accent)', borderLeftWidth: '2px' },
  '.cm-gutters': { backgroundColor: 'var(--card)', color: 'var(--quiet)', border: 'none' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--wash)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-selectionBackground, &.cm-focused .cm-selectionBackground': { backgroundColor: 'var(--select) !important' },
  '.cm-matchingBracket': { backgroundColor: 'var(--select)', outline: 'none' },
  '.cm-tooltip': { backgroundColor: 'var(--card)', color: 'var(--ink)', border: '1px solid var(--line)', borderRadius: '8px' },
  '.cm-diagnostic': { padding: '6px 10px' },
});

export interface Editor {
  text(): string;
  /** Other rules, in a language of their own. */
  set(text: string, language: string): void;
  mark(diagnostics: Diagnostic[]): void;
  show(line: number, column: number): void;
  destroy(): void;
}

/** The place of a diagnostic: from its column to the end of the word. */
function place(view: EditorView, d: Diagnostic): Mark {
  const line = view.state.doc.line(Math.min(Math.max(d.line, 1), view.state.doc.lines));
  const from = Math.min(line.from + Math.max(d.column - 1, 0), line.to);
  const rest = view.state.sliceDoc(from, line.to);
  const length = /^([^\s()]+|[()])/.exec(rest)?.[0].length ?? 1;
  return { from, to: Math.min(from + length, line.to), severity: d.severity === 'warning' ? 'warning' : 'error',
    message: d.message };
}

export function mount(host: HTMLElement, text: string, language: string, onChange: (text: string) => void): Editor {
  const spoken = new Compartment();
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: text,
      extensions: [lineNumbers(), history(), drawSelection(), highlightActiveLine(), highlightActiveLineGutter(),
        bracketMatching(), spoken.of(languageOf(language)), syntaxHighlighting(colours), lintGutter(), theme, EditorView.lineWrapping,
        keymap.of([...defaultKeymap, ...historyKeymap, indentWithTab]),
        EditorView.contentAttributes.of({ 'aria-label': 'Rules' }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) onChange(update.state.doc.toString());
        })],
    }),
  });
  return {
    text: () => view.state.doc.toString(),
    set: (to, next) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: to },
      effects: spoken.reconfigure(languageOf(next)) }),
    mark: (list) => view.dispatch(setDiagnostics(view.state, list.map((d) => place(view, d)))),
    show: (line, column) => {
      const at = place(view, { line, column, message: '' }).from;
      view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: 'center' }) });
      view.focus();
    },
    destroy: () => view.destroy(),
  };
}
