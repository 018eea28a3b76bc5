/** H.264 over RTP (RFC 6184, packetization mode 1), framed for RTSP over TCP. */

const maxPayloadBytes = 1400;

export function unitsOf(annexB: Buffer): Buffer[] {
  const units: Buffer[] = [];
  let at = annexB.indexOf('\x00\x00\x01', 0, 'latin1');
  while (at >= 0) {
    const next = annexB.indexOf('\x00\x00\x01', at + 3, 'latin1');
    let end = next < 0 ? annexB.length : next;
    while (end > at + 3 && annexB[end - 1] === 0) end -= 1;
    units.push(annexB.subarray(at + 3, end));
    at = next;
  }
  return units;
}

export class Packetiser {
  readonly #joins: boolean;
  #sequence = 1;

  /** `joins`: all units of a picture are sent as one, with start codes between them. */
  constructor(joins = false) {
    this.#joins = joins;
  }

  /** One picture as interleaved packets on channel 0. `time` in 90 kHz. */
  packets(annexB: Buffer, time: number): Buffer {
    const all = unitsOf(annexB);
    const units = this.#joins ? [joined(all)] : all;
    const out: Buffer[] = [];
    for (const [index, unit] of units.entries()) {
      const payloads = payloadsOf(unit);
      for (const [part, payload] of payloads.entries()) {
        const last = index === units.length - 1 && part === payloads.length - 1;
        out.push(this.#packet(payload, time, last));
      }
    }
    return Buffer.concat(out);
  }

  #packet(payload: Buffer, time: number, last: boolean): Buffer {
    const head = Buffer.alloc(16);
    head.write('$', 0, 'latin1');
    head.writeUInt16BE(12 + payload.length, 2);
    head.writeUInt8(0x80, 4);
    head.writeUInt8(96 | (last ? 0x80 : 0), 5);
    head.writeUInt16BE(this.#sequence++ & 0xffff, 6);
    head.writeUInt32BE(time >>> 0, 8);
    head.writeUInt32BE(0x12345678, 12);
    return Buffer.concat([head, payload]);
  }
}

const startCode = Buffer.from([0, 0, 0, 1]);

const joined = (units: readonly Buffer[]): Buffer =>
  Buffer.concat(units.flatMap((unit, index) => (index > 0 ? [startCode, unit] : [unit])));

function payloadsOf(unit: Buffer): Buffer[] {
  if (unit.length <= maxPayloadBytes) return [unit];
  const first = unit[0] ?? 0;
  const parts: Buffer[] = [];
  for (let at = 1; at < unit.length; at += maxPayloadBytes - 2) {
    const end = Math.min(unit.length, at + maxPayloadBytes - 2);
    const begins = at === 1 ? 0x80 : 0;
    const ends = end === unit.length ? 0x40 : 0;
    const head = Buffer.from([(first & 0xe0) | 28, begins | ends | (first & 31)]);
    parts.push(Buffer.concat([head, unit.subarray(at, end)]));
  }
  return parts;
}
