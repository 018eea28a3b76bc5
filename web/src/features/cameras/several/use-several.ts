import type { Camera } from '@nazar/contract/cameras.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { refresh } from '#api/query.ts';
import { runSeveral, type Outcome } from './run-several.ts';
import { workOf, type Task } from './several-tasks.ts';

type State =
  | { readonly kind: 'asked' }
  | { readonly kind: 'running'; readonly finished: number; readonly count: number }
  | { readonly kind: 'over'; readonly outcome: Outcome<Camera> };

/** A run ends with the dialog: what has begun is finished, nothing more begins. */
export function useSeveral(
  task: Task,
  group: string,
  onDone: (cameras: readonly Camera[]) => void,
) {
  const client = useQueryClient();
  const [state, setState] = useState<State>({ kind: 'asked' });
  const running = useRef<AbortController | null>(null);
  const cancel = (): void => running.current?.abort();
  useEffect(() => () => running.current?.abort(), []);
  const run = async (cameras: readonly Camera[]): Promise<void> => {
    const own = new AbortController();
    running.current = own;
    const count = cameras.length;
    const progress = (finished: number): void => setState({ kind: 'running', finished, count });
    progress(0);
    const outcome = await runSeveral(cameras, workOf(task, group, cameras), own.signal, progress);
    setState({ kind: 'over', outcome });
    onDone(outcome.done);
    const areas = ['cameras', 'recordings', 'access'] as const;
    await Promise.all(areas.map((area) => refresh(client, area)));
  };
  return { state, run, cancel };
}
