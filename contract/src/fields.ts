/** Shapes that several modules share: ids, times, pages, colours. */
import { z } from 'zod/mini';
import { possibleYear } from './issue.ts';
import { nameCharacters } from './name-characters.ts';

export const Id = z.guid();
/** ISO 8601 in UTC with milliseconds, as `Date.prototype.toISOString` writes it. What callers send is an `Instant`. */
export const Timestamp = z.iso.datetime();

/**
 * What is asked about, or marked: from it a day, a zone and the period before are computed, which must be dates too
 * that the database keeps.
 */
export const Instant = z.iso.datetime().check(z.regex(possibleYear));
export const AskedDay = z.iso.date().check(z.regex(possibleYear));
/** A day as people type it, or an instant. */
export const DateOrInstant = z.union([AskedDay, Instant]);
/** A day that is stored, of a life or a contract. There is no year 0, and no database keeps one. */
export const Day = z.iso.date().check(z.regex(/^(?!0000)/));

/** The longest time that is asked for at once: a leap year (C-712). */
export const maxPeriodDays = 366;
const dayMs = 24 * 60 * 60_000;

export const isTooLong = (fromMs: number, untilMs: number): boolean =>
  untilMs - fromMs > maxPeriodDays * dayMs;

/**
 * Refuses a longer time at the field of its end. A time without a beginning or an end goes through: lists are paged, and
 * what is computed over a time asks `isTooLong` once it knows both.
 */
export const atMostAYear = (from: string, until: string) =>
  z.refine(
    (query) => {
      const { [from]: begin, [until]: end } = query as Partial<Record<string, string>>;
      if (begin === undefined || end === undefined) return true;
      return !isTooLong(Date.parse(begin), Date.parse(end));
    },
    { path: [until], params: { fault: 'period', max: maxPeriodDays } },
  );

/** Refuses an end before the beginning, at its field. Code that knows the time zone compares a day and an instant. */
const inOrder = (from: string, until: string) =>
  z.refine(
    (query) => {
      const { [from]: begin, [until]: end } = query as Partial<Record<string, string>>;
      if (begin === undefined || end === undefined) return true;
      return isDay(begin) !== isDay(end) || Date.parse(begin) <= Date.parse(end);
    },
    { path: [until], params: { fault: 'reversed' } },
  );
const isDay = (dateOrInstant: string): boolean => dateOrInstant.length === 10;

/** What all logs ask of their `start_date` and `end_date`. */
export const logPeriod = [
  atMostAYear('start_date', 'end_date'),
  inOrder('start_date', 'end_date'),
] as const;

export const HexColor = z.string().check(z.regex(/^#[0-9a-fA-F]{6}$/));

/**
 * What the description of the API says of a schema in place of what zod derives: that is what goes into its
 * first step, which is wider than what comes out of its last.
 */
export const published = z.registry<Readonly<Record<string, unknown>>>();

/** Objects that a browser makes, and that get fields with its next version: what is not read of them is left out. */
export const madeElsewhere = z.registry<Readonly<Record<string, never>>>();

/**
 * At most so many characters, as JSON Schema and PostgreSQL count them: JavaScript counts most emoji twice. What
 * is longer is not checked further, because patterns are slow on long texts.
 */
export function maxChars(max: number) {
  const check = z.maxLength(max, { abort: true });
  const inUnits = check._zod.check.bind(check._zod);
  check._zod.check = (payload) => {
    const text = payload.value as string;
    const isShort = text.length <= max || (text.length <= 2 * max && charsOf(text) <= max);
    if (!isShort) void inUnits(payload);
  };
  return check;
}

const charsOf = (text: string): number => Array.from(text).length;

/** Trimmed and lower-cased first: people paste addresses with spaces and phones capitalise them. */
export const EmailAddress = z.string().check(z.trim(), z.toLowerCase(), maxChars(254), z.email());

/** No database keeps the character 0 in a text, and no user types it. */
const noNul = z.regex(/^[^\0]*$/);
/** The same, and more than whitespace: trimming makes that empty. */
const noNulNotBlank = z.regex(/^[^\0]*[^\s\0][^\0]*$/);

/** Whitespace around what a person typed is never meant. */
export const text = (max: number) => z.string().check(z.trim(), maxChars(max), noNul);

/** A time zone of the IANA database; without it the preference of the caller counts, else UTC. */
export const timezone = z.optional(text(64));

export const requiredText = (max: number) =>
  z.string().check(z.trim(), z.minLength(1, { abort: true }), maxChars(max), noNulNotBlank);

/** Composed (NFC), as keyboards write it: texts that look the same are equal, for indexes, searches and programs. */
const composed = z.normalize('NFC');

/** What people call a person, a camera or anything else; '' where it may be left out. */
export const optionalName = (max: number) =>
  z.string().check(z.trim(), composed, maxChars(max), noNul, z.regex(nameCharacters));
export const requiredName = (max: number) =>
  z
    .string()
    .check(
      z.trim(),
      composed,
      z.minLength(1, { abort: true }),
      maxChars(max),
      noNulNotBlank,
      z.regex(nameCharacters),
    );

/** What is searched for among names. */
export const searchText = (max: number) =>
  z.string().check(z.trim(), composed, maxChars(max), noNul);

export const requiredSearchText = (max: number) =>
  z
    .string()
    .check(z.trim(), composed, z.minLength(1, { abort: true }), maxChars(max), noNulNotBlank);

/** A query string carries numbers as text. */
export const queryInteger = (min: number, max: number, fallback: number) =>
  z
    ._default(
      z.pipe(
        z.string().check(z.regex(/^\d{1,9}$/)),
        z.pipe(z.transform(Number), z.number().check(z.gte(min), z.lte(max))),
      ),
      fallback,
    )
    .register(published, { type: 'integer', minimum: min, maximum: max, default: fallback });
export const queryFlag = z.pipe(
  z.enum(['true', 'false']),
  z.transform((value) => value === 'true'),
);

/** Which face of a photo is meant: its place among the `faces` of `check_photo`, from 0. A form carries it as text. */
export const FaceIndex = z.pipe(z.string().check(z.regex(/^\d{1,2}$/)), z.transform(Number));
/** The same of several photos in their order, apart by commas; nothing where none is chosen: `1,,0`. */
export const FaceIndexes = z.string().check(z.regex(/^\d{0,2}(,\d{0,2}){0,19}$/));

/** Someone or something by its id, with its name to show. */
export const Named = z.object({ id: Id, name: z.string() });

export const results = <T extends z.ZodMiniType>(item: T) => z.object({ results: z.array(item) });
export const page = <T extends z.ZodMiniType>(item: T) =>
  z.object({ count: z.int(), results: z.array(item) });
