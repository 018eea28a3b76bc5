/** Pictures as RTSP cameras send them over TCP: H.264 (RFC 6184) and H.265 (RFC 7798), each packet in its frame. */
import { unitsOf } from '@nazar/e2e/farm/rtp.ts';

export type RtpCodec = 'h264' | 'hevc';

const maxPayloadBytes = 1_200;
export const payloadType = 96;

/** Packets of one picture (Annex B). `index` decides time and sequence, so that pictures may come in any order. */
export function packetsOf(picture: Buffer, index: number, codec: RtpCodec): Buffer[] {
  const units = unitsOf(picture);
  const payloads = units.flatMap((unit) => payloadsOf(unit, codec));
  // Room for so many packets a picture; a reader takes the rest for lost, which no camera's picture here comes near.
  const first = index * 64;
  return payloads.map((payload, at) =>
    packet(payload, {
      sequence: first + at,
      time: index * 3_600,
      isLast: at === payloads.length - 1,
    }),
  );
}

interface PacketHead {
  readonly sequence: number;
  readonly time: number;
  readonly isLast: boolean;
}

function packet(payload: Buffer, { sequence, time, isLast }: PacketHead): Buffer {
  const head = Buffer.alloc(16);
  head.write('$', 0, 'latin1');
  head.writeUInt16BE((12 + payload.length) & 0xffff, 2);
  head.writeUInt8(0x80, 4);
  head.writeUInt8(payloadType | (isLast ? 0x80 : 0), 5);
  head.writeUInt16BE(sequence & 0xffff, 6);
  head.writeUInt32BE(time >>> 0, 8);
  head.writeUInt32BE(0x12345678, 12);
  return Buffer.concat([head, payload]);
}

function payloadsOf(unit: Buffer, codec: RtpCodec): Buffer[] {
  const headBytes = codec === 'h264' ? 1 : 2;
  if (unit.length <= maxPayloadBytes) return [unit];
  const parts: Buffer[] = [];
  for (let at = headBytes; at < unit.length; at += maxPayloadBytes) {
    const end = Math.min(unit.length, at + maxPayloadBytes);
    const flags = (at === headBytes ? 0x80 : 0) | (end === unit.length ? 0x40 : 0);
    parts.push(Buffer.concat([fragmentHead(unit, codec, flags), unit.subarray(at, end)]));
  }
  return parts;
}

function fragmentHead(unit: Buffer, codec: RtpCodec, flags: number): Buffer {
  const [first = 0, second = 0] = unit;
  if (codec === 'h264') return Buffer.from([(first & 0xe0) | 28, flags | (first & 31)]);
  return Buffer.from([(first & 0x81) | (49 << 1), second, flags | ((first >> 1) & 63)]);
}

/** What DESCRIBE is answered with. */
export function descriptionOf(pictures: readonly Buffer[], codec: RtpCodec): string {
  const units = unitsOf(pictures[0] ?? Buffer.alloc(0));
  const set = (type: number): string =>
    units
      .find(([first = 0]) => (codec === 'h264' ? first & 31 : (first >> 1) & 63) === type)
      ?.toString('base64') ?? '';
  const parameters =
    codec === 'h264'
      ? `packetization-mode=1;sprop-parameter-sets=${set(7)},${set(8)}`
      : `sprop-vps=${set(32)};sprop-sps=${set(33)};sprop-pps=${set(34)}`;
  return [
    'v=0',
    'o=- 1 1 IN IP4 127.0.0.1',
    's=hostile',
    'c=IN IP4 0.0.0.0',
    't=0 0',
    `m=video 0 RTP/AVP ${payloadType}`,
    `a=rtpmap:${payloadType} ${codec === 'h264' ? 'H264' : 'H265'}/90000`,
    `a=fmtp:${payloadType} ${parameters}`,
    'a=control:track1',
    '',
  ].join('\r\n');
}
