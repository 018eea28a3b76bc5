import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import type { Camera } from '@nazar/contract/cameras.ts';
import { pino } from 'pino';
import { SealBroken, SecretKey } from '#lib/secrets.ts';
import { recorded } from '#testing/activity-chain.ts';
import { testServer, type SignedIn, type TestServer } from '#testing/server.ts';

const path = '/secure-api/cameras/';
const canary = 'canary-Pa55-word';
const logged: string[] = [];
const master = SecretKey.random();
let world: TestServer;
let admin: SignedIn;
let staff: SignedIn;
let operator: SignedIn;
let user: SignedIn;

before(async () => {
  const log = pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) });
  world = await testServer({ master, log });
  admin = await world.signIn('admin');
  [operator, user] = [await world.signIn('operator'), await world.signIn('user')];
  staff = await world.signIn('user', 'staff@example.org');
  await sql`update app_user set is_staff = true where id = ${staff.id}`.execute(
    world.database.db.write(),
  );
});
after(() => world[Symbol.asyncDispose]());

const form = (more: object = {}) => ({ name: 'Gate', location: 'Yard', ...more });
async function add(more: object = {}): Promise<Camera> {
  const reply = await admin.send('POST', path, form(more));
  assert.equal(reply.status, 201, reply.text);
  return reply.json<Camera>();
}
const withPassword = {
  type: 'rtsp',
  url: 'rtsp://192.168.1.9:554/s',
  username: 'viewer',
  password: canary,
};

test('APC-003, CFL-005, ENT-008 a camera of name and place gets the stated defaults, inactive unless a status is chosen', async () => {
  const { type, status, resolution, fps, rotation, enable_face_recognition, has_password } =
    await add();
  assert.deepEqual(
    [type, status, resolution, fps, rotation, enable_face_recognition, has_password],
    ['ip', 'inactive', '1280x720', 30, 0, true, false],
  );
  assert.equal((await add({ status: 'maintenance' })).status, 'maintenance');
});

test('~CAM-033, CAM-034, CAM-036, C-506 every field is checked, and its fault stands beside its name', async () => {
  const wrong: [object, string][] = [
    [{ name: '' }, 'name'],
    [{ name: '   ' }, 'name'],
    [{ name: 'x'.repeat(151) }, 'name'],
    [{ location: '' }, 'location'],
    [{ type: 'onvif' }, 'type'],
    [{ status: 'broken' }, 'status'],
    [{ fps: 0 }, 'fps'],
    [{ fps: 61 }, 'fps'],
    [{ fps: 24.5 }, 'fps'],
    [{ fps: '30' }, 'fps'],
    [{ rotation: 45 }, 'rotation'],
    [{ resolution: '1x1' }, 'resolution'],
    [{ url: 'file:///etc/passwd' }, 'url'],
    [{ type: 'usb', url: '/dev/sda' }, 'url'],
    [{ sub_url: 'file:///etc/passwd' }, 'sub_url'],
    [{ certificate: 'ab:cd' }, 'certificate'],
  ];
  for (const [change, field] of wrong) {
    const reply = await admin.send('POST', path, form(change));
    assert.equal(reply.status, 400, JSON.stringify(change));
    assert.deepEqual(Object.keys(reply.json()), [field]);
  }
  for (const status of ['active', 'inactive', 'maintenance']) await add({ status });
  for (const fps of [1, 60]) await add({ fps });
});

test('C-303, =CFL-004 fields that only the server may set are not taken from a body', async () => {
  const forged = {
    id: user.id,
    created_by: user.id,
    is_demo: true,
    has_password: true,
    health: 'live',
  };
  const nowhere = await admin.send(
    'POST',
    path,
    form({ ...forged, user: user.id, deleted_at: null }),
  );
  assert.deepEqual([nowhere.status, Object.keys(nowhere.json())], [400, ['user', 'deleted_at']]);
  const camera = await add(forged);
  assert.equal(camera.created_by?.id, admin.id);
  assert.deepEqual(
    [camera.is_demo, camera.has_password, camera.id === user.id],
    [false, false, false],
  );
  const put = await admin.send('PUT', `${path}${camera.id}/`, form(forged));
  assert.equal(put.json<Camera>().created_by?.id, admin.id);
});

