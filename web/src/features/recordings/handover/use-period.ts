import { useState } from 'react';
import {
  faultOf,
  wholeSeconds,
  type DraftPeriod,
  type Period,
  type PeriodFault,
} from './period.ts';

export interface PeriodControl {
  readonly draft: DraftPeriod;
  /** Null: it may be sent. */
  readonly fault: PeriodFault | null;
  readonly change: (change: Partial<DraftPeriod>) => void;
  /** What may be sent; null: nothing may. */
  readonly period: Period | null;
}

export interface PeriodOptions {
  /** What is selected elsewhere, by handles; null: nothing. */
  readonly selection: Period | null;
  readonly onSelection: (selection: Period) => void;
  /** Null: as long as one likes. */
  readonly longestHours: number | null;
}

const nothing: DraftPeriod = { fromMs: null, untilMs: null };
const isSame = (one: Period | null, other: Period | null): boolean =>
  one?.fromMs === other?.fromMs && one?.untilMs === other?.untilMs;

/** Two moments that are typed or selected: who types moves the handles, who moves a handle sees it typed. */
export function usePeriod({ selection, onSelection, longestHours }: PeriodOptions): PeriodControl {
  const [seen, setSeen] = useState(selection);
  const [draft, setDraft] = useState(selection ? wholeSeconds(selection) : nothing);
  if (!isSame(selection, seen)) {
    setSeen(selection);
    setDraft(selection ? wholeSeconds(selection) : nothing);
  }
  const fault = faultOf(draft, longestHours);
  const period = fault === null ? (draft as Period) : null;
  const change = (changed: Partial<DraftPeriod>): void => {
    const next = { ...draft, ...changed };
    setDraft(next);
    // What cannot be exported is not drawn either: the fields keep it until it can.
    if (faultOf(next, longestHours) !== null) return;
    setSeen(next as Period);
    onSelection(next as Period);
  };
  return { draft, fault, change, period };
}
