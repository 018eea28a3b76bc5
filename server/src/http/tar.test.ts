import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { tar } from './tar.ts';

test("C-1007 the system's tar unpacks every file as it was, whatever its length", async () => {
  const folder = mkdtempSync(join(tmpdir(), 'nazar-tar-'));
  const files = [0, 1, 511, 512, 513, 70_000].map((length) => ({
    name: `photos/${length}.jpg`,
    bytes: randomBytes(length),
  }));
  async function* each() {
    yield* files;
  }
  const parts: Buffer[] = [];
  for await (const part of tar(each(), Date.UTC(2026, 0, 15))) parts.push(part);
  const unpacked = spawnSync('tar', ['-x', '-C', folder], { input: Buffer.concat(parts) });
  assert.equal(unpacked.status, 0, String(unpacked.stderr));
  assert.equal(String(unpacked.stderr), '');
  for (const { name, bytes } of files) {
    assert.deepEqual(readFileSync(join(folder, name)), bytes, name);
  }
  rmSync(folder, { recursive: true });
});

test('a name that ustar cannot hold is refused', async () => {
  for (const name of ['', 'a b', 'ə', 'a\0b', 'x'.repeat(101)]) {
    async function* one() {
      yield { name, bytes: Buffer.of() };
    }
    await assert.rejects(tar(one(), 0).next(), RangeError);
  }
});
