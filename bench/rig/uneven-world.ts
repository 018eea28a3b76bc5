/** A server with visits of the uneven shape, and who asks it. */
import { sql } from 'kysely';
import { systemClock, type Clock } from '../../server/src/lib/clock.ts';
import { testServer, type SignedIn, type TestServer } from '../../server/src/testing/server.ts';
import { aCameraForm } from '../../server/src/testing/world.ts';
import type { UnevenWorld } from './uneven-questions.ts';
import { fillUnevenVisits } from './uneven-visits.ts';

export interface UnevenSize {
  readonly visits: number;
  readonly people: number;
  readonly strangers: number;
  readonly cameras: number;
  readonly days: number;
}

export interface UnevenServer extends AsyncDisposable {
  readonly world: TestServer;
  readonly shape: UnevenWorld;
  /** Who sees everything; five cameras with names; five cameras without. */
  readonly readers: Readonly<Record<'all' | 'five cameras' | 'five cameras, no names', SignedIn>>;
}

/** A place of years, whatever its visits. */
export const unevenPlace = { people: 2_000, strangers: 20_000, cameras: 200, days: 400 } as const;

/** Midnight after the last day that is filled. */
const until = new Date(Date.UTC(2026, 0, 16));

/** Noon of the last day that is filled, and a clock that goes on from there. */
export const lastNoonMs = until.getTime() - 12 * 60 * 60_000;
export const unevenClock: Clock = {
  ...systemClock,
  now: () => lastNoonMs + performance.now(),
};

/** The counts are made at the end, as the product makes them anew. */
export async function unevenServer(
  size: UnevenSize,
  more: Parameters<typeof testServer>[0] = {},
): Promise<UnevenServer> {
  await using stack = new AsyncDisposableStack();
  const world = stack.use(await testServer(more));
  const all = await world.signIn('superadmin');
  const named = await world.signIn('user', 'named@example.org');
  const unnamed = await world.signIn('user', 'unnamed@example.org');
  const cameraIds: string[] = [];
  for (let number = 0; number < size.cameras; number += 1) {
    const form = aCameraForm({ name: `Camera ${number}` });
    const added = await all.send('POST', '/secure-api/cameras/', form);
    cameraIds.push(added.json<{ id: string }>().id);
  }
  for (const camera of cameraIds.filter((_, i) => i % (size.cameras / 5) === 1)) {
    await grant(all, named, camera, ['live', 'people']);
    await grant(all, unnamed, camera, ['live']);
  }
  const { db } = world.database;
  const from = new Date(until.getTime() - size.days * 86_400_000);
  await fillUnevenVisits(db, { ...size, cameraIds, until });
  const { rows } = await sql<{ listed: number }>`
    select count(*)::integer as listed from identity
    where number is not null and merged_into is null and data_key is not null`.execute(db.read());
  const built = stack.move();
  return {
    world,
    shape: { ...size, cameraIds, from, until, listed: rows[0]!.listed },
    readers: { all, 'five cameras': named, 'five cameras, no names': unnamed },
    [Symbol.asyncDispose]: () => built.disposeAsync(),
  };
}

async function grant(by: SignedIn, to: SignedIn, camera: string, capabilities: string[]) {
  const given = await by.send('PUT', '/secure-api/cameras/grants/', {
    to: { type: 'user', id: to.id },
    of: { type: 'camera', id: camera },
    capabilities,
  });
  if (given.status !== 200) throw new Error(given.text);
}
