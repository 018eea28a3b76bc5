/**
 * SQL of the stored counts of each day. Sealed entries and buried entries are counted separately, each by the
 * transaction that seals or buries them: an entry that is buried while it is sealed is counted once in both.
 * Transactions lock their entries first, in the order of ids, and count after it: one that held counts and waited for
 * an entry could wait for one that held the entry and waited for the counts.
 */
import { sql, type RawBuilder } from 'kysely';

/** The columns of `audit_entry` by which entries are counted. */
export const dayColumns = sql`
  recorded_at, user_id, action, coalesce(object_type, details->>'content_type', 'system') as content_type, is_mock`;

/**
 * Adds rows of `dayColumns`, or subtracts them. Always in the same order, so that two transactions that count the
 * same days wait for each other and never deadlock.
 */
export const counted = (
  rows: RawBuilder<unknown>,
  column: 'entries' | 'buried',
  sign: 1 | -1,
): RawBuilder<unknown> => {
  const number = sql`${sql.lit(sign)} * count(*)`;
  const none = sql.lit(0);
  return sql`
  insert into activity_day (day, user_id, action, content_type, is_mock, entries, buried)
  select (recorded_at at time zone 'UTC')::date as day, user_id, action, content_type, is_mock,
         ${column === 'entries' ? number : none}, ${column === 'buried' ? number : none}
    from ${rows} as entry
   group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
      on conflict (day, user_id, action, content_type, is_mock) do update
     set entries = activity_day.entries + excluded.entries, buried = activity_day.buried + excluded.buried`;
};
