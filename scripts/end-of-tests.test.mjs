import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

/** Times out with a port open, as a test does that waits for a picture that never comes. */
const hanging = `
  import { test } from 'node:test';
  import { createServer } from 'node:net';
  test('waits', { timeout: 100 }, async () => {
    createServer().listen(0, '127.0.0.1');
    await new Promise(() => undefined);
  });`;

test('a file that holds a port open after its last test is ended, and says what held it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'nazar-hanging-'));
  const file = join(folder, 'hanging.test.mjs');
  writeFileSync(file, hanging);
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const words = [`--import=${join(import.meta.dirname, 'end-of-tests.mjs')}`, '--test', file];
  const child = spawn(process.execPath, words, {
    env: { ...env, NAZAR_TEST_GRACE_MS: '200' },
    timeout: 60_000,
  });
  let said = '';
  child.stdout.on('data', (part) => (said += part));
  child.stderr.on('data', (part) => (said += part));
  const [code] = await once(child, 'close');
  rmSync(folder, { recursive: true });
  assert.equal(code, 1);
  assert.match(said, /All tests are over, and this still runs: .*TCPServerWrap/);
});
