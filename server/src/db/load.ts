/**
 * Fills an empty database with what `dump.ts` wrote: first the schema of that time, then its rows, then this
 * code's schema. It loads all rows or none: no other session sees one before the end.
 */
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { Refusal } from '#lib/refusal.ts';
import { newClient, type Target } from './connection.ts';
import { identifier, type Range, type Table } from './dump.ts';
import { migrate, migrationNames } from './migrations.ts';

export interface Contents {
  /** The migrations that made the schema of the rows. */
  readonly migrations: readonly string[];
  readonly ranges: readonly Range[];
  readonly sequences: readonly { readonly name: string; readonly last: string }[];
  readonly tables: readonly Table[];
  rows(table: Table): Readable;
  /** One column of a table, filled in row by row after the tables. */
  readonly pairs: {
    readonly table: string;
    readonly key: string;
    readonly value: string;
    readonly rows: AsyncIterable<readonly [string, Buffer]>;
  };
}

/** Throws a Refusal when the database is not empty, or when the contents come from a newer version than this one. */
export async function load(
  target: Target,
  contents: Contents,
  onTable: (name: string) => void,
): Promise<void> {
  const last = lastMigration(contents.migrations);
  await refuseFull(target);
  await migrate(target, undefined, last);
  const client = newClient(target, { application_name: 'nazar restore' });
  client.on('error', () => undefined); // the query under way reports it
  await client.connect();
  try {
    await client.query('begin');
    const all = await allTables(client);
    await setTriggers(client, all, 'disable');
    await prepare(client, all, contents);
    for (const table of await parentsFirst(client, contents.tables)) {
      onTable(table.name);
      const columns = table.columns.map(identifier).join(', ');
      const copy = `copy ${identifier(table.name)} (${columns}) from stdin (format binary)`;
      await pipeline(contents.rows(table), client.query(copyFrom(copy)));
    }
    await fill(client, contents.pairs);
    await setTriggers(client, all, 'enable');
    await client.query('commit');
    await client.query('analyze');
  } finally {
    await client.end();
  }
  await migrate(target);
}

function lastMigration(migrations: readonly string[]): string {
  const known = migrationNames();
  const unknown = migrations.find((name, index) => known[index] !== name);
  const last = migrations.at(-1);
  if (unknown !== undefined || last === undefined) {
    throw new Refusal(
      `The backup was made by another version of Nazar (it has the change ${unknown ?? 'none'}, which this one does not know); restore it with that version.`,
    );
  }
  return last;
}

async function refuseFull(target: Target): Promise<void> {
  const client = newClient(target);
  await client.connect();
  try {
    const { rowCount } = await client.query(
      `select from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`,
    );
    if (rowCount === 0) return;
  } finally {
    await client.end();
  }
  throw new Refusal(
    'The database to restore into is not empty; make an empty one and name it in DATABASE_URL.',
  );
}

/** Makes the schema, without the rows it starts with. */
async function prepare(
  client: Client,
  tables: readonly string[],
  { ranges, sequences }: Contents,
): Promise<void> {
  await client.query(`truncate ${tables.map(identifier).join(', ')}`);
  for (const { table, partition, from, until } of ranges) {
    await client.query(
      `create table if not exists ${identifier(partition)} partition of ${identifier(table)}
         for values from (${client.escapeLiteral(from)}) to (${client.escapeLiteral(until)})`,
    );
  }
  for (const { name, last } of sequences) {
    await client.query('select setval($1::regclass, $2::bigint)', [identifier(name), last]);
  }
}

async function allTables(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(`
    select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
       and not relispartition and relname not like 'kysely\\_%'`);
  return rows.map(({ name }) => name);
}

/** Rules about new rows and about changes; restored rows obeyed them when they were new. */
async function setTriggers(
  client: Client,
  tables: readonly string[],
  verb: 'enable' | 'disable',
): Promise<void> {
  for (const name of tables) {
    await client.query(`alter table ${identifier(name)} ${verb} trigger user`);
  }
}

/** Rows that others refer to come first. */
async function parentsFirst(client: Client, tables: readonly Table[]): Promise<Table[]> {
  const { rows } = await client.query<{ child: string; parent: string }>(`
    select child.relname as child, parent.relname as parent from pg_constraint
      join pg_class child on child.oid = conrelid join pg_class parent on parent.oid = confrelid
     where contype = 'f' and conparentid = 0 and conrelid <> confrelid`);
  const waiting = new Map(tables.map((table) => [table.name, table]));
  const ordered: Table[] = [];
  while (waiting.size > 0) {
    const ready = [...waiting.values()].filter(
      ({ name }) => !rows.some(({ child, parent }) => child === name && waiting.has(parent)),
    );
    if (ready.length === 0) throw new Error(`in a circle: ${[...waiting.keys()].join(', ')}`);
    for (const table of ready) waiting.delete(table.name);
    ordered.push(...ready);
  }
  return ordered;
}

const batch = 500;

async function fill(client: Client, { table, key, value, rows }: Contents['pairs']): Promise<void> {
  const update = `
    update ${identifier(table)} set ${identifier(value)} = pair.value
      from unnest($1::text[], $2::bytea[]) as pair (key, value)
     where ${identifier(key)}::text = pair.key`;
  let keys: string[] = [];
  let values: Buffer[] = [];
  const flush = async (): Promise<void> => {
    if (keys.length > 0) await client.query(update, [keys, values]);
    keys = [];
    values = [];
  };
  for await (const [name, bytes] of rows) {
    keys.push(name);
    values.push(bytes);
    if (keys.length >= batch) await flush();
  }
  await flush();
}
