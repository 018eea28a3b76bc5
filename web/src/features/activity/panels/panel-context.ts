/** What every panel works with: the address, how to change it, and who reads. */
import type { User } from '@nazar/contract/accounts.ts';
import type { ActivitySearch, Change } from '../search.ts';
import { periodBefore, periodOf } from './period.ts';
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
