/** When everything in fragments lies on the timeline, read from the boxes and not by a player. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { childrenOf } from '#media/mp4/boxes.ts';
import { contentsOf, type SegmentContents } from '#media/mp4/segment-contents.ts';

/** One sample, in ticks of its track. */
export interface TimedSample {
  readonly track: number;
  readonly at: number;
  readonly duration: number;
}

export interface TimedFile {
  readonly path: string;
  readonly contents: SegmentContents;
  readonly samples: readonly TimedSample[];
}

/** The files of a camera in the order of time. */
export function filesIn(folder: string): TimedFile[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.mp4'))
    .toSorted()
    .map((name) => {
      const path = join(folder, name);
      const data = readFileSync(path);
      return { path, contents: contentsOf(data)!, samples: samplesIn(data) };
    });
}

/** Only of fragments as ours are: each sample says its own duration, size, flags and offset, or all have the same. */
export function samplesIn(data: Buffer): TimedSample[] {
  const samples: TimedSample[] = [];
  for (const { kind, whole } of childrenOf(data)) {
    if (kind !== 'moof') continue;
    for (const { kind: inner, whole: traf } of childrenOf(whole.subarray(8))) {
      if (inner === 'traf') samples.push(...samplesOf(traf.subarray(8)));
    }
  }
  return samples;
}

/** In `trun`: each sample has a duration. */
const hasDuration = 0x100;

function* samplesOf(traf: Buffer): Generator<TimedSample> {
  const boxes = new Map([...childrenOf(traf)].map(({ kind, whole }) => [kind, whole.subarray(8)]));
  const [tfhd, tfdt, trun] = ['tfhd', 'tfdt', 'trun'].map((kind) => boxes.get(kind)!);
  const track = tfhd!.readUInt32BE(4);
  let at = Number(tfdt!.readBigUInt64BE(4));
  for (let index = 0; index < trun!.readUInt32BE(4); index++) {
    const isOwn = (trun!.readUInt32BE(0) & hasDuration) !== 0;
    const duration = isOwn ? trun!.readUInt32BE(12 + index * 16) : tfhd!.readUInt32BE(8);
    yield { track, at, duration };
    at += duration;
  }
}
