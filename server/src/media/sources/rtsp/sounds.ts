/** Depacketizes sound from RTP: AAC (RFC 3640) and G.711 (RFC 3551). */
import type { RtpPacket } from './rtp.ts';
import type { SdpMedia } from './sdp.ts';

export interface ArrivedSound {
  readonly data: Buffer;
  /** 32 bits, in ticks of the stream's clock. */
  readonly timestamp: number;
  /** How long it lasts, in ticks of the stream's clock. */
  readonly samples: number;
}

export type SoundReader = (packet: RtpPacket) => ArrivedSound[];

/** AAC codes so many samples at a time. */
const aacSamples = 1024;
/** AAC with six channels makes less of 1,024 samples. */
const maxUnitBytes = 16 * 1024;

/** One byte a sample. */
export const g711Sounds: SoundReader = ({ payload, timestamp }) =>
  payload.length > 0 ? [{ data: Buffer.from(payload), timestamp, samples: payload.length }] : [];

/** Reads the AU headers by the field lengths of the SDP, in bits; null for a form that no camera sends. */
export function aacSounds({ format }: SdpMedia): SoundReader | null {
  const bits = (name: string): number => Number(format.get(name) ?? 0);
  const [size, index, delta] = [bits('sizelength'), bits('indexlength'), bits('indexdeltalength')];
  if (format.get('mode')?.toLowerCase() !== 'aac-hbr' || size + index !== 16 || index !== delta)
    return null;
  let pieces: Buffer[] = [];
  return ({ payload, timestamp, marker }) => {
    if (payload.length < 4) return [];
    const headsBytes = Math.ceil(payload.readUInt16BE(0) / 8);
    let at = 2 + headsBytes;
    if (at > payload.length) return [];
    const sizes: number[] = [];
    for (let head = 2; head + 2 <= 2 + headsBytes; head += 2)
      sizes.push(payload.readUInt16BE(head) >> index);
    const [only = 0] = sizes;
    // A unit that is larger than a packet comes in fragments, each with the size of the whole.
    if (sizes.length === 1 && only > payload.length - at) {
      pieces.push(Buffer.from(payload.subarray(at)));
      const whole = Buffer.concat(pieces);
      if (marker || whole.length >= only || whole.length > maxUnitBytes) pieces = [];
      return whole.length === only ? [{ data: whole, timestamp, samples: aacSamples }] : [];
    }
    pieces = [];
    const sounds: ArrivedSound[] = [];
    for (const [nth, bytes] of sizes.entries()) {
      if (bytes === 0 || at + bytes > payload.length) break;
      const data = Buffer.from(payload.subarray(at, at + bytes));
      sounds.push({ data, timestamp: (timestamp + nth * aacSamples) >>> 0, samples: aacSamples });
      at += bytes;
    }
    return sounds;
  };
}
