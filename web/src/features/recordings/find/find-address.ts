/** What the address of the search over all cameras says: it is the same as that of one camera, without a selection. */
import { idOf } from '#lib/is-id.ts';
import { isDay } from '#lib/local-day.ts';
import { recordingsSearch, type RecordingsSearch } from '../recordings-address.ts';

export interface FindSearch extends Pick<
  RecordingsSearch,
  'day' | 'filter' | 'search' | 'page' | 'person'
> {
  /** The export that is open above the list. */
  export?: string;
}

export type FindChange = { [K in keyof FindSearch]?: FindSearch[K] | undefined };

/** From the query string as the router reads it. */
export const findSearch = (given: Record<string, unknown>): FindSearch =>
  found({}, { ...recordingsSearch(given), export: idOf(given['export']) });

/** The address with some of its parts changed; what is undefined or '' leaves it. */
export function found(search: FindSearch, change: FindChange): FindSearch {
  const { day, filter, search: text, page, person, export: made } = { ...search, ...change };
  const entries = Object.entries({ day, filter, search: text, page, person, export: made });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined && value !== ''));
}

/** Without a day that is none: all days are shown then. */
export const understood = ({ day, ...others }: FindSearch): FindSearch =>
  day !== undefined && isDay(day) ? { day, ...others } : others;

export const isNarrowed = ({ day, filter, search, person }: FindSearch): boolean =>
  [day, filter, search, person].some((one) => one !== undefined);
