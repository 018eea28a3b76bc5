/**
 * One picture, or a stretch of sound, as a camera coded it: bytes of our own, so that whoever reads, keeps or passes
 * them on needs no FFmpeg, and owes it nothing. FFmpeg gets a packet of its own where something is decoded.
 */
import { AV_PKT_FLAG_KEY } from 'node-av/constants';
import { Packet } from 'node-av/lib';
import { ticksPerSecond, type Moment } from './timeline.ts';

export interface Coded {
  readonly kind: 'picture' | 'sound';
  readonly data: Buffer;
  /** Whether it needs no other to be decoded. */
  readonly key: boolean;
  /**
   * When it is shown and when it is decoded, in ticks of 90 kHz of the camera's own clock, which may begin anywhere;
   * null where nobody says.
   */
  readonly pts: number | null;
  readonly dts: number | null;
  /** In the same ticks; 0 where nobody says. */
  readonly duration: number;
}

/** For FFmpeg, with those times; the caller frees it. */
export function packetOf({ data, key }: Pick<Coded, 'data' | 'key'>, moment: Moment): Packet {
  const packet = new Packet();
  packet.alloc();
  packet.data = data;
  if (key) packet.setFlags(AV_PKT_FLAG_KEY);
  packet.pts = BigInt(moment.pts);
  packet.dts = BigInt(moment.dts);
  packet.duration = BigInt(moment.duration);
  packet.timeBase = { num: 1, den: ticksPerSecond };
  return packet;
}

/** Its own times, where it has some. */
export const momentOf = ({ pts, dts, duration }: Coded): Moment => {
  const decodedAt = dts ?? pts ?? 0;
  return { pts: pts ?? decodedAt, dts: decodedAt, duration };
};
