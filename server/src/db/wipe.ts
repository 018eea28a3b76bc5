/**
 * Removes from the disk the traces that deletion leaves. A deleted row stays in its table's file until
 * the file is rewritten: plain VACUUM frees the space and keeps the bytes. The row also stays in the log until
 * the log's file is deleted, and frequent values stay in the planner's statistics. Measured with PostgreSQL 18:
 * VACUUM hides nothing from a byte search, VACUUM FULL with a checkpoint clears the table, a change of the
 * log's file with another checkpoint clears the log, unless `wal_recycle` keeps old files for new use.
 *
 * Reports what it could not do: a served database may archive its log, and we can neither see nor control that.
 */
import { sql, type Kysely } from 'kysely';
import type { Clock } from '#lib/clock.ts';
import type { Database } from './database.ts';

/** The places in which a byte search of the database's folder finds nothing more. */
export interface Wiped {
  /** The file and the TOAST file of each named table were rewritten. */
  readonly tables: boolean;
  /** The planner keeps no values of columns that are excluded from its statistics. */
  readonly statistics: boolean;
  /** No older file of the log is left here: none archived, held for a replica, or kept for new use. */
  readonly log: boolean;
}

/** A rewrite locks its table: it waits this long for other locks, and others wait for it. */
const lockTimeout = '2s';
const lockTries = 5;
/** The most old log files kept for new use (min_wal_size / 16 MB), and one more. */
const maxRecycled = 6;

/** Whether a transaction that began before `xid` committed is still reading: what it sees cannot be wiped. */
export async function isStillRead(db: Database, xid: string): Promise<boolean> {
  // A number beyond this database's own comes from another one, from before a backup was restored.
  const { rows } = await sql<{ held: boolean }>`
    select ${xid}::xid8 < pg_snapshot_xmax(pg_current_snapshot()) and exists (
      select from pg_stat_activity
      where backend_xmin is not null and pid <> pg_backend_pid()
        and (datname is null or datname = current_database())
        and age(backend_xmin) >= age(${xid}::xid8::xid)
      union all
      select from pg_prepared_xacts where age(transaction) >= age(${xid}::xid8::xid)
      union all
      select from pg_replication_slots where age(xmin) >= age(${xid}::xid8::xid)
    ) as held`.execute(db.write());
  return rows[0]?.held ?? true;
}

/** Tables are locked one after another while they are rewritten. */
export function wipe(db: Database, tables: readonly string[], clock: Clock): Promise<Wiped> {
  return db
    .write<unknown>()
    .connection()
    .execute(async (connection) => {
      await sql`set statement_timeout = 0`.execute(connection);
      await sql`set lock_timeout = ${sql.lit(lockTimeout)}`.execute(connection);
      try {
        const rewritten = await rewriteAll(connection, tables, clock);
        const statistics = await clearStatistics(connection, tables, clock);
        const log = await clearLog(connection);
        return { tables: rewritten, statistics, log };
      } finally {
        await sql`reset lock_timeout`.execute(connection).catch(() => undefined);
        await sql`reset statement_timeout`.execute(connection).catch(() => undefined);
      }
    });
}

async function rewriteAll(
  connection: Kysely<unknown>,
  tables: readonly string[],
  clock: Clock,
): Promise<boolean> {
  let all = true;
  for (const table of tables) all = (await rewrite(connection, table, clock)) && all;
  return all;
}

/** False when the table was in use the whole time. */
async function rewrite(connection: Kysely<unknown>, table: string, clock: Clock): Promise<boolean> {
  for (let tries = 1; ; tries += 1) {
    try {
      await sql`vacuum (full) ${sql.table(table)}`.execute(connection);
      return true;
    } catch (error) {
      if (codeOf(error) !== lockNotAvailable) throw error;
      if (tries === lockTries) return false;
      await clock.wait(100 * tries);
    }
  }
}

/** Clears values that were collected before their columns were excluded. Only the owner of the cluster may do that. */
async function clearStatistics(
  connection: Kysely<unknown>,
  tables: readonly string[],
  clock: Clock,
): Promise<boolean> {
  const stray = sql`
    from pg_statistic using pg_attribute
    where attrelid = starelid and attnum = staattnum and attstattarget = 0
      and starelid = any (${tables}::regclass[])`;
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from pg_stats join pg_attribute
        on attrelid = format('%I.%I', schemaname, tablename)::regclass and pg_attribute.attname = pg_stats.attname
      where attstattarget = 0 and attrelid = any (${tables}::regclass[])) as found`.execute(
    connection,
  );
  if (!rows[0]?.found) return true;
  try {
    await sql`delete ${stray}`.execute(connection);
    return await rewrite(connection, 'pg_statistic', clock);
  } catch (error) {
    if (codeOf(error) === notAllowed) return false;
    throw error;
  }
}

async function clearLog(connection: Kysely<unknown>): Promise<boolean> {
  try {
    for (let turn = 0; turn <= maxRecycled; turn += 1) {
      // The old relation files are deleted by the first checkpoint, the log's by the one after the change of file.
      await sql`checkpoint`.execute(connection);
      await sql`select pg_switch_wal()`.execute(connection);
      await sql`checkpoint`.execute(connection);
      if (await isLogClear(connection)) return true;
    }
    return false;
  } catch (error) {
    if (codeOf(error) === notAllowed) return false;
    throw error;
  }
}

/** True if only files since the last checkpoint exist: older ones are deleted, none is kept for new use. */
async function isLogClear(connection: Kysely<unknown>): Promise<boolean> {
  const { rows } = await sql<{ clear: boolean }>`
    select current_setting('archive_mode') = 'off' and not exists (
      select from pg_ls_waldir(), pg_control_checkpoint()
      where name ~ '^[0-9A-F]{24}$'
        and (name < redo_wal_file or name > pg_walfile_name(pg_current_wal_insert_lsn()))
    ) as clear`.execute(connection);
  return rows[0]?.clear ?? false;
}

const lockNotAvailable = '55P03';
const notAllowed = '42501';

const codeOf = (error: unknown): unknown => (error as { code?: unknown } | null)?.code;
