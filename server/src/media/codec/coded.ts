/**
 * One picture, or a stretch of sound, as a camera coded it. The bytes are ours, so that reading, keeping and passing
 * them on needs no FFmpeg and frees nothing; where something is decoded FFmpeg gets a packet of its own.
 */
import { AV_PKT_FLAG_KEY } from 'node-av/constants';
import { Packet } from 'node-av/lib';
import { ticksPerSecond, type Moment } from './timeline.ts';

export interface Coded {
  readonly kind: 'picture' | 'sound';
  readonly data: Buffer;
  /** Whether it can be decoded without any other. */
  readonly key: boolean;
  /**
   * When it is shown and when it is decoded, in ticks of 90 kHz of the camera's own clock, which may begin anywhere;
   * null where the source does not say.
   */
  readonly pts: number | null;
  readonly dts: number | null;
  /** In the same ticks; 0 where the source does not say. */
  readonly duration: number;
}

/** A packet for FFmpeg with those times; the caller frees it. */
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

/** Its own times, where the source gave some. */
export const momentOf = ({ pts, dts, duration }: Coded): Moment => {
  const decodedAt = dts ?? pts ?? 0;
  return { pts: pts ?? decodedAt, dts: decodedAt, duration };
};
