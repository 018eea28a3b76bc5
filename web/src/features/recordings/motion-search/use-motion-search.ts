/**
 * A search that goes on by itself until a page of results is found or the period is over, however many answers of the
 * server that takes, and then waits to be asked to go on. Results come in the order of time.
 */
import { recordingRoutes, type MotionFound } from '@nazar/contract/recordings.ts';
import { useCallback, useEffect, useRef, useState } from 'react';
import { call } from '#api/call.ts';
import type { Period } from '../handover/period.ts';
import { asQuery, type Region } from './region.ts';

export interface Asked {
  readonly period: Period;
  readonly region: Region;
}

export interface Moved {
  readonly fromMs: number;
  readonly untilMs: number;
}

export interface Search {
  readonly asked: Asked;
  readonly found: readonly Moved[];
  /** How far it has come; the end of the period when it is done. */
  readonly reachedMs: number;
  /** False: no answer so far knows of pictures that were compared. */
  readonly compared: boolean;
  readonly state: 'running' | 'waiting' | 'cancelled' | 'done' | 'failed';
  readonly error: unknown;
}

/** Each has a picture of its own. */
const pageSize = 24;
/** What lies closer together is one result: a person who stands still for a moment has not gone. */
const resolutionMs = 5_000;

const spanOf = ({ started_at: from, ended_at: until }: MotionFound['results'][number]): Moved => ({
  fromMs: Date.parse(from),
  untilMs: Date.parse(until),
});

/** The first of an answer may go on where the one before it ended. */
export function joined(found: readonly Moved[], more: readonly Moved[]): Moved[] {
  const last = found.at(-1);
  const [first, ...rest] = more;
  if (last === undefined || first === undefined || first.fromMs - last.untilMs > resolutionMs)
    return [...found, ...more];
  const untilMs = Math.max(last.untilMs, first.untilMs);
  return [...found.slice(0, -1), { fromMs: last.fromMs, untilMs }, ...rest];
}

const begun = (asked: Asked): Search => ({
  asked,
  found: [],
  reachedMs: asked.period.fromMs,
  compared: false,
  state: 'running',
  error: null,
});

function after(search: Search, answer: MotionFound, most: number): Search {
  const found = joined(search.found, answer.results.map(spanOf));
  const reachedMs = answer.next === null ? search.asked.period.untilMs : Date.parse(answer.next);
  const going = found.length >= most ? 'waiting' : 'running';
  return {
    ...search,
    found,
    reachedMs,
    compared: search.compared || answer.compared,
    state: answer.next === null ? 'done' : going,
  };
}

const ask = (cameraId: string, search: Search, signal: AbortSignal): Promise<MotionFound> =>
  call(recordingRoutes.motionSearch, {
    params: { id: cameraId },
    query: {
      from: new Date(search.reachedMs).toISOString(),
      until: new Date(search.asked.period.untilMs).toISOString(),
      region: asQuery(search.asked.region),
      resolution_ms: resolutionMs,
      limit: pageSize,
    },
    signal,
  });

export interface MotionSearching {
  /** Null: none was begun. */
  readonly search: Search | null;
  readonly begin: (asked: Asked) => void;
  /** The next page; after a fault, the same one again. */
  readonly goOn: () => void;
  readonly cancel: () => void;
}

export function useMotionSearch(cameraId: string): MotionSearching {
  const [search, setSearch] = useState<Search | null>(null);
  const work = useRef<AbortController | null>(null);
  const stop = useCallback(() => work.current?.abort(), []);
  useEffect(() => stop, [stop]);

  const run = async (from: Search): Promise<void> => {
    stop();
    work.current = new AbortController();
    const { signal } = work.current;
    let now: Search = { ...from, state: 'running', error: null };
    setSearch(now);
    const most = from.found.length + pageSize;
    try {
      while (now.state === 'running') {
        const answer = await ask(cameraId, now, signal);
        if (signal.aborted) return;
        now = after(now, answer, most);
        setSearch(now);
      }
    } catch (error) {
      if (!signal.aborted) setSearch({ ...now, state: 'failed', error });
    }
  };
  return {
    search,
    begin: (asked) => void run(begun(asked)),
    goOn: () => void (search && run(search)),
    cancel: () => {
      stop();
      setSearch((now) => now && { ...now, state: 'cancelled' });
    },
  };
}
