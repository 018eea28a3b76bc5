import { sql, type Kysely } from 'kysely';

/** Whose names differ, whatever their capitals; the longest name, in characters. */
const tables = { camera_group: 150, user_group: 150, face_category: 60 } as const;

const folded = (text: string) =>
  sql<string>`translate(lower(${sql.ref(text)} collate "pg_c_utf8"), 'ı', 'i')`;

/**
 * Owners: cameras, accounts, faces. Names of groups and categories differ in more than capitals in every script: until
 * now only ASCII letters had two cases, so that "Ön qapı" and "ÖN QAPI" were two. Of those that become the same, the
 * oldest keeps its name, and the others get a number.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [table, maxChars] of Object.entries(tables)) {
    await numberTheSame(db, table, maxChars);
    await sql`drop index ${sql.ref(`${table}_name`)}`.execute(db);
    await sql`
      create unique index ${sql.ref(`${table}_name`)} on ${sql.table(table)} (${folded('name')})`.execute(
      db,
    );
  }
}

interface Named {
  readonly id: string;
  readonly name: string;
  readonly folded: string;
}

async function numberTheSame(db: Kysely<unknown>, table: string, maxChars: number) {
  const { rows } = await sql<Named>`
    select id, name, ${folded('name')} as folded from ${sql.table(table)} order by created_at, id`.execute(
    db,
  );
  const taken = new Set(rows.map((row) => row.folded));
  const kept = new Set<string>();
  for (const { id, name, folded: own } of rows) {
    if (!kept.has(own)) {
      kept.add(own);
      continue;
    }
    let free = { name, folded: own };
    for (let n = 2; taken.has(free.folded); n += 1)
      free = numbered({ name, folded: own }, n, maxChars);
    taken.add(free.folded);
    await sql`update ${sql.table(table)} set name = ${free.name} where id = ${id}`.execute(db);
  }
}

/** A letter is folded to one letter: both texts are cut at the same place. */
function numbered({ name, folded: own }: Omit<Named, 'id'>, n: number, maxChars: number) {
  const number = ` (${n})`;
  const cut = (text: string): string =>
    Array.from(text)
      .slice(0, maxChars - number.length)
      .join('');
  return { name: `${cut(name)}${number}`, folded: `${cut(own)}${number}` };
}
