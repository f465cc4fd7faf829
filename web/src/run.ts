// Runs: processes of the server that take their time (docs/openapi.yaml, /api/runs).

import { useEffect, useState } from 'preact/hooks';
import { post } from './api';

export interface Run<Live = unknown> {
  kind: string; name: string; state: 'running' | 'done' | 'failed' | 'stopped';
  seconds: number; live: Live | null; message: string | null; output: string | null;
}

/** The run with this id, as it is told; null at first, 'lost' where the server has forgotten it, 'silent'
 *  while nobody answers. */
export function useRun<Live>(id: string | null): { run: Run<Live> | null; lost: boolean; silent: boolean } {
  const [run, setRun] = useState<Run<Live> | null>(null);
  const [lost, setLost] = useState(false);
  const [silent, setSilent] = useState(false);
  useEffect(() => {
    setRun(null);
    setLost(false);
    setSilent(false);
    if (!id) return;
    const source = new EventSource(`/api/runs/${id}/events`);
    source.addEventListener('run', (event) => {
      const told = JSON.parse((event as MessageEvent<string>).data) as Run<Live>;
      setRun(told);
      if (told.state !== 'running') source.close();
    });
    source.onopen = () => setSilent(false);
    source.onerror = () => {
      setLost(source.readyState === EventSource.CLOSED);
      setSilent(source.readyState === EventSource.CONNECTING);
    };
    return () => source.close();
  }, [id]);
  return { run, lost, silent };
}

export const stopRun = (id: string) => post(`/api/runs/${id}/stop`, {});

/** What a process said of its failure, without the name of the program. */
export function reasonOf(run: Run): string {
  const said = (run.message ?? '').trim().split('\n')[0].replace(/^(alea: )?(<stdin>(:(\d+):(\d+))?: )?(error: )?/, (...all) => all[4] ? `line ${all[4]}, column ${all[5]}: ` : '');
  return said === '' ? 'It ended without an answer' : said;
}
