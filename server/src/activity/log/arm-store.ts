/**
 * SQL of a search in arms: each lists the entries of one kind of match, by an index that fits it. Ids of entries begin
 * with their time, so that lists of ids are sorted without reading the entries.
 */
import { sql, type RawBuilder } from 'kysely';
import { uuidFloor } from '#lib/ids.ts';
import {
  allOf,
  anyOf,
  columnCondition,
  detailCondition,
  entryConditions,
  entryMatches,
  filterConditions,
  noteCondition,
  typeOf,
  type BeginningMatch,
  type ColumnMatch,
} from './condition-store.ts';
import type { EntryPlace, LogFilter, LogPage, SearchLimits } from './rows.ts';
import type { Found } from './search-store.ts';

/** The part of the log that is read, and from which end. */
export interface Part {
  readonly filter: LogFilter;
  readonly direction: 'asc' | 'desc';
  /** Only older entries. */
  readonly before: EntryPlace | null;
  /** The column that is selected of each entry beside its id. */
  readonly sortBy: LogPage['sortBy'];
  readonly limits: SearchLimits;
}

/** Entries, notes and details all have these columns. */
const sortedColumns = { user: 'user_id', action: 'action', ip: 'ip' } as const;

/** Selects a row's id and, unless the order is by time, the value by which it is sorted. */
export const placeOf = ({ sortBy }: Pick<Part, 'sortBy'>, id = 'id'): RawBuilder<unknown> =>
  sortBy === 'timestamp'
    ? sql`${sql.ref(id)} as id`
    : sql`${sql.ref(id)} as id, ${sql.ref(sortedColumns[sortBy])} as sorted`;

/** Both are queries that select the columns of `placeOf`. */
export interface Arm {
  /** All that match, unordered. */
  readonly all: RawBuilder<unknown>;
  /** The first of them in the order of the part. */
  first(limit: number): RawBuilder<unknown>;
}

/** The cheapest to count come first. `isFew`: the filters leave so few entries that each of them can be compared. */
export function armsOf(found: Found, part: Part, isFew: boolean): Arm[] {
  const arms = isFew ? oneArm(found, part) : entryArms(found, part);
  const { actions } = part.filter;
  // Clients report actions under their own names, and these have notes only.
  if (actions === null || actions.some(isOfClient)) {
    arms.push(textArm('activity_note', noteCondition(found), part));
  }
  if (actions === null || !actions.every(isOfClient)) {
    arms.push(textArm('activity_detail', detailCondition(found), part));
  }
  return arms;
}

function entryArms(found: Found, part: Part): Arm[] {
  const { byColumn, byBeginning, bySentence } = entryMatches(found);
  return [
    ...byColumn.map((match) => columnArm(match, part)),
    ...byBeginning.map((match) => beginningArm(match, part)),
    ...bySentence.map((condition) => sentenceArm(condition, part)),
  ];
}

/** One reading of the entries for all matches in their own columns. */
function oneArm(found: Found, part: Part): Arm[] {
  const conditions = entryConditions(found);
  return conditions.length === 0 ? [] : [sentenceArm(anyOf(conditions), part)];
}

const isOfClient = (action: string): boolean => action.startsWith('client.');

/** The conditions for entries of the part; all must hold. */
export const partConditions = ({ filter, before }: Part): RawBuilder<unknown>[] => [
  ...filterConditions(filter),
  ...(before ? [sql`(recorded_at, id) < (${before.recorded_at}, ${before.id}::uuid)`] : []),
];

export const inOrder = ({ direction }: Part): RawBuilder<unknown> =>
  sql`recorded_at ${sql.raw(direction)}, id ${sql.raw(direction)}`;

function entryArm(condition: RawBuilder<boolean>, part: Part): Arm {
  const matching = allOf([condition, ...partConditions(part)]);
  return {
    all: sql`select ${placeOf(part)} from activity_entry where ${matching}`,
    first: (limit) => sql`
      select ${placeOf(part)} from activity_entry where ${matching} order by ${inOrder(part)} limit ${limit}`,
  };
}

