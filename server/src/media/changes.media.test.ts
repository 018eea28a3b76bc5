/** Cameras that change while they are ingested: by real hosts, with viewers, detection and recording all the time. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeFilm, makeJpegs, smallFilm } from '@nazar/e2e/farm/film.ts';
import { listenOnLoopback } from '@nazar/e2e/farm/loopback.ts';
import { RtspCamera } from '@nazar/e2e/farm/rtsp-camera.ts';
import { writeCodedFilm } from '#testing/coded-film.ts';
import { contentsOf as filmIn } from '#testing/film.ts';
import {
  aCamera,
  mediaFolder,
  openStubMedia,
  until,
  Watcher,
  type StubFace,
  type TestFolder,
} from '#testing/media.ts';
import { soundIn } from '#testing/sound.ts';
import type { Media } from './media.ts';
import type { OpenedSegment } from './protocol/messages.ts';

const timeout = 90_000;
const small = makeFilm();
const large = makeFilm({ ...smallFilm, width: 640, height: 368 });

/** Collects the news of the camera "a" from now on. */
function follow(media: Media<StubFace>, { path }: TestFolder) {
  const opened: OpenedSegment[] = [];
  const analyzed: { width: number; height: number }[] = [];
  const waiting = new Set<() => void>();
  let closed = 0;
  const subscriptions = [
    media.recorded.on(({ news }) => {
      if (news.kind === 'opened') opened.push(news.segment);
      if (news.kind === 'closed') closed += 1;
      for (const check of waiting) check();
    }),
    media.seen.on(({ width, height }) => {
      analyzed.push({ width, height });
      for (const check of waiting) check();
    }),
  ];
  const folder = join(path, 'recordings');
  media.record('a', { folder, type: 'continuous', recordedUntilMs: 0, height: 2160 });
  const viewer = new Watcher();
  return {
    opened,
    viewer,
    async when(holds: () => boolean): Promise<void> {
      const done = Promise.withResolvers<void>();
      const check = (): void => void (holds() && done.resolve());
      waiting.add(check);
      check();
      await done.promise;
    },
    isAnalyzed: (width: number) => analyzed.some((frame) => frame.width === width),
    closed: () => closed,
    [Symbol.dispose]: () => subscriptions.forEach((one) => one[Symbol.dispose]()),
  };
}

for (const sound of [false, true]) {
  const how = sound ? 'with sound' : 'without sound';
  test(
    `a camera that changes its size in mid-stream, ${how}, goes on everywhere`,
    { timeout },
    async () => {
      using folder = mediaFolder();
      await using camera = await RtspCamera.start({ film: small, sound: 'aac' });
      await using media = openStubMedia(folder);
      using all = follow(media, folder);
      media.watch(aCamera('a', camera.url, { faceRecognition: true, sound }));
      await until(media, 'a', 'live');
      using _ = media.join('a', all.viewer);
      await all.when(() => all.opened.length === 1 && all.isAnalyzed(small.width));
      await camera.hasPlayed(60);
      camera.film = large;
      await all.when(() => all.opened.length === 2 && all.isAnalyzed(large.width));
      await camera.hasPlayed(200);
      media.record('a', null);
      await all.when(() => all.closed() === 2);
      assert.equal(camera.connections, 1, 'nobody had to connect again');
      const streams = all.viewer.said('stream').map(({ width }) => width);
      assert.deepEqual(streams, [small.width, large.width]);
      for (const [index, film] of [small, large].entries()) {
        const { file, width, height } = all.opened[index]!;
        assert.deepEqual([width, height], [film.width, film.height]);
        const contents = await filmIn(file);
        assert.deepEqual([contents.width, contents.keys[0]], [film.width, 0]);
        assert.ok(contents.numbers.length >= 25);
        assert.equal((await soundIn(file)) !== null, sound);
      }
      assert.notEqual(all.opened[0]!.stream, all.opened[1]!.stream);
      assert.equal(all.opened[1]!.gap, null, 'nothing is missing between them');
    },
  );
}

test('a camera that comes back in another coding goes on everywhere', { timeout }, async () => {
  using folder = mediaFolder();
  const film = join(folder.path, 'film.mp4');
  await writeCodedFilm(film, { codec: 'h264', bFrames: 0 });
  const jpegs = await makeJpegs({ ...smallFilm, pictures: 10 });
  let isNew = false;
  const server = createServer((_request, response) => {
    if (isNew) {
      response.writeHead(200, { 'content-type': 'video/mp4' }).end(readFileSync(film));
      return;
    }
    response.writeHead(200, { 'content-type': 'multipart/x-mixed-replace; boundary=b' });
    let sent = 0;
    const timer = setInterval(() => {
      const jpeg = jpegs[(sent += 1) % jpegs.length]!;
      response.write(`--b\r\nContent-Length: ${jpeg.length}\r\n\r\n`);
      response.write(Buffer.concat([jpeg, Buffer.from('\r\n')]));
      if (isNew) response.destroy();
    }, 40);
    response.on('close', () => clearInterval(timer));
  });
  const port = await listenOnLoopback(server);
  await using media = openStubMedia(folder);
  using all = follow(media, folder);
  media.watch(aCamera('a', `http://127.0.0.1:${port}/`, { type: 'http', faceRecognition: true }));
  await all.when(() => all.opened.length === 1);
  isNew = true;
  await all.when(() => all.opened.some(({ codec }) => codec === 'h264'));
  assert.equal(all.opened[0]!.codec, 'mjpeg');
  const next = all.opened.find(({ codec }) => codec === 'h264')!;
  assert.equal(next.gap?.cause, 'camera');
  server.closeAllConnections();
  server.close();
});
