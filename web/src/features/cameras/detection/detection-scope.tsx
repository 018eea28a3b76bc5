/** Face detection by hand belongs to the page: it ends when the page is left. */
import { faceDetectorRoutes } from '@nazar/contract/face-detector.ts';
import { useQueryClient } from '@tanstack/react-query';
import { createContext, use, useEffect, useState, type ReactNode } from 'react';
import { useSignal } from '#lib/signal.ts';
import { Detection } from './detection.ts';
import { detectionCalls } from './detection-calls.ts';

const Context = createContext<Detection | null>(null);

export function useDetection(): Detection {
  const detection = use(Context);
  if (detection === null) throw new Error('detection by hand stands outside of its page');
  return detection;
}

/** What the badges say is asked again when the own stream begins, runs and ends. */
function useFreshStatus(detection: Detection): void {
  const client = useQueryClient();
  const session = useSignal(detection.running)?.session;
  useEffect(() => {
    const again = (): void =>
      void client.invalidateQueries({ queryKey: ['cameras', faceDetectorRoutes.status.path] });
    const stop = session?.state.subscribe(again);
    return () => {
      stop?.();
      if (session !== undefined) again();
    };
  }, [client, session]);
}

export function DetectionScope({ children }: { children: ReactNode }) {
  const [detection] = useState(() => new Detection(detectionCalls));
  useEffect(() => () => detection.leave(), [detection]);
  useFreshStatus(detection);
  return <Context value={detection}>{children}</Context>;
}
