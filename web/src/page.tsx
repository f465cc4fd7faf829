// The page: navigation, colours, and the views.

import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { post, takeToken, type Subject } from './api';
import { Events } from './events';
import { Experiments } from './experiments';
import { Play, type Open } from './play';
import { Replay, type Film } from './replay';
import { Solve } from './solve';
import { useTheme, type Theme } from './theme';
import { Write } from './write';

const VIEWS = [['play', 'Play'], ['write', 'Write'], ['replay', 'Replay'], ['events', 'Events'], ['solve', 'Solve'],
  ['experiments', 'Experiments']] as const;
type View = typeof VIEWS[number][0];

const ICONS: Record<View, string> = {
  play: 'M7 4.5v15l12-7.5z',
  write: 'M4 20l4.5-1L20 7.5 16.5 4 5 15.5z',
  solve: 'M12 5v5M12 10l-6 5M12 10l6 5M6 15v4M18 15v4',
  experiments: 'M10 4v6L5 19h14l-5-9V4M8.5 4h7M8 14h8',
  events: 'M6 20v-7M12 20V4M18 20v-11',
  replay: 'M12 5a7 7 0 1 1-6.3 4M5 4v5h5',
};

function viewOf(hash: string): View {
  const name = hash.replace(/^#\//, '');
  return VIEWS.find(([view]) => view === name)?.[0] ?? 'play';
}

const NEXT: Record<Theme, Theme> = { auto: 'light', light: 'dark', dark: 'auto' };
const THEMES: Record<Theme, string> = { auto: 'Colours: automatic', light: 'Colours: light', dark: 'Colours: dark' };

function Page() {
  const [view, setView] = useState<View>(viewOf(location.hash));
  const [open, setOpen] = useState<Open | null>(() => invited ? { id: invited, wish: {}, guest: true } : null);
  const [film, setFilm] = useState<Film | null>(null);
  const [theme, setTheme] = useTheme();
  useEffect(() => {
    const follow = () => setView(viewOf(location.hash));
    window.addEventListener('hashchange', follow);
    return () => window.removeEventListener('hashchange', follow);
  }, []);
  useEffect(() => { document.title = `${VIEWS.find(([name]) => name === view)![1]} – Alea`; }, [view]);

  const go = (to: View) => { location.hash = `#/${to}`; };
  async function playAtOnce(subject: Subject) {
    if (open) post(`/api/tables/${open.id}/close`, {}).catch(() => undefined);
    const { id } = await post<{ id: string }>('/api/tables', { ...subject, level: 5 });
    setOpen({ id, wish: subject });
    go('play');
  }
  function watch(next: Film) { setFilm(next); go('replay'); }

  return (
    <div class="shell">
      <a class="skip" href="#main" onClick={(event) => { event.preventDefault(); document.getElementById('main')?.focus(); }}>
        To the content</a>
      <nav class="side" aria-label="Views">
        <a class="brand" href="#/play" aria-label="Alea"><img src="/icon.svg" alt="" width="28" height="28" /><span>Alea</span></a>
        <ul>
          {VIEWS.map(([name, label]) => (
            <li key={name}><a href={`#/${name}`} aria-label={label} aria-current={view === name ? 'page' : undefined}>
              <svg viewBox="0 0 24 24" aria-hidden="true"><path d={ICONS[name]} /></svg><span>{label}</span></a></li>
          ))}
        </ul>
        <button class="theme" onClick={() => setTheme(NEXT[theme])} aria-label={THEMES[theme]} title={THEMES[theme]}>
          <svg viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="7.5" />
            <path class="filled" d={theme === 'light' ? '' : theme === 'dark' ? 'M12 4.5a7.5 7.5 0 1 0 0 15a7.5 7.5 0 1 0 0-15' : 'M12 4.5a7.5 7.5 0 0 0 0 15z'} /></svg>
          <span>{theme === 'auto' ? 'Automatic' : theme === 'light' ? 'Light' : 'Dark'}</span>
        </button>
      </nav>
      <main id="main" tabIndex={-1}>
        {view === 'play' && <Play open={open} onOpen={setOpen} onReplay={watch} />}
        {view === 'write' && <Write onPlay={playAtOnce}
          onWitness={(subject, moves, title) => watch({ subject, moves, title })} />}
        {view === 'solve' && <Solve />}
        {view === 'experiments' && <Experiments />}
        {view === 'events' && <Events onReplay={watch} />}
        {view === 'replay' && <Replay film={film} onFilm={setFilm} />}
      </main>
    </div>
  );
}

const invited = takeToken();
render(<Page />, document.getElementById('page')!);
