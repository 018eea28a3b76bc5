/** Who makes parts with masks burnt in, how often, and what happens when no one waits for one or a worker dies. */
import assert from 'node:assert/strict';
import { readdirSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { smallFilm } from '@nazar/e2e/farm/film.ts';
import type { ZoneFields } from '@nazar/contract/zones.ts';
import type { PlaybackTicket } from '@nazar/contract/playback.ts';
import type { Scope } from '#http/scope.ts';
import { WorkerLost } from '#media/media.ts';
import type { AskMasked, AskWorker } from '#media/protocol/worker-messages.ts';
import type { Workers } from '#media/server/workers.ts';
import { granting } from '#testing/grants.ts';
import { centreMask } from '#testing/grey.ts';
import { recordFilms } from '#testing/recorded-films.ts';
import { recordingWorld, type RecordingWorld } from '#testing/recordings.ts';
import { until } from '#testing/until.ts';
import type { AskedPart } from './playback.ts';

const start = Date.UTC(2026, 0, 15, 12);
const ip = '127.0.0.1';
const forever = new AbortController().signal;

type Ask = Pick<Workers, 'ask'>;

interface Playing extends AsyncDisposable {
  readonly it: RecordingWorld;
  readonly parts: AskedPart[];
  readonly asked: AskWorker[];
  readonly masked: (part: AskedPart, signal?: AbortSignal) => Promise<Buffer>;
}

/** A user plays twelve seconds of a camera and may not see behind its mask. */
async function playing(between: (workers: Ask) => Ask = (workers) => workers): Promise<Playing> {
  await using stack = new AsyncDisposableStack();
  const asked: AskWorker[] = [];
  const it = stack.use(
    await recordingWorld((workers) => {
      const ask = between(workers);
      return {
        ask: (question, ...more) => {
          asked.push(question);
          return ask.ask(question, ...more);
        },
      };
    }),
  );
  const shape = { ...smallFilm, pictures: 12 * smallFilm.fps };
  await recordFilms(join(it.folder, it.cameraId), it.cameraId, start, [
    { codec: 'h264', bFrames: 0, shape },
  ]);
  await it.recordings.recover();
  await it.recordings.recover();
  const mask = { kind: 'privacy', name: '', points: centreMask } as unknown as ZoneFields;
  await it.world.cameras.zones.replace(it.admin, it.cameraId, [mask]);
  const user: Scope = {
    ...(await it.world.actor('user')),
    grants: granting(it.cameraId, ['live', 'recordings']),
  };
  const scopeOf = async (): Promise<Scope> => user;
  const { playback } = it.recordings;
  const period = {
    from: new Date(start).toISOString(),
    until: new Date(start + 12_000).toISOString(),
  };
  const { ticket }: PlaybackTicket = await playback.begin(user, it.cameraId, period);
  const playlist = await playback.playlist(ticket, ip, scopeOf);
  const parts = [...playlist.matchAll(/^masked\/part\.m4s.*&id=(.+)&from=(\d+)$/gm)].map(
    ([, id = '', from]) => ({ ticket, id, from: Number(from) }),
  );
  const built = stack.move();
  return {
    it,
    parts,
    asked,
    masked: (part, signal = forever) => playback.part(part, ip, scopeOf, signal),
    [Symbol.asyncDispose]: () => built.disposeAsync(),
  };
}

test('a part is made once for repeated requests, and again when another mask is drawn', async () => {
  await using play = await playing();
  const { it, parts, asked, masked } = play;
  const [first, second] = await Promise.all([masked(parts[0]!), masked(parts[0]!)]);
  assert.ok(first.length > 0 && first === second);
  assert.equal(await masked(parts[0]!), first);
  assert.equal(asked.length, 1);
  await masked(parts[1]!);
  assert.equal(asked.length, 2);
  await it.world.cameras.zones.replace(it.admin, it.cameraId, [
    {
      kind: 'privacy',
      name: '',
      points: [
        [0, 0],
        [1, 0],
        [0, 1],
      ],
    },
  ]);
  assert.notDeepEqual(await masked(parts[0]!), first);
  assert.equal(asked.length, 3);
});

test('C-401 a part whose camera gets another mask while it is made is made with that one', async () => {
  let meanwhile: (() => Promise<unknown>) | null = null;
  await using play = await playing((workers) => ({
    ask: async (...question) => {
      const change = meanwhile;
      meanwhile = null;
      const answer = await workers.ask(...question);
      await change?.();
      return answer as never;
    },
  }));
  const { it, parts, asked, masked } = play;
  const all = [
    [0, 0],
    [1, 0],
    [1, 1],
    [0, 1],
  ] as [number, number][];
  meanwhile = () =>
    it.world.cameras.zones.replace(it.admin, it.cameraId, [
      { kind: 'privacy', name: '', points: all },
    ]);
  const part = await masked(parts[0]!);
  assert.equal(asked.length, 2);
  const masks = asked.map((question) => (question as AskMasked).masks?.polygons);
  assert.deepEqual(masks[1], [all]);
  assert.equal(await masked(parts[0]!), part, 'the one that hides enough is kept');
  assert.equal(asked.length, 2);
});

test('a viewer who leaves stops what is made for them, and the worker goes on to the next', async () => {
  const answers: unknown[] = [];
  await using play = await playing((workers) => ({
    ask: async (...question) => {
      const answer = await workers.ask(...question);
      answers.push(answer.head);
      return answer as never;
    },
  }));
  const gone = new AbortController();
  const left = play.masked(play.parts[0]!, gone.signal);
  await until(() => play.asked.length === 1);
  gone.abort(new Error('left'));
  await assert.rejects(left, /left/);
  await until(() => answers.length === 1);
  assert.deepEqual(answers, [{ fault: 'cancelled' }]);
  assert.ok((await play.masked(play.parts[0]!)).length > 0, 'made again for the next caller');
});

test('a worker that dies over a part is a clear answer, leaves nothing behind, and the next one makes it', async () => {
  let dies = true;
  await using play = await playing((workers) => ({
    ask: (question, ...more) =>
      dies ? Promise.reject(new WorkerLost('over a part')) : workers.ask(question, ...more),
  }));
  const files = (): string[] => readdirSync(play.it.folder, { recursive: true }).map(String);
  const before = files();
  await assert.rejects(play.masked(play.parts[0]!), {
    name: 'Problem',
    code: 'unavailable',
    params: { retry_after_s: 2 },
  });
  dies = false;
  assert.ok((await play.masked(play.parts[0]!)).length > 0);
  assert.deepEqual(files(), before);
});

test('a file that cannot be decoded is reported, and no worker dies of it', async () => {
  await using play = await playing();
  const names = readdirSync(play.it.folder, { recursive: true }).map(String);
  for (const name of names.filter((one) => one.endsWith('.mp4'))) {
    truncateSync(join(play.it.folder, name), 2_000);
  }
  const unreadable = { name: 'Problem', code: 'recording_unreadable' };
  await assert.rejects(play.masked(play.parts[0]!), unreadable);
  await assert.rejects(play.masked(play.parts[3]!), unreadable);
});
