/** The command itself, beside a database that a server has used. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openRootKey } from '#db/root-key.ts';
import { ServerLock } from '#db/server-lock.ts';
import { systemClock } from '#lib/clock.ts';
import { SecretKey, publicKeyText } from '#lib/secrets.ts';
import { proofBox, type Manifest } from '#recordings/exports/proof.ts';
import { aClock } from '#testing/clock.ts';
import { testDatabase } from '#testing/database.ts';
import { recordingWorld } from '#testing/recordings.ts';
import { box } from '#testing/segments.ts';
import { quietLog } from '#testing/world.ts';
import { readConfig } from '#config/config.ts';
import { keyFileOf, prepareDataFolder } from '#config/data-folder.ts';

const entry = join(import.meta.dirname, 'check-recordings.ts');

interface Said {
  readonly code: number;
  readonly text: string;
}

function run(words: string, env: Record<string, string>): Promise<Said> {
  return new Promise((resolve) => {
    execFile(process.execPath, [entry, ...words.split(' ')], { env }, (error, out, errors) => {
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
  {
    // A server on another machine has a data folder of its own.
    const server = { clock: systemClock, log: quietLog };
    await using _server = await ServerLock.take(it.world.database.target, server);
    const refused = await run('repair', env);
    assert.equal(refused.code, 1);
    assert.match(refused.text, new RegExp(`^Nazar is running \\(process ${process.pid} on `));
    assert.match((await run('check', env)).text, /2 FAULTS/, 'checking needs nothing for itself');
  }
  const repaired = await run('repair', env);
  // What was changed stays so: it is evidence of that.
  assert.match(repaired.text, /0 files were taken up, 0 completed, 1 rows without a file removed/);
  assert.match(repaired.text, /1 FAULTS/);
  assert.equal((await run('mend', env)).code, 1);
});

test('C-408 the command says whether a film was exported here, and what is in it', async () => {
  await using database = await testDatabase();
  const data = mkdtempSync(join(tmpdir(), 'nazar-verify-'));
  using _ = { [Symbol.dispose]: () => rmSync(data, { recursive: true, force: true }) };
  const { db, url } = database;
  const env = { PATH: process.env['PATH'] ?? '', NAZAR_DATA: data, DATABASE_URL: url };
  const config = readConfig(env);
  const path = keyFileOf(config, prepareDataFolder(config));
  const master = await openRootKey({ db, clock: aClock(), path });
  const film = join(data, 'film.mp4');
  const write = (key: SecretKey, more: object = {}): void => {
    const { privateKey, publicKey } = key.derive('recordings').signingPair();
    const bytes = box('mdat', Buffer.from('pictures'));
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const [from, until] = ['2026-01-15T12:00:00.000Z', '2026-01-15T12:10:00.000Z'] as const;
    const manifest: Manifest = {
      version: 1,
      export: 'an export',
      camera: { id: 'id', name: 'Gate' },
      from,
      until,
      exported_at: until,
      exported_by: 'somebody',
      bytes: bytes.length,
      sha256,
      pieces: [{ from, until, at_seconds: 0 }],
      gaps: [{ from, until: null, cause: 'network' }],
      sources: [],
      public_key: publicKeyText(publicKey),
      ...more,
    };
    writeFileSync(film, Buffer.concat([bytes, proofBox(manifest, privateKey)]));
  };
  const span = (second: number) => ({
    from: `2026-01-15T12:00:0${second}.000Z`,
    until: `2026-01-15T12:00:0${second + 1}.000Z`,
    pictures: 25,
  });
  write(master, { encoded: [span(0)], left_out: [span(5)] });
  const whole = await run(`verify-export ${film}`, env);
  assert.equal(whole.code, 0);
  assert.match(
    whole.text,
    /^Whole, and exported by this installation\.\n {2}camera "Gate" \(id\), 2026-01-15T12:00/,
  );
  assert.match(whole.text, /to now is missing: network/);
  assert.match(whole.text, /12:00:00\.000Z to .*12:00:01\.000Z was encoded again/);
  assert.match(whole.text, /12:00:05\.000Z to .* was recorded and could not be included/);
  appendFileSync(film, 'x');
  assert.match((await run(`verify-export ${film}`, env)).text, /^NO PROOF/);
  write(SecretKey.random());
  const foreign = await run(`verify-export ${film}`, env);
  assert.equal(foreign.code, 1);
  assert.match(foreign.text, /^ANOTHER INSTALLATION/);
  const painted = 'Gate\u001b[2J\u001b]0;x\u0007\u202e\nWhole, and exported by this installation.';
  const times = { from: '2026-01-15T12:00:00.000Z', until: '2026-01-15T12:10:00.000Z' };
  const pieces = Array.from({ length: 1_000 }, () => ({ ...times, at_seconds: 0 }));
  write(SecretKey.random(), { camera: { id: 'i\rd', name: painted }, pieces });
  const { code, text } = await run(`verify-export ${film}`, env);
  assert.equal(code, 1);
  assert.match(text, /^ANOTHER INSTALLATION/);
  assert.doesNotMatch(text, /^Whole/m);
  assert.match(text, /"Gate\\x1b\[2J\\x1b\]0;x\\x07\\u202e\\x0aWhole, .*" \(i\\x0dd\)/);
  assert.doesNotMatch(text, /[^\n\x20-\x7e]/);
  assert.match(text, /and 800 more/);
  assert.ok(text.split('\n').length < 220);
  write(SecretKey.random(), { camera: undefined });
  const none = await run(`verify-export ${film}`, env);
  assert.deepEqual([none.code, none.text.slice(0, 8)], [1, 'NO PROOF']);
  const named = await run(`verify-export ${data}/\u001b[31mfilm`, env);
  assert.match(named.text, /^There is no file .*\\x1b\[31mfilm/);
  assert.match((await run(`verify-export ${data}`, env)).text, /^There is no file/);
  assert.match((await run('verify-export', env)).text, /^Usage/);
});
