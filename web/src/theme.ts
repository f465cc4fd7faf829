// Light or dark: as the system says, unless the person chose.

import { useEffect, useMemo, useState } from 'preact/hooks';

/** Whether the page is dark now; changes with the switch and with the system. */
export function useDark(): boolean {
  const query = useMemo(() => matchMedia('(prefers-color-scheme: dark)'), []);
  const read = () => {
    const theme = document.documentElement.dataset.theme ?? 'auto';
    return theme === 'dark' || (theme === 'auto' && query.matches);
  };
  const [dark, setDark] = useState(read);
  useEffect(() => {
    const look = () => setDark(read());
    const watch = new MutationObserver(look);
    watch.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
    query.addEventListener('change', look);
    look();
    return () => { watch.disconnect(); query.removeEventListener('change', look); };
  }, []);
  return dark;
}
