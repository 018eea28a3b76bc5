import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { hashFile } from './hash-file.ts';

const sha256 = (data: Uint8Array): string => createHash('sha256').update(data).digest('hex');

test('a whole file, of more than one piece, and what comes before a byte of it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'nazar-hash-'));
  try {
    const path = join(folder, 'file');
    const data = randomBytes(200_000);
    writeFileSync(path, data);
    const whole = await hashFile(path);
    assert.deepEqual([whole.bytes, whole.sha256.toString('hex')], [200_000, sha256(data)]);
    const head = await hashFile(path, { until: 70_001 });
    const expected = sha256(data.subarray(0, 70_001));
    assert.deepEqual([head.bytes, head.sha256.toString('hex')], [70_001, expected]);
    const none = await hashFile(path, { until: 0 });
    assert.deepEqual([none.bytes, none.sha256.toString('hex')], [0, sha256(Buffer.alloc(0))]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
