/** Every way that a recorded picture takes to a reader. */
import { mkdtempSync, readdirSync, rmSync, appendFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { StillsQuery } from '@nazar/contract/playback.ts';
import type { Scope } from '#http/scope.ts';
import { readSegment } from '#media/mp4/segment-contents.ts';
import { stillBox } from '#media/mp4/segment-file.ts';
import { greyOfJpeg, picturesIn, picturesOf, type Grey } from './grey.ts';
import type { RecordingWorld } from './recordings.ts';
import { until } from './until.ts';

const ip = '127.0.0.1';
const { signal } = new AbortController();

interface Period {
  readonly from: string;
  readonly until: string;
}

/** A recorder's files have no stills without its host: adds one to each, by when it begins. */
export async function addStills(
  folder: string,
  stillOf: (startedAtMs: number) => { readonly picture: Grey; readonly shows: string },
): Promise<void> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  for (const name of names.filter((one) => one.endsWith('.mp4'))) {
    const file = join(folder, name);
    const { picture, shows } = stillOf((await readSegment(file))!.head.startedAtMs);
    const { data, ...size } = picture;
    const raw = { raw: { ...size, channels: 1 } } as const;
    const jpeg = await sharp(data, raw).jpeg({ quality: 90 }).toBuffer();
    appendFileSync(file, stillBox({ atMs: 0, jpeg, shows }));
  }
}

/** Every picture of that time that the reader can get hold of, by the way it takes; `at`: a moment in it. */
export async function shownBy(it: RecordingWorld, scope: Scope, period: Period, at: Date) {
  const { stills, thumbnails, exports } = it.recordings;
  const { cameraId } = it;
  const still = await stills.at(scope, cameraId, at);
  const listed = await stills.over(scope, cameraId, StillsQuery.parse(period), signal);
  const thumbnail = await thumbnails.at(scope, cameraId, at);
  const [{ id } = { id: '' }] = await exports.add(scope, { cameras: [cameraId], ...period });
  await until(async () => ['done', 'failed'].includes((await exports.read(scope, id)).status));
  const { path } = await exports.file(scope, id);
  const jpegs = [still, ...listed.map(({ jpeg }) => Buffer.from(jpeg, 'base64')), thumbnail];
  const [first, ...others] = await Promise.all(jpegs.map(greyOfJpeg));
  const ways: [string, Grey[]][] = [
    ['still', [first!]],
    ['stills and thumbnail', others],
    ['playback', await played(it, scope, period)],
    ['export', await picturesOf(path)],
  ];
  return ways;
}

async function played(it: RecordingWorld, scope: Scope, period: Period): Promise<Grey[]> {
  const { playback } = it.recordings;
  const scopeOf = async (): Promise<Scope> => scope;
  const { ticket } = await playback.begin(scope, it.cameraId, period);
  const list = await playback.playlist(ticket, ip, scopeOf);
  const parts = [...list.matchAll(/^masked\/part\.m4s.*&id=(.+)&from=(\d+)$/gm)].map(
    ([, id = '', from]) => ({ ticket, id, from: Number(from) }),
  );
  const head = await playback.head(parts[0]!, ip, scopeOf, signal);
  const bodies = parts.map((part) => playback.part(part, ip, scopeOf, signal));
  const folder = mkdtempSync(join(tmpdir(), 'nazar-recorded-ways-'));
  try {
    return await picturesIn(folder, head, ...(await Promise.all(bodies)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
