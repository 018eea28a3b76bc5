import assert from 'node:assert/strict';
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { lockFolder, lockOwner } from './folder-lock.ts';

let folder: string;

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'nazar-lock-'));
});
after(() => rmSync(folder, { recursive: true }));

interface Contender extends AsyncDisposable {
  readonly process: ChildProcessByStdio<null, Readable, null>;
  readonly won: boolean;
}

/** Another process that tries for the lock and keeps it until it is killed. */
async function contend(): Promise<Contender> {
  const url = pathToFileURL(join(import.meta.dirname, 'folder-lock.ts')).href;
  const program = `
    import { lockFolder } from '${url}';
    globalThis.lock = lockFolder(${JSON.stringify(folder)});
    process.stdout.write(String(lock !== null));
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  return {
    process: child,
    won: said.toString() === 'true',
    async [Symbol.asyncDispose]() {
      const exit = once(child, 'exit');
      child.kill('SIGKILL');
      await exit;
    },
  };
}

test('exactly one of several that start together gets the folder', async () => {
  const contenders = await Promise.all(Array.from({ length: 4 }, contend));
  try {
    const winners = contenders.filter(({ won }) => won);
    assert.equal(winners.length, 1);
    assert.equal(lockOwner(folder), winners[0]?.process.pid);
    assert.equal(lockFolder(folder), null, 'nor does a later one');
  } finally {
    await Promise.all(contenders.map((contender) => contender[Symbol.asyncDispose]()));
  }
});

test('the lock ends with its process, however that ends', async () => {
  {
    await using killed = await contend();
    assert.ok(killed.won);
  }
  using lock = lockFolder(folder);
  assert.ok(lock);
  assert.equal(lockFolder(folder), null, 'one process cannot have it twice either');
});
