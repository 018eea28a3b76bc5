import { sql, type Kysely } from 'kysely';
import type { Database } from '#db/database.ts';
import { folded } from '#db/like.ts';
import type { DayPartition } from './days.ts';
import type { QueuedLine } from './line-queue.ts';

/** SQL of writing the system log and of its days; with `store.ts` the only one that writes its tables. */
export class SystemLogWritingStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** One statement for all. Lines that are there already stay, so that an unknown commit can be repeated. */
  async add(lines: readonly QueuedLine[]): Promise<void> {
    const rows = lines.map((line) => ({
      id: line.id,
      logged_at: new Date(line.atMs),
      level: line.level,
      source: line.source,
      message: line.message,
      user_id: line.userId,
      details: line.details,
      words: wordsOf(line),
      repeats: line.repeats,
      last_at: new Date(line.lastAtMs),
    }));
    await sql`
      with added as (
        insert into system_log
          (id, logged_at, level, source, message, user_id, details, words, repeats, last_at)
        select id, logged_at, level, source, message, user_id, details, left(${folded(sql`words`)}, 4000),
               repeats, last_at
          from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as line (
            id uuid, logged_at timestamptz, level text, source text, message text, user_id uuid,
            details jsonb, words text, repeats integer, last_at timestamptz)
        on conflict (logged_at, id) do nothing
        returning logged_at, source, level)
      insert into system_log_hour (hour, source, level, lines)
      select date_trunc('hour', logged_at, 'UTC'), source, level, count(*) from added group by 1, 2, 3
      on conflict (hour, source, level) do update set lines = system_log_hour.lines + excluded.lines`.execute(
      this.#write,
    );
  }

  /** The numbers of lines that were said again. */
  async repeat(lines: readonly QueuedLine[]): Promise<void> {
    const rows = lines.map(({ id, atMs, repeats, lastAtMs }) => {
      return { id, logged_at: new Date(atMs), repeats, last_at: new Date(lastAtMs) };
    });
    await sql`
      update system_log set repeats = said.repeats, last_at = said.last_at
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
          as said (id uuid, logged_at timestamptz, repeats integer, last_at timestamptz)
       where system_log.logged_at = said.logged_at and system_log.id = said.id
         and system_log.repeats < said.repeats`.execute(this.#write);
  }

  async ensureDay({ name, from, until }: DayPartition): Promise<void> {
    await sql`
      create table if not exists ${sql.table(name)} partition of system_log
      for values from (${sql.lit(from.toISOString())}) to (${sql.lit(until.toISOString())})`.execute(
      this.#write,
    );
  }

  /** Names of the partitions. */
  async days(): Promise<string[]> {
    const { rows } = await sql<{ name: string }>`
      select relname as name from pg_inherits join pg_class on pg_class.oid = inhrelid
       where inhparent = 'system_log'::regclass order by relname`.execute(this.#db.read<unknown>());
    return rows.map(({ name }) => name);
  }

  async dropDay(name: string): Promise<void> {
    await sql`drop table if exists ${sql.table(name)}`.execute(this.#write);
  }

  /** What lies in no day's partition, and the counts of days that are gone. */
  async removeBefore(kept: Date): Promise<void> {
    await sql`delete from system_log_default where logged_at < ${kept}`.execute(this.#write);
    await sql`delete from system_log_hour where hour < ${kept}`.execute(this.#write);
  }

  get #write(): Kysely<unknown> {
    return this.#db.write<unknown>();
  }
}

/** Its values only: users do not search for the names of fields. */
function wordsOf({ message, details }: QueuedLine): string {
  return [message, ...valuesOf(details)].join('\n').slice(0, 4_000).toWellFormed();
}

function valuesOf(value: unknown): string[] {
  if (value === null || value === undefined) return [];
  if (typeof value === 'object') return Object.values(value).flatMap(valuesOf);
  return [typeof value === 'string' ? value : JSON.stringify(value)];
}
