import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { migrationNames, migrationsFolder } from './migrations.ts';

function numbers(names: readonly string[]): number[] {
  return names.map((name) => Number(name.slice(0, 4)));
}

test('migrations are numbered 0001, 0002, ... without a gap and without a double', () => {
  const found = numbers(migrationNames());
  assert.deepEqual(
    found,
    found.map((_, index) => index + 1),
  );
});

test('the folder of migrations holds nothing that would be passed over', () => {
  const files = readdirSync(migrationsFolder).filter((name) => name.endsWith('.ts'));
  assert.deepEqual(files.length, migrationNames().length, files.join(' '));
});
