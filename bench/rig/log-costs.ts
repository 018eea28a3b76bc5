/** What writing to the logs costs, and what reads or takes all of them. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { Database } from '../../server/src/db/database.ts';
import type { LogLines } from '../../server/src/lib/log.ts';
import type { SignedIn, TestServer } from '../../server/src/testing/server.ts';
import { spreadOf } from './numbers.ts';

const dayMs = 86_400_000;
const logs = '/secure-api/activity-log/';

/**
 * Recording a visit as the product does, against the same without `recognized`, as it was before: the two counts were
 * written by the transaction itself. In turns, because the machine is not always equally busy.
 */
export async function recordVisits(db: Database, cameraIds: readonly string[], nowMs: number) {
  const times: Record<'now' | 'before', number[]> = { now: [], before: [] };
  const toggle = (what: 'enable' | 'disable') =>
    sql`alter table visit ${sql.raw(what)} trigger user`.execute(db.write());
  for (let turn = 0; turn < 6; turn += 1) {
    const kind = turn % 2 === 0 ? 'now' : 'before';
    if (kind === 'before') await toggle('disable');
    for (let visit = 0; visit < 100; visit += 1) {
      const at = new Date(nowMs + (turn * 100 + visit) * 10);
      const startedAtMs = performance.now();
      await recordVisit(db, cameraIds[visit % cameraIds.length]!, at, kind);
      if (visit >= 10) times[kind].push(performance.now() - startedAtMs);
    }
    if (kind === 'before') await toggle('enable');
  }
  const [now, before] = [spreadOf(times.now), spreadOf(times.before)];
  return {
    p50Ms: now.p50,
    p95Ms: now.p95,
    beforeP50Ms: before.p50,
    beforeP95Ms: before.p95,
    ratio: now.p50 / before.p50,
  };
}

function recordVisit(
  db: Database,
  cameraId: string,
  at: Date,
  kind: 'now' | 'before',
): Promise<void> {
  return db.transaction(async (tx) => {
    const write = tx.as<unknown>();
    // Everyone in turn, people with a name and people without.
    const { rows } = await sql<{ id: string; known: boolean }>`
      select id, person_id is not null as known from identity
      where id = ('00000002-0000-7000-8000-' || lpad(to_hex(1 + ${at.getTime() / 10}::bigint % 4000), 12, '0'))::uuid`.execute(
      write,
    );
    const { id, known } = rows[0]!;
    await sql`
      insert into visit (id, camera_id, identity_id, started_at, ended_at, confidence, quality)
      values (uuidv7(), ${cameraId}, ${id}, ${at}, ${at}, 0.9, 0.9)`.execute(write);
    if (kind === 'now') return;
    await sql`
      insert into visit_hour as counted (hour, camera_id, visits_0)
      values (date_trunc('hour', ${at}::timestamptz, 'UTC'), ${cameraId}, 1)
      on conflict (hour, camera_id) do update set visits_0 = counted.visits_0 + 1`.execute(write);
    await sql`
      insert into visit_day as counted (is_known, day, camera_id, identity_id, visits, first_at, last_at)
      values (${known}, (${at}::timestamptz at time zone 'UTC')::date, ${cameraId}, ${id}, 1, ${at}, ${at})
      on conflict (day, camera_id, identity_id, is_known) do update
      set visits = counted.visits + 1, last_at = greatest(counted.last_at, excluded.last_at)`.execute(
      write,
    );
  });
}

/** Reads the export of the newest days as a browser takes it, and how far memory rises over what it was. */
export async function exportAll(app: FastifyInstance, who: SignedIn, nowMs: number, days: number) {
  const start = new Date(nowMs - days * dayMs).toISOString().slice(0, 10);
  const startedAtMs = performance.now();
  const before = process.memoryUsage().rss;
  let most = before;
  const watching = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss);
  }, 20);
  const answer = await app.inject({
    method: 'GET',
    url: `${logs}activity-logs/export/?start_date=${start}`,
    headers: { host: '127.0.0.1', authorization: `Bearer ${who.access}` },
    payloadAsStream: true,
  });
  let rows = -1;
  for await (const chunk of answer.stream() as AsyncIterable<Buffer>) {
    for (const byte of chunk) if (byte === 10) rows += 1;
  }
  clearInterval(watching);
  if (answer.statusCode !== 200) throw new Error(`export: ${answer.statusCode}`);
  return {
    rows,
    seconds: (performance.now() - startedAtMs) / 1000,
    moreMiB: (most - before) / 2 ** 20,
  };
}

const linesPerTurn = 100;
const turns = 500;
const turnMs = 20;

/** 5,000 lines a second for 10 s, no two alike, while a client asks for the cameras twenty times a second. */
export async function floodSystemLog(world: TestServer, who: SignedIn, lines: LogLines) {
  const { db } = world.database;
  const count = async (): Promise<number> => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::integer as count from system_log where message like 'Flood %'`.execute(
      db.read(),
    );
    return rows[0]!.count;
  };
  const times: number[] = [];
  let isOver = false;
  const asking = (async () => {
    while (!isOver) {
      const startedAtMs = performance.now();
      const { status } = await who.get('/secure-api/cameras/');
      if (status !== 200) throw new Error(`cameras: ${status}`);
      times.push(performance.now() - startedAtMs);
      await sleep(50);
    }
  })();
  const startedAtMs = performance.now();
  for (let turn = 0; turn < turns; turn += 1) {
    // What is late is made up for: the rate is what is meant.
    await sleep(Math.max(0, startedAtMs + turn * turnMs - performance.now()));
    world.clock.advance(turnMs);
    const time = new Date(world.clock.now()).toISOString();
    for (let line = 0; line < linesPerTurn; line += 1) {
      const msg = `Flood ${turn * linesPerTurn + line}`;
      lines.write(JSON.stringify({ level: 30, time, module: 'http', msg }));
    }
  }
  const seconds = (performance.now() - startedAtMs) / 1000;
  isOver = true;
  await asking;
  await world.server.systemLog.flush();
  const sorted = times.toSorted((a, b) => a - b);
  return {
    lines: turns * linesPerTurn,
    kept: await count(),
    seconds,
    apiCalls: times.length,
    apiP50Ms: spreadOf(times).p50,
    apiP99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? NaN,
  };
}

export async function deleteAll(who: SignedIn) {
  const startedAtMs = performance.now();
  const { status, text } = await who.send('DELETE', `${logs}activity-logs/delete-all/`);
  return { status, text, seconds: (performance.now() - startedAtMs) / 1000 };
}
