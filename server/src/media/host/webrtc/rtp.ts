/**
 * Makes RTP packets of H.264 (RFC 6184, packetization mode 1). Packets are made once for all peers: what differs from
 * peer to peer is written into the head just before sending.
 */
import { unitsOf } from '../../codec/h264.ts';
import { boxAt } from '../../mp4/boxes.ts';

/** The fields of a packet that differ from peer to peer. */
export interface PacketHead {
  readonly payloadType: number;
  readonly sequence: number;
  readonly ssrc: number;
  /** Id of the header extension that turns pictures, where they are to be turned. */
  readonly orientationId: number;
}

export type Rotation = 0 | 90 | 180 | 270;

/** With the heads of SRTP, UDP and IP a packet stays below any usual MTU. */
const maxPayloadBytes = 1_180;
const headBytes = 12;
/** Two bytes of profile, two of length, and one word: id, value and padding (RFC 8285). */
const extensionBytes = 8;
const unitType = (unit: Buffer): number => (unit[0] ?? 0) & 31;
const parameterSet = 7;
/** Access unit delimiters and filler data are not sent. */
const leftOut = [9, 12];
const fragmented = 28;

/** The NAL units of one fragment of the live view; a key frame begins with its parameter sets. */
export function unitsOfFragment(body: Buffer, key: boolean, sets: readonly Buffer[]): Buffer[] {
  const content = boxAt(body, ['mdat']);
  const units = content ? unitsOf(content, true) : [];
  const lacksSets = key && !units.some((unit) => unitType(unit) === parameterSet);
  return lacksSets ? [...sets, ...units] : units;
}

/** `timestamp`: ticks of 90 kHz, 32 bits. The last packet of a picture has the marker bit. */
export function packetsOf(
  units: readonly Buffer[],
  timestamp: number,
  rotation: Rotation,
): Buffer[] {
  const payloads = units.filter((unit) => !leftOut.includes(unitType(unit))).flatMap(payloadsOf);
  return payloads.map((payload, index) => {
    const last = index === payloads.length - 1;
    const extended = last && rotation !== 0;
    const head = Buffer.alloc(headBytes + (extended ? extensionBytes : 0));
    head[0] = extended ? 0x90 : 0x80;
    head[1] = last ? 0x80 : 0;
    head.writeUInt32BE(timestamp, 4);
    // The last packet of a picture says how far it is to be turned clockwise, in quarters.
    if (extended) head.set([0xbe, 0xde, 0, 1, 0, rotation / 90, 0, 0], headBytes);
    return Buffer.concat([head, ...payload]);
  });
}

/** Writes a peer's own fields into a packet. */
export function address(packet: Buffer, head: PacketHead): void {
  const mark = (packet[1] ?? 0) & 0x80;
  packet[1] = mark | head.payloadType;
  packet.writeUInt16BE(head.sequence, 2);
  packet.writeUInt32BE(head.ssrc, 8);
  const extended = ((packet[0] ?? 0) & 0x10) !== 0;
  if (extended) packet[headBytes + 4] = head.orientationId << 4;
}

/** Whether this is RTCP that asks for a key frame: PLI or FIR (RFC 4585, RFC 5104), also in a compound packet. */
export function asksForKey(message: Buffer): boolean {
  for (let at = 0; at + 4 <= message.length; at += 4 * (message.readUInt16BE(at + 2) + 1)) {
    const format = (message[at] ?? 0) & 31;
    if (message[at + 1] === 206 && (format === 1 || format === 4)) return true;
  }
  return false;
}

/** A NAL unit as it is, or split into fragmentation units (FU-A). */
function payloadsOf(unit: Buffer): Buffer[][] {
  if (unit.length <= maxPayloadBytes) return [[unit]];
  const indicator = ((unit[0] ?? 0) & 0xe0) | fragmented;
  const type = unitType(unit);
  const payloads: Buffer[][] = [];
  const step = maxPayloadBytes - 2;
  for (let at = 1; at < unit.length; at += step) {
    const begins = at === 1 ? 0x80 : 0;
    const ends = at + step >= unit.length ? 0x40 : 0;
    payloads.push([Buffer.from([indicator, begins | ends | type]), unit.subarray(at, at + step)]);
  }
  return payloads;
}
