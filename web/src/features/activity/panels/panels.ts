/** The panels of the log dashboard (LDO-001), and which filters each obeys. */
import { systemLogLevels, type SystemLogLevel } from '@nazar/contract/system-logs.ts';

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

export const panelFilters = [
  'period',
  'search',
  'type',
  'camera',
  'person',
  'known',
  'level',
  'source',
  'user',
] as const;
export type PanelFilter = (typeof panelFilters)[number];

const obeyed: Readonly<Record<Panel, readonly PanelFilter[]>> = {
  overview: ['period', 'search', 'type', 'user'],
  faces: ['period', 'camera', 'person', 'user'],
  heatmap: ['period', 'camera', 'person', 'user'],
  timeline: ['period', 'camera', 'person', 'known', 'user'],
  daily: ['period', 'camera', 'person', 'user'],
  people: ['period', 'camera', 'user'],
  cameras: ['period', 'user'],
  system: ['period', 'search', 'level', 'source', 'user'],
};

/** LDO-003: who may choose a user sees that filter. */
export const filtersOf = (panel: Panel, mayChooseUser: boolean): readonly PanelFilter[] =>
  obeyed[panel].filter((filter) => mayChooseUser || filter !== 'user');

/** Where figures stand beside those of the period before. */
export const hasComparison = (panel: Panel): boolean => panel === 'overview' || panel === 'faces';

/** LDO-004. */
export const periods = [7, 30, 90] as const;
export type PeriodDays = (typeof periods)[number];
export const usualDays: PeriodDays = 7;

export const scales = ['hour', 'day', 'week'] as const;
export type Scale = (typeof scales)[number];

export const dailyForms = ['bar', 'line', 'donut', 'table'] as const;
export type DailyForm = (typeof dailyForms)[number];

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
  known?: 'yes' | 'no';
  /** Of the system log. */
  level?: SystemLogLevel;
  source?: string;
  scale?: Scale;
  form?: DailyForm;
  /** Its dialog is open. */
  visit?: string;
}

const oneOf = <T>(list: readonly T[], value: unknown): T | undefined =>
  list.find((one) => one === value);

const id = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
export const isId = (text: string): boolean => id.test(text);

const isHour = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 24;

/** From the query string as the router reads it. What is usual is not written. */
export function panelSearch(given: Record<string, unknown>): {
  [K in keyof PanelSearch]: PanelSearch[K] | undefined;
} {
  const { camera, person, hour, source, visit } = given;
  const panel = oneOf(panels, given['panel']);
  const days = oneOf(periods, given['days']);
  const scale = oneOf(scales, given['scale']);
  const form = oneOf(dailyForms, given['form']);
  return {
    tab: oneOf(['analytics'], given['tab']),
    panel: panel === 'overview' ? undefined : panel,
    days: days === usualDays ? undefined : days,
    hour: isHour(hour) ? hour : undefined,
    camera: typeof camera === 'string' && isId(camera) ? camera : undefined,
    person:
      typeof person === 'string' && person !== '' && person.length <= 300 ? person : undefined,
    known: oneOf(['yes', 'no'], given['known']),
    level: oneOf(systemLogLevels, given['level']),
    source: typeof source === 'string' && source !== '' && source.length <= 40 ? source : undefined,
    scale: scale === 'hour' ? undefined : scale,
    form: form === 'bar' ? undefined : form,
    visit: typeof visit === 'string' && isId(visit) ? visit : undefined,
  };
}
