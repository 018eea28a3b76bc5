/**
 * A still room through which known people walk, one or two at a time, as a camera sends it: the usual motion before
 * most cameras. The film of e2e/film.ts, in which all of every picture moves, is the worst case.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Film } from '../../e2e/film.ts';
import { seeded, shuffled } from '../faces/chance.ts';
import { Ours } from '../faces/ours.ts';
import { makeFilm } from '../films/make.ts';
import { passing, type Manner } from '../films/passing.ts';
import { peopleOf, portraitsOf, usable } from '../films/people.ts';

export type RoomFilm = Pick<Film, 'folder' | 'photos'> & Disposable;

/** 24 px and more between the eyes; light and sharpness of a usual day. */
const manner: Manner = { sizes: [75, 150], light: [0.8, 1.15], blur: [0.3, 0.8] };
/** About as many seconds as the film of e2e/film.ts has. */
const appearances = 10;
/** The noise of a sensor by day; the room itself is painted without any. */
const noise = 'noise=alls=5:allf=t,format=yuv420p';

/** Files are named as the RTSP server wants them: 1280x720 at 30 and 640x360 at 10 a second. */
export async function makeRoomFilm(faces: string): Promise<RoomFilm> {
  await using ours = await Ours.load();
  const { everyday } = await peopleOf(faces, ours);
  const people = [...everyday.values()].map(usable).filter((photos) => photos.length > 1);
  const random = seeded(5);
  const filmed = shuffled(
    people.map((photos) => photos[1]!),
    random,
  ).slice(0, appearances);
  const folder = mkdtempSync(join(tmpdir(), 'nazar-room-'));
  const painted = join(folder, 'room.mp4');
  await makeFilm(painted, passing('a room', filmed, manner, random), portraitsOf(everyday));
  encode(painted, `fps=30,${noise}`, 3_000, 30, join(folder, 'faces720.h264'));
  encode(painted, `fps=10,scale=640:360,${noise}`, 500, 10, join(folder, 'faces360.h264'));
  const photos = new Map(people.map(([best]) => [best!.who, readFileSync(best!.photo)]));
  return { folder, photos, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) };
}

function encode(from: string, filter: string, kbits: number, gop: number, to: string): void {
  const rate = ['-b:v', `${kbits}k`, '-maxrate', `${kbits}k`, '-bufsize', `${kbits}k`];
  const keys = ['-g', gop, '-keyint_min', gop, '-sc_threshold', 0, '-bf', 0].map(String);
  const coding = ['-c:v', 'libx264', '-preset', 'veryfast', ...rate, ...keys, '-f', 'h264', to];
  const words = ['-v', 'error', '-i', from, '-vf', filter, ...coding];
  const made = spawnSync('ffmpeg', words, { encoding: 'utf8' });
  if (made.status !== 0) throw new Error(`ffmpeg: ${made.error?.message ?? made.stderr}`);
}
