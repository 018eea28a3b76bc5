/**
 * What playing and exporting recordings cost, with a day recorded at 3 Mbit/s (links to the files of two minutes):
 * seeking anywhere in it with hls.js in headless Chromium, as it was recorded and with a privacy mask burnt in,
 * exports of ten minutes and of an hour with their proof, and thumbnails. On a real database, with a server in this
 * process.
 */
import { dirname, join } from 'node:path';
import type { RecordingExport } from '../contract/src/exports.ts';
import type { PlaybackTicket } from '../contract/src/playback.ts';
import { signInEach, testServer, type SignedIn } from '../server/src/testing/server.ts';
import { aCameraForm } from '../server/src/testing/world.ts';
import { installPeers, requirePeer } from './faces/peers/installed.ts';
import { recordDay } from './rig/day.ts';
import { openBrowser } from './rig/glass.ts';
import { spreadOf, tenth } from './rig/numbers.ts';
import { table } from './table.ts';

const hour = 3_600;
const daySeconds = 24 * hour;
const seeks = 60;

await using world = await testServer();
const { admin, user } = await signInEach(world);
const form = aCameraForm({ name: 'Gate' });
const camera = (await admin.send('POST', '/secure-api/cameras/', form)).json<{ id: string }>().id;
const startMs = Date.UTC(2026, 0, 14);
await recordDay(world.database.db, world.recordingFolder, camera, startMs, daySeconds);
const at = (seconds: number): string => new Date(startMs + seconds * 1_000).toISOString();
const rows: string[][] = [];
const tell = (what: string, times: readonly number[]): void => {
  const { n, p50, p95, max } = spreadOf(times);
  rows.push([what, String(n), ...[p50, p95, max].map(tenth)]);
};

const origin = await world.app.listen({ host: '127.0.0.1', port: 0 });
tell('seek in a day, ms', await seekTimes(origin, admin));
tell('thumbnail of the past, ms', await thumbnailTimes(admin));
tell('film of 10 minutes, s', await filmTimes(admin, 600, 5));
tell('film of an hour, s', await filmTimes(admin, hour, 2));
await drawMask();
tell('seek in a day, mask burnt in, ms', await seekTimes(origin, user));
tell('film of a minute, mask burnt in, s', await filmTimes(user, 60, 3));
console.log(table(['what', 'times', 'median', '95th', 'most'], rows));

/** A quarter of the picture, which that user may not see. */
async function drawMask(): Promise<void> {
  const points = [
    [0.25, 0.25],
    [0.75, 0.25],
    [0.75, 0.75],
    [0.25, 0.75],
  ];
  const zones = [{ kind: 'privacy', points }];
  await admin.send('PUT', `/secure-api/cameras/${camera}/zones/`, { zones });
  const [to, of] = [
    { type: 'user', id: user.id },
    { type: 'camera', id: camera },
  ];
  const capabilities = ['live', 'recordings'];
  await admin.send('PUT', '/secure-api/cameras/grants/', { to, of, capabilities });
}

/** From the command to the first picture of that moment. */
async function seekTimes(address: string, who: SignedIn): Promise<number[]> {
  installPeers();
  const hls = join(dirname(requirePeer.resolve('hls.js')), 'hls.light.min.js');
  const asked = { from: at(0), until: at(daySeconds) };
  const reply = await who.send('POST', `/secure-api/cameras/${camera}/playback/`, asked);
  const { playlist } = reply.json<PlaybackTicket>();
  await using browser = await openBrowser();
  const page = await browser.newPage({ bypassCSP: true });
  await page.goto(`${address.replace('127.0.0.1', 'localhost')}/healthz`);
  await page.addScriptTag({ path: hls });
  await page.evaluate(begin, playlist);
  const times: number[] = [];
  for (let seek = 0; seek < seeks; seek++) {
    const to = Math.floor(((seek * 7_919) % 8_000) * 10.7) + 1;
    times.push(await page.evaluate(seekTo, to));
  }
  console.error(`pieces that were played on without a hole: ${await page.evaluate(holes)}`);
  return times;
}

/** Runs in the page. */
async function begin(playlist: string): Promise<void> {
  const video = document.createElement('video');
  video.muted = true;
  document.body.replaceChildren(video);
  const { Hls } = globalThis as unknown as { Hls: new (options: object) => HlsPlayer };
  const player = new Hls({ startPosition: 0 });
  player.loadSource(playlist);
  player.attachMedia(video);
  await new Promise((resolve) => video.addEventListener('loadeddata', resolve, { once: true }));
}

/** Runs in the page: what is in the buffer after a while of playing, in seconds. */
async function holes(): Promise<string> {
  const video = document.querySelector('video')!;
  await video.play();
  await new Promise((resolve) => setTimeout(resolve, 8_000));
  const ranges = Array.from({ length: video.buffered.length }, (_, index) =>
    [video.buffered.start(index), video.buffered.end(index)].map((at) => at.toFixed(2)).join('-'),
  );
  video.pause();
  return `${ranges.join(' ')}, at ${video.currentTime.toFixed(2)}`;
}

interface HlsPlayer {
  loadSource(address: string): void;
  attachMedia(video: HTMLVideoElement): void;
}

/** Runs in the page. */
async function seekTo(seconds: number): Promise<number> {
  const video = document.querySelector('video')!;
  const startedAtMs = performance.now();
  const shown = new Promise<void>((resolve) => {
    const onFrame = (_now: number, { mediaTime }: { mediaTime: number }): void => {
      if (Math.abs(mediaTime - seconds) < 1.5) resolve();
      else video.requestVideoFrameCallback(onFrame);
    };
    video.requestVideoFrameCallback(onFrame);
  });
  video.currentTime = seconds;
  await shown;
  return performance.now() - startedAtMs;
}

async function thumbnailTimes(who: SignedIn): Promise<number[]> {
  const times: number[] = [];
  for (let picture = 0; picture < 41; picture++) {
    const startedAtMs = performance.now();
    const path = `/secure-api/cameras/${camera}/thumbnail/?at=${at(picture * 2_003)}`;
    const { status } = await who.get(path);
    if (status !== 200) throw new Error(`${path}: ${status}`);
    // The first one starts the worker.
    if (picture > 0) times.push(performance.now() - startedAtMs);
  }
  return times;
}

/** From asking to the export with its proof. */
async function filmTimes(who: SignedIn, seconds: number, films: number): Promise<number[]> {
  const path = '/secure-api/recordings/exports/';
  const times: number[] = [];
  for (let film = 0; film < films; film++) {
    const from = film * 4_000 + 3.4;
    const asked = { cameras: [camera], from: at(from), until: at(from + seconds) };
    const startedAtMs = performance.now();
    const reply = await who.send('POST', path, asked);
    const [made] = reply.json<{ results: RecordingExport[] }>().results;
    let now = made!;
    while (now.status === 'waiting' || now.status === 'running') {
      await new Promise((resolve) => setTimeout(resolve, 20));
      now = (await who.get(`${path}${now.id}/`)).json<RecordingExport>();
    }
    if (now.status !== 'done') throw new Error(`no film: ${now.fault}`);
    times.push((performance.now() - startedAtMs) / 1_000);
    console.error(`${seconds} s: ${((now.bytes ?? 0) / 1e6).toFixed(0)} MB`);
    await who.send('DELETE', `${path}${now.id}/`, {});
  }
  return times;
}
