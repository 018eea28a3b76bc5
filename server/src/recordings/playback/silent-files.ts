/**
 * Recorded files without sound, as they are played beside others with sound: with a track of silence, because players
 * stop where tracks come and go. Made anew at each request from the files as they are; nothing is decoded or kept.
 */
import { Readable } from 'node:stream';
import {
  hasSoundTrack,
  silentTrackOf,
  withSilence,
  withSilentTrack,
  type SilentTrack,
} from '#media/mp4/silence.ts';

/** A complete file: what is before its first fragment, and where it ends. */
export interface PlayedFile {
  readonly pieces: (from: number, until: number) => AsyncIterable<Buffer>;
  readonly headBytes: number;
  readonly bytes: number;
  /** Changes the bytes on their way to a player, as they are in the file from `at` on. */
  readonly through?: (pieces: Readable, at: number) => Readable;
}

/** Its initialisation segment. What has sound already is left as it is, as is what no sound can be imitated for. */
export async function silentHead(file: PlayedFile, sound: PlayedFile): Promise<Buffer> {
  const head = await headOf(file);
  const track = await trackFor(head, sound);
  return track ? withSilentTrack(head, track) : head;
}

/** Its fragments. */
export async function silentBody(file: PlayedFile, sound: PlayedFile): Promise<Buffer> {
  const track = await trackFor(await headOf(file), sound);
  const body = await bodyOf(file);
  return track ? withSilence(body, track) : body;
}

const trackFor = async (head: Buffer, sound: PlayedFile): Promise<SilentTrack | null> =>
  hasSoundTrack(head) ? null : silentTrackOf(await headOf(sound));

const headOf = (file: PlayedFile): Promise<Buffer> => bytesOf(file, 0, file.headBytes);

async function bodyOf(file: PlayedFile): Promise<Buffer> {
  const { headBytes, bytes, through } = file;
  if (!through) return await bytesOf(file, headBytes, bytes);
  const pieces: Buffer[] = [];
  const source = Readable.from(file.pieces(headBytes, bytes), { objectMode: false });
  for await (const piece of through(source, headBytes)) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

async function bytesOf({ pieces }: PlayedFile, from: number, until: number): Promise<Buffer> {
  const read: Buffer[] = [];
  for await (const piece of pieces(from, until)) read.push(piece);
  return Buffer.concat(read);
}
