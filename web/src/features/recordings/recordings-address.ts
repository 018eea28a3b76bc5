/**
 * What the address of a camera's recordings says: the reader's day, what of it is listed, which recording and which
 * moment are shown. Other pages link here with it.
 */
import { idOf, isId } from '#lib/is-id.ts';

/** Absent: all. */
export const recordingFilters = ['motion', 'scheduled', 'faces'] as const;
export type RecordingFilter = (typeof recordingFilters)[number];

export interface RecordingsSearch {
  /** `2026-03-29` by the reader's clock, as it was typed: `isDay` says whether there is such a day. */
  day?: string;
  filter?: RecordingFilter;
  search?: string;
  page?: number;
  /** Id of the one that is selected. */
  recording?: string;
  /** The moment to show, ISO 8601. Not written while playing. */
  at?: string;
  /** Id of a person, or of an unknown one: only recordings that show them. */
  person?: string;
  /** Ids of further cameras shown in step, with commas between them. */
  with?: string;
}

const idsOf = (given: unknown): string | undefined =>
  typeof given === 'string' && given.split(',').every(isId) ? given : undefined;
const moment = /^[12]\d{3}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/;
const longestSearch = 200;

const matching = (pattern: RegExp, given: unknown): string | undefined =>
  typeof given === 'string' && pattern.test(given) ? given : undefined;

/** The router reads digits as a number. */
const textOf = (given: unknown): string | undefined =>
  typeof given === 'string' || typeof given === 'number' ? String(given) : undefined;

function momentIn(given: unknown): string | undefined {
  const text = matching(moment, given);
  return text === undefined || Number.isNaN(Date.parse(text)) ? undefined : text;
}

const isPage = (given: unknown): given is number =>
  typeof given === 'number' && Number.isInteger(given) && given > 1 && given <= 1_000_000;

/** From the query string as the router reads it. A day that is none stays: the page says so. */
export function recordingsSearch(given: Record<string, unknown>): RecordingsSearch {
  const known = {
    day: textOf(given['day'])?.slice(0, 40),
    filter: recordingFilters.find((one) => one === given['filter']),
    search: textOf(given['search'])?.slice(0, longestSearch),
    page: isPage(given['page']) ? given['page'] : undefined,
    recording: idOf(given['recording']),
    at: momentIn(given['at']),
    person: idOf(given['person']),
    with: idsOf(given['with']),
  };
  return said(known);
}

export type RecordingsChange = {
  [K in keyof RecordingsSearch]?: RecordingsSearch[K] | undefined;
};

/** The address with some of its parts changed; what is undefined or '' leaves it. */
export const changed = (search: RecordingsSearch, change: RecordingsChange): RecordingsSearch =>
  said({ ...search, ...change });

function said(parts: RecordingsChange): RecordingsSearch {
  const entries = Object.entries(parts).filter(([, value]) => value !== undefined && value !== '');
  return Object.fromEntries(entries);
}

/** Whether something besides the day narrows the list. */
export const isFiltered = ({ filter, search, person }: RecordingsSearch): boolean =>
  [filter, search, person].some((one) => one !== undefined);
