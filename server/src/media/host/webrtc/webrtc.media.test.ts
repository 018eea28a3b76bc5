/** Real hosts and a real WebRTC peer in place of a browser: what a low-latency view gets, and when it ends. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { cleanup } from 'node-datachannel';
import { makeFilm, makeJpegs } from '@nazar/e2e/farm/film.ts';
import { MjpegCamera } from '@nazar/e2e/farm/mjpeg-camera.ts';
import { RtspCamera } from '@nazar/e2e/farm/rtsp-camera.ts';
import { Problem } from '#lib/problem.ts';
import { writeCodedFilm } from '#testing/coded-film.ts';
import { aCamera, hostsOf, mediaFolder, openMedia, until, Watcher } from '#testing/media.ts';
import { WebRtcViewer } from '#testing/webrtc-viewer.ts';

const film = makeFilm();
const timeout = 60_000;
/** A key frame every five seconds. */
const rareKeys = { width: 320, height: 184, fps: 25, pictures: 125, gop: 125 };
after(() => cleanup());

type TestMedia = ReturnType<typeof openMedia>;

async function connect(media: TestMedia, viewer: WebRtcViewer, peerId = 'peer'): Promise<void> {
  viewer.accept(await media.answerPeer('a', peerId, await viewer.offer));
}

/** Whether a key frame came, and the pictures after it were sent together with it. */
function isCaughtUp({ pictures }: WebRtcViewer, at: number): boolean {
  const [key, next] = pictures.slice(at);
  return key?.types.includes(5) === true && next?.timestamp === key.timestamp + 1;
}

const ended = async (media: TestMedia, peerId: string | null): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  using _ = media.peerEnded.on((news) => {
    if (news.peerId === peerId) resolve();
  });
  await promise;
};

test(
  '~LIVE-010 a peer gets every picture as the camera sends it, from a key frame on',
  { timeout },
  async () => {
    using folder = mediaFolder();
    await using camera = await RtspCamera.start({ film });
    await using media = openMedia(folder);
    media.watch(aCamera('a', camera.url));
    await until(media, 'a', 'live');
    using viewer = new WebRtcViewer();
    await connect(media, viewer);
    await viewer.has(60);
    assert.deepEqual(
      viewer.pictures[0]?.types.filter((type) => type !== 6),
      [7, 8, 5],
    );
    const steps = viewer.pictures.map(
      ({ timestamp }, index) => timestamp - (viewer.pictures[index - 1]?.timestamp ?? 0),
    );
    assert.ok(
      steps.every((step) => step > 0),
      'times grow, also those of the pictures before it came',
    );
    assert.ok(
      steps.slice(-25).every((step) => step === 90_000 / film.fps),
      'and then follow each other as they were taken',
    );
    assert.equal(camera.connections, 1, 'one ingest feeds all');
  },
);

test(
  '~LIVE-010 the pictures since the last key frame come at once, and again when asked for',
  { timeout },
  async () => {
    using folder = mediaFolder();
    await using camera = await RtspCamera.start({ film: makeFilm(rareKeys) });
    await using media = openMedia(folder);
    media.watch(aCamera('a', camera.url));
    await until(media, 'a', 'live');
    const watcher = new Watcher();
    using _ = media.join('a', watcher);
    await watcher.has(20);
    using viewer = new WebRtcViewer();
    await connect(media, viewer);
    await viewer.has(15);
    assert.ok(isCaughtUp(viewer, 0));
    // As a browser does, again and again until it has one.
    for (let at = 1; !isCaughtUp(viewer, at); at++) {
      await viewer.has(at + 3);
      viewer.askForKey();
    }
  },
);

test('an MJPEG camera is encoded for its peers, and only for them', { timeout }, async () => {
  using folder = mediaFolder();
  await using camera = await MjpegCamera.start({ jpegs: await makeJpegs(), fps: 10 });
  await using media = openMedia(folder);
  media.watch(aCamera('a', camera.url, { type: 'http' }));
  await until(media, 'a', 'live');
  using viewer = new WebRtcViewer();
  await connect(media, viewer);
  await viewer.has(20);
  assert.ok(viewer.pictures[0]?.types.includes(5));
});

