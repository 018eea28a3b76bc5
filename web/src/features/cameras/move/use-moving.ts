/** A movement as long as a button is held: begun, kept up each second, and stopped when it is let go. */
import type { Camera } from '@nazar/contract/cameras.ts';
import { movementRoutes } from '@nazar/contract/movements.ts';
import { useCallback, useEffect, useRef, useState } from 'react';
import { call } from '#api/call.ts';
import { problemSentence } from '#api/problem.ts';

export interface Direction {
  readonly x: number;
  readonly y: number;
  readonly zoom: number;
}

/** A camera stops by itself after this, whatever became of the browser. */
const forMs = 1_500;
const againMs = 1_000;

export function useMoving({ id }: Pick<Camera, 'id'>) {
  const [failed, setFailed] = useState<string | null>(null);
  const timer = useRef<number | null>(null);
  const send = useCallback(
    async (body: Parameters<typeof call<typeof movementRoutes.move>>[1]['body']) => {
      try {
        await call(movementRoutes.move, { params: { id }, body: body! });
        setFailed(null);
      } catch (error) {
        setFailed(problemSentence(error));
      }
    },
    [id],
  );
  const stop = useCallback(() => {
    if (timer.current === null) return;
    window.clearInterval(timer.current);
    timer.current = null;
    void send({ kind: 'stop' });
  }, [send]);
  const begin = useCallback(
    (direction: Direction) => {
      if (timer.current !== null) return;
      const go = (): void => void send({ kind: 'move', ...direction, for_ms: forMs });
      timer.current = window.setInterval(go, againMs);
      go();
    },
    [send],
  );
  const goTo = (preset: string): Promise<void> => send({ kind: 'preset', preset });
  // Also when the screen is closed with a button held.
  useEffect(() => stop, [stop]);
  return { begin, stop, goTo, failed, forget: () => setFailed(null) };
}
