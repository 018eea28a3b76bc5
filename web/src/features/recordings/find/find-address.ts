/** What the address of the search over all cameras says: it is the same as that of one camera, without a selection. */
import { isDay } from '#lib/local-day.ts';
import { recordingsSearch, type RecordingsSearch } from '../recordings-address.ts';

export type FindSearch = Pick<RecordingsSearch, 'day' | 'filter' | 'search' | 'page' | 'person'>;

export type FindChange = { [K in keyof FindSearch]?: FindSearch[K] | undefined };

/** From the query string as the router reads it. */
export const findSearch = (given: Record<string, unknown>): FindSearch =>
  found({}, recordingsSearch(given));

/** The address with some of its parts changed; what is undefined or '' leaves it. */
export function found(search: FindSearch, change: FindChange): FindSearch {
  const { day, filter, search: text, page, person } = { ...search, ...change };
  const entries = Object.entries({ day, filter, search: text, page, person });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined && value !== ''));
}

/** Without a day that is none: all days are shown then. */
export const understood = ({ day, ...others }: FindSearch): FindSearch =>
  day !== undefined && isDay(day) ? { day, ...others } : others;

export const isNarrowed = ({ day, filter, search, person }: FindSearch): boolean =>
  [day, filter, search, person].some((one) => one !== undefined);
