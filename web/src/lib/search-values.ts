/** What addresses of lists say: their values as the router reads them, and their parts changed. */
import { isDay } from './local-day.ts';

export type SearchChange<S> = { [K in keyof S]?: S[K] | undefined };

/** The address with some of its parts changed; what is undefined leaves it. */
export function changed<S extends object>(search: S, change: SearchChange<S>): S {
  const entries = Object.entries({ ...search, ...change });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as S;
}

export const known = <T>(list: readonly T[], value: unknown): T | undefined =>
  list.find((one) => one === value);

export const day = (value: unknown): string | undefined =>
  typeof value === 'string' && isDay(value) ? value : undefined;

/** The first page is not written. */
export const laterPage = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && value > 1 ? value : undefined;
