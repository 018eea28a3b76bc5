/**
 * Adds a track of silence to recorded pictures without sound, so that they can be played beside streams with sound:
 * browsers play no stream whose tracks come and go (Media Source Extensions, ISO BMFF byte stream format). Bytes only;
 * nothing is decoded. Only of files whose fragments are ours: one picture each.
 */
import { ticksPerSecond } from '../codec/ticks.ts';
import { box, boxAt, childrenOf, fullBox, u32, u64 } from './boxes.ts';

/** What a sound track announces, in the bytes of its own file. */
export interface SilentTrack {
  readonly trak: Buffer;
  readonly trex: Buffer;
  readonly id: number;
  /** Samples a second. */
  readonly rate: number;
  /** A silent frame. */
  readonly frame: Buffer;
}

const frameSamples = 1_024;
/** Frames of AAC-LC with nothing in them (ISO/IEC 14496-3), by the number of channels. */
const silence: Readonly<Record<number, Buffer>> = {
  1: Buffer.from('00c800802380', 'hex'),
  2: Buffer.from('210049900219002380', 'hex'),
};
/** Where a sample entry of sound says how many channels it has. */
const channelsAt = 16;
/** Where `tkhd` and `mdhd` have their fields, by the version in their first byte. */
const idAt = [12, 20] as const;
const timescaleAt = [12, 20] as const;

/** The sound track of an initialisation segment; null when there is none, or none of AAC-LC in one or two channels. */
export function silentTrackOf(init: Buffer): SilentTrack | null {
  const moov = boxAt(init, ['moov']) ?? Buffer.alloc(0);
  const trak = [...childrenOf(moov)].find(({ kind, whole }) => kind === 'trak' && isSound(whole));
  if (!trak) return null;
  const content = trak.whole.subarray(8);
  const tkhd = boxAt(content, ['tkhd']);
  const mdhd = boxAt(content, ['mdia', 'mdhd']);
  const descriptions = boxAt(content, ['mdia', 'minf', 'stbl', 'stsd']);
  const entry = descriptions && boxAt(descriptions.subarray(8), ['mp4a']);
  if (!tkhd || !mdhd || !entry) return null;
  const id = tkhd.readUInt32BE(idAt[tkhd[0] === 1 ? 1 : 0]);
  const mvex = boxAt(moov, ['mvex']) ?? Buffer.alloc(0);
  const trex = [...childrenOf(mvex)].find(
    ({ kind, whole }) => kind === 'trex' && whole.readUInt32BE(12) === id,
  );
  const frame = silence[entry.readUInt16BE(channelsAt)];
  if (!trex || !frame) return null;
  const rate = mdhd.readUInt32BE(timescaleAt[mdhd[0] === 1 ? 1 : 0]);
  return { trak: trak.whole, trex: trex.whole, id, rate, frame };
}

/** Whether an initialisation segment announces sound of any kind. */
export function hasSoundTrack(init: Buffer): boolean {
  const moov = boxAt(init, ['moov']) ?? Buffer.alloc(0);
  return [...childrenOf(moov)].some(({ kind, whole }) => kind === 'trak' && isSound(whole));
}

function isSound(trak: Buffer): boolean {
  const hdlr = boxAt(trak.subarray(8), ['mdia', 'hdlr']);
  return hdlr?.toString('latin1', 8, 12) === 'soun';
}

/** The initialisation segment of pictures, with that track in it. */
export function withSilentTrack(init: Buffer, { trak, trex, id }: SilentTrack): Buffer {
  const pieces = [...childrenOf(init)].map(({ kind, whole }) => {
    if (kind !== 'moov') return whole;
    const parts = [...childrenOf(whole.subarray(8))].map((part) => {
      if (part.kind === 'mvex') return [trak, box('mvex', part.whole.subarray(8), trex)];
      if (part.kind !== 'mvhd') return [part.whole];
      // The number that the next track would have stands at its end.
      return [Buffer.concat([part.whole.subarray(0, -4), u32(id + 1)])];
    });
    return box('moov', ...parts.flat());
  });
  return Buffer.concat(pieces);
}

interface Fragment {
  readonly moof: Buffer;
  /** With its head. */
  readonly mdat: Buffer;
  /** When its picture is decoded, and for how long it is said to last, in ticks of 90 kHz. */
  readonly at: number;
  readonly duration: number;
}

/** Fragments of pictures with silence as long as they last; frames of it lie where they would in a stream of it. */
export function withSilence(body: Buffer, track: SilentTrack): Buffer {
  const boxes = [...childrenOf(body)];
  const fragments = boxes.flatMap(({ kind, whole }, index) => {
    const mdat = boxes[index + 1];
    return kind === 'moof' && mdat?.kind === 'mdat' ? [fragmentOf(whole, mdat.whole)] : [];
  });
  const made = fragments.flatMap((one, index) => {
    const until = fragments[index + 1]?.at ?? one.at + one.duration;
    return silenced(one, until, track);
  });
  const rest = boxes.filter(({ kind }) => kind !== 'moof' && kind !== 'mdat');
  return Buffer.concat([...made, ...rest.map(({ whole }) => whole)]);
}

function fragmentOf(moof: Buffer, mdat: Buffer): Fragment {
  const content = moof.subarray(8);
  const tfdt = boxAt(content, ['traf', 'tfdt']);
  const trun = boxAt(content, ['traf', 'trun']);
  const at = tfdt ? Number(tfdt.readBigUInt64BE(4)) : 0;
  return { moof, mdat, at, duration: trun?.readUInt32BE(12) ?? 0 };
}

function silenced({ moof, mdat, at }: Fragment, until: number, track: SilentTrack): Buffer[] {
  const first = frameAt(at, track);
  const frames = Math.max(0, frameAt(until, track) - first);
  if (frames === 0) return [moof, mdat];
  const samples = Array.from({ length: frames }, () => track.frame);
  const addedBytes = silentRun(first, frames, 0, track).length;
  const run = silentRun(first, frames, moof.length + addedBytes + mdat.length, track);
  return [box('moof', movedRuns(moof, addedBytes), run), box('mdat', mdat.subarray(8), ...samples)];
}

/** The number of the first frame that begins at that time or after it. */
const frameAt = (ticks: number, { rate }: SilentTrack): number =>
  Math.ceil((ticks * rate) / ticksPerSecond / frameSamples);

const baseIsMoof = 0x02_00_00;
const hasDuration = 0x8;
const hasSize = 0x10;
const hasDataOffset = 0x1;

/** All its frames have one duration and one size. */
function silentRun(first: number, frames: number, dataAt: number, track: SilentTrack): Buffer {
  const flags = baseIsMoof | hasDuration | hasSize;
  const tfhd = fullBox('tfhd', 0, flags, u32(track.id, frameSamples, track.frame.length));
  const tfdt = fullBox('tfdt', 1, 0, u64(first * frameSamples));
  return box('traf', tfhd, tfdt, fullBox('trun', 0, hasDataOffset, u32(frames, dataAt)));
}

/** The content of a `moof` whose data lies so many bytes further on. */
function movedRuns(moof: Buffer, byBytes: number): Buffer {
  const content = Buffer.from(moof.subarray(8));
  const trun = boxAt(content, ['traf', 'trun']);
  // Our fragments always say where their data is: behind the number of samples.
  trun?.writeInt32BE(trun.readInt32BE(8) + byBytes, 8);
  return content;
}
