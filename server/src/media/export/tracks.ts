/** Reads the tracks that a segment's initialisation segment announces, as far as an export needs them. */
import { boxAt, childrenOf } from '../mp4/boxes.ts';

export type TrackKind = 'video' | 'sound';

export interface SourceTrack {
  readonly id: number;
  readonly kind: TrackKind;
  /** Ticks a second. */
  readonly timescale: number;
  /** What its samples are: one whole box, with the parameter sets in it. */
  readonly description: Buffer;
  /** `avc1`, `hvc1`, `mp4v`, `mp4a`. */
  readonly coding: string;
  /** Whole boxes that are copied as they are. */
  readonly tkhd: Buffer;
  readonly hdlr: Buffer;
  /** `vmhd` or `smhd`, and `dinf`. */
  readonly media: readonly Buffer[];
}

const kinds: Readonly<Record<string, TrackKind>> = { vide: 'video', soun: 'sound' };

export function tracksOf(head: Buffer): SourceTrack[] {
  const moov = boxAt(head, ['moov']);
  if (!moov) return [];
  return [...childrenOf(moov)]
    .filter(({ kind }) => kind === 'trak')
    .flatMap(({ whole }) => trackOf(whole.subarray(8)) ?? []);
}

function trackOf(trak: Buffer): SourceTrack | null {
  const tkhd = wholeAt(trak, ['tkhd']);
  const mdhd = boxAt(trak, ['mdia', 'mdhd']);
  const hdlr = wholeAt(trak, ['mdia', 'hdlr']);
  const minf = boxAt(trak, ['mdia', 'minf']);
  const stsd = boxAt(trak, ['mdia', 'minf', 'stbl', 'stsd']);
  if (!tkhd || !mdhd || !hdlr || !minf || !stsd) return null;
  const kind = kinds[hdlr.toString('latin1', 16, 20)];
  const [description] = [...childrenOf(stsd.subarray(8))];
  if (!kind || !description) return null;
  return {
    id: tkhd.readUInt32BE(tkhd[8] === 1 ? 28 : 20),
    kind,
    timescale: mdhd.readUInt32BE(mdhd[0] === 1 ? 20 : 12),
    description: description.whole,
    coding: description.kind,
    tkhd,
    hdlr,
    media: [...childrenOf(minf)]
      .filter((child) => ['vmhd', 'smhd', 'dinf'].includes(child.kind))
      .map(({ whole }) => whole),
  };
}

/** Like `boxAt`, but with the box's own head. */
function wholeAt(data: Buffer, path: readonly string[]): Buffer | null {
  const parent = path.length > 1 ? boxAt(data, path.slice(0, -1)) : data;
  if (!parent) return null;
  return [...childrenOf(parent)].find(({ kind }) => kind === path.at(-1))?.whole ?? null;
}
