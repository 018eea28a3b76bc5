/**
 * Which day is listed: that of the address, else that of the moment or the recording in it, else today. A day of which
 * nothing is recorded gives way to that of the newest recording, and both this and a day that there is none
 * of are said.
 */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { dayOf, isDay, monthOf } from '#lib/local-day.ts';
import { daysQuery, newestQuery, recordingQuery } from './queries.ts';
import type { RecordingsChange, RecordingsSearch } from './recordings-address.ts';

/** Often enough for what changes at midnight. */
const tickMs = 30_000;

/** The reader's day, also after midnight. */
export function useToday(): string {
  const [today, setToday] = useState(() => dayOf(Date.now()));
  useEffect(() => {
    const timer = setInterval(() => setToday(dayOf(Date.now())), tickMs);
    return () => clearInterval(timer);
  }, []);
  return today;
}

/** Null: the recording that the address names is not known yet. */
export function useAddressDay(
  { day, at, recording }: RecordingsSearch,
  today: string,
  timezone: string,
): string | null {
  const isGiven = day !== undefined && isDay(day);
  const needsRecording = !isGiven && at === undefined && recording !== undefined;
  const query = useQuery({
    ...recordingQuery(recording ?? '', timezone),
    enabled: needsRecording,
  });
  if (isGiven) return day;
  if (at !== undefined) return dayOf(Date.parse(at));
  if (!needsRecording) return today;
  if (query.isPending) return null;
  return query.data?.date ?? today;
}

/** What was given as a day though there is no such day; it is known until another is chosen. */
export function useWrongDay({ day }: RecordingsSearch): {
  readonly wrong: string | null;
  readonly forget: () => void;
} {
  const [wrong, setWrong] = useState<string | null>(null);
  if (day !== undefined && !isDay(day) && day !== wrong) setWrong(day);
  return { wrong, forget: () => setWrong(null) };
}

export interface Switched {
  readonly from: string;
  readonly to: string;
}

export interface EmptyDay {
  readonly cameraId: string;
  readonly day: string;
  readonly timezone: string;
  /** The list of the day has come, and nothing is in it. */
  readonly isEmpty: boolean;
  /** Changes the address without a step back to the day that is left. */
  readonly go: (change: RecordingsChange) => void;
}

export interface NewestDay {
  /** From which day to which one was led; null: to none, or another was chosen since. */
  readonly switched: Switched | null;
  /** What an empty list means: nothing is known yet, nothing is recorded of the day, or nothing of the camera. */
  readonly empty: 'asked' | 'day' | 'camera';
}

export function useNewestDay({ cameraId, day, timezone, isEmpty, go }: EmptyDay): NewestDay {
  const [switched, setSwitched] = useState<Switched | null>(null);
  const days = useQuery({
    ...daysQuery(cameraId, monthOf(day), timezone),
    enabled: isEmpty,
  });
  const newest = useQuery({
    ...newestQuery(cameraId, timezone),
    enabled: isEmpty,
  });
  // With a filter the list is empty although the day is not.
  const hasNone = days.data?.results.every(({ date }) => date !== day) ?? false;
  const to = newest.data?.newest?.date;
  const leads = isEmpty && hasNone && to !== undefined && to !== day && !newest.isFetching;
  useEffect(() => {
    if (!leads) return;
    setSwitched({ from: day, to });
    go({ day: to, page: undefined });
    // oxlint-disable-next-line react/exhaustive-deps -- `go` is another at each render, and does the same
  }, [leads, to, day]);
  const isAsked = leads || newest.isPending || days.isPending;
  const none = newest.data?.newest === null ? 'camera' : 'day';
  return { switched: switched?.to === day ? switched : null, empty: isAsked ? 'asked' : none };
}
