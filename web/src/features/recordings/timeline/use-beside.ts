/** Leads to the next movement or person, of which one may not have come from the server yet. */
import { useEffect, useRef, useState } from 'react';
import { problemSentence } from '#api/problem.ts';
import { useTranslation } from '#lib/i18n.ts';
import { seekBeside } from './seek-beside.ts';
import type { TimelineRow } from './timeline-data.ts';
import type { TimelineView } from './timeline-view.ts';
import { beginningBeside, type Direction, type Sought } from './what-is-there.ts';

export interface BesideOptions {
  readonly cameraIds: readonly string[];
  readonly rows: readonly (TimelineRow | null)[];
  /** What is in sight: what was read of it may be trusted. */
  readonly view: () => TimelineView;
  readonly atMs: () => number;
  readonly onFound: (ms: number) => void;
}

const noneOf = {
  motion: { '-1': 'timeline.none.motionBefore', '1': 'timeline.none.motionAfter' },
  people: { '-1': 'timeline.none.personBefore', '1': 'timeline.none.personAfter' },
} as const;

export function useBeside({ cameraIds, rows, view, atMs, onFound }: BesideOptions) {
  const { t } = useTranslation();
  const [said, setSaid] = useState<string | null>(null);
  const asked = useRef<AbortController>(null);
  useEffect(() => () => asked.current?.abort(), []);
  const go = async (sought: Sought, direction: Direction): Promise<void> => {
    asked.current?.abort();
    const own = new AbortController();
    asked.current = own;
    setSaid(null);
    const fromMs = atMs();
    const known = rows.filter((row) => row !== null);
    const { fromMs: first, untilMs: last } = view();
    const drawn = beginningBeside(known, sought, fromMs, direction);
    const isInSight = fromMs >= first && fromMs < last;
    if (drawn !== null && isInSight && drawn >= first && drawn < last) {
      onFound(drawn);
      return;
    }
    try {
      const nowMs = Date.now();
      const beside = { cameraIds, sought, atMs: fromMs, direction, nowMs };
      const found = await seekBeside(beside, own.signal);
      if (own.signal.aborted) return;
      if (found === null) setSaid(t(noneOf[sought][`${direction}`]));
      else onFound(found);
    } catch (error) {
      if (!own.signal.aborted) setSaid(problemSentence(error));
    }
  };
  return {
    said,
    beside: (sought: Sought, direction: Direction): void => void go(sought, direction),
  };
}
