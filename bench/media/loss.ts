/** What `kill -9` of whoever records loses: from the last picture of the file to the kill. */
import { setTimeout as wait } from 'node:timers/promises';
import { until } from '../../e2e/installation.ts';
import type { Product } from '../rig/product.ts';
import { FfmpegRecorder, type MuxerName } from './ffmpeg-recorder.ts';
import { filesIn, picturesIn, recordedFiles, type RecordedFile } from './files.ts';
import { fps } from './streams.ts';

/** A kill comes so long after recording began, so that the open segment is always worth something. */
const untilKillMs = [3_000, 9_000] as const;

const someTime = (): number => untilKillMs[0] + Math.random() * (untilKillMs[1] - untilKillMs[0]);

const lostMs = ({ path, startedAtMs }: RecordedFile, killedAtMs: number): number =>
  killedAtMs - startedAtMs - (picturesIn(path) * 1000) / fps;

/** Milliseconds lost at each kill of the media host; it is back before the next. */
export async function ownLosses(product: Product, address: string, kills: number) {
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
    await wait(someTime());
    const hosts = product.nazar.pids('media-');
    const torn = files().at(-1)!;
    const killedAtMs = Date.now();
    for (const pid of hosts) process.kill(pid, 'SIGKILL');
    losses.push(lostMs(torn, killedAtMs));
  }
  await product.removeCamera(id);
  return losses;
}

/** The same of ffmpeg, begun anew each time. */
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
    await wait(someTime());
    const torn = files().at(-1)!;
    const killedAtMs = Date.now();
    await recorder.kill();
    losses.push(lostMs(torn, killedAtMs));
  }
  return losses;
}
