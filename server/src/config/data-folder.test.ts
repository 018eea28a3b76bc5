import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Refusal } from '#lib/refusal.ts';
import { readConfig, type Config } from './config.ts';
import { openDataFolder, prepareDataFolder } from './data-folder.ts';

const isRoot = process.getuid?.() === 0;
let folder: string;

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'nazar-data-'));
  chmodSync(folder, 0o755);
});
after(() => rmSync(folder, { recursive: true }));

function configFor(path: string): Config {
  return readConfig({ NAZAR_DATA: path });
}

function mode(path: string): number {
  return statSync(path).mode & 0o777;
}

test('C-1103 the data folder is ours, and what is in it only ours', () => {
  const path = join(folder, 'new', 'data');
  using data = openDataFolder(configFor(path));
  assert.equal(mode(path), isRoot ? 0o711 : 0o700);
  assert.equal(mode(data.logs), 0o700);
  assert.equal(mode(data.run), 0o700);
  assert.equal(data.notice, null);
});

test('a second instance on the same data folder is refused, until the first has gone', () => {
  const config = configFor(join(folder, 'shared'));
  {
    using _first = openDataFolder(config);
    assert.throws(
      () => openDataFolder(config),
      (error: Error) => error instanceof Refusal && error.message.includes(String(process.pid)),
    );
    assert.equal(prepareDataFolder(config).path, config.dataFolder, 'the admin command may look');
  }
  using _second = openDataFolder(config);
});

test('a data folder that cannot be one is refused with its name', () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  assert.throws(() => openDataFolder(configFor(file)), /file cannot be written/);
});

test(
  'as root, a data folder that PostgreSQL’s user cannot reach is refused',
  { skip: !isRoot },
  () => {
    const locked = join(folder, 'locked');
    mkdirSync(locked, { mode: 0o700 });
    assert.throws(() => openDataFolder(configFor(join(locked, 'data'))), /"nobody" cannot reach/);
  },
);
