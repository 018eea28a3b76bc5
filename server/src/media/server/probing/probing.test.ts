/** How often a user may test a connection, and what a user who maps a network does not learn. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createScope, noGrants } from '#http/scope.ts';
import { Problem } from '#lib/problem.ts';
import { aClock } from '#testing/clock.ts';
import type { ConnectionAnswer, WorkerReach } from '../../protocol/worker-messages.ts';
import { Probing } from './probing.ts';

const scope = createScope(
  { userId: 'u', email: 'u@example.org', sessionId: 's', standing: 'admin' },
  noGrants,
  { ip: '192.168.1.5', userAgent: '' },
);
const reach: WorkerReach = {
  allowLoopback: false,
  networks: [],
  ownPorts: [],
  fileRoots: [],
};
const refused: ConnectionAnswer = {
  cause: 'unreachable',
  latencyMs: null,
  contentType: null,
  codec: null,
  width: null,
  height: null,
  fps: null,
};

function probing(url: string) {
  const clock = aClock();
  const camera = {
    name: 'Gate',
    type: 'ip',
    url,
    username: '',
    password: '',
    certificate: '',
  } as const;
  const reachable = {
    id: 'c',
    subUrl: '',
    deviceUrl: '',
    fps: 5,
    rotation: 0,
    recognises: false,
    sound: false,
    isDemo: false,
  } as const;
  let asked = 0;
  const made = new Probing({
    cameras: {
      reaching: {
        toReach: async () => ({ ...reachable, ...camera }),
        toReachUnsaved: async () => camera,
      },
    },
    workers: {
      ask: async <H>() => {
        asked += 1;
        return { head: refused as H, body: Buffer.alloc(0) };
      },
    },
    reach,
    demoFilm: null,
    clock,
    random: () => 0.5,
  });
  return { made, clock, asked: () => asked };
}

test('C-513 ten tests a minute and account, whether of saved cameras or of typed addresses', async () => {
  const { made, clock, asked } = probing('rtsp://192.168.1.9/');
  const once = async (index: number): Promise<void> => {
    const answer =
      index % 2 === 0 ? made.test(scope, 'c', 5_000) : made.testUnsaved(scope, form, 5_000);
    while (clock.waiting === 0) await Promise.resolve();
    clock.advance(200);
    await answer;
  };
  const form = {
    name: '',
    type: 'ip',
    url: '',
    username: '',
    password: '',
    certificate: '',
  } as const;
  for (let index = 0; index < 10; index++) await once(index);
  const isTooMany = (error: unknown): boolean =>
    error instanceof Problem && error.code === 'too_many_requests';
  await assert.rejects(made.test(scope, 'c', 5_000), isTooMany);
  assert.equal(asked(), 10);
  clock.advance(60_000);
  await once(0);
  assert.equal(asked(), 11);
});

test('C-513 a failure is answered after a random wait', async () => {
  const { made, clock } = probing('rtsp://192.168.1.9/');
  let answered = false;
  const answer = made.test(scope, 'c', 5_000).then((tested) => {
    answered = true;
    return tested;
  });
  while (clock.waiting === 0) await Promise.resolve();
  clock.advance(199);
  await Promise.resolve();
  assert.equal(answered, false);
  clock.advance(1);
  assert.equal((await answer).outcome, 'unreachable');
});

test('~CAM-053 without an address nothing is probed, and it does not count', async () => {
  const { made, asked } = probing('');
  for (let index = 0; index < 30; index++) {
    const { success, outcome, name } = await made.test(scope, 'c', 5_000);
    assert.deepEqual([success, outcome, name], [false, 'no_url', 'Gate']);
  }
  assert.equal(asked(), 0);
});
