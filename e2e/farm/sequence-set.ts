/** Takes the usage information (ITU-T H.264, annex E) out of sequence parameter sets, as some encoders write none. */
import { unitsOf } from './rtp.ts';

const startCode = Buffer.from([0, 0, 0, 1]);

export const isSequenceSet = (unit: Buffer): boolean => ((unit[0] ?? 0) & 31) === 7;

/** The same picture, whose parameter set says neither a rate nor how far pictures are reordered. */
export function withoutUsage(annexB: Buffer): Buffer {
  return Buffer.concat(
    unitsOf(annexB).flatMap((unit) => [startCode, isSequenceSet(unit) ? cutOff(unit) : unit]),
  );
}

/** Reads sets of the profiles Baseline and Main, without emulation prevention in what is kept. */
function cutOff(set: Buffer): Buffer {
  const all = [...set.subarray(1)].flatMap((byte) =>
    Array.from({ length: 8 }, (_, bit) => (byte >> (7 - bit)) & 1),
  );
  let at = 24;
  const number = (): number => {
    let zeros = 0;
    while (all[at] === 0) [zeros, at] = [zeros + 1, at + 1];
    const bits = all.slice(at, at + zeros + 1);
    at += zeros + 1;
    return Number.parseInt(bits.join(''), 2) - 1;
  };
  number();
  number();
  if (number() === 0) number();
  number();
  at += 1;
  number();
  number();
  // Frames alone, or fields too; then direct inference.
  at += all[at] === 1 ? 2 : 3;
  const isCropped = all[at++] === 1;
  if (isCropped) for (let edge = 0; edge < 4; edge++) number();
  // No usage information follows, then the end of the set.
  const kept = [...all.slice(0, at), 0, 1];
  while (kept.length % 8 > 0) kept.push(0);
  const bytes = Array.from({ length: kept.length / 8 }, (_, index) =>
    Number.parseInt(kept.slice(index * 8, index * 8 + 8).join(''), 2),
  );
  return Buffer.from([set[0]!, ...bytes]);
}
