/** Shapes that several modules share: ids, times, pages, colours. */
import { z } from 'zod/mini';

export const Id = z.guid();
/** ISO 8601 in UTC with milliseconds, as `Date.prototype.toISOString` writes it. */
export const Timestamp = z.iso.datetime();
/** A day as people type it, or an instant. */
export const DateOrInstant = z.union([z.iso.date(), z.iso.datetime()]);
/** A day as people write it. There is no year 0, and no database keeps one. */
export const Day = z.iso.date().check(z.refine((day) => day >= '0001-01-01'));
export const HexColor = z.string().check(z.regex(/^#[0-9a-fA-F]{6}$/));

/** Trimmed and lower-cased first: people paste addresses with spaces and phones capitalise them. */
export const EmailAddress = z.pipe(
  z.string().check(z.trim(), z.toLowerCase(), z.maxLength(254)),
  z.email(),
);

/** No database keeps the character 0 in a text, and nobody types it. */
const noNul = z.refine<string>((value) => !value.includes('\0'));

/** Whitespace around what a person typed is never meant. */
export const text = (max: number) => z.string().check(z.trim(), z.maxLength(max), noNul);
export const requiredText = (max: number) =>
  z.string().check(z.trim(), z.minLength(1), z.maxLength(max), noNul);

/** A query string carries numbers as text. */
export const queryInteger = (min: number, max: number, fallback: number) =>
  z._default(
    z.pipe(
      z.string().check(z.regex(/^\d{1,9}$/)),
      z.pipe(z.transform(Number), z.number().check(z.gte(min), z.lte(max))),
    ),
    fallback,
  );
export const queryFlag = z.pipe(
  z.enum(['true', 'false']),
  z.transform((value) => value === 'true'),
);

export const results = <T extends z.ZodMiniType>(item: T) => z.object({ results: z.array(item) });
export const page = <T extends z.ZodMiniType>(item: T) =>
  z.object({ count: z.int(), results: z.array(item) });
