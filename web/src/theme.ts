// Light or dark: as the system says, unless the person chose.

import { useEffect, useState } from 'preact/hooks';

export type Theme = 'auto' | 'light' | 'dark';

const KEY = 'alea-theme';
const system = matchMedia('(prefers-color-scheme: dark)');
const isDark = () => document.documentElement.dataset.colours === 'dark';

function apply(theme: Theme): void {
  const dark = theme === 'dark' || (theme === 'auto' && system.matches);
  document.documentElement.dataset.colours = dark ? 'dark' : 'light';
}

export function useTheme(): [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useState<Theme>(() => (localStorage.getItem(KEY) as Theme | null) ?? 'auto');
  useEffect(() => {
    const follow = () => apply(theme);
    localStorage.setItem(KEY, theme);
    follow();
    system.addEventListener('change', follow);
    return () => system.removeEventListener('change', follow);
  }, [theme]);
  return [theme, setTheme];
}

/** Whether the page is dark now, for what is drawn in colours of its own. */
export function useDark(): boolean {
  const [dark, setDark] = useState(isDark);
  useEffect(() => {
    const watch = new MutationObserver(() => setDark(isDark()));
    watch.observe(document.documentElement, { attributes: true, attributeFilter: ['data-colours'] });
    setDark(isDark());
    return () => watch.disconnect();
  }, []);
  return dark;
}
