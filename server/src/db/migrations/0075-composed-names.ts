import { sql, type Kysely } from 'kysely';

interface Names {
  readonly table: string;
  readonly columns: readonly string[];
  readonly maxChars: number;
  /** Names differ within these rows, whatever their case; absent: they may be the same. */
  readonly unique?: 'all' | 'user_id';
}

const names: readonly Names[] = [
  {
    table: 'app_user',
    columns: ['first_name', 'last_name', 'department', 'position'],
    maxChars: 150,
  },
  { table: 'person', columns: ['first_name', 'last_name', 'position'], maxChars: 150 },
  { table: 'camera', columns: ['name', 'location'], maxChars: 150 },
  { table: 'camera_zone', columns: ['name'], maxChars: 60 },
  { table: 'api_key', columns: ['name'], maxChars: 100 },
  { table: 'passkey', columns: ['name'], maxChars: 60 },
  { table: 'wall_layout', columns: ['name'], maxChars: 60 },
  { table: 'camera_group', columns: ['name'], maxChars: 150, unique: 'all' },
  { table: 'user_group', columns: ['name'], maxChars: 150, unique: 'all' },
  { table: 'face_category', columns: ['name'], maxChars: 60, unique: 'all' },
  { table: 'activity_saved_search', columns: ['name'], maxChars: 100, unique: 'user_id' },
];

/**
 * Owners: accounts, cameras, faces, activity. Names are composed (Unicode NFC) from now on when they come in; those of
 * before become so here, in JavaScript, because PostgreSQL does it in databases of UTF-8 only. Of two names that become
 * the same, the one that was composed keeps it, and the other gets a number.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const { table, columns, maxChars, unique } of names) {
    for (const column of columns) await compose(db, { table, column, maxChars, unique });
  }
}

interface Column {
  readonly table: string;
  readonly column: string;
  readonly maxChars: number;
  readonly unique: Names['unique'] | undefined;
}

async function compose(db: Kysely<unknown>, { table, column, maxChars, unique }: Column) {
  const owner = unique === 'user_id' ? sql.ref('user_id') : sql`null::uuid`;
  const { rows } = await sql<{ id: string; owner: string | null; name: string }>`
    select id, ${owner} as owner, ${sql.ref(column)} as name from ${sql.table(table)}
    where ${sql.ref(column)} ~ '[^ -~]' or ${unique !== undefined} order by id`.execute(db);
  const old = rows.filter(({ name }) => name !== name.normalize('NFC'));
  const taken = new Set(
    rows.filter((row) => !old.includes(row)).map((row) => keyOf(row.owner, row.name)),
  );
  for (const { id, owner: holder, name } of old) {
    let free = cut(name.normalize('NFC'), maxChars);
    for (let n = 2; unique !== undefined && taken.has(keyOf(holder, free)); n += 1) {
      const number = ` (${n})`;
      free = `${cut(name.normalize('NFC'), maxChars - number.length)}${number}`;
    }
    taken.add(keyOf(holder, free));
    await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${free} where id = ${id}`.execute(
      db,
    );
  }
}

const keyOf = (owner: string | null, name: string): string => `${owner} ${name.toLowerCase()}`;

/** A few characters become two when they are composed. */
const cut = (name: string, maxChars: number): string =>
  Array.from(name).slice(0, maxChars).join('');
