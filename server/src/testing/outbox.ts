/** For tests that count letters: those of what was done before must have come first. */
import { sql } from 'kysely';
import type { Database } from '#db/database.ts';
import { until } from './until.ts';

/** When every letter that was queued has been taken by the mail server, but those that are to wait. */
export async function emailsSent(db: Database): Promise<void> {
  await until(async () => {
    const { rows } = await sql`
      select 1 from mail_outbox where attempts > 0 or due_at <= created_at`.execute(db.read());
    return rows.length === 0;
  });
}
