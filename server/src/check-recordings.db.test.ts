/** The command itself, beside a database that a server has used. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { recordingWorld } from '#testing/recordings.ts';

const entry = join(import.meta.dirname, 'check-recordings.ts');

interface Said {
  readonly code: number;
  readonly text: string;
}

function run(word: string, env: Record<string, string>): Promise<Said> {
  return new Promise((resolve) => {
    execFile(process.execPath, [entry, word], { env }, (error, out, errors) => {
      resolve({ code: error ? Number(error.code) : 0, text: `${out}${errors}` });
    });
  });
}

test('R-03 the command says whether index and files agree, names what does not, and repairs what it can', async () => {
  await using it = await recordingWorld();
  const data = mkdtempSync(join(tmpdir(), 'nazar-check-'));
  using _ = { [Symbol.dispose]: () => rmSync(data, { recursive: true, force: true }) };
  const env = {
    PATH: process.env['PATH'] ?? '',
    NAZAR_DATA: data,
    DATABASE_URL: it.world.database.url,
  };
  await it.recordings.policies.changeSettings(it.admin, it.cameraId, { continuousRecording: true });
  const [changed, gone] = [0, 10_000].map((ms) => it.opens(Date.UTC(2026, 0, 15, 12) + ms));
  changed!.closes();
  gone!.closes();
  await it.recordings.settled();
  const whole = await run('check', env);
  assert.deepEqual(whole, { code: 0, text: '2 files, 0.00 GB; index and files agree.\n' });
  appendFileSync(changed!.path, 'x');
  rmSync(gone!.path);
  const faults = await run('check', env);
  assert.equal(faults.code, 1);
  assert.match(faults.text, new RegExp(`OF ANOTHER SIZE: ${changed!.path}`));
  assert.match(faults.text, new RegExp(`MISSING: ${gone!.path}`));
  const repaired = await run('repair', env);
  // What was changed stays so: it is evidence of that.
  assert.match(repaired.text, /0 files were taken up, 0 completed, 1 rows without a file removed/);
  assert.match(repaired.text, /1 FAULTS/);
  assert.equal((await run('mend', env)).code, 1);
});
