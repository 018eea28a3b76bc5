/** Segment files as hosts write them, with pictures of a few bytes. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { uuidv7 } from '#lib/ids.ts';
import { headBox, segmentPath } from '#media/mp4/segment-file.ts';
import type { SegmentHead } from '#media/protocol/segments.ts';

export function box(kind: string, ...content: readonly Buffer[]): Buffer {
  const body = Buffer.concat(content);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + body.length);
  head.write(kind, 4, 'latin1');
  return Buffer.concat([head, body]);
}

function words(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [at, value] of values.entries()) bytes.writeUInt32BE(value, at * 4);
  return bytes;
}

const pictureMs = 40;
const noSync = 0x10000;

/** One picture; a key frame each second. */
export function aFragment(number: number): Buffer {
  const ticks = number * pictureMs * 90;
  const flags = number % 25 === 0 ? 0 : noSync;
  return Buffer.concat([
    box(
      'moof',
      box(
        'traf',
        box('tfhd', words(0x20000, 1)),
        box('tfdt', words(0x1000000, 0, ticks)),
        box('trun', words(0x500, 1, pictureMs * 90, flags)),
      ),
    ),
    box('mdat', Buffer.from(`picture ${number}`)),
  ]);
}

export function aSegmentHead(cameraId: string, startedAtMs: number): SegmentHead {
  return {
    id: uuidv7(startedAtMs),
    cameraId,
    type: 'continuous',
    startedAtMs,
    codec: 'h264',
    mime: 'video/mp4; codecs="avc1.64001f"',
    width: 320,
    height: 184,
    stream: '01890000-0000-7000-8000-000000000001',
    gap: null,
  };
}

/** A segment of that many pictures, 25 a second. */
export function segmentBytes(head: SegmentHead, pictures = 250): Buffer {
  const fragments = Array.from({ length: pictures }, (_, number) => aFragment(number));
  return Buffer.concat([box('ftyp', Buffer.from('iso5')), headBox(head), ...fragments]);
}

/** Its path. */
export function writeSegment(folder: string, head: SegmentHead, bytes: Buffer): string {
  const path = join(folder, segmentPath(head));
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, bytes);
  return path;
}
