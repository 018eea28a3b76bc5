/** A server of its own process for `bench/news.ts`, with visits of the uneven shape and accounts to read them. */
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { postmasterOf } from './postmaster.ts';
import { lastNoonMs, unevenClock, unevenPlace, unevenServer } from './uneven-world.ts';
import { countAll } from './visits.ts';

export interface NewsServerReady {
  readonly port: number;
  readonly postmaster: number;
  readonly tokens: Readonly<Record<string, readonly string[]>>;
}

const accounts = 20;
const everyMs = 10;

const size = { ...unevenPlace, visits: Number(process.argv[2]) };
await using made = await unevenServer(size, { clock: unevenClock });
const { world, readers, shape } = made;
const { db } = world.database;
await countAll(db);

const administrators: string[] = [];
const members: string[] = [];
const guards: string[] = [];
for (let nth = 0; nth < accounts; nth += 1) {
  administrators.push((await world.signIn('admin', `admin-${nth}@example.org`)).access);
  const guard = await world.signIn('user', `guard-${nth}@example.org`);
  members.push(guard.id);
  guards.push(guard.access);
}
const added = async (path: string, body: object): Promise<string> => {
  const reply = await readers.all.send('POST', path, body);
  if (reply.status !== 201) throw new Error(reply.text);
  return reply.json<{ id: string }>().id;
};
const users = await added('/secure-api/accounts/groups/', {
  name: 'Guards',
  description: '',
  members,
});
const gates = { name: 'All', description: '', cameras: shape.cameraIds };
const group = await added('/secure-api/cameras/groups/', gates);
const given = await readers.all.send('PUT', '/secure-api/cameras/grants/', {
  to: { type: 'user_group', id: users },
  of: { type: 'camera_group', id: group },
  capabilities: ['live', 'people'],
});
if (given.status !== 200) throw new Error(given.text);

const { rows: visits } = await sql<{ visitId: string; cameraId: string; startedAt: Date }>`
  select id as "visitId", camera_id as "cameraId", started_at as "startedAt" from visit
  where started_at < ${new Date(lastNoonMs)} order by started_at desc limit 5000`.execute(
  db.read(),
);

let rate = 0;
let due = 0;
let nth = 0;
setInterval(() => {
  due += (rate * everyMs) / 1_000;
  for (; due >= 1; due -= 1) {
    const { startedAt, ...visit } = visits[(nth += 1) % visits.length]!;
    world.server.visits.seen.publish({ ...visit, startedAtMs: startedAt.getTime() });
  }
}, everyMs);

await world.app.listen({ host: '127.0.0.1', port: 0 });
process.on('message', (message: { readonly rate: number }) => ({ rate } = message));
const ready: NewsServerReady = {
  port: (world.app.server.address() as AddressInfo).port,
  postmaster: await postmasterOf(db),
  tokens: { '20 administrators': administrators, '20 guards of 200 cameras': guards },
};
process.send!(ready);
await new Promise((resolve) => process.once('SIGTERM', resolve));
process.disconnect();
