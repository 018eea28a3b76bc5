/** Measures how RTP packets come (RFC 3550): what their sequence numbers leave out, and how unevenly they arrive. */
import type { PacketFigures } from '../../protocol/diagnosis-messages.ts';
import { rtpOf, senderReportOf, type RtpPacket } from '../../sources/rtsp/rtp.ts';
import { tenths } from './spread.ts';

/** A camera sends a few streams; more are ignored. */
const maxStreams = 16;
/** RTCP packets have these types (RFC 5761, 4), where RTP has a marker and a payload type. */
const rtcpTypes = { first: 192, last: 223 };

export class PacketMeter {
  readonly #streams = new Map<string, PacketStream>();
  readonly #reports = new Map<number, number>();

  take(channel: number, packet: Buffer, atMs: number): void {
    const type = packet[1] ?? 0;
    if (type >= rtcpTypes.first && type <= rtcpTypes.last) {
      if (!senderReportOf(packet)) return;
      // Reports come by the channel after that of their packets.
      this.#reports.set(channel - 1, (this.#reports.get(channel - 1) ?? 0) + 1);
      return;
    }
    const rtp = rtpOf(packet);
    if (rtp) this.#streamOf(channel, rtp)?.take(rtp, packet.length, atMs);
  }

  /** `rateOf`: the ticks a second of a payload type's timestamps; null when it is not known. */
  figures(rateOf: (payloadType: number) => number | null): PacketFigures[] {
    return [...this.#streams.values()].map((stream) =>
      stream.figures(rateOf(stream.payloadType), this.#reports.get(stream.channel) ?? 0),
    );
  }

  #streamOf(channel: number, { payloadType }: RtpPacket): PacketStream | null {
    const name = `${channel} ${payloadType}`;
    const known = this.#streams.get(name);
    if (known || this.#streams.size >= maxStreams) return known ?? null;
    const stream = new PacketStream(channel, payloadType);
    this.#streams.set(name, stream);
    return stream;
  }
}

class PacketStream {
  readonly channel: number;
  readonly payloadType: number;
  #packets = 0;
  #bytes = 0;
  #gaps = 0;
  #lost = 0;
  #repeated = 0;
  #late = 0;
  #largestBytes = 0;
  #newest: number | null = null;
  /** When the first packet of each timestamp came: jitter needs the clock rate, which is known at the end. */
  readonly #arrivals: { readonly atMs: number; readonly timestamp: number }[] = [];

  constructor(channel: number, payloadType: number) {
    this.channel = channel;
    this.payloadType = payloadType;
  }

  take({ sequence, timestamp }: RtpPacket, bytes: number, atMs: number): void {
    this.#packets += 1;
    this.#bytes += bytes;
    this.#largestBytes = Math.max(this.#largestBytes, bytes);
    this.#count(sequence);
    if (timestamp !== this.#arrivals.at(-1)?.timestamp) this.#arrivals.push({ atMs, timestamp });
  }

  figures(rate: number | null, senderReports: number): PacketFigures {
    return {
      channel: this.channel,
      payloadType: this.payloadType,
      packets: this.#packets,
      bytes: this.#bytes,
      gaps: this.#gaps,
      lost: Math.max(0, this.#lost),
      repeated: this.#repeated,
      late: this.#late,
      jitterMs: rate === null ? null : tenths(this.#jitterMs(rate)),
      largestBytes: this.#largestBytes,
      senderReports,
    };
  }

  #count(sequence: number): void {
    const ahead = this.#newest === null ? 1 : (sequence - this.#newest) & 0xffff;
    if (ahead === 0) this.#repeated += 1;
    else if (ahead >= 0x8000) {
      // It comes after one that was sent later, and was counted as lost until now.
      this.#late += 1;
      this.#lost -= 1;
    } else {
      this.#newest = sequence;
      if (ahead === 1) return;
      this.#gaps += 1;
      this.#lost += ahead - 1;
    }
  }

  /**
   * RFC 3550, 6.4.1 and A.8: the mean deviation of the difference of two transit times, smoothed by 16. The packets of
   * one picture share a timestamp and come at once: only the first of them counts.
   */
  #jitterMs(rate: number): number {
    let jitterMs = 0;
    for (const [index, { atMs, timestamp }] of this.#arrivals.entries()) {
      const before = this.#arrivals[index - 1];
      if (!before) continue;
      const ticks = (timestamp - before.timestamp) | 0;
      const deviationMs = Math.abs(atMs - before.atMs - (ticks * 1000) / rate);
      jitterMs += (deviationMs - jitterMs) / 16;
    }
    return jitterMs;
  }
}
