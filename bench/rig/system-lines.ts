/** Lines of the system log over its days, with their counts of hours. */
import { sql } from 'kysely';
import type { Database } from '../../server/src/db/database.ts';
import { dayPartitions } from '../../server/src/system/log/days.ts';
import { SystemLogWritingStore } from '../../server/src/system/log/writing-store.ts';
import { inBulk, step, vacuum, withoutIndexes } from './fill.ts';

const dayMs = 86_400_000;
const batch = 500_000;

/** One in a thousand is an error, of five sources. */
export async function fillSystemLines(
  db: Database,
  { lines, until, days }: { readonly lines: number; readonly until: Date; readonly days: number },
): Promise<void> {
  const fromMs = until.getTime() - days * dayMs;
  const writing = new SystemLogWritingStore(db);
  for (const day of dayPartitions(fromMs, days)) await writing.ensureDay(day);
  await step('lines of the system log', () =>
    inBulk(db, (tx) =>
      withoutIndexes(tx, 'system_log', async () => {
        for (let first = 0; first < lines; first += batch) {
          await sql`
            insert into system_log (id, logged_at, level, source, message, user_id, details, words, repeats, last_at)
            select (lpad(to_hex(at_ms), 12, '0') || '70008000' || lpad(to_hex(n::bigint), 12, '0'))::uuid,
                   at, level, source, message, null, '{}', lower(message), 1, at
            from (select n, at_ms, to_timestamp(at_ms / 1000.0) as at,
                         case when n % 1000 = 0 then 'error' when n % 50 = 0 then 'warning'
                              when n % 3 = 0 then 'debug' else 'info' end as level,
                         (array['cameras', 'http', 'media', 'vision', 'recordings'])[1 + n % 5] as source,
                         'Camera ' || n % 32 || ' answered after ' || n % 977 || ' ms, attempt ' || n as message
                  from (select n, ${fromMs}::bigint + (n::float8 / ${lines}::int * ${days * dayMs}::bigint)::bigint as at_ms
                        from generate_series(${first}::int, ${Math.min(first + batch, lines) - 1}::int) n) as drawn
                 ) as line`.execute(tx);
        }
        await sql`
          insert into system_log_hour (hour, source, level, lines)
          select date_trunc('hour', logged_at, 'UTC'), source, level, count(*) from system_log
          group by 1, 2, 3
          on conflict (hour, source, level) do update set lines = excluded.lines`.execute(tx);
      }),
    ),
  );
  await vacuum(db, 'system_log', 'system_log_hour');
}
