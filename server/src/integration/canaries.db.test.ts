/**
 * Secrets are planted where they belong and looked for everywhere else: in the answers of every route to every
 * caller, in the server's log and in the database (C-601, C-602, C-604).
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createLog, LogLines } from '#lib/log.ts';
import { Canaries, dumpOf, plantSecrets } from '#testing/canaries.ts';
import { passwordForms } from '#testing/passwords.ts';
import { casesOf, type Case } from '#testing/matrix-cases.ts';
import { MatrixWalk } from '#testing/matrix-walk.ts';
import { testServer, type SignedIn, type TestServer } from '#testing/server.ts';
import { until } from '#testing/until.ts';

const lines: string[] = [];
let world: TestServer;
let admin: SignedIn;
let canaries: Canaries;

before(async () => {
  world = await aWorld();
  admin = await world.signIn('superadmin');
  canaries = await plantSecrets(world, admin);
});
after(() => closed(world));

/** All of them write into `lines`. */
function aWorld(): Promise<TestServer> {
  const logLines = new LogLines();
  const log = createLog('trace', { write: (line) => lines.push(line) }, logLines);
  return testServer({ log, logLines, registration: 'open' });
}

async function closed(one: TestServer): Promise<void> {
  let isClosed = false;
  const closing = one[Symbol.asyncDispose]().then(() => (isClosed = true));
  // An erasure of the walk may be waiting for its next try, which is over when time goes on.
  await until(() => {
    one.clock.advance(1_000);
    return isClosed;
  });
  await closing;
}

/**
 * Cases of one world, in which the secrets are planted anew. Each case leaves a camera or more behind, and whatever
 * happens to a camera is work for all of them.
 */
const casesOfWorld = 750;

test('C-602 no route reveals a secret to any caller, in any form, about any object', async (t) => {
  const { people } = casesOf();
  let answers = 0;
  for (let from = 0; from < people.length; from += casesOfWorld) {
    const cases = people.slice(from, from + casesOfWorld);
    // The first ones walk the world of the tests that follow.
    answers += from === 0 ? await walked(world, canaries, cases) : await walkedAnew(cases);
  }
  assert.ok(answers > people.length / 2);
  t.diagnostic(`${answers} answers`);
});

async function walkedAnew(cases: readonly Case[]): Promise<number> {
  const another = await aWorld();
  try {
    const secrets = await plantSecrets(another, await another.signIn('superadmin'));
    const answers = await walked(another, secrets, cases);
    assert.deepEqual(secrets.in(lines.join('')), [], 'in the log');
    assert.ok(await another.server.systemLog.flush(), 'the system log is in the database, too');
    assert.deepEqual(secrets.in(await dumpOf(another.database.db)), [], 'in the database');
    return answers;
  } finally {
    await closed(another);
  }
}

/** The number of answers, none of which has a secret in it. */
async function walked(one: TestServer, secrets: Canaries, cases: readonly Case[]): Promise<number> {
  const found: string[] = [];
  let answers = 0;
  const walk = await MatrixWalk.begin(one, ({ text, headers }) => {
    answers += 1;
    found.push(...secrets.in(text), ...secrets.in(JSON.stringify(headers)));
  });
  for (const each of cases) await walk.fault(each);
  assert.deepEqual(found, []);
  return answers;
}

test('C-604 no secret reaches the log, not even of a failure', async (t) => {
  const { url } = (await admin.get('/secure-api/cameras/')).json<{ results: { url: string }[] }>()
    .results[0]!;
  assert.ok(url.startsWith('rtsp://192.168.1.9/'));
  assert.deepEqual(canaries.in(lines.join('')), []);
  t.diagnostic(`${lines.length} lines`);
});

test('C-602, C-604 no secret is in the support file, whatever browsers and parsers repeated of it', async (t) => {
  const reports = canaries.plant('a password in a browser’s error', Canaries.secret());
  for (const form of passwordForms(reports).slice(0, 15)) {
    const message = `Failed to parse URL from rtsp://admin:${form}@cam.lan/s`;
    await admin.send('POST', '/secure-api/system/browser-errors/', {
      kind: 'exception',
      message,
      stack: `draw@https://nazar.example.org/assets/app.js:1:2\n{"password":"${reports}"}`,
    });
  }
  assert.ok(await world.server.systemLog.flush());
  const file = (await admin.get('/secure-api/system/support-bundle/')).text;
  assert.match(file, /Failed to parse URL from/);
  assert.match(file, /assets\/app\.js:1:2/);
  assert.deepEqual(canaries.in(file), []);
  assert.doesNotMatch(file, /cam\.lan|nazar\.example|192\.168\.1\.9/);
  t.diagnostic(`${Math.round(file.length / 1024)} KiB`);
});

test('C-601, C-102, C-201 no secret stands in the database as it is', async (t) => {
  assert.ok(await world.server.systemLog.flush(), 'the system log is in it, too');
  const dump = await dumpOf(world.database.db);
  assert.ok(dump.includes('rtsp://192.168.1.9/a'), 'the cameras are in it');
  assert.ok(dump.includes('$argon2id$'), 'the hashes are in it');
  assert.deepEqual(canaries.in(dump), []);
  t.diagnostic(`${Math.round(dump.length / 1024)} KiB`);
});

test('C-602 the search finds what is let out: a planted word in an answer, the log and the database', async () => {
  const secret = canaries.plant('a control', Canaries.secret());
  const camera = {
    name: secret,
    location: 'Yard',
    description: Buffer.from(secret).toString('base64'),
  };
  await admin.send('POST', '/secure-api/cameras/', camera);
  assert.deepEqual(canaries.in((await admin.get('/secure-api/cameras/')).text), ['a control']);
  assert.deepEqual(canaries.in(await dumpOf(world.database.db)), ['a control']);
  createLog('info', { write: (line) => lines.push(line) }).info({ note: secret }, 'x');
  assert.deepEqual(canaries.in(lines.join('')), ['a control']);
  const hex = Buffer.from(`x${secret}y`).toString('hex');
  assert.deepEqual(canaries.in(hex), ['a control']);
});
