/**
 * Units of H.264 and H.265 out of the payloads of RTP (RFC 6184, packetization modes 0 and 1; RFC 7798 without
 * interleaving), and what of a unit tells where a picture begins.
 */
import type { UnitList } from './unit-list.ts';

export interface UnitKind {
  /** Whether it is of a picture itself, not what is said about pictures. */
  readonly isSlice: boolean;
  /** Of a slice: whether it begins its picture. */
  readonly isFirst: boolean;
  /** Whether decoding can begin with its picture. */
  readonly isKey: boolean;
}

export interface UnitCoding {
  /** Puts what is in a payload on the list. Each unit's first bytes are told, also of those that come in pieces. */
  take(payload: Buffer, units: UnitList, told: (kind: UnitKind) => void): void;
  /** Whether the unit says how all that follows is coded: of a parameter set its type, else null. */
  setType(unit: Buffer): number | null;
}

const other: UnitKind = { isSlice: false, isFirst: false, isKey: false };

/** Units that share a payload, each with its length before it. */
function takeAll(payload: Buffer, from: number, add: (unit: Buffer) => void): void {
  for (let at = from; at + 2 <= payload.length;) {
    const end = at + 2 + payload.readUInt16BE(at);
    if (end > payload.length) return;
    if (end > at + 2) add(payload.subarray(at + 2, end));
    at = end;
  }
}

const stapA = 24;
const fuA = 28;
const idr = 5;
const sei = 6;

/** `begins`: the unit from its first byte on, as far as it is there. */
function kind264(begins: Buffer): UnitKind {
  const type = (begins[0] ?? 0) & 31;
  if (type === sei) return { ...other, isKey: isRecoveryPoint(begins) };
  if (type < 1 || type > idr) return other;
  // The number of its first block, ue(v): 0 is a single set bit.
  const isFirst = type <= 2 || type === idr ? ((begins[1] ?? 0) & 0x80) !== 0 : false;
  return { isSlice: true, isFirst, isKey: type === idr };
}

/** Cameras that refresh a picture in parts say from where on it is whole (ITU-T H.264, D.1.8): at once is meant. */
function isRecoveryPoint(unit: Buffer): boolean {
  const recoveryPoint = 6;
  for (let at = 1; at + 2 < unit.length;) {
    let [type, bytes] = [0, 0];
    while (unit[at] === 255) [type, at] = [type + 255, at + 1];
    type += unit[at++] ?? 0;
    while (unit[at] === 255) [bytes, at] = [bytes + 255, at + 1];
    bytes += unit[at++] ?? 0;
    if (type === recoveryPoint) return ((unit[at] ?? 0) & 0x80) !== 0;
    at += bytes;
  }
  return false;
}

export const h264Units: UnitCoding = {
  take(payload, units, told) {
    const type = (payload[0] ?? 0) & 31;
    if (type === fuA && payload.length > 2) {
      const state = payload[1] ?? 0;
      if (state & 0x80) {
        const head = Buffer.from([((payload[0] ?? 0) & 0xe0) | (state & 31)]);
        told(kind264(Buffer.concat([head, payload.subarray(2, 64)])));
        units.begin(head);
      }
      units.go(payload.subarray(2));
      if (state & 0x40) units.end();
      return;
    }
    const add = (unit: Buffer): void => {
      told(kind264(unit));
      units.add(unit);
    };
    if (type >= 1 && type < stapA) add(payload);
    else if (type === stapA) takeAll(payload, 1, add);
  },
  setType: (unit) => {
    const type = (unit[0] ?? 0) & 31;
    return type === 7 || type === 8 ? type : null;
  },
};

const aggregate = 48;
const fragment = 49;

function kind265(begins: Buffer): UnitKind {
  const type = ((begins[0] ?? 0) >> 1) & 63;
  if (type >= 32) return other;
  return {
    isSlice: true,
    isFirst: ((begins[2] ?? 0) & 0x80) !== 0,
    isKey: type >= 16 && type <= 23,
  };
}

export const h265Units: UnitCoding = {
  take(payload, units, told) {
    const type = ((payload[0] ?? 0) >> 1) & 63;
    if (type === fragment && payload.length > 3) {
      const state = payload[2] ?? 0;
      if (state & 0x80) {
        const head = Buffer.from([
          ((payload[0] ?? 0) & 0x81) | ((state & 63) << 1),
          payload[1] ?? 0,
        ]);
        told(kind265(Buffer.concat([head, payload.subarray(3, 8)])));
        units.begin(head);
      }
      units.go(payload.subarray(3));
      if (state & 0x40) units.end();
      return;
    }
    const add = (unit: Buffer): void => {
      told(kind265(unit));
      units.add(unit);
    };
    if (type < aggregate) add(payload);
    else if (type === aggregate) takeAll(payload, 2, add);
  },
  setType: (unit) => {
    const type = ((unit[0] ?? 0) >> 1) & 63;
    return type >= 32 && type <= 34 ? type : null;
  },
};
