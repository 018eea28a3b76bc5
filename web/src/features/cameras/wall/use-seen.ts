/** Who was just seen at which camera, for as long as their tile shows it. */
import type { Detection } from '@nazar/contract/visits.ts';
import { useEffect, useState } from 'react';
import { useNews } from '#api/news.ts';

/** Long enough to be read by a viewer who looks up. */
export const SEEN_MS = 8000;

type Seen = Pick<Detection, 'face_name' | 'is_recognized'> & { readonly untilMs: number };

/** By camera; the server sends each reader the names that they may read. */
export function useSeen(): ReadonlyMap<string, Seen> {
  const [seen, setSeen] = useState<ReadonlyMap<string, Seen>>(new Map());
  useNews('visits', ({ seen: visits }) => {
    if (visits.length === 0) return;
    const untilMs = Date.now() + SEEN_MS;
    const news = visits.map(
      ({ camera_id: id, face_name, is_recognized }) =>
        [id, { face_name, is_recognized, untilMs }] as const,
    );
    setSeen((last) => new Map([...last, ...news]));
  });
  useEffect(() => {
    if (seen.size === 0) return undefined;
    const first = Math.min(...[...seen.values()].map(({ untilMs }) => untilMs));
    const forget = (): void =>
      setSeen((last) => new Map([...last].filter(([, { untilMs }]) => untilMs > Date.now())));
    const timer = setTimeout(forget, Math.max(0, first - Date.now()) + 1);
    return () => clearTimeout(timer);
  }, [seen]);
  return seen;
}
