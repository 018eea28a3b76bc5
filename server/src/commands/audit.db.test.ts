import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { Activity, openVerification, startSealer, Warnings } from '#activity/activity.ts';
import { createScope, noGrants } from '#http/scope.ts';
import { uuidv7 } from '#lib/ids.ts';
import type { SecretKey } from '#lib/secrets.ts';
import { openRootKey } from '#db/root-key.ts';
import { systemClock as clock } from '#lib/clock.ts';
import { testDatabase, type TestDatabase } from '#testing/database.ts';
import { command, emptyDataFolder, type Run } from '#testing/installation.ts';
import { anActor } from '#testing/activity-chain.ts';
import { quietLog } from '#testing/world.ts';

const folder = emptyDataFolder();
let database: TestDatabase;

before(async () => {
  database = await testDatabase();
});
after(async () => {
  await database[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

const audit = (...words: string[]): Promise<Run> =>
  command('audit', words, folder.path, { DATABASE_URL: database.url });

/** As an administrator saves it in the page. */
async function savedVerification(master: SecretKey, auditDir: string): Promise<string> {
  const { db } = database;
  const activity = new Activity({ db, clock });
  const warnings = new Warnings({ db, activity, clock, log: quietLog });
  const chain = { db, master, folder: auditDir, clock, log: quietLog };
  await using verification = await openVerification({ ...chain, activity, warnings });
  const account = { userId: uuidv7(0), email: 'admin@example.org', sessionId: uuidv7(1) };
  const { id } = await verification.start(createScope({ ...account, standing: 'admin' }, noGrants));
  await verification.settled();
  return (await verification.file(id)).text;
}

test('C-803 audit verify says whether the activity log is as it was written, and where not', async () => {
  const { db } = database;
  const keyFile = join(folder.path, 'master.key');
  const master = await openRootKey({ db, clock, path: keyFile });
  renameSync(keyFile, `${keyFile}.away`);
  const noKey = await audit('verify');
  assert.equal(noKey.code, 1);
  assert.match(noKey.said, /master\.key is not there/);
  renameSync(`${keyFile}.away`, keyFile);
  assert.equal((await audit()).code, 1);
  const activity = new Activity({ db, clock });
  for (let written = 0; written < 5; written += 1) {
    await activity.recordAlone({ actor: anActor(), action: 'account.login', object: null });
  }
  const auditDir = join(folder.path, 'audit');
  const sealer = startSealer({ db, clock, master, folder: auditDir, log: quietLog });
  await sealer[Symbol.asyncDispose]();
  const whole = await audit('verify');
  assert.equal(whole.code, 0, whole.said);
  assert.match(whole.said, /as it was written: 5 entries and 1 anchors\./);
  const saved = join(folder.path, 'saved.txt');
  writeFileSync(saved, await savedVerification(master, auditDir));
  const kept = await audit('verify-file', saved);
  assert.equal(kept.code, 0, kept.said);
  assert.match(kept.said, /^Signed by this installation, and the activity log still has/);
  assert.match(
    kept.said,
    /: whole, 5 entries as they were written, from entry 1 of .* to entry 5 of/,
  );
  assert.match((await audit('verify-file', `${saved}.not`)).said, /There is no file/);
  assert.equal((await audit('verify-file')).code, 1);
  // The owner of the database can take the triggers off.
  await sql`alter table audit_entry disable trigger all`.execute(db.write());
  await sql`update audit_entry set ip = '198.51.100.1' where sequence = 3`.execute(db.write());
  const changed = await audit('verify');
  assert.equal(changed.code, 1);
  assert.match(changed.said, /entry 3 \([-\da-f]{36}\) or its signature is not/);
  await sql`delete from audit_entry where sequence >= 3`.execute(db.write());
  const replaced = await audit('verify-file', saved);
  assert.equal(replaced.code, 1);
  assert.match(replaced.said, /^THE RECORD WAS CHANGED since/);
  writeFileSync(saved, readFileSync(saved, 'utf8').replace('"entries": 5', '"entries": 6'));
  assert.match((await audit('verify-file', saved)).said, /^CHANGED:/);
  const cut = await audit('verify');
  assert.equal(cut.code, 1);
  assert.match(cut.said, /entry 3 and all after it are missing; at .* there were 5\./);
  rmSync(keyFile);
  mkdirSync(auditDir, { recursive: true });
  writeFileSync(keyFile, Buffer.alloc(32, 7));
  const otherKey = await audit('verify');
  assert.equal(otherKey.code, 1, 'another key verifies nothing');
});
