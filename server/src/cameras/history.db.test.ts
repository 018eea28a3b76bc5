import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import type { HistoryCause, HistoryEntry, HistoryPart } from '@nazar/contract/camera-history.ts';
import type { CameraHealth, IngestState } from '@nazar/contract/cameras.ts';
import type { Scope } from '#http/scope.ts';
import { Problem } from '#lib/problem.ts';
import { Topic } from '#lib/topic.ts';
import { offHealth } from '#media/protocol/health.ts';
import type { HealthNews, RecordedNews } from '#media/media.ts';
import { aWorld, quietLog, type World } from '#testing/world.ts';
import { StateHistory } from '#media/server/state-history.ts';
import { History } from './history.ts';

let world: World;
let admin: Scope;
before(async () => {
  world = await aWorld();
  admin = await world.actor('admin');
});
after(() => world[Symbol.asyncDispose]());

const query = { page: 1, page_size: 50 };

function openHistory(): History {
  const { database, clock, cameras } = world;
  const cameraOf = (scope: Scope, id: string) => cameras.mustSee(scope, id);
  return new History({ db: database.db, cameraOf, clock, log: quietLog });
}

/** A camera whose states are reported as hosts report them. */
async function aCamera(history: History) {
  const cameraId = await world.camera(admin);
  const at = (): number => world.clock.now();
  const tell = async (
    part: HistoryPart,
    state: IngestState,
    cause: HistoryCause,
    sinceMs = at(),
  ): Promise<void> => {
    history.note({ cameraId, part, state, cause, sinceMs });
    await history.settled();
  };
  const states = async (): Promise<string[]> => {
    const { results } = await history.list(admin, cameraId, query);
    return results.map(({ part, state, cause }) => `${part} ${state} ${cause}`);
  };
  return { cameraId, tell, states };
}

const minute = 60_000;

test('each change of state is kept with its cause and whom to blame, newest first', async () => {
  await using history = openHistory();
  const { cameraId, tell } = await aCamera(history);
  const startMs = world.clock.now();
  await tell('main', 'connecting', 'starting');
  await tell('main', 'live', 'none');
  world.clock.advance(minute);
  await tell('main', 'refused', 'password_refused');
  await tell('main', 'refused', 'password_refused');
  world.clock.advance(minute);
  await tell('main', 'offline', 'unreachable');
  const { count, results } = await history.list(admin, cameraId, query);
  const asTuple = ({ state, cause, blame, started_at, ended_at }: HistoryEntry) => [
    state,
    cause,
    blame,
    (Date.parse(started_at) - startMs) / minute,
    ended_at === null ? null : (Date.parse(ended_at) - startMs) / minute,
  ];
  assert.equal(count, 4);
  assert.deepEqual(results.map(asTuple), [
    ['offline', 'unreachable', 'network', 2, null],
    ['refused', 'password_refused', 'password', 1, 2],
    ['live', 'none', null, 0, 1],
    ['connecting', 'starting', 'restart', 0, 0],
  ]);
  const second = await history.list(admin, cameraId, { page: 2, page_size: 3 });
  assert.deepEqual(second.results.map(asTuple), [['connecting', 'starting', 'restart', 0, 0]]);
});

test('C-308 no user reads the history of a camera that they do not see', async () => {
  await using history = openHistory();
  const { cameraId, tell } = await aCamera(history);
  await tell('main', 'live', 'none');
  const user = await world.actor('user');
  await assert.rejects(
    history.list(user, cameraId, query),
    (error) => error instanceof Problem && error.code === 'camera_not_found',
  );
});

test('a restarted server continues where hosts continued, and says which time no process observed', async () => {
  const first = openHistory();
  const { tell, cameraId, states } = await aCamera(first);
  const liveSinceMs = world.clock.now();
  await tell('main', 'live', 'none');
  world.clock.advance(30_000);
  await first[Symbol.asyncDispose]();
  world.clock.advance(10 * minute);

  await using second = openHistory();
  const asTuple = { cameraId, part: 'main', state: 'live', cause: 'none' } as const;
  second.note({ ...asTuple, sinceMs: liveSinceMs });
  await second.settled();
  assert.deepEqual(await states(), ['main live none'], 'its host went on all the time');
  await second[Symbol.asyncDispose]();
  world.clock.advance(10 * minute);

  await using third = openHistory();
  third.note({ ...asTuple, sinceMs: world.clock.now() });
  await third.settled();
  const { results } = await third.list(admin, cameraId, query);
  const [now, dark, earlier] = results;
  assert.deepEqual([now?.state, dark?.state, dark?.cause], ['live', 'off', 'host_restarting']);
  assert.equal(dark?.ended_at, now?.started_at);
  assert.equal(earlier?.ended_at, dark?.started_at);
});