test('ROL-007, ROL-008, ~CAM-003, CFL-003 only admin and superadmin change cameras', async () => {
  const { id } = await add();
  for (const actor of [user, operator, staff]) {
    const tries = [
      await actor.send('POST', path, form()),
      await actor.send('PUT', `${path}${id}/`, form()),
      await actor.send('DELETE', `${path}${id}/`),
      await actor.send('PATCH', `${path}${id}/update_status/`, { status: 'active' }),
    ];
    assert.deepEqual(
      tries.map(({ status }) => status),
      [403, 403, 403, 403],
      actor.email,
    );
  }
});

test('ROL-005, ROL-006, C-307, C-308 others see their own only, and administrators how all are reached', async () => {
  const { id } = await add(withPassword);
  for (const actor of [user, operator]) {
    assert.equal((await actor.get(`${path}${id}/`)).status, 404);
    assert.equal((await actor.get(path)).json()['count'], 0);
    const ticket = await actor.send('POST', `${path}${id}/live/ticket/`);
    assert.equal(ticket.status, 404);
  }
  assert.equal((await staff.get(`${path}${id}/`)).json<Camera>().url, 'rtsp://192.168.1.9:554/s');
});

test('NSH-016, C-602, C-604 a password is in no answer and in no log, and is kept sealed', async () => {
  const camera = await add(withPassword);
  const { id } = camera;
  assert.equal(camera.has_password, true);
  const replies = [
    await admin.get(path),
    await staff.get(path),
    await admin.get(`${path}${id}/`),
    await admin.send('PATCH', `${path}${id}/update_status/`, { status: 'maintenance' }),
    await admin.send('PUT', `${path}${id}/`, form({ ...withPassword, password: '' })),
    await admin.send('PUT', `${path}${id}/`, form({ ...withPassword, fps: 900 })),
  ];
  for (const { text } of replies) assert.ok(!text.includes(canary));
  const { rows } = await sql<{ row: string; password: Buffer }>`
    select camera::text as row, password from camera where id = ${id}
  `.execute(world.database.db.read());
  assert.ok(!rows[0]!.row.includes(canary));
  assert.ok(!rows[0]!.row.includes(Buffer.from(canary).toString('hex')));
  assert.ok(!rows[0]!.password.includes(Buffer.from(canary)));
  assert.ok(!logged.join('\n').includes(canary));
});

/** What is kept of it, opened: address, user, password. */
async function kept(id: string): Promise<string[]> {
  const { rows } = await sql<{ url: string; username: string; password: Buffer | null }>`
    select url, username, password from camera where id = ${id}
  `.execute(world.database.db.read());
  const { url, username, password } = rows[0]!;
  const key = master.derive('cameras');
  return [url, username, password ? key.openText(password, `camera.password:${id}`) : ''];
}

test('H-7 user and password inside an address are split off, and the ingest gets them', async () => {
  const url = `rtsp://root:${canary}%40@192.168.1.9/s`;
  const camera = await add({ type: 'rtsp', url });
  assert.deepEqual(
    [camera.url, camera.username, camera.has_password],
    ['rtsp://192.168.1.9/s', 'root', true],
  );
  assert.deepEqual(await kept(camera.id), ['rtsp://192.168.1.9/s', 'root', `${canary}@`]);
});

/** The address that its ingest gets. */
const dialled = async (id: string): Promise<string[]> => {
  const camera = (await world.server.cameras.reaching.toIngest()).find((one) => one.id === id);
  return camera ? [camera.url, camera.username, camera.password] : [];
};

