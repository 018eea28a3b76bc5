/** What every panel works with: the address, how to change it, and who reads. */
import type { User } from '@nazar/contract/accounts.ts';
import { changed, type ActivitySearch, type Change } from '../search.ts';
import { periodBefore, periodOf, type Period } from './period.ts';
import type { Asked } from './queries.ts';

export interface PanelProps {
  readonly asked: Asked;
  /** Changes the address and stays on the panel. `replace`: the way back leads past what was before. */
  readonly onChange: (change: Change, replace?: boolean) => void;
  /** Something went well, or badly. */
  readonly onDone: (sentence: string) => void;
}

export function askedOf(me: User, search: ActivitySearch, nowMs: number): Asked {
  const period = periodOf(search, nowMs);
  return { me, search, period, before: periodBefore(period, nowMs) };
}

/** To the visits that a mark counts. */
export const toVisits = (change: Change): Change => ({
  panel: 'timeline',
  known: undefined,
  hour: undefined,
  ...change,
});

/** To the visits of one day. */
export const toDay = (day: string): Change => toVisits({ from: day, to: day, days: undefined });

/** To the list of the log, with what a mark counts. */
export const toList = (
  search: ActivitySearch,
  { from, to }: Period,
  change: Change,
): ActivitySearch =>
  changed({}, { search: search.search, type: search.type, user: search.user, from, to, ...change });
