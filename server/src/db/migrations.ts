/**
 * Brings a database to the schema of this code. `schema.sql` makes an empty one, and is all there is today;
 * `migrations/NNNN-name.ts` change an existing one, each with an `up`, in order, forward only, all of them in one
 * transaction under an advisory lock. Both ways lead to the same schema (`schema.db.test.ts`).
 */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import { Pool } from 'pg';
import { Refusal } from '#lib/refusal.ts';
import { newClient, type Target } from './connection.ts';

export const migrationsFolder = join(import.meta.dirname, 'migrations');
export const schemaFile = join(import.meta.dirname, 'schema.sql');

/** Names of the migrations of this code, in order. */
export function migrationNames(folder: string = migrationsFolder): string[] {
  return readdirSync(folder)
    .filter((name) => /^\d{4}-[a-z0-9-]+\.ts$/.test(name))
    .map((name) => basename(name, '.ts'))
    .sort();
}

/**
 * Applies the migrations that the database lacks, all or up to `last` for rows of an older schema (`load.ts`), and
 * returns their names. When two processes do this at once, one waits, and then has nothing to do.
 */
export async function migrate(
  target: Target,
  folder: string = migrationsFolder,
  last?: string,
): Promise<string[]> {
  const names = migrationNames(folder);
  const done = await applied(target);
  refuseNewer(done, names);
  const isWhole = folder === migrationsFolder && (last ?? names.at(-1)) === names.at(-1);
  const migrations = done.length === 0 && isWhole ? asOneFile(names) : asTheyCame(folder, names);
  const pool = new Pool({ ...target, max: 2, application_name: 'nazar migration' });
  pool.on('error', () => undefined); // the query under way reports it
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  try {
    const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
    const { error, results = [] } = await (last === undefined
      ? migrator.migrateToLatest()
      : migrator.migrateTo(last));
    if (error !== undefined) throw error;
    return results.map(({ migrationName }) => migrationName);
  } finally {
    await db.destroy();
  }
}

/** Each file is read when its turn comes: a database that lacks no migration reads none. */
function asTheyCame(folder: string, names: readonly string[]): Record<string, Migration> {
  const read = async (name: string): Promise<Migration> => {
    const url = pathToFileURL(join(folder, `${name}.ts`)).href;
    return (await import(url)) as Migration;
  };
  return Object.fromEntries(
    names.map((name) => [
      name,
      { up: async (db) => (await read(name)).up(db) } satisfies Migration,
    ]),
  );
}

async function makeAll(db: Kysely<unknown>): Promise<void> {
  await sql.raw(readFileSync(schemaFile, 'utf8')).execute(db);
}

async function makeNothing(): Promise<void> {}

/** The first makes the whole schema, and the others are recorded as done. */
function asOneFile(names: readonly string[]): Record<string, Migration> {
  return Object.fromEntries(
    names.map((name, index) => [name, { up: index === 0 ? makeAll : makeNothing }]),
  );
}

/** The migrations of this code that the database lacks. */
export async function pendingMigrations(target: Target): Promise<string[]> {
  const done = new Set(await applied(target));
  return migrationNames().filter((name) => !done.has(name));
}

/** Code that does not know a column may write rows that newer code cannot read: such code does not start. */
function refuseNewer(done: readonly string[], known: readonly string[]): void {
  const unknown = done.filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  throw new Refusal(
    `The database was last used by a newer Nazar (it has the change ${unknown.at(-1)}, which this one does not know); start that version, or restore a backup made with this one.`,
  );
}

async function applied(target: Target): Promise<string[]> {
  const client = newClient(target);
  try {
    await client.connect();
    const { rows: found } = await client.query<{ there: boolean }>(
      `select to_regclass('kysely_migration') is not null as there`,
    );
    if (!found[0]?.there) return [];
    const { rows } = await client.query<{ name: string }>(
      'select name from kysely_migration order by name',
    );
    return rows.map(({ name }) => name);
  } finally {
    await client.end();
  }
}