test('H-7, C-603 a password with a slash is read where it can be, and refused with what to do where it cannot', async () => {
  const read = await add({ type: 'rtsp', url: `rtsp://root:${canary}/#@192.168.1.9/s` });
  assert.deepEqual(await kept(read.id), ['rtsp://192.168.1.9/s', 'root', `${canary}/#`]);
  const unclear = `rtsp://root:1234/${canary}@192.168.1.9/s`;
  const { id } = await add(withPassword);
  const fields: [string, string, object][] = [
    ['url', 'POST', { url: unclear }],
    ['sub_url', 'POST', { sub_url: unclear }],
    ['url', 'PUT', { url: unclear }],
    ['device_url', 'PUT', { ...withPassword, device_url: unclear.replace('rtsp', 'http') }],
  ];
  for (const [field, method, more] of fields) {
    const at = method === 'PUT' ? `${path}${id}/` : path;
    const reply = await admin.send(method as 'POST' | 'PUT', at, form({ type: 'rtsp', ...more }));
    assert.deepEqual([reply.status, Object.keys(reply.json())], [400, [field]], field);
    assert.match(reply.text, /Enter the user name and password separately/);
    assert.ok(!reply.text.includes(canary));
  }
  for (const at of ['describe/', 'test_connection/']) {
    const reply = await admin.send('POST', path + at, { url: unclear.replace('rtsp', 'http') });
    assert.deepEqual([reply.status, Object.keys(reply.json())], [400, ['url']], at);
  }
});

test('C-601, C-602, C-603 a secret in a path is masked and sealed; the mask sent back keeps it at the same place alone', async () => {
  const whole = `rtsp://192.168.1.9/user=a&password=${canary}&channel=1`;
  const shown = 'rtsp://192.168.1.9/user=a&password=***&channel=1';
  const fields = { type: 'rtsp', status: 'active' };
  const camera = await add({ ...fields, url: whole });
  const { id } = camera;
  assert.deepEqual([camera.url, (await dialled(id))[0]], [shown, whole]);
  const { rows } = await sql<{ row: string; url_secrets: Buffer }>`
    select camera::text as row, url_secrets from camera where id = ${id}
  `.execute(world.database.db.read());
  assert.ok(!rows[0]!.row.includes(canary) && !rows[0]!.url_secrets.includes(canary));
  const put = (url: string) => admin.send('PUT', `${path}${id}/`, form({ ...fields, url }));
  assert.equal((await put(shown)).status, 200);
  assert.equal((await put(shown.replace('channel=1', 'channel=2'))).status, 200);
  assert.deepEqual((await dialled(id))[0], whole.replace('channel=1', 'channel=2'));
  for (const refused of [
    await put(shown.replace('1.9', '1.8')),
    await admin.send('POST', path, form({ ...fields, url: shown })),
  ]) {
    assert.deepEqual([refused.status, Object.keys(refused.json())], [400, ['url']]);
  }
  assert.equal(
    (await put(whole.replace('1.9', '1.8'))).json<Camera>().url,
    shown.replace('1.9', '1.8'),
  );
  const deeds = (await recorded(world.database.db)).filter(({ object_id: of }) => of === id);
  assert.deepEqual(deeds.at(-1)?.details['fields'], ['ip_address', 'url']);
  await admin.send('DELETE', `${path}${id}/`);
  const left = await sql`select url, url_secrets from camera where id = ${id}`.execute(
    world.database.db.read(),
  );
  assert.deepEqual(left.rows, [{ url: '', url_secrets: null }]);
});

test('H-7, C-601 rows of before lose what is secret in their addresses at the next start, and others stay', async () => {
  const rows: [string, string[], string][] = [
    [
      `rtsp://root:1234/${canary}@192.168.1.9/s`,
      ['rtsp://192.168.1.9/s', 'root', `1234/${canary}`],
      'rtsp://192.168.1.9/s',
    ],
    [
      `rtsp://192.168.1.9/a?pwd=${canary}`,
      [`rtsp://192.168.1.9/a?pwd=${canary}`, '', ''],
      'rtsp://192.168.1.9/a?pwd=***',
    ],
    [
      'http://192.168.1.9/feed@2x.jpg',
      ['http://192.168.1.9/feed%402x.jpg', '', ''],
      'http://192.168.1.9/feed%402x.jpg',
    ],
    ['rtsp://192.168.1.9/plain', ['rtsp://192.168.1.9/plain', '', ''], 'rtsp://192.168.1.9/plain'],
  ];
  const ids: string[] = [];
  for (const [before] of rows) {
    const { id } = await add({ type: 'rtsp', status: 'active' });
    await sql`update camera set url = ${before} where id = ${id}`.execute(
      world.database.db.write(),
    );
    ids.push(id);
  }
  const textOf = async (): Promise<string> =>
    (
      await sql<{ row: string }>`select camera::text as row from camera`.execute(
        world.database.db.read(),
      )
    ).rows
      .map(({ row }) => row)
      .join('\n');
  assert.ok((await textOf()).includes(canary));
  await world.server.cameras.moveOlderAddresses();
  const moved = await textOf();
  assert.ok(!moved.includes(canary));
  for (const [n, [, reached, shown]] of rows.entries()) {
    assert.deepEqual(await dialled(ids[n]!), reached);
    assert.equal((await admin.get(`${path}${ids[n]}/`)).json<Camera>().url, shown);
  }
  await world.server.cameras.moveOlderAddresses();
  assert.equal(await textOf(), moved, 'once is enough');
  assert.ok(!logged.join('\n').includes(canary));
  for (const id of ids) await admin.send('DELETE', `${path}${id}/`);
});

