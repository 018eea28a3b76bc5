/** The sound of scripted cameras: a tone in G.711, or silence in AAC, over RTP (RFC 3551, RFC 3640). */
export type SoundKind = 'pcma' | 'pcmu' | 'aac';

interface SoundShape {
  readonly rate: number;
  /** Samples in a packet. */
  readonly samples: number;
  readonly payloadType: number;
  readonly sdp: readonly string[];
  readonly payload: Buffer;
}

/** A square wave of 400 Hz at half the full level: the code words of ±16,000 in A-law, in mu-law. */
function tone(high: number, low: number): Buffer {
  return Buffer.from(Array.from({ length: 160 }, (_, at) => (at % 20 < 10 ? high : low)));
}

/** A silent frame of AAC-LC, mono, as an access unit with its header. */
const silence = Buffer.from([0x00, 0xc8, 0x00, 0x80, 0x23, 0x80]);
const unitHeader = Buffer.from([0x00, 0x10, 0x00, silence.length << 3]);

const shapes: Readonly<Record<SoundKind, SoundShape>> = {
  pcma: { rate: 8_000, samples: 160, payloadType: 8, sdp: [], payload: tone(0xba, 0x3a) },
  pcmu: { rate: 8_000, samples: 160, payloadType: 0, sdp: [], payload: tone(0x90, 0x10) },
  aac: {
    rate: 16_000,
    samples: 1_024,
    payloadType: 97,
    sdp: [
      'a=rtpmap:97 MPEG4-GENERIC/16000/1',
      'a=fmtp:97 streamtype=5;profile-level-id=15;mode=AAC-hbr;config=1408;sizelength=13;indexlength=3;indexdeltalength=3',
    ],
    payload: Buffer.concat([unitHeader, silence]),
  },
};

export function soundSdp(kind: SoundKind): string[] {
  const { payloadType, sdp } = shapes[kind];
  return [`m=audio 0 RTP/AVP ${payloadType}`, ...sdp, 'a=control:track2'];
}

/** Plays one kind for ever, framed for RTSP over TCP on channel 2. */
export class SoundPlayer {
  readonly #shape: SoundShape;
  #sent = 0;

  constructor(kind: SoundKind) {
    this.#shape = shapes[kind];
  }

  /** What is due that many seconds after the beginning. */
  packetsUntil(seconds: number): Buffer {
    const { rate, samples } = this.#shape;
    const packets: Buffer[] = [];
    while ((this.#sent * samples) / rate <= seconds) packets.push(this.#packet());
    return Buffer.concat(packets);
  }

  #packet(): Buffer {
    const { samples, payloadType, payload } = this.#shape;
    const head = Buffer.alloc(16);
    head.write('$\x02', 0, 'latin1');
    head.writeUInt16BE(12 + payload.length, 2);
    head.writeUInt8(0x80, 4);
    head.writeUInt8(payloadType | 0x80, 5);
    head.writeUInt16BE(this.#sent & 0xffff, 6);
    head.writeUInt32BE(this.#sent * samples, 8);
    head.writeUInt32BE(0x87654321, 12);
    this.#sent += 1;
    return Buffer.concat([head, payload]);
  }
}
