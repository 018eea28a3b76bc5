import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { testDatabase } from '#testing/database.ts';
import { hasFolded, hasText } from './like.ts';

test('C-713 a part of a text is found in capitals or not, in every script, and nothing in it is a wildcard', async () => {
  await using database = await testDatabase();
  const isFound = async (text: string, part: string): Promise<boolean> => {
    const found = hasText([sql`null`, sql`${text}::text`], part);
    const { rows } = await sql<{ found: boolean | null }>`select ${found} as found`.execute(
      database.db.read(),
    );
    return rows[0]?.found === true;
  };
  const pairs: [text: string, part: string][] = [
    ['Main Entrance', 'ENTRANCE'],
    ['Главный Вход', 'вход'],
    ['главный вход', 'ВХОД'],
    ['Ön Qapı', 'ön qapı'],
    ['ön qapı', 'ÖN QAPI'],
    ['İzmir ışıq', 'izmir IŞIQ'],
    ['istanbul', 'İSTANBUL'],
    ['Giriş Əsas ÇÖL ĞÜ', 'giriş əsas çöl ğü'],
    ['100% of_it \\', '0% OF_IT \\'],
  ];
  for (const [text, part] of pairs) assert.ok(await isFound(text, part), `${part} in ${text}`);
  for (const part of ['вых', 'a%e', 'm_in', 'Main  Entrance']) {
    assert.ok(!(await isFound('Main Entrance, главный вход', part)), part);
  }
});

test('~LDS-002 the index on what is kept folded serves its search', async () => {
  await using database = await testDatabase();
  const plan = await database.db.transaction(async (tx) => {
    const own = tx.as<unknown>();
    // However few rows there are.
    await sql`set local enable_seqscan = off`.execute(own);
    const { rows } = await sql<{ 'QUERY PLAN': string }>`
      explain select from system_log where ${hasFolded(sql.ref('words'), 'Kamera')}`.execute(own);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  });
  assert.match(plan, /Index Cond: \(words ~~ '%kamera%'/);
});
