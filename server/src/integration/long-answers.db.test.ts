/** Downloads under way when the right to them ends, on the whole server and by real connections. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import type { Capability } from '@nazar/contract/capabilities.ts';
import { uuidv7 } from '#lib/ids.ts';
import { fileOf } from '#recordings/exports/export-maker.ts';
import { signInEach, testServer, type SignedIn, type TestServer } from '#testing/server.ts';
import { until } from '#testing/until.ts';
import { aCameraForm } from '#testing/world.ts';

/** More than the buffers of a connection hold. */
const exportBytes = 256 * 1024 * 1024;

let world: TestServer;
let people: Awaited<ReturnType<typeof signInEach>>;
let camera: string;

before(async () => {
  world = await testServer();
  people = await signInEach(world);
  const form = aCameraForm({ status: 'active', url: 'rtsp://192.168.0.9/a' });
  camera = (await people.admin.send('POST', '/secure-api/cameras/', form)).json<{ id: string }>()
    .id;
  await world.app.listen({ host: '127.0.0.1', port: 0 });
});
after(() => world[Symbol.asyncDispose]());

async function grant(to: SignedIn, capabilities: readonly Capability[]): Promise<void> {
  const [of, user] = [
    { type: 'camera', id: camera },
    { type: 'user', id: to.id },
  ] as const;
  const body = { to: user, of, capabilities, categories: [] };
  const given = await people.admin.send('PUT', '/secure-api/cameras/grants/', body);
  assert.equal(given.status, 200, given.text);
}

/** An export without masks that is done, as large as hours of recording are. */
async function anExport(of: SignedIn): Promise<string> {
  const id = uuidv7(world.clock.now());
  await sql`
    insert into recording_export (id, camera_id, is_masked, created_by, created_at, from_at, until_at, status, attempts,
                                  root_id, bytes, sha256, seconds, expires_at)
    select ${id}::uuid, ${camera}::uuid, false, ${of.id}::uuid, now(), now() - interval '2 hours', now(), 'done', 1,
           id, ${exportBytes}, decode(repeat('00', 32), 'hex'), 7200, now() + interval '1 day'
    from recording_root limit 1`.execute(world.database.db.write());
  const path = fileOf(world.recordingFolder, id);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, '');
  truncateSync(path, exportBytes);
  return id;
}

interface Download {
  /** Reads what is still sent; how many bytes came in all, and whether they are all that were announced. */
  rest(): Promise<{ bytes: number; isWhole: boolean }>;
}

/** Begins, reads its first bytes and stops reading. */
async function download(path: string, who: SignedIn | null): Promise<Download> {
  const { port } = world.app.server.address() as AddressInfo;
  const headers = who ? { authorization: `Bearer ${who.access}` } : {};
  const [answer] = (await once(get({ host: '127.0.0.1', port, path, headers }), 'response')) as [
    IncomingMessage,
  ];
  assert.equal(answer.statusCode, 200, path);
  let bytes = 0;
  answer.on('error', () => undefined); // 'close' follows
  const closed = new Promise((resolve) => void answer.once('close', resolve));
  answer.on('data', (piece: Buffer) => (bytes += piece.length));
  await once(answer, 'data');
  answer.pause();
  return {
    async rest() {
      answer.resume();
      await closed;
      return { bytes, isWhole: answer.complete };
    },
  };
}

const fileUrl = (id: string): string => `/secure-api/recordings/exports/${id}/file/`;
async function ticketUrl(who: SignedIn, id: string): Promise<string> {
  const given = await who.send('POST', `/secure-api/recordings/exports/${id}/ticket/`);
  return given.json<{ address: string }>().address;
}

/** A download by the header, one by a ticket, and one of another account that nothing happens to. */
async function three(who: SignedIn) {
  const [theirs, others] = [await anExport(who), await anExport(people.admin)];
  return {
    ended: [
      await download(fileUrl(theirs), who),
      await download(await ticketUrl(who, theirs), null),
    ],
    goesOn: await download(fileUrl(others), people.admin),
  };
}

const connections = (): Promise<number> =>
  promisify((done: (error: Error | null, count: number) => void) =>
    world.app.server.getConnections(done),
  )();

const losses: Record<string, () => Promise<unknown>> = {
  'C-207 the grant is taken away': () => grant(people.user, ['live']),
  'C-401 a mask is set': () =>
    people.admin.send('PUT', `/secure-api/cameras/${camera}/zones/`, {
      zones: [{ kind: 'privacy', name: '', points: [[0, 0], [0.5, 0], [0, 0.5]] }], // prettier-ignore
    }),
  'C-205 the session ends': () => people.user.send('POST', '/secure-api/accounts/logout/'),
};

for (const [what, lose] of Object.entries(losses)) {
  test(`C-403, ${what}: an unmasked download under way ends within 2 s, and others go on`, async () => {
    await people.admin.send('PUT', `/secure-api/cameras/${camera}/zones/`, { zones: [] });
    await grant(people.user, ['live', 'recordings']);
    const { ended, goesOn } = await three(people.user);
    assert.equal(await connections(), 3);
    await lose();
    await until(async () => {
      world.clock.advance(1_500);
      return (await connections()) === 1;
    });
    for (const one of ended) {
      const { bytes, isWhole } = await one.rest();
      assert.deepEqual([isWhole, bytes < exportBytes], [false, true], `${bytes} bytes`);
    }
    assert.deepEqual(await goesOn.rest(), { bytes: exportBytes, isWhole: true });
  });
}
