/** The panels of the log dashboard, and what the address says of them. */
import { systemLogLevels, type SystemLogLevel } from '@nazar/contract/system-logs.ts';
import { idOf } from '#lib/is-id.ts';

export const panels = [
  'overview',
  'faces',
  'heatmap',
  'timeline',
  'daily',
  'people',
  'cameras',
  'system',
] as const;
export type Panel = (typeof panels)[number];

/** The periods that can be chosen, in days (LDO-004). */
export const periods = [7, 30, 90] as const;
export type PeriodDays = (typeof periods)[number];
export const usualDays: PeriodDays = 7;

export const scales = ['hour', 'day', 'week'] as const;
export type Scale = (typeof scales)[number];

export const dailyForms = ['bar', 'line', 'donut', 'table'] as const;
export type DailyForm = (typeof dailyForms)[number];

/** Recognized or not; `erased` are those of the recognized whose people were erased since. */
export const visitKinds = ['yes', 'no', 'erased'] as const;

/** What the address of the log dashboard says beside what it shares with the list: dates, search, type and user. */
export interface PanelSearch {
  tab?: 'analytics';
  panel?: Panel;
  /** Absent: 7, or from one date to the other. */
  days?: PeriodDays;
  /** One hour of the only day, 0 to 23. */
  hour?: number;
  camera?: string;
  /** Id of a person, or the name of one that the reader may not open. */
  person?: string;
  /** A part of a name: narrows the list of people. */
  who?: string;
  known?: (typeof visitKinds)[number];
  /** The level, in the system log. */
  level?: SystemLogLevel;
  source?: string;
  scale?: Scale;
  form?: DailyForm;
  /** Its dialog is open. */
  visit?: string;
}

const oneOf = <T>(list: readonly T[], value: unknown): T | undefined =>
  list.find((one) => one === value);

const isHour = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 24;

/** From the query string as the router reads it. What is usual is not written. */
export function panelSearch(given: Record<string, unknown>): {
  [K in keyof PanelSearch]: PanelSearch[K] | undefined;
} {
  const { camera, person, who, hour, source, visit } = given;
  const panel = oneOf(panels, given['panel']);
  const days = oneOf(periods, given['days']);
  const scale = oneOf(scales, given['scale']);
  const form = oneOf(dailyForms, given['form']);
  return {
    tab: oneOf(['analytics'], given['tab']),
    panel: panel === 'overview' ? undefined : panel,
    days: days === usualDays ? undefined : days,
    hour: isHour(hour) ? hour : undefined,
    camera: idOf(camera),
    person:
      typeof person === 'string' && person !== '' && person.length <= 300 ? person : undefined,
    who: typeof who === 'string' && who !== '' && who.length <= 150 ? who : undefined,
    known: oneOf(visitKinds, given['known']),
    level: oneOf(systemLogLevels, given['level']),
    source: typeof source === 'string' && source !== '' && source.length <= 40 ? source : undefined,
    scale: scale === 'hour' ? undefined : scale,
    form: form === 'bar' ? undefined : form,
    visit: idOf(visit),
  };
}
