import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { testDatabase } from '#testing/database.ts';
import { hasText } from './like.ts';

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
