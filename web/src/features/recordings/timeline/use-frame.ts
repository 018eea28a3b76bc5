/** Does the work with the next frame, once, however often it is asked for until then. */
import { useCallback, useEffect, useRef } from 'react';

export function useFrame(work: () => void): () => void {
  const latest = useRef(work);
  const frame = useRef(0);
  useEffect(() => {
    latest.current = work;
  });
  useEffect(() => () => cancelAnimationFrame(frame.current), []);
  return useCallback(() => {
    if (frame.current !== 0) return;
    frame.current = requestAnimationFrame(() => {
      frame.current = 0;
      latest.current();
    });
  }, []);
}
