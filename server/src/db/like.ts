/**
 * Comparing names, and finding a part of a text as a reader writes it. The database compares by the C locale, in which
 * only ASCII letters have two cases, so that `ilike` finds no "Вход" by "вход", and `lower` leaves "Ə" as it is; here
 * letters of every script have two, as in `foldedText` of the contract.
 */
import { sql, type RawBuilder } from 'kysely';

/** A LIKE pattern that finds `text` anywhere and takes none of it for a wildcard. */
export function likePattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, (special) => `\\${special}`)}%`;
}

/**
 * Whether one of the texts has that part, in capitals or not. The built-in collation lowers each letter by itself as
 * Unicode has it, on every machine the same, İ and I both to i; so ı, which Turkish and Azerbaijani write for a small I,
 * counts as i.
 */
export function hasText(texts: readonly RawBuilder<unknown>[], part: string): RawBuilder<boolean> {
  const pattern = folded(sql`${likePattern(part)}::text`);
  const anyText = texts.map((text) => sql`${folded(text)} like ${pattern}`);
  return sql<boolean>`(${sql.join(anyText, sql` or `)})`;
}

/** Whether a text is that one, in capitals or not. */
export const isText = (text: RawBuilder<unknown>, other: string): RawBuilder<boolean> =>
  sql<boolean>`${folded(text)} = ${folded(sql`${other}::text`)}`;

/** Whether a text begins like that. An index on the text serves it, unlike `hasText`. */
export function startsWith(text: RawBuilder<unknown>, beginning: string): RawBuilder<boolean> {
  return sql<boolean>`${text} like ${likePattern(beginning).slice(1)}`;
}

/**
 * The same where the texts are folded when they are kept: an index serves it, if it is compared by the collation of the
 * texts. That of the folding would be passed on, and every text read.
 */
export function hasFolded(text: RawBuilder<unknown>, part: string): RawBuilder<boolean> {
  const pattern = folded(sql`${likePattern(part)}::text`);
  return sql<boolean>`${text} like ${pattern} collate "default"`;
}

export const folded = (text: RawBuilder<unknown>): RawBuilder<string> =>
  sql<string>`translate(lower((${text})::text collate "pg_c_utf8"), 'ı', 'i')`;
