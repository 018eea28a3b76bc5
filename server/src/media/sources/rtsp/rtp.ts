/** Reads RTP packets and RTCP sender reports (RFC 3550). */

export interface RtpPacket {
  readonly marker: boolean;
  readonly payloadType: number;
  /** 16 bits. */
  readonly sequence: number;
  /** 32 bits, in ticks of its stream's clock. */
  readonly timestamp: number;
  /** Who sends it: the number changes with the session. */
  readonly sender?: number;
  /** A view of the packet. */
  readonly payload: Buffer;
}

const headBytes = 12;

/** Null when it is no RTP packet. */
export function rtpOf(packet: Buffer): RtpPacket | null {
  if (packet.length < headBytes) return null;
  const first = packet[0] ?? 0;
  const second = packet[1] ?? 0;
  let begin = headBytes + 4 * (first & 0x0f);
  if (first & 0x10) {
    if (begin + 4 > packet.length) return null;
    begin += 4 + 4 * packet.readUInt16BE(begin + 2);
  }
  const padding = first & 0x20 ? (packet.at(-1) ?? 0) : 0;
  const end = packet.length - padding;
  if (first >> 6 !== 2 || end < begin) return null;
  return {
    marker: (second & 0x80) !== 0,
    payloadType: second & 0x7f,
    sequence: packet.readUInt16BE(2),
    timestamp: packet.readUInt32BE(4),
    sender: packet.readUInt32BE(8),
    payload: packet.subarray(begin, end),
  };
}

/** The same moment on the sender's wall clock and on its stream's clock. */
export interface SenderReport {
  /** Seconds, with a fraction. */
  readonly ntpSeconds: number;
  readonly timestamp: number;
}

const senderReport = 200;

/** The first sender report of a compound packet; null when there is none. */
export function senderReportOf(packet: Buffer): SenderReport | null {
  for (let at = 0; at + 20 <= packet.length; at += 4 * (packet.readUInt16BE(at + 2) + 1)) {
    if (packet[at + 1] !== senderReport) continue;
    const ntpSeconds = packet.readUInt32BE(at + 8) + packet.readUInt32BE(at + 12) / 2 ** 32;
    return { ntpSeconds, timestamp: packet.readUInt32BE(at + 16) };
  }
  return null;
}