/** With more values, the database itself chooses how to read them. */
const fewValues = 8;

/** In the index, the entries of one value are in order: the first of all are among the first of each value. */
function columnArm(match: ColumnMatch, part: Part): Arm {
  const arm = entryArm(columnCondition(match), part);
  const { column, values, also } = match;
  if (values.length > fewValues) return arm;
  const matching = allOf([sql`${sql.ref(column)} = wanted.value`, also, ...partConditions(part)]);
  return {
    ...arm,
    first: (limit) => sql`
      select entry.* from unnest(${[...values]}::${typeOf(column)}[]) as wanted (value)
       cross join lateral (
         select ${placeOf(part)} from activity_entry
          where ${matching} order by ${inOrder(part)} limit ${limit}
       ) as entry`,
  };
}

/** Ordered by its index, because the database would otherwise read the log from its start until there are enough. */
function beginningArm({ column, condition }: BeginningMatch, part: Part): Arm {
  const arm = entryArm(condition, part);
  return { ...arm, all: sql`${arm.all} order by ${sql.ref(column)}` };
}

/** The database cannot estimate how many match: all are read, because it might walk the whole log for a few. */
function sentenceArm(condition: RawBuilder<boolean>, part: Part): Arm {
  const { all } = entryArm(condition, part);
  return {
    all,
    first: (limit) => sql`
      select * from (
        with matching as materialized (${all})
        select * from matching order by id ${sql.raw(part.direction)} limit ${limit}
      ) as first`,
  };
}

/**
 * Notes or details. The index of their words has no order: where matches are dense, the table is read in the order of
 * its key until there are enough, and where they are not, all matches are sorted.
 */
function textArm(
  table: 'activity_note' | 'activity_detail',
  condition: RawBuilder<boolean>,
  part: Part,
): Arm {
  const { sampled, read: maxRead } = part.limits;
  const order = sql`entry_id ${sql.raw(part.direction)}`;
  const place = placeOf(part, 'entry_id');
  const from = sql.table(table);
  const span = allOf(spanConditions(part));
  // The conditions of the filters are cheaper to compare than words.
  const asked = allOf([...filterConditions(withoutTime(part.filter)), condition]);
  const matching = allOf([span, asked, isInLog]);
  const read = (limit: number): RawBuilder<unknown> =>
    sql`(select * from ${from} where ${span} order by ${order} limit ${limit})`;
  return {
    all: sql`select ${place} from ${from} where ${matching}`,
    first: (limit) => sql`
      select * from (
        with sample as materialized (
          select count(*) filter (where ${asked}) as matches from ${read(sampled)} as sample
        ),
        walked as materialized (
          select ${place} from ${read(maxRead)} as walked
           where (select matches * ${maxRead}::bigint >= ${limit * sampled}::bigint from sample)
             and ${asked} and ${isInLog}
           order by ${order} limit ${limit}
        ),
        missing as materialized (select count(*) < ${limit}::integer as any from walked)
        select * from walked where not (select missing.any from missing)
        union all
        select * from (
          select ${place} from ${from} where (select missing.any from missing) and ${matching}
           order by ${order} limit ${limit}
        ) as sorted
      ) as first`,
  };
}

/** The conditions on the time, expressed by ids, which begin with it. */
function spanConditions({ filter: { from, until }, before }: Part): RawBuilder<unknown>[] {
  const all: RawBuilder<unknown>[] = [];
  if (from) all.push(sql`entry_id >= ${uuidFloor(from.getTime())}::uuid`);
  if (until) all.push(sql`entry_id < ${uuidFloor(until.getTime())}::uuid`);
  if (before) all.push(sql`entry_id < ${before.id}::uuid`);
  return all;
}

const withoutTime = (filter: LogFilter): LogFilter => ({ ...filter, from: null, until: null });

/** With a join, all matches would be collected before the first is taken: the database expects only a few. */
const isInLog = sql`(not exists (
  select from activity_tombstone as taken (id) where taken.id = entry_id)) is true`;
