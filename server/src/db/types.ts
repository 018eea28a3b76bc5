/**
 * How PostgreSQL's types arrive in JavaScript, decided once for every query:
 *
 *   bigint, count(*), numeric   number; an integer beyond 2^53 is an error, never a rounded id or count
 *   timestamptz                 Date. Stores turn it into epoch milliseconds where a module counts with it
 *   date                        'YYYY-MM-DD': a day has no hour and no time zone
 *   bytea                       Buffer
 *   json, jsonb                 parsed
 *
 * `timestamp` without a zone is used nowhere. Sessions run in UTC.
 */
import { types, type CustomTypesConfig } from 'pg';

/** Object ids of built-in types (catalog pg_type); they never change. */
const int8 = 20;
const int8Array = 1016;
const numeric = 1700;
const date = 1082;
const dateArray = 1182;
const textArray = 1009;

function exactNumber(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    throw new RangeError(`${text} does not fit a number exactly`);
  }
  return value;
}

/** The driver's own list of type numbers is a closed one that lacks the arrays. */
const builtIn = types.getTypeParser as (oid: number, format?: 'text' | 'binary') => Parser;
type Parser = (value: string) => unknown;

const texts = (list: string): string[] => builtIn(textArray)(list) as string[];

const parsers = new Map<number, Parser>([
  [int8, exactNumber],
  [numeric, exactNumber],
  [int8Array, (list) => texts(list).map(exactNumber)],
  [date, (day) => day],
  [dateArray, texts],
]);

export const typeParsers: CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    (format === 'binary' ? undefined : parsers.get(oid)) ?? builtIn(oid, format),
};
