/** The commands themselves, on an installation with its embedded database. */
import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { systemClock } from '#lib/clock.ts';
import { lockFolder } from '#lib/folder-lock.ts';
import { openDatabase } from '#db/open.ts';
import { finishSwap } from '#db/swap.ts';
import { ModelStore } from '#system/model-store.ts';
import { command, emptyDataFolder, type Run } from '#testing/installation.ts';
import { quietLog } from '#testing/world.ts';

const data = emptyDataFolder();
const elsewhere = emptyDataFolder();
const other = emptyDataFolder();
const backups = join(elsewhere.path, 'backups');
after(() => [data, elsewhere, other].forEach((folder) => folder[Symbol.dispose]()));

const run = (program: string, words: readonly string[], folder = data.path): Promise<Run> =>
  command(program, words, folder);

async function succeed(
  program: string,
  words: readonly string[],
  folder?: string,
): Promise<string> {
  const { code, said } = await run(program, words, folder);
  assert.equal(code, 0, said);
  return said;
}

const create = (email: string): Promise<string> =>
  succeed('admin', ['create', '--email', email, '--password', 'a-long-one-for-tests-9']);
const has = async (email: string, folder?: string): Promise<boolean> =>
  (await run('admin', ['reset', '--email', email], folder)).code === 0;

let backup: string;

before(async () => {
  const { code, said } = await run('backup', ['--to', backups]);
  assert.equal(code, 1);
  assert.match(said, /nothing to back up/);
  await create('first@example.org');
  assert.match(await succeed('backup', ['--to', backups]), /read again and whole/);
  backup = join(
    backups,
    readdirSync(backups).find((name) => name.startsWith('nazar-'))!,
  );
  await create('second@example.org');
});

test('R-23 backup and restore: what came after the backup is gone, and kept beside', async () => {
  assert.match(await succeed('backup', ['--check', backup]), /is whole/);
  const refused = await run('restore', ['--from', backup]);
  assert.equal(refused.code, 1);
  assert.match(refused.said, /add --replace/);
  assert.ok(await has('second@example.org'));
  assert.match(await succeed('restore', ['--from', backup, '--replace']), /Restored/);
  assert.ok(await has('first@example.org'));
  assert.equal(await has('second@example.org'), false);
  assert.ok(readdirSync(data.path).some((name) => name.startsWith('postgres.before-')));
  assert.match(await succeed('audit', ['verify']), /as it was written/);
});

test('R-23 on an empty machine the backup needs its master key', async () => {
  const missing = await run('restore', ['--from', backup], other.path);
  assert.equal(missing.code, 1);
  assert.match(missing.said, /--key FILE/);
  const key = join(data.path, 'master.key');
  await succeed('restore', ['--from', backup, '--key', key], other.path);
  assert.ok(await has('first@example.org', other.path));
  assert.ok(existsSync(join(other.path, 'master.key')));
});

test('R-23 a restore on a machine without the models that people were enrolled with says so', async () => {
  using old = emptyDataFolder();
  using target = emptyDataFolder();
  await succeed(
    'admin',
    ['create', '--email', 'a@example.org', '--password', 'a-long-one-9'],
    old.path,
  );
  {
    const options = { url: null, dataFolder: old.path, clock: systemClock, log: quietLog };
    await using database = await openDatabase({ ...options, borrow: true });
    await new ModelStore(database.db).begin('from-elsewhere@7');
  }
  const to = join(old.path, 'backups');
  await succeed('backup', ['--to', to], old.path);
  const from = join(
    to,
    readdirSync(to).find((name) => name.startsWith('nazar-'))!,
  );
  const key = join(old.path, 'master.key');
  const said = await succeed('restore', ['--from', from, '--key', key], target.path);
  assert.match(said, /Restored .*\n.*from-elsewhere@7, which are not on this machine/);
});

test('R-23 a running installation is not restored over', async () => {
  using _running = lockFolder(data.path);
  const { code, said } = await run('restore', ['--from', backup, '--replace']);
  assert.notEqual(code, 0);
  assert.match(said, /Another Nazar/);
});

test('R-22 a restore that is interrupted leaves what was there, or what was restored, whole', () => {
  using folder = emptyDataFolder();
  const at = (name: string): string => join(folder.path, name);
  const names = ['postgres', 'audit'];
  for (const name of names) {
    mkdirSync(at(name));
    writeFileSync(join(at(name), 'old'), '');
    mkdirSync(at(`${name}.restoring`));
    writeFileSync(join(at(`${name}.restoring`), 'new'), '');
  }
  finishSwap(folder.path);
  assert.deepEqual(readdirSync(at('postgres')), ['old'], 'not complete: nothing is exchanged');
  writeFileSync(at('restored'), 'before-x');
  // After each renaming the machine may stop; every state of them ends the same.
  const steps = [
    () => undefined,
    () => renameSync(at('postgres'), at('postgres.before-x')),
    () => renameSync(at('postgres.restoring'), at('postgres')),
    () => renameSync(at('audit'), at('audit.before-x')),
    () => renameSync(at('audit.restoring'), at('audit')),
  ];
  for (const step of steps) {
    step();
    using copy = emptyDataFolder();
    cpSync(folder.path, copy.path, { recursive: true });
    finishSwap(copy.path);
    for (const name of names) {
      assert.deepEqual(readdirSync(join(copy.path, name)), ['new']);
      assert.deepEqual(readdirSync(join(copy.path, `${name}.before-x`)), ['old']);
    }
    assert.ok(!existsSync(join(copy.path, 'restored')));
  }
});
