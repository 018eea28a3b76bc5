import type { WeekSchedule } from '@nazar/contract/week-schedule.ts';
import { useState } from 'react';
import { readerTimezone } from '#lib/local-day.ts';
import { MAX_SPANS, faultOf, rowsOf, toSpans, type WeekRow } from './week.ts';

interface Draft {
  readonly isOn: boolean;
  readonly timeZone: string;
  readonly rows: readonly WeekRow[];
}

const draftOf = (schedule: WeekSchedule | null): Draft => ({
  isOn: schedule !== null,
  timeZone: schedule?.timeZone ?? readerTimezone(),
  rows: rowsOf(schedule),
});

/** `rows`: a row says itself what is wrong with it. */
export type WeekFault = 'rows' | 'empty' | 'many';

export interface Week extends Draft {
  readonly fault: WeekFault | null;
  /** As it would be saved; undefined while something is wrong. */
  readonly schedule: WeekSchedule | null | undefined;
  readonly put: (change: Partial<Draft>) => void;
  readonly reset: (schedule: WeekSchedule | null) => void;
}

function weekFault({ isOn, rows }: Draft): WeekFault | null {
  if (!isOn) return null;
  if (rows.some((row) => faultOf(row) !== null)) return 'rows';
  const { length } = toSpans(rows);
  if (length === 0) return 'empty';
  return length > MAX_SPANS ? 'many' : null;
}

/** A table that is switched off keeps its rows while the form is open. */
export function useWeek(saved: WeekSchedule | null): Week {
  const [draft, setDraft] = useState(() => draftOf(saved));
  const fault = weekFault(draft);
  const { isOn, timeZone, rows } = draft;
  const schedule = isOn ? { timeZone, spans: toSpans(rows) } : null;
  return {
    ...draft,
    fault,
    schedule: fault === null ? schedule : undefined,
    put: (change) => setDraft((before) => ({ ...before, ...change })),
    reset: (next) => setDraft(draftOf(next)),
  };
}
