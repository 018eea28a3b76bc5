import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { foldedText } from '@nazar/contract/folded-text.ts';
import { testDatabase } from '#testing/database.ts';
import { folded, hasFolded, hasText } from './like.ts';

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

test('the database folds as the contract does, letter by letter, and none becomes two', async () => {
  await using database = await testDatabase();
  const letters = Array.from({ length: 0x11_00_00 }, (_, code) => String.fromCodePoint(code));
  const searched = letters.filter((letter) => /[\p{L}\p{M}\p{N}]/u.test(letter));
  const { rows } = await sql<{ letter: string; folded: string }>`
    select letter, ${folded(sql`letter`)} as folded from unnest(${searched}::text[]) as letter
    -- Node.js may know letters of a later version of Unicode.
    where unicode_assigned(letter)`.execute(database.db.read());
  assert.ok(rows.length > 100_000);
  const others = rows.filter((row) => row.folded !== foldedText(row.letter));
  assert.deepEqual(others, []);
  // Where a letter stands does not matter, as it would at the end of a Greek word.
  const { rows: words } = await sql<{ folded: string }>`
    select ${folded(sql`${'ΝΙΚΟΣ İIıi'}::text`)} as folded`.execute(database.db.read());
  assert.equal(words[0]?.folded, foldedText('ΝΙΚΟΣ İIıi'));
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
