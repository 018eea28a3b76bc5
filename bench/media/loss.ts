/**
 * What `kill -9` of a recording process loses: from the last picture of the file to the kill; and what is left
 * behind.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { root, until } from '../../e2e/installation.ts';
import type { Product } from '../rig/product.ts';
import { FfmpegRecorder, type MuxerName } from './ffmpeg-recorder.ts';
import { filesIn, picturesIn, recordedFiles, type RecordedFile } from './files.ts';
import { fps } from './streams.ts';

/**
 * A kill comes this long after recording began: at any moment of a segment, without the first seconds of a process.
 * Five within a minute would be taken for an effect of the camera on its process, which is then left alone for a
 * while.
 */
const untilKillMs = [13_000, 21_000] as const;
/** The same for ffmpeg, which restarts without delay. */
const untilPeerKillMs = [3_000, 9_000] as const;

const someTime = ([least, most]: readonly [number, number]): number =>
  least + Math.random() * (most - least);

const lostMs = ({ path, startedAtMs }: RecordedFile, killedAtMs: number): number =>
  killedAtMs - startedAtMs - (picturesIn(path) * 1000) / fps;

export interface OwnLosses {
  /** Milliseconds lost at each kill. */
  readonly losses: readonly number[];
  readonly files: number;
  /** Files in which no picture can be read. */
  readonly mute: number;
  /** The output of `npm run recordings -- check`, before and after a restart of the whole product. */
  readonly checks: readonly string[];
}

/** Kills the media host again and again; it is back before the next time. */
export async function ownLosses(
  product: Product,
  address: string,
  kills: number,
): Promise<OwnLosses> {
  const { id } = await product.addCamera(address, false);
  await product.record(id);
  const files = (): RecordedFile[] => recordedFiles(product.dataFolder, id);
  const losses: number[] = [];
  for (let i = 0; i < kills; i += 1) {
    const before = files().length;
    await until(
      'recording',
      async () => files().length,
      (count) => count > before,
      60_000,
    );
    await wait(someTime(untilKillMs));
    const hosts = product.nazar.pids('media-');
    const torn = files().at(-1)!;
    const killedAtMs = Date.now();
    for (const pid of hosts) process.kill(pid, 'SIGKILL');
    losses.push(lostMs(torn, killedAtMs));
    console.error(`kill ${losses.length}: ${losses.at(-1)!.toFixed(0)} ms`);
  }
  const checks = [await finalCheck(product)];
  await product.nazar.stop();
  await product.nazar.start();
  checks.push(await finalCheck(product));
  const all = files().slice(0, -1);
  const mute = all.filter(({ path }) => picturesIn(path) === 0).length;
  await product.removeCamera(id);
  return { losses, files: all.length, mute, checks };
}

/** Waits until all files but the one being written are complete: torn ones are completed within a minute. */
function finalCheck(product: Product): Promise<string> {
  return until('settled', () => check(product), isSettled, 180_000);
}

const isSettled = (said: string): boolean => !/, ([2-9]|\d\d+) of them/.test(said);

async function check({ dataFolder }: Product): Promise<string> {
  await wait(3_000);
  const words = [join(root, 'server/src/commands/check-recordings.ts'), 'check'];
  const env = { ...process.env, NAZAR_DATA: dataFolder };
  const { stdout, stderr } = spawnSync(process.execPath, words, { env, encoding: 'utf8' });
  return (stdout + stderr).trim();
}

/** The same for ffmpeg, restarted each time. */
export async function ffmpegLosses(address: string, muxer: MuxerName, kills: number) {
  const losses: number[] = [];
  for (let i = 0; i < kills; i += 1) {
    await using recorder = new FfmpegRecorder(address, muxer);
    const files = (): RecordedFile[] => filesIn(recorder.folder);
    await until(
      'recording',
      async () => files().length,
      (count) => count > 0,
      60_000,
    );
    await wait(someTime(untilPeerKillMs));
    const torn = files().at(-1)!;
    const killedAtMs = Date.now();
    await recorder.kill();
    losses.push(lostMs(torn, killedAtMs));
  }
  return losses;
}
