/**
 * Descriptions of samples (ISO/IEC 14496-12, 8.5.2) that hold the parameter sets of pictures that were encoded anew beside
 * those of the camera. One description for both: FFmpeg copies to MKV with the first of a track alone, and VLC begins
 * anew at another one.
 */
import { lengthFramed, parameterSetsOfExtradata, unitsOf } from '../codec/h264.ts';
import { parameterSetsOfExtradata265 } from '../codec/h265.ts';
import { hvccOf } from '../codec/hvcc.ts';
import type { RecodedKind } from '../codec/own-size-encoder.ts';
import { box, childrenOf } from '../mp4/boxes.ts';

/** The head of the box and the fields of a visual sample entry, before its child boxes. */
const entryBytes = 8 + 78;
const kinds = {
  avc1: { kind: 'h264', configuration: 'avcC' },
  hvc1: { kind: 'hevc', configuration: 'hvcC' },
} as const;

export interface RecodedStream {
  readonly kind: RecodedKind;
  /** The description of the coding: avcC or hvcC. */
  readonly configuration: Buffer;
  /** Its parameter sets, with start codes. */
  readonly sets: Buffer;
}

/** What is to be known to encode such pictures anew; null where that is not done. `description`: one whole box. */
export function streamOf(description: Buffer): RecodedStream | null {
  const coding = description.toString('latin1', 4, 8);
  const known = coding === 'avc1' || coding === 'hvc1' ? kinds[coding] : null;
  if (!known) return null;
  const children = [...childrenOf(description.subarray(entryBytes))];
  const found = children.find(({ kind }) => kind === known.configuration);
  const configuration = found?.whole.subarray(8);
  if (!configuration) return null;
  const read = known.kind === 'h264' ? parameterSetsOfExtradata : parameterSetsOfExtradata265;
  const sets = read(configuration);
  return sets && { kind: known.kind, configuration, sets };
}

/**
 * What stands before the first picture that is copied behind those that were encoded: Firefox reads the first sets of a
 * description of H.265 alone, and then those that come with pictures.
 */
export function setsBeforeCopied(description: Buffer): Buffer | null {
  const stream = streamOf(description);
  return stream?.kind === 'hevc' ? lengthFramed(stream.sets) : null;
}

/** The description with further parameter sets, which `canDescribe`. */
export function describedWith(description: Buffer, further: Buffer): Buffer {
  const united = further.length > 0 ? unitedConfiguration(description, further) : null;
  if (!united) return description;
  const children = [...childrenOf(description.subarray(entryBytes))].map((child) =>
    child.kind === 'avcC' || child.kind === 'hvcC' ? box(child.kind, united) : child.whole,
  );
  const fields = description.subarray(8, entryBytes);
  return box(description.toString('latin1', 4, 8), fields, ...children);
}

export const canDescribe = (description: Buffer, further: Buffer): boolean =>
  unitedConfiguration(description, further) !== null;

function unitedConfiguration(description: Buffer, further: Buffer): Buffer | null {
  const stream = streamOf(description);
  if (!stream) return null;
  const all = Buffer.concat([stream.sets, further]);
  return stream.kind === 'h264' ? avccOf(stream.configuration, all, further) : hvccOf(all);
}

const baselineAndMain = [66, 77, 88];

/** Profile and level are the higher of the two (ISO/IEC 14496-15, 5.3.3.1). */
function avccOf(configuration: Buffer, sets: Buffer, further: Buffer): Buffer | null {
  const units = unitsOf(sets, false);
  const [sps, pps] = [7, 8].map((type) => units.filter(([first = 0]) => (first & 31) === type));
  const encoded = unitsOf(further, false).find(([first = 0]) => (first & 31) === 7);
  if (!sps || !pps || !encoded || sps.length > 31 || pps.length > 255) return null;
  const [, profile = 0, , level = 0] = configuration;
  const isHigher = encoded[1]! > profile;
  const [higher, constraints] = isHigher ? [encoded[1]!, encoded[2]!] : [profile, 0];
  const head = [1, higher, constraints, Math.max(level, encoded[3]!), 0xff, 0xe0 | sps.length];
  // 4:2:0 in eight bits, without extensions of sequence parameter sets.
  const colours = baselineAndMain.includes(higher) ? [] : [0xfd, 0xf8, 0xf8, 0];
  return Buffer.concat([
    Buffer.from(head),
    ...sps.map(withLength),
    Buffer.from([pps.length]),
    ...pps.map(withLength),
    Buffer.from(colours),
  ]);
}

function withLength(set: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(set.length);
  return Buffer.concat([length, set]);
}