test('C-601 a sealed password moved to another camera does not open', async () => {
  const [from, to] = [await add(withPassword), await add()];
  await sql`
    update camera set url = 'rtsp://192.168.1.66/', password =
      (select password from camera where id = ${from.id}) where id = ${to.id}
  `.execute(world.database.db.write());
  await assert.rejects(kept(to.id), SealBroken);
  await admin.send('DELETE', `${path}${to.id}/`);
});

test('APC-005, C-603, CAM-035 a blank password keeps the stored one, unless it would go elsewhere', async () => {
  const { id } = await add(withPassword);
  const put = (more: object) =>
    admin.send('PUT', `${path}${id}/`, form({ ...withPassword, ...more }));
  assert.equal(
    (await put({ password: '', name: 'Door', url: 'rtsp://192.168.1.9:554/other' })).status,
    200,
  );
  assert.deepEqual(await kept(id), ['rtsp://192.168.1.9:554/other', 'viewer', canary]);
  const described = await put({ password: '', name: 'Door', description: 'North', fps: 12 });
  assert.deepEqual(
    (({ name, description, fps }) => [name, description, fps])(described.json<Camera>()),
    ['Door', 'North', 12],
  );
  const plain = (await put({ password: '' })).json<Camera>();
  assert.deepEqual([plain.description, plain.fps], ['', 30], 'what is left out is as at first');
  for (const elsewhere of [
    { url: 'rtsp://192.168.1.66:554/s' },
    { url: 'rtsp://192.168.1.9:8554/s' },
    { url: 'rtsps://192.168.1.9:554/s' },
    { url: 'http://192.168.1.9/s' },
    { username: 'other' },
    { url: 'rtsp://other@192.168.1.9:554/s', username: '' },
  ]) {
    const reply = await put({ password: '', ...elsewhere });
    assert.equal(reply.status, 400, JSON.stringify(elsewhere));
    assert.deepEqual(Object.keys(reply.json()), ['password']);
  }
  assert.equal((await kept(id))[2], canary);
  assert.equal((await put({ url: 'rtsp://192.168.1.66:554/s', password: 'new' })).status, 200);
  assert.deepEqual(await kept(id), ['rtsp://192.168.1.66:554/s', 'viewer', 'new']);
  assert.equal(
    (await put({ url: '', password: '', username: '' })).json<Camera>().has_password,
    false,
  );
});

test('H-7, C-603 a second stream is reached as the first is, and gets no password from elsewhere', async () => {
  const url = 'rtsp://192.168.1.9/main';
  const sub_url = `rtsp://root:${canary}@192.168.1.9/small`;
  const camera = await add({ type: 'rtsp', url, sub_url });
  const { id } = camera;
  assert.deepEqual([camera.sub_url, camera.username], ['rtsp://192.168.1.9/small', 'root']);
  assert.deepEqual(await kept(id), [url, 'root', canary]);
  const put = (more: object) =>
    admin.send('PUT', `${path}${id}/`, form({ type: 'rtsp', url, username: 'root', ...more }));
  const refused = await put({ sub_url: 'rtsp://192.168.1.66/small' });
  assert.deepEqual([refused.status, Object.keys(refused.json())], [400, ['password']]);
  assert.equal((await put({ sub_url: '' })).json<Camera>().has_password, true);
  assert.equal((await put({ sub_url: 'rtsp://192.168.1.9/small' })).status, 200);
  assert.equal((await kept(id))[2], canary);
  await admin.send('DELETE', `${path}${id}/`);
  const { rows } = await sql<{ sub_url: string }>`
    select sub_url from camera where id = ${id}`.execute(world.database.db.read());
  assert.deepEqual(rows, [{ sub_url: '' }]);
});

