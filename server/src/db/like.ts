/**
 * Compares names, and finds a part of a text as a reader writes it. The database compares by the C locale, in which
 * only ASCII letters have two cases, so that `ilike` does not find "Вход" by "вход", and `lower` leaves "Ə" unchanged;
 * here letters of every script have two, as in `foldedText` of the contract.
 */
import { sql, type RawBuilder } from 'kysely';

/** A LIKE pattern that finds `text` anywhere and treats none of it as a wildcard. */
export function likePattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, (special) => `\\${special}`)}%`;
}

/**
 * Whether one of the texts contains that part, regardless of case. The built-in collation lowers each letter by itself
 * as Unicode defines it, on every machine the same, İ and I both to i; so ı, which Turkish and Azerbaijani write for a
 * small I, counts as i.
 */
export function hasText(texts: readonly RawBuilder<unknown>[], part: string): RawBuilder<boolean> {
  const pattern = folded(sql`${likePattern(part)}::text`);
  const anyText = texts.map((text) => sql`${folded(text)} like ${pattern}`);
  return sql<boolean>`(${sql.join(anyText, sql` or `)})`;
}

/** Whether a text equals the other, regardless of case. */
export const isText = (text: RawBuilder<unknown>, other: string): RawBuilder<boolean> =>
  sql<boolean>`${folded(text)} = ${folded(sql`${other}::text`)}`;

/** Whether a text begins with that. An index on the text can be used, unlike for `hasText`. */
export function startsWith(text: RawBuilder<unknown>, beginning: string): RawBuilder<boolean> {
  return sql<boolean>`${text} like ${likePattern(beginning).slice(1)}`;
}

/**
 * The same for texts that are stored folded: an index can be used if the comparison has the collation of the
 * texts. The collation of the folding would otherwise apply, and every text would be read.
 */
export function hasFolded(text: RawBuilder<unknown>, part: string): RawBuilder<boolean> {
  const pattern = folded(sql`${likePattern(part)}::text`);
  return sql<boolean>`${text} like ${pattern} collate "default"`;
}

export const folded = (text: RawBuilder<unknown>): RawBuilder<string> =>
  sql<string>`translate(lower((${text})::text collate "pg_c_utf8"), 'ı', 'i')`;
