/**
 * Extracts NAL units of H.264 and H.265 from RTP payloads (RFC 6184, packetization modes 0 and 1; RFC 7798 without
 * interleaving), and reads from them where a picture begins.
 */
import { Bits } from '../../codec/bits.ts';
import { isRecoveryPoint } from '../../codec/h264.ts';
import { typeOf265, vps265 } from '../../codec/h265.ts';
import { isInterlaced264 } from '../../codec/sps264.ts';
import type { NalBuffer } from './nal-buffer.ts';

export interface NalKind {
  /** Whether the unit is a slice of a picture, not a parameter set or the like. */
  readonly isSlice: boolean;
  /** Whether the slice is the first of its picture. */
  readonly isFirst: boolean;
  /** Whether decoding can begin with its picture. */
  readonly isKey: boolean;
  /** Whether it says that pictures may come as two fields. */
  readonly mayHaveFields?: boolean;
  /** A parameter set that stands before a picture with which decoding can begin, if that picture is `isIntra`. */
  readonly isSet?: boolean;
  /** Whether the slice refers to no other picture. */
  readonly isIntra?: boolean;
}

export interface Depacketizer {
  /**
   * Adds the units of a payload to the buffer; `onNal` is called for each unit with the kind that its first bytes
   * tell.
   */
  take(payload: Buffer, units: NalBuffer, onNal: (kind: NalKind) => void): void;
}

const other: NalKind = { isSlice: false, isFirst: false, isKey: false };

/** Reads the units of an aggregation packet, each with its length before it. */
function takeAll(payload: Buffer, from: number, add: (unit: Buffer) => void): void {
  for (let at = from; at + 2 <= payload.length;) {
    const end = at + 2 + payload.readUInt16BE(at);
    if (end > payload.length) return;
    if (end > at + 2) add(payload.subarray(at + 2, end));
    at = end;
  }
}

/** How the payloads of one codec are laid out. */
interface Layout {
  /** Bytes of a unit's head; the fragmentation header follows them. */
  readonly headBytes: 1 | 2;
  readonly typeOf: (unit: Buffer) => number;
  /** Payload types of aggregation packets and of fragmentation units; lower types are single NAL units. */
  readonly aggregate: number;
  readonly fragment: number;
  /** The head of the unit that a fragment belongs to. */
  readonly headOf: (payload: Buffer, type: number) => Buffer;
  /** `begins`: the first bytes of the unit, as many as have come. */
  readonly kindOf: (begins: Buffer) => NalKind;
}

/** So many bytes of a slice are inspected. */
const beginningBytes = 64;
const startCode = Buffer.from([0, 0, 1]);

/**
 * Some cameras (V380) send parameter sets and the key picture as one unit, with start codes inside. No unit contains one
 * by itself, and slices are not searched, so that this costs nothing.
 */
function* unitsWithin(unit: Buffer, kindOf: Layout['kindOf']): Generator<NalKind> {
  for (let at = 0; ;) {
    const begins = unit.subarray(at);
    const kind = kindOf(begins.subarray(0, beginningBytes));
    yield kind;
    const next = kind.isSlice ? -1 : begins.indexOf(startCode);
    if (next < 0) return;
    at += next + startCode.length;
  }
}

function depacketizerOf(layout: Layout): Depacketizer {
  const { headBytes, typeOf, aggregate, fragment, headOf, kindOf } = layout;
  const piece: Depacketizer['take'] = (payload, units, onNal) => {
    const state = payload[headBytes] ?? 0;
    const content = payload.subarray(headBytes + 1);
    if (state & 0x80) {
      const head = headOf(payload, state & 0x3f);
      for (const kind of unitsWithin(Buffer.concat([head, content]), kindOf)) onNal(kind);
      units.begin(head);
    }
    units.go(content);
    if (state & 0x40) units.end();
  };
  return {
    take(payload, units, onNal) {
      const type = typeOf(payload);
      if (type === fragment) {
        // The last piece may be empty: its bits count.
        if (payload.length > headBytes) piece(payload, units, onNal);
        return;
      }
      const add = (unit: Buffer): void => {
        for (const kind of unitsWithin(unit, kindOf)) onNal(kind);
        units.add(unit);
      };
      if (type < aggregate) add(payload);
      else if (type === aggregate) takeAll(payload, headBytes, add);
    },
  };
}

const idr = 5;
const sei = 6;
const sps = 7;
/** Types of slices without prediction from other pictures (ITU-T H.264, table 7-6): I and SI. */
const intraSlices = [2, 4, 7, 9];

function kind264(begins: Buffer): NalKind {
  const type = (begins[0] ?? 0) & 31;
  if (type === sei) return { ...other, isKey: isRecoveryPoint(begins) };
  if (type === sps) return { ...other, isSet: true, mayHaveFields: isInterlaced264(begins) };
  if (type < 1 || type > idr) return other;
  // The number of its first macroblock, ue(v): 0 is a single set bit.
  const isFirst = type <= 2 || type === idr ? ((begins[1] ?? 0) & 0x80) !== 0 : false;
  const isIntra = type === idr || (isFirst && intraSlices.includes(sliceTypeOf(begins)));
  return { isSlice: true, isFirst, isKey: type === idr, isIntra };
}

function sliceTypeOf(slice: Buffer): number {
  const bits = new Bits(slice.subarray(1));
  bits.unsigned();
  return bits.unsigned();
}

export const h264Depacketizer = depacketizerOf({
  headBytes: 1,
  typeOf: (unit) => (unit[0] ?? 0) & 31,
  aggregate: 24,
  fragment: 28,
  headOf: (payload, type) => Buffer.from([((payload[0] ?? 0) & 0xe0) | (type & 31)]),
  kindOf: kind264,
});

function kind265(begins: Buffer): NalKind {
  const type = typeOf265(begins);
  if (type >= vps265) return other;
  const isFirst = ((begins[2] ?? 0) & 0x80) !== 0;
  return { isSlice: true, isFirst, isKey: type >= 16 && type <= 23 };
}

export const h265Depacketizer = depacketizerOf({
  headBytes: 2,
  typeOf: typeOf265,
  aggregate: 48,
  fragment: 49,
  headOf: ([first = 0, second = 0], type) => Buffer.from([(first & 0x81) | (type << 1), second]),
  kindOf: kind265,
});