test('C-514 a fingerprint is taken as browsers show it', async () => {
  const certificate = Array.from({ length: 32 }, () => 'AB').join(':');
  assert.equal((await add({ certificate })).certificate, 'ab'.repeat(32));
  assert.equal((await add()).certificate, '');
});

test('~CAM-022 the second of two users who save the same camera learns of the first, and overwrites nothing', async () => {
  const camera = await add(withPassword);
  const put = (name: string, updated_at?: string) =>
    admin.send('PUT', `${path}${camera.id}/`, form({ ...withPassword, name, updated_at }));
  world.clock.advance(1);
  const together = await Promise.all(['A', 'B', 'C'].map((name) => put(name, camera.updated_at)));
  assert.equal(together.filter(({ status }) => status === 409).length, 2);
  const stored = together.find(({ status }) => status === 200)!.json<Camera>();
  for (const late of together.filter(({ status }) => status === 409)) {
    assert.equal(late.json()['code'], 'camera_changed');
  }
  assert.equal((await admin.get(`${path}${camera.id}/`)).json<Camera>().name, stored.name);

  // A form of before does not undo a change to active meanwhile; a password is not asked for first.
  world.clock.advance(1);
  await admin.send('PATCH', `${path}${camera.id}/update_status/`, { status: 'maintenance' });
  const moved = { ...withPassword, url: 'rtsp://192.168.1.10/s', password: '' };
  const body = form({ ...moved, updated_at: stored.updated_at });
  const late = await admin.send('PUT', `${path}${camera.id}/`, body);
  assert.deepEqual([late.status, late.json()['code']], [409, 'camera_changed']);

  const now = (await admin.get(`${path}${camera.id}/`)).json<Camera>();
  assert.equal(now.status, 'maintenance');
  world.clock.advance(1);
  assert.equal((await put('With the newest', now.updated_at)).status, 200);
  assert.equal((await put('Without comparing')).status, 200);
});

test('APC-006 a deleted camera is wiped at once, and cannot be changed back', async () => {
  const { id } = await add(withPassword);
  assert.equal((await admin.send('DELETE', `${path}${id}/`)).status, 204);
  const { rows } =
    await sql`select url, username, password, ip_address, name from camera where id = ${id}`.execute(
      world.database.db.read(),
    );
  assert.deepEqual(rows, [{ url: '', username: '', password: null, ip_address: '', name: 'Gate' }]);
  const tries = [
    await admin.get(`${path}${id}/`),
    await admin.send('DELETE', `${path}${id}/`),
    await admin.send('PUT', `${path}${id}/`, form(withPassword)),
    await admin.send('PATCH', `${path}${id}/update_status/`, { status: 'active' }),
  ];
  assert.deepEqual(
    tries.map(({ status }) => status),
    [404, 404, 404, 404],
  );
});

test('APC-006 an edit that meets a deletion answers 404, not a failure', async () => {
  const { id } = await add(withPassword);
  const edits = Array.from({ length: 6 }, () =>
    admin.send('PUT', `${path}${id}/`, form(withPassword)),
  );
  const removed = await admin.send('DELETE', `${path}${id}/`);
  assert.equal(removed.status, 204);
  for (const { status } of await Promise.all(edits))
    assert.ok([200, 404].includes(status), `${status}`);
});

