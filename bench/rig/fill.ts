/**
 * Rows by the million, as the product would have written them: the database makes them itself, no trigger and no foreign
 * key checks each one, and what the triggers would have counted is counted once at the end. Indexes are made anew
 * afterwards: adding ten million keys one by one to an index that fits no cache took too long to wait for.
 */
import { sql, type Kysely } from 'kysely';
import type { Database } from '../../server/src/db/database.ts';

/** One transaction without triggers and without an end; nothing of it is for a product. */
export async function inBulk<R>(
  db: Database,
  work: (tx: Kysely<unknown>) => Promise<R>,
): Promise<R> {
  return db.transaction(async (tx) => {
    const write = tx.as<unknown>();
    await sql`select set_config('session_replication_role', 'replica', true),
                     set_config('statement_timeout', '0', true),
                     set_config('idle_in_transaction_session_timeout', '0', true),
                     set_config('maintenance_work_mem', '512MB', true),
                     set_config('work_mem', '512MB', true)`.execute(write);
    return work(write);
  });
}

/** Fills a table while it has no index but those of its constraints. */
export async function withoutIndexes(
  tx: Kysely<unknown>,
  table: string,
  fill: () => Promise<void>,
): Promise<void> {
  const { rows } = await sql<{ name: string; definition: string }>`
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
    from pg_index
    where indrelid = ${table}::regclass
      and not exists (select from pg_constraint where conindid = indexrelid)`.execute(tx);
  for (const { name } of rows) await sql`drop index ${sql.raw(name)}`.execute(tx);
  await fill();
  // PostgreSQL says "ON ONLY" for a partitioned table, which would leave its partitions without the index.
  for (const { definition } of rows) {
    await sql.raw(definition.replace(/ ON ONLY /, ' ON ')).execute(tx);
  }
}

/** Tables, or their partitions one by one: a statement ends after a minute. */
export async function vacuum(db: Database, ...tables: readonly string[]): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select coalesce(child.relname, parent.relname) as name
    from pg_class parent
    left join pg_inherits on inhparent = parent.oid and parent.relkind = 'p'
    left join pg_class child on child.oid = inhrelid
    where parent.relname = any(${tables})`.execute(db.write());
  for (const { name } of rows) {
    await sql`vacuum analyze ${sql.table(name)}`.execute(db.write());
  }
  for (const table of tables) await sql`analyze ${sql.table(table)}`.execute(db.write());
}

/** Prints how long a step of filling took, for the user who waits. */
export async function step<R>(what: string, work: () => Promise<R>): Promise<R> {
  const startedAtMs = performance.now();
  const done = await work();
  process.stderr.write(`${what}: ${((performance.now() - startedAtMs) / 1000).toFixed(1)} s\n`);
  return done;
}
