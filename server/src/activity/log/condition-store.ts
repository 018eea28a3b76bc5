/** SQL of the conditions that the filters of the log, and the words of a search, set for one entry. */
import { sql, type RawBuilder } from 'kysely';
import { foldedText } from '@nazar/contract/folded-text.ts';
import { hasFolded, startsWith } from '#db/like.ts';
import { hasPart } from './name-store.ts';
import type { Excluded, LogFilter, Search } from './rows.ts';
import type { Found, FoundSentence } from './search-store.ts';

export const allOf = (conditions: readonly RawBuilder<unknown>[]): RawBuilder<boolean> =>
  conditions.length === 0
    ? sql<boolean>`true`
    : sql<boolean>`(${sql.join(conditions, sql` and `)})`;

export const anyOf = (conditions: readonly RawBuilder<unknown>[]): RawBuilder<boolean> =>
  conditions.length === 0
    ? sql<boolean>`false`
    : sql<boolean>`(${sql.join(conditions, sql` or `)})`;

/** Conditions that each have an index from which the number of entries is known without reading them. */
export function countedConditions({ userId, actions, ip, objectId, from, until }: LogFilter) {
  const all: RawBuilder<unknown>[] = [];
  if (userId !== null) all.push(sql`user_id = ${userId}`);
  if (actions !== null) all.push(sql`action = any(${[...actions]}::text[])`);
  if (ip !== null) all.push(sql`ip = ${ip}`);
  if (objectId !== null) all.push(sql`object_id = ${objectId}`);
  const time: RawBuilder<unknown>[] = [];
  if (from) time.push(sql`recorded_at >= ${from}`);
  if (until) time.push(sql`recorded_at < ${until}`);
  return time.length === 0 ? all : [...all, allOf(time)];
}

/** One condition for list, detail, export, statistics and deletion, so that they agree. */
export function filterConditions(filter: LogFilter): RawBuilder<unknown>[] {
  const all = countedConditions(filter);
  if (filter.contentType !== null) all.push(sql`content_type = ${filter.contentType}`);
  all.push(...exclusions(filter.not));
  if (!filter.withMock) all.push(sql`not is_mock`);
  return all;
}

function exclusions({ actions, contentType, ip, userId }: Excluded): RawBuilder<unknown>[] {
  const none: RawBuilder<unknown>[] = [];
  if (actions !== null) none.push(sql`action <> all(${[...actions]}::text[])`);
  if (contentType !== null) none.push(sql`content_type <> ${contentType}`);
  if (ip !== null) none.push(sql`ip <> ${ip}`);
  if (userId !== null) none.push(sql`user_id is distinct from ${userId}::uuid`);
  return none;
}

/** A match by a column of the entries that has an index, which also has their order. */
export interface ColumnMatch {
  readonly column: 'action' | 'content_type' | 'user_id' | 'object_id';
  readonly values: readonly string[];
  readonly also: RawBuilder<boolean>;
}

/** A match by how a column with an index begins. */
export interface BeginningMatch {
  readonly column: 'ip' | 'object_id';
  readonly condition: RawBuilder<boolean>;
}

/** All matches in the entries themselves, apart from their notes and details. */
export interface EntryMatches {
  readonly byColumn: readonly ColumnMatch[];
  readonly byBeginning: readonly BeginningMatch[];
  readonly bySentence: readonly RawBuilder<boolean>[];
}

const noMore = sql<boolean>`true`;

export function entryMatches(found: Found): EntryMatches {
  const { actions, contentTypes, userIds } = found;
  const byColumn: ColumnMatch[] = [
    { column: 'action', values: actions, also: noMore },
    { column: 'content_type', values: contentTypes, also: noMore },
    { column: 'user_id', values: userIds, also: noMore },
    ...objectMatches(found),
  ];
  return {
    byColumn: byColumn.filter(({ values }) => values.length > 0),
    byBeginning: beginnings(found.words),
    bySentence: found.sentences.flatMap(sentenceConditions),
  };
}

/** An address or an object's id is searched for from its beginning. */
function beginnings(words: string): BeginningMatch[] {
  if (!/^[\da-f.:-]+$/i.test(words)) return [];
  const beginning = words.toLowerCase();
  return (['ip', 'object_id'] as const).map((column) => {
    return { column, condition: startsWith(sql.ref(column), beginning) };
  });
}