test('APC-001, ~APC-002, C-712, C-713 the server searches, filters, sorts and pages', async () => {
  for (const [name, location] of [
    ['Zeta 100%', 'North'],
    ['Alpha_1', 'South'],
    ['Beta', 'North'],
  ] as const) {
    await add({ name, location, status: 'maintenance' });
    world.clock.advance(1);
  }
  const names = async (words: string): Promise<string[]> =>
    (await admin.get(`${path}?status=maintenance&${words}`))
      .json<{ results: Camera[] }>()
      .results.map(({ name }) => name)
      .filter((name) => /^(Zeta|Alpha|Beta)/.test(name));
  assert.deepEqual(await names('ordering=-name'), ['Zeta 100%', 'Beta', 'Alpha_1']);
  assert.deepEqual(await names('ordering=created_at'), ['Zeta 100%', 'Alpha_1', 'Beta']);
  assert.deepEqual(await names('search=north'), ['Beta', 'Zeta 100%']);
  assert.deepEqual(await names('search=%25'), ['Zeta 100%'], 'a wildcard is plain text');
  assert.deepEqual(await names('search=_'), ['Alpha_1']);
  assert.deepEqual(await names('search=Alpha%27%3B--'), []);
  const page = (await admin.get(`${path}?search=a&page_size=1&page=2`)).json<{
    count: number;
    results: Camera[];
  }>();
  assert.ok(page.count > 2 && page.results.length === 1);
  for (const wrong of [
    'page=0',
    'page_size=1001',
    'ordering=password',
    'page=1&page=2',
    'status=x',
  ]) {
    assert.equal((await admin.get(`${path}?${wrong}`)).status, 400, wrong);
  }
  assert.equal((await admin.get(`${path}?_t=1&unknown=2`)).status, 200, 'C-711');
  const mine = (await admin.get(`${path}?created_by=${user.id}`)).json();
  assert.equal(mine['count'], 0);
});

test('~APC-003 ~APC-008 a field that does nothing is refused by name, and a camera is taken as it was read', async () => {
  const counted = async () => (await admin.get(path)).json<{ count: number }>().count;
  const before = await counted();
  const form = {
    name: 'Named wrong',
    location: 'Yard',
    type: 'rtsp',
    stream_url: 'rtsp://10.0.0.9/a',
  };
  const refused = await admin.send('POST', path, form);
  assert.deepEqual(
    [refused.status, refused.json()],
    [400, { stream_url: ["Nazar doesn't know this field. Check its name."] }],
  );
  assert.equal(await counted(), before);
  const { stream_url: url, ...rest } = form;
  const added = (await admin.send('POST', path, { ...rest, url })).json<Camera>();
  const whole = { ...added, name: 'Named right' };
  const saved = await admin.send('PUT', `${path}${added.id}/`, whole);
  assert.equal(saved.status, 200, saved.text);
  assert.deepEqual([saved.json()['name'], saved.json()['url']], ['Named right', url]);
});

test('APC-007 a status is changed on its own', async () => {
  const { id } = await add(withPassword);
  const reply = await admin.send('PATCH', `${path}${id}/update_status/`, { status: 'maintenance' });
  assert.equal(reply.json<Camera>().status, 'maintenance');
  assert.equal((await admin.get(`${path}${id}/`)).json<Camera>().has_password, true);
});

test('APC-004, =CAM-058, ENT-009 one camera is read as the list has it, with who made it as id and email', async () => {
  const { id } = await add({ name: 'Loading bay' });
  const read = (await admin.get(`${path}${id}/`)).json<Camera>();
  assert.deepEqual(read.created_by, { id: admin.id, email: admin.email });
  const listed = (await admin.get(`${path}?search=Loading`)).json<{ results: Camera[] }>();
  assert.deepEqual(listed.results, [read]);
  assert.equal((await admin.get(`${path}${user.id}/`)).status, 404);
});

/** Each value that is stated, the one that a camera has at first, and one that is none. */
const statedValues = {
  'ENT-004 type': { type: [['ip', 'usb', 'rtsp', 'http'], 'ip', 'onvif'] },
  'ENT-005 status': {
    status: [['active', 'inactive', 'maintenance', 'error'], 'inactive', 'broken'],
  },
  'ENT-006 resolution': {
    resolution: [['640x480', '1280x720', '1920x1080', '3840x2160'], '1280x720', '800x600'],
  },
  'ENT-007 rates and rotations': {
    fps: [[1, 25, 60], 30, 61],
    rotation: [[0, 90, 180, 270], 0, 45],
  },
} as const;
for (const [title, fields] of Object.entries(statedValues)) {
  test(`${title}: all that are stated are kept, one at first, no other`, async () => {
    for (const [field, [values, usual, wrong]] of Object.entries(fields)) {
      assert.equal((await add())[field as 'fps'], usual, field);
      for (const value of values) {
        const { id } = await add({ [field]: value });
        const read = (await admin.get(`${path}${id}/`)).json<Camera>();
        assert.equal(read[field as 'fps'], value, field);
      }
      const body = { name: 'Wrong', location: 'Hall', [field]: wrong };
      const refused = await admin.send('POST', path, body);
      assert.deepEqual([refused.status, Object.keys(refused.json())], [400, [field]]);
    }
  });
}