test('reports of hosts become history: both streams, and the disk', async () => {
  await using history = openHistory();
  const { cameraId, states } = await aCamera(history);
  const fail = (error: unknown): never => {
    throw error;
  };
  const media = {
    healthChanged: new Topic<HealthNews>(fail),
    recorded: new Topic<RecordedNews>(fail),
  };
  using _ = new StateHistory({ media, history, clock: world.clock });
  const since = new Date(world.clock.now()).toISOString();
  const live: CameraHealth = { ...offHealth, state: 'live', since };
  const hear = (health: CameraHealth): void => media.healthChanged.publish({ cameraId, health });
  const record = (news: RecordedNews['news']): void => media.recorded.publish({ cameraId, news });
  const startedAtMs = world.clock.now();
  hear(live);
  hear({ ...live, fps: 12 });
  record({ kind: 'opened', segment: { startedAtMs } as never });
  record({ kind: 'interrupted', startedAtMs, cause: 'network' });
  await history.settled();
  assert.deepEqual(await states(), ['main live none'], 'nothing is wrong with sub-stream or disk');
  hear({ ...live, sub: live });
  record({ kind: 'interrupted', startedAtMs, cause: 'disk' });
  record({ kind: 'opened', segment: { startedAtMs } as never });
  hear({ ...offHealth, state: 'connecting', cause: 'host_restarting', since });
  await history.settled();
  assert.deepEqual((await states()).toSorted(), [
    'main connecting host_restarting',
    'main live none',
    'recording live none',
    'recording offline disk',
    'sub live none',
    'sub off host_restarting',
  ]);
});

test('a state that ended long ago goes; one that continues stays, however old', async () => {
  await using history = openHistory();
  const { tell, states } = await aCamera(history);
  await tell('main', 'connecting', 'starting');
  await tell('main', 'live', 'none');
  world.clock.advance(91 * 24 * 60 * minute);
  await history.removeOld();
  assert.deepEqual(await states(), ['main live none']);
});

const hour = 60 * minute;
const onlineOf = async (cameraId: string): Promise<number | null> => {
  const { online_24h_s: seconds } = await world.cameras.read(admin, cameraId);
  const { results } = await world.cameras.list(admin, {
    ordering: 'name',
    page: 1,
    page_size: 100,
  });
  assert.equal(results.find(({ id }) => id === cameraId)?.online_24h_s, seconds);
  return seconds;
};

test('a camera says how long of the last 24 h it was online: its main stream, and nothing before', async () => {
  await using history = openHistory();
  const { cameraId, tell } = await aCamera(history);
  assert.equal(await onlineOf(cameraId), null, 'nothing is known of it');
  await tell('main', 'connecting', 'starting');
  assert.equal(await onlineOf(cameraId), 0);
  await tell('main', 'live', 'none');
  world.clock.advance(hour);
  await history[Symbol.asyncDispose]();
  await using second = openHistory();
  const next = (state: IngestState, cause: HistoryCause): Promise<void> => {
    second.note({ cameraId, part: 'main', state, cause, sinceMs: world.clock.now() });
    return second.settled();
  };
  await next('offline', 'unreachable');
  assert.equal(await onlineOf(cameraId), 0, 'no server saw that hour');
  await next('live', 'none');
  world.clock.advance(minute);
  assert.equal(await onlineOf(cameraId), 60, 'it goes on');
  await next('offline', 'unreachable');
  second.note({ cameraId, part: 'sub', state: 'live', cause: 'none', sinceMs: world.clock.now() });
  await second.settled();
  world.clock.advance(2 * hour);
  assert.equal(await onlineOf(cameraId), 60, 'the second stream does not count');
  world.clock.advance(22 * hour - 30_000);
  assert.equal(await onlineOf(cameraId), 30, 'half of that minute is longer ago than a day');
  world.clock.advance(hour);
  assert.equal(await onlineOf(cameraId), 0);
});

test('a state that was live when the day began counts from its beginning, and stays live only as long as it was confirmed', async () => {
  const first = openHistory();
  const { cameraId, tell } = await aCamera(first);
  await tell('main', 'live', 'none');
  await first[Symbol.asyncDispose]();
  const confirm = (): Promise<unknown> =>
    sql`update camera_state set seen_at = ${new Date(world.clock.now())}
         where camera_id = ${cameraId}`.execute(world.database.db.write());
  world.clock.advance(30 * hour);
  await confirm();
  assert.equal(await onlineOf(cameraId), 24 * 3600);
  world.clock.advance(hour);
  assert.equal(await onlineOf(cameraId), 23 * 3600);
});
