/**
 * Bytes of cameras made wrong on purpose: what any bytes can suffer, and what hurts the heads of replies and
 * JPEGs. Pure: the same bytes and the same chance give the same result, so that readers that take chunks can be
 * tested without a network.
 */
import { gzipSync } from 'node:zlib';
import type { Chance } from '../chance.ts';

export interface Mutated {
  /** What was done, for the report of a run. */
  readonly kind: string;
  readonly bytes: Buffer;
}

type Mutation = (bytes: Buffer, chance: Chance) => Buffer;

const KiB = 1024;

const lies16 = [0, 1, 2, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0x8000, 0xfffe, 0xffff] as const;
const lies32 = [0, 1, 0x7f, 0xff, 0xffff, 0x7fff_ffff, 0x8000_0000, 0xffff_fff0, 0xffff_ffff];

function spliced(bytes: Buffer, at: number, removed: number, ...put: readonly Buffer[]): Buffer {
  return Buffer.concat([bytes.subarray(0, at), ...put, bytes.subarray(at + removed)]);
}

/** What any bytes can suffer. */
const anyMutations: Readonly<Record<string, Mutation>> = {
  flip: (bytes, chance) => {
    const out = Buffer.from(bytes);
    for (let flips = 1 + chance.below(12); flips > 0 && out.length > 0; flips--) {
      const at = chance.below(out.length);
      out[at] = out[at]! ^ (1 << chance.below(8));
    }
    return out;
  },
  cut: (bytes, chance) => bytes.subarray(0, chance.below(bytes.length)),
  hole: (bytes, chance) => spliced(bytes, chance.below(bytes.length), 1 + chance.below(64)),
  double: (bytes, chance) => {
    const at = chance.below(bytes.length);
    return spliced(bytes, at, 0, bytes.subarray(at, at + 1 + chance.below(512)));
  },
  rubbish: (bytes, chance) => {
    const put = chance.bytes(1 + chance.below(64));
    return spliced(bytes, chance.below(bytes.length), put.length, put);
  },
  zeros: (bytes, chance) => {
    const put = Buffer.alloc(1 + chance.below(256));
    return spliced(bytes, chance.below(bytes.length), put.length, put);
  },
  length: (bytes, chance) => {
    const out = Buffer.from(bytes);
    const wide = chance.percent(50);
    const at = chance.below(out.length - 4);
    if (at < 0 || out.length < 4) return out;
    if (wide) out.writeUInt32BE(chance.pick(lies32), at);
    else out.writeUInt16BE(chance.pick(lies16), at);
    return out;
  },
  swap: (bytes, chance) => {
    const middle = chance.below(bytes.length);
    return Buffer.concat([bytes.subarray(middle), bytes.subarray(0, middle)]);
  },
};

const numbers = ['0', '-1', '1', '65536', '2147483648', '99999999999999999999', '1e9', '', 'NaN'];
const lines = /\r\n/g;

const asText = (change: (text: string, chance: Chance) => string): Mutation => {
  return (bytes, chance) => Buffer.from(change(bytes.toString('latin1'), chance), 'latin1');
};

/** `put` instead of one of the places that match. */
function atOneOf(text: string, what: RegExp, chance: Chance, put: (found: string) => string) {
  const found = [...text.matchAll(what)];
  if (found.length === 0) return text;
  const { index, 0: match } = chance.pick(found);
  return text.slice(0, index) + put(match) + text.slice(index + match.length);
}

