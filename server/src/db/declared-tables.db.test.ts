/** Each store declares the tables that it reads and writes. The compiler believes it; the database is asked here. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { declaredColumns, type ColumnKind, type DeclaredColumn } from '#testing/declared-tables.ts';
import { testDatabase } from '#testing/database.ts';

/** How a type arrives (`types.ts`). */
const kinds: Readonly<Record<string, ColumnKind>> = {
  uuid: 'string',
  text: 'string',
  xid8: 'string',
  bit: 'string',
  date: 'string',
  timestamptz: 'Date',
  bool: 'boolean',
  int2: 'number',
  int4: 'number',
  int8: 'number',
  float4: 'number',
  float8: 'number',
  numeric: 'number',
  bytea: 'Buffer',
  json: 'json',
  jsonb: 'json',
  _text: 'string[]',
  _uuid: 'string[]',
  _int2: 'number[]',
  _int4: 'number[]',
};

interface Column {
  readonly type: string;
  /** Null for a view, whose columns PostgreSQL knows nothing of. */
  readonly isNullable: boolean | null;
}

async function columns(): Promise<ReadonlyMap<string, Column>> {
  await using database = await testDatabase();
  const { rows } = await sql<{ name: string } & Column>`
    select relname || '.' || attname as name, typname::text as type,
           case when relkind <> 'v' then not attnotnull end as "isNullable"
      from pg_attribute
      join pg_class on pg_class.oid = attrelid
      join pg_type on pg_type.oid = atttypid
     where relnamespace = 'public'::regnamespace and attnum > 0 and not attisdropped`.execute(
    database.db.read(),
  );
  return new Map(rows.map(({ name, ...column }) => [name, column]));
}

function faultOf(declared: DeclaredColumn, known: ReadonlyMap<string, Column>): string | null {
  const { file, table, column, kind, isNullable } = declared;
  const found = known.get(`${table}.${column}`);
  const where = `${file}: ${table}.${column}`;
  if (found === undefined) return `${where} is not in the database`;
  if (kinds[found.type] !== kind) return `${where} is declared as ${kind} and is ${found.type}`;
  if (found.isNullable === null || found.isNullable === isNullable) return null;
  return `${where} ${found.isNullable ? 'may be null, which is not declared' : 'is never null'}`;
}

test('stores declare their tables as they are in the database', async () => {
  const known = await columns();
  const declared = declaredColumns();
  assert.ok(declared.length > 900, `${declared.length} columns are declared`);
  assert.deepEqual(
    declared.map((one) => faultOf(one, known)).filter((fault) => fault !== null),
    [],
  );
  const one = declared.find(({ table, column }) => table === 'camera' && column === 'name')!;
  assert.match(faultOf({ ...one, column: 'nome' }, known)!, /not in the database/);
  assert.match(faultOf({ ...one, kind: 'number' }, known)!, /declared as number and is text/);
  assert.match(faultOf({ ...one, isNullable: true }, known)!, /is never null/);
});