test('=APC-014, CFL-029 the other addresses of the list answer the same cameras, to the same people', async () => {
  const { id } = await add({ name: 'By another address' });
  const again = ['/secure-api/camera/list/', '/camera/list/'];
  for (const one of [admin, staff, operator]) {
    const asked = (await one.get(`${path}?search=another`)).json();
    assert.equal(asked['count'], one === operator ? 0 : 1);
    for (const url of again)
      assert.deepEqual((await one.get(`${url}?search=another`)).json(), asked, url);
    const names = (await one.get('/secure-api/activity-log/cameras/')).json<{
      results: { id: string; name: string }[];
    }>();
    const isNamed = names.results.some((camera) => camera.id === id);
    assert.equal(isNamed, one !== operator);
  }
});

test('~APC-011, NSH-015 a group filters the list, to the cameras of it that one may see', async () => {
  const [gate, yard] = [await add({ name: 'In the group' }), await add({ name: 'Also in it' })];
  await add({ name: 'Outside the group' });
  const group = (
    await admin.send('POST', `${path}groups/`, { name: 'North', cameras: [gate.id, yard.id] })
  ).json<{ id: string }>();
  const idsOf = async (one: SignedIn, words: string): Promise<string[]> =>
    (await one.get(`${path}?${words}`)).json<{ results: Camera[] }>().results.map(({ id }) => id);
  assert.deepEqual(await idsOf(admin, `group=${group.id}`), [yard.id, gate.id]);
  assert.deepEqual(await idsOf(admin, `group=${group.id}&search=also`), [yard.id]);
  assert.deepEqual(await idsOf(operator, `group=${group.id}`), []);
  assert.deepEqual(await idsOf(admin, `group=${user.id}`), [], 'no such group');
  assert.equal((await admin.get(`${path}?group=north`)).status, 400);
  const changed = { name: 'North', cameras: [gate.id] };
  await admin.send('PUT', `${path}groups/${group.id}/`, changed);
  assert.deepEqual(await idsOf(admin, `group=${group.id}`), [gate.id]);
});

test('=CAM-058, H-20 the users who added visible cameras are listed, and filter the list', async () => {
  const other = await world.signIn('admin', 'installer@example.org');
  const made = (await other.send('POST', path, form({ name: 'Theirs' }))).json<Camera>();
  const owners = async (one: SignedIn) =>
    (await one.get(`${path}owners/`)).json<{ results: object[] }>().results;
  const [mine, theirs] = [admin, other].map(({ id, email }) => ({ id, email }));
  assert.deepEqual(await owners(staff), [mine, theirs]);
  assert.deepEqual(await owners(operator), []);
  const listed = (await admin.get(`${path}?created_by=${other.id}`)).json<{ results: Camera[] }>();
  assert.deepEqual(
    listed.results.map(({ id }) => id),
    [made.id],
  );
});

test('ENT-003, CAM-018 the IP address is filled from the stream address, and follows it', async () => {
  const camera = await add({ type: 'rtsp', url: 'rtsp://viewer@192.168.1.20:554/s' });
  assert.equal(camera.ip_address, '192.168.1.20');
  const moved = { ...camera, url: 'rtsp://192.168.1.30:554/s' };
  const saved = (await admin.send('PUT', `${path}${camera.id}/`, moved)).json<Camera>();
  assert.equal(saved.ip_address, '192.168.1.30');
  const typed = await add({ type: 'rtsp', url: moved.url, ip_address: '192.168.1.9' });
  assert.equal(typed.ip_address, '192.168.1.9');
});
