/**
 * R-14 on the whole way of a picture: a film of an enrolled person, and of others, plays, and the vision host is killed
 * at random moments. What was confirmed, a visit of a known person in the log, is neither lost nor there twice. With the models of a fresh
 * installation. `NAZAR_TEST_KILLS`: how many.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import type { Visit } from '@nazar/contract/visits.ts';
import { createScope, noGrants } from '#http/scope.ts';
import { systemClock } from '#lib/clock.ts';
import { processesNaming } from '#testing/installation.ts';
import { testServer, type SignedIn, type TestServer } from '#testing/server.ts';
import { until } from '#testing/until.ts';
import { needModels } from '#testing/vision.ts';
import { preferredPackId } from '#vision/vision.ts';
import { demoFiles } from '#app/demo-files.ts';
import { makeDemo, planesOf, scenes } from '#commands/make-demo.ts';
import { writeFilm } from '#commands/demo-film/film.ts';
import { between, look } from '#commands/demo-film/pan.ts';

const kills = Number(process.env['NAZAR_TEST_KILLS'] ?? 4);
/** Some hosts die while a person is in view, some while none is, some as soon as they have begun. */
const longestPauseMs = { any: 4_000, confirmed: 500, again: 600 };
/** Who comes back within this time has not left (visits/tracked-visits.ts). */
const sameVisitMs = 10_000;
/** A person of the demo is in view for so long, then other people for as long: two visits in a row are never one. */
const sceneS = 13;
const shape = { width: 640, height: 360, fps: 10 };
/** Its hosts get it in their start. */
const runDir = mkdtempSync(join(tmpdir(), 'nazar-vision-kill-'));
const visionSocket = join(runDir, 'vision');
let world: TestServer;
let admin: SignedIn;

before(
  async () => {
    needModels();
    await makeDemo();
    const film = join(runDir, 'film.mp4');
    await writeFilm(film, shape, await pictures());
    const demo = { ...demoFiles(), film };
    const fileRoots = [runDir];
    const hosts = { visionHosts: 1, preferredPackId, runDir };
    world = await testServer({ ...hosts, clock: systemClock, demo, fileRoots });
    admin = await world.signIn('superadmin');
  },
  { timeout: 60_000 },
);
after(async () => {
  await world[Symbol.asyncDispose]();
  rmSync(runDir, { recursive: true, force: true });
});

/** Slowly to the face and back again, so that it looks a little different each time. */
async function pictures(): Promise<Iterable<Buffer>> {
  const [known, others] = [scenes[0]!, scenes[1]!];
  const planes = new Map([
    [known.photo, await planesOf(known.photo)],
    [others.photo, await planesOf(others.photo)],
  ]);
  const count = sceneS * shape.fps;
  return (function* () {
    for (const { photo, from, to } of [known, others]) {
      for (let i = 0; i < count; i++) {
        const part = 1 - Math.abs((2 * i) / (count - 1) - 1);
        yield look(planes.get(photo)!, between(from, to, part), shape);
      }
    }
  })();
}

/** By the module, not by the call: an access token does not last for a hundred kills. */
async function visits(): Promise<Visit[]> {
  const { id: userId, email } = admin;
  const scope = createScope({ userId, email, sessionId: '', standing: 'superadmin' }, noGrants);
  return (await world.server.visits.list(scope, { page: 1, limit: 1000 })).results;
}

const known = async (): Promise<Visit[]> =>
  (await visits()).filter(({ is_recognized }) => is_recognized);

/** Kills the host within that time, and waits for the next one. */
async function killOnce(withinMs: number): Promise<void> {
  await wait(Math.random() * withinMs);
  const [pid] = processesNaming(visionSocket) ?? [];
  assert.ok(pid !== undefined, 'a vision host is there');
  process.kill(pid, 'SIGKILL');
  await until(() => processesNaming(visionSocket)!.some((other) => other !== pid));
}

/** Pairs of visits of one person of which the second began before the first was long enough over. */
function doubled(all: readonly Visit[]): string[] {
  const found: string[] = [];
  for (const visits of Map.groupBy(all, ({ person_id }) => person_id).values()) {
    const inOrder = visits.toSorted((a, b) => Date.parse(a.timestamp) - Date.parse(b.timestamp));
    for (const [i, { timestamp, person_name }] of inOrder.entries()) {
      const before = inOrder[i - 1];
      if (!before) continue;
      const apartMs = Date.parse(timestamp) - Date.parse(before.ended_at);
      if (apartMs <= sameVisitMs) found.push(`${person_name} again after ${apartMs} ms`);
    }
  }
  return found;
}

test(
  `R-06 R-14 a vision host killed ${kills} times while people come by: no confirmed visit is lost, none is there twice`,
  { skip: process.platform !== 'linux' && 'processes are found in /proc' },
  async (t) => {
    const confirmed = new Map<string, string>();
    const look = async (): Promise<void> => {
      for (const { id, person_name } of await known()) {
        confirmed.set(id, confirmed.get(id) ?? person_name);
      }
    };
    using _ = world.server.visits.seen.on(() => void look());
    const added = await admin.send('POST', '/secure-api/setup/demo-camera/', { enrol: true });
    assert.equal(added.status, 201, added.text);
    const nextConfirmed = async (): Promise<void> => {
      const before = confirmed.size;
      await until(() => confirmed.size > before);
    };
    for (let kill = 0; kill < kills; kill += 1) {
      const moment = (['confirmed', 'again', 'again', 'any'] as const)[kill % 4]!;
      if (moment === 'confirmed') await nextConfirmed();
      await killOnce(longestPauseMs[moment]);
    }
    await nextConfirmed();
    const rows = await known();
    for (const [id, name] of confirmed) {
      assert.equal(
        rows.find((row) => row.id === id)?.person_name,
        name,
        'what was confirmed is there',
      );
    }
    assert.deepEqual(doubled(rows), []);
    const unknown = (await visits()).length - rows.length;
    t.diagnostic(
      `${kills} kills, ${rows.length} visits of known people, ${unknown} of unknown ones`,
    );
  },
);