/** Groups objects with the same actions, so that the entries of an object are not read again for each action. */
function objectMatches({ objectIds, sentences }: Found): ColumnMatch[] {
  const deeds = new Map<string, Set<string>>();
  for (const { action, to, objectIds: ids } of sentences) {
    if (to !== null) continue;
    for (const id of ids ?? []) deeds.set(id, (deeds.get(id) ?? new Set()).add(action));
  }
  const groups = new Map<string, ColumnMatch & { readonly values: string[] }>();
  for (const [id, actions] of deeds) {
    const sorted = [...actions].toSorted();
    const also = sql<boolean>`action = any(${sorted}::text[])`;
    const group = groups.get(sorted.join()) ?? { column: 'object_id', values: [], also };
    group.values.push(id);
    groups.set(sorted.join(), group);
  }
  return [{ column: 'object_id', values: objectIds, also: noMore }, ...groups.values()];
}

/** Conditions on more than a column: the value that something was set to, and names that entries hold themselves. */
function sentenceConditions(sentence: FoundSentence): RawBuilder<boolean>[] {
  const { action, to, pattern, objectIds } = sentence;
  const all = [sql`action = ${action}`];
  if (to !== null) all.push(sql`details->>'to' = ${to}`);
  if (pattern === null) return [allOf(all)];
  const arms: RawBuilder<unknown>[] = [];
  if (to !== null && objectIds && objectIds.length > 0) {
    arms.push(sql`object_id = any(${[...objectIds]}::text[])`);
  }
  if (ownNameDeed.test(action)) arms.push(hasPart(sql`details->>'name'`, pattern));
  return arms.map((arm) => allOf([...all, arm]));
}

const ownNameDeed = /\.(?:group|layout)_/;

export const columnCondition = ({ column, values, also }: ColumnMatch): RawBuilder<boolean> =>
  allOf([sql`${sql.ref(column)} = any(${[...values]}::${typeOf(column)}[])`, also]);

export const typeOf = (column: ColumnMatch['column']): RawBuilder<unknown> =>
  column === 'user_id' ? sql`uuid` : sql`text`;

/** The same for a note: its words. */
export const noteCondition = ({ words }: Search): RawBuilder<boolean> =>
  hasFolded(sql.ref('words'), words);

/** An index finds three letters or more. */
const shortest = 3;

/** The same for details: fields and values, both as recorded and as read. */
export function detailCondition({ words, digits, tokens }: Search): RawBuilder<boolean> {
  const any: RawBuilder<unknown>[] = tokens.flatMap(({ token, actions }) =>
    actions === null
      ? []
      : sql`tokens && ${[token]}::text[] and action = any(${[...actions]}::text[])`,
  );
  // Tokens that count for all actions at once. A field without words of its own has its name as the token.
  const general = tokens.filter(({ actions }) => actions === null).map(({ token }) => token);
  const short = words.length < shortest ? [`=${foldedText(words)}`] : [];
  any.push(sql`tokens && ${[...general, words, ...short]}::text[]`);
  if (words.length >= shortest) any.push(hasFolded(sql.ref('words'), words));
  if (digits !== null) any.push(hasFolded(sql.ref('words'), digits));
  return anyOf(any);
}

/** The matches in the entries themselves, as conditions on one entry; the cheapest come first. */
export function entryConditions(found: Found): RawBuilder<boolean>[] {
  const { byColumn, byBeginning, bySentence } = entryMatches(found);
  return [
    ...byColumn.map(columnCondition),
    ...byBeginning.map(({ condition }) => condition),
    ...bySentence,
  ];
}

/** Whether one entry of the log, which is called `entry`, has the words. */
export const matchCondition = (found: Found, entry = 'entry'): RawBuilder<boolean> => {
  const ofEntry = sql`entry_id = ${sql.ref(`${entry}.id`)}`;
  return anyOf([
    ...entryConditions(found),
    sql`coalesce((select ${noteCondition(found)} from activity_note where ${ofEntry}), false)`,
    sql`coalesce((select ${detailCondition(found)} from activity_detail where ${ofEntry}), false)`,
  ]);
};