test(
  'a camera that hangs on its side says how far its pictures are to be turned',
  { timeout },
  async () => {
    using folder = mediaFolder();
    await using camera = await RtspCamera.start({ film });
    await using media = openMedia(folder);
    media.watch(aCamera('a', camera.url, { rotation: 90 }));
    await until(media, 'a', 'live');
    using viewer = new WebRtcViewer();
    await connect(media, viewer);
    await viewer.has(5);
    assert.equal(viewer.turned, 1);
    using cannot = new WebRtcViewer({ turns: false });
    await assert.rejects(connect(media, cannot, 'other'), new Problem('low_latency_offer'));
  },
);

test(
  'LIVE-012 pictures in another order than they are shown in are refused, with the reason',
  { timeout },
  async () => {
    using folder = mediaFolder();
    const path = join(folder.path, 'b-frames.mp4');
    await writeCodedFilm(path, { codec: 'h264', bFrames: 2 });
    await using media = openMedia(folder);
    media.watch(aCamera('a', path, { type: 'file' }));
    await until(media, 'a', 'live');
    const watcher = new Watcher();
    using _ = media.join('a', watcher);
    await watcher.has(8);
    using viewer = new WebRtcViewer();
    await assert.rejects(connect(media, viewer), new Problem('low_latency_reordered'));
  },
);

test(
  'C-403 a peer that must end, and one whose camera goes, gets nothing more',
  { timeout },
  async () => {
    using folder = mediaFolder();
    await using camera = await RtspCamera.start({ film });
    await using media = openMedia(folder);
    media.watch(aCamera('a', camera.url));
    await until(media, 'a', 'live');
    using one = new WebRtcViewer();
    using two = new WebRtcViewer();
    await connect(media, one, 'one');
    await connect(media, two, 'two');
    await Promise.all([one.has(5), two.has(5)]);
    const end = ended(media, 'one');
    media.endPeer('a', 'one');
    await end;
    const last = one.pictures.length;
    await two.has(two.pictures.length + 30);
    assert.ok(one.pictures.length <= last + 2, 'what was under way');
    const gone = ended(media, 'two');
    media.unwatch('a');
    await gone;
  },
);

test('a browser that leaves in the middle costs no one else a picture', { timeout }, async () => {
  using folder = mediaFolder();
  await using camera = await RtspCamera.start({ film });
  await using media = openMedia(folder);
  media.watch(aCamera('a', camera.url));
  await until(media, 'a', 'live');
  using stays = new WebRtcViewer();
  await connect(media, stays, 'stays');
  {
    using leaves = new WebRtcViewer();
    await connect(media, leaves, 'leaves');
    await leaves.has(5);
  }
  const from = stays.pictures.length;
  await stays.has(from + 50);
  const times = stays.pictures.slice(from).map(({ timestamp }) => timestamp);
  const steps = times.slice(1).map((at, index) => at - times[index]!);
  assert.ok(steps.every((step) => step === 90_000 / film.fps));
});

test(
  'browsers that come and go, in time or not, leave the host as it was',
  { timeout },
  async () => {
    using folder = mediaFolder();
    await using camera = await RtspCamera.start({ film });
    await using media = openMedia(folder);
    media.watch(aCamera('a', camera.url));
    await until(media, 'a', 'live');
    const host = hostsOf(folder).get('media-1');
    for (let round = 0; round < 15; round++) {
      const ids = [`${round}-0`, `${round}-1`, `${round}-2`];
      await Promise.all(
        ids.map(async (id) => {
          using viewer = new WebRtcViewer();
          await connect(media, viewer, id);
          if (round % 3 > 0) await viewer.has(3);
          if (round % 2 > 0) media.endPeer('a', id);
        }),
      );
    }
    assert.equal(media.health('a').state, 'live');
    assert.equal(hostsOf(folder).get('media-1'), host);
    assert.equal(camera.connections, 1);
  },
);

test(
  'C-403 the peers of a server that goes end with it: nothing else could end them',
  { timeout },
  async () => {
    using folder = mediaFolder();
    await using camera = await RtspCamera.start({ film });
    const media = openMedia(folder);
    media.watch(aCamera('a', camera.url));
    await until(media, 'a', 'live');
    using viewer = new WebRtcViewer();
    await connect(media, viewer);
    await viewer.has(5);
    await media.release();
    await using next = openMedia(folder);
    next.watch(aCamera('a', camera.url));
    await until(next, 'a', 'live');
    using other = new WebRtcViewer();
    await connect(next, other);
    await other.has(5);
    const last = viewer.pictures.length;
    await other.has(40);
    assert.equal(viewer.pictures.length, last);
  },
);