/** What hurts the head of a reply (HTTP, RTSP), or a description in lines (SDP, a playlist). */
export const headMutations: Readonly<Record<string, Mutation>> = {
  number: asText((text, chance) => atOneOf(text, /\d+/g, chance, () => chance.pick(numbers))),
  endless: asText((text, chance) =>
    atOneOf(text, lines, chance, () => `\r\nX-A: ${'a'.repeat((1 + chance.below(64)) * KiB)}\r\n`),
  ),
  many: asText((text, chance) =>
    atOneOf(text, lines, chance, () => `\r\n${'X-B: b\r\n'.repeat(1 + chance.below(8_000))}`),
  ),
  unended: asText((text) => text.replaceAll('\r\n\r\n', '\r\n')),
  lineLost: asText((text, chance) => atOneOf(text, /[^\r\n]*\r\n/g, chance, () => '')),
  lineTwice: asText((text, chance) =>
    atOneOf(text, /[^\r\n]+\r\n/g, chance, (line) => line + line),
  ),
  /** Another boundary than the one that follows, a very long one, none. */
  boundary: asText((text, chance) =>
    text.replace(/boundary=[^\r\n;]*/i, () =>
      chance.pick(['boundary=other', `boundary=${'x'.repeat(100)}`, 'boundary=', 'boundary="', '']),
    ),
  ),
  /** Says that what follows is packed. */
  packed: asText((text, chance) =>
    atOneOf(text, /\r\n/g, chance, () =>
      chance.pick(['\r\nContent-Encoding: gzip\r\n', '\r\nTransfer-Encoding: chunked\r\n']),
    ),
  ),
  status: asText((text, chance) =>
    text.replace(/ \d{3} /, () => ` ${chance.pick([100, 204, 206, 301, 401, 461, 503, 999])} `),
  ),
  injected: asText((text, chance) =>
    atOneOf(
      text,
      /[=:] ?/g,
      chance,
      (found) => found + chance.pick(['\0', '%n%n', '\u00ff'.repeat(300), '"']),
    ),
  ),
};

/** The size in the head of a JPEG, overwritten. */
export function claimed(jpeg: Buffer, width: number, height: number): Buffer {
  const lie = Buffer.from(jpeg);
  const at = lie.findIndex((byte, i) => byte === 0xff && [0xc0, 0xc2].includes(lie[i + 1] ?? 0));
  if (at < 0 || at + 9 > lie.length) return lie;
  lie.writeUInt16BE(height, at + 5);
  lie.writeUInt16BE(width, at + 7);
  return lie;
}

const sizes = [
  [1, 1],
  [0, 0],
  [30_000, 30_000],
  [65_535, 65_535],
  [65_535, 1],
  [7_680, 4_320],
] as const;

/** What hurts a JPEG. */
export const jpegMutations: Readonly<Record<string, Mutation>> = {
  size: (bytes, chance) => {
    const [width, height] = chance.pick(sizes);
    return claimed(bytes, width, height);
  },
  unended: (bytes) => bytes.subarray(0, bytes.length - 2),
  padded: (bytes, chance) => Buffer.concat([bytes, Buffer.alloc(1 + chance.below(64 * KiB))]),
};

const bombs = new Map<number, Buffer>();

/** So many MiB of nothing, packed to a thousandth. */
export function gzipBomb(mebibytes: number): Buffer {
  const made = bombs.get(mebibytes) ?? gzipSync(Buffer.alloc(mebibytes * KiB * KiB), { level: 9 });
  bombs.set(mebibytes, made);
  return made;
}

/** One of these done to the bytes, or to what that made of them once more. */
export function mutated(
  bytes: Buffer,
  chance: Chance,
  more: Readonly<Record<string, Mutation>> = {},
): Mutated {
  const all = Object.entries({ ...anyMutations, ...more });
  const own = Object.entries(more);
  let out = bytes;
  const kinds: string[] = [];
  for (let times = chance.percent(75) ? 1 : 2; times > 0; times--) {
    // What a format is sensitive to, as often as everything else together.
    const [kind, change] = chance.pick(own.length > 0 && chance.percent(50) ? own : all);
    out = change(out, chance);
    kinds.push(kind);
  }
  return { kind: kinds.join('+'), bytes: out };
}

/** The bytes as a network might hand them over: whole, in packets, or a few at a time. */
export function chunksOf(bytes: Buffer, chance: Chance): Buffer[] {
  const most = chance.pick([bytes.length, 1_460, 64, 7]);
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length;) {
    const end = Math.min(bytes.length, at + 1 + chance.below(Math.max(1, most)));
    chunks.push(bytes.subarray(at, end));
    at = end;
  }
  return chunks;
}
