/** Notes what a source reports to its observer, and leaves out what is private. */
import { readSdp } from '../../sources/rtsp/sdp.ts';
import type { CameraReply, SourceObserver } from '../../sources/observer.ts';
import type {
  PacketFigures,
  SourceChoice,
  ReportedReply,
} from '../../protocol/diagnosis-messages.ts';
import type { Secrets } from './left-out.ts';
import { PacketMeter } from './packet-figures.ts';
import { reportedHead } from './reported-head.ts';
import { reportedPlaylist } from './reported-playlist.ts';
import { reportedSdp } from './reported-sdp.ts';

/** Opening takes eight or so; redirects and FFmpeg's own attempt come on top. */
const maxReplies = 40;

export class Observation implements SourceObserver {
  readonly choices: SourceChoice[] = [];
  readonly replies: ReportedReply[] = [];
  /** Replies beyond those. */
  moreReplies = 0;
  readonly #secrets: Secrets;
  readonly #sinceMs: () => number;
  readonly #packets = new PacketMeter();
  /** Clock rates by payload type, as the SDP says. */
  readonly #rates = new Map<number, number>();

  /** `sinceMs`: since the first attempt to connect. */
  constructor(secrets: Secrets, sinceMs: () => number) {
    this.#secrets = secrets;
    this.#sinceMs = sinceMs;
  }

  get packets(): PacketFigures[] {
    return this.#packets.figures((payloadType) => this.#rates.get(payloadType) ?? null);
  }

  replied({ protocol, method, head, body }: CameraReply): void {
    if (this.replies.length >= maxReplies) {
      this.moreReplies += 1;
      return;
    }
    const isSdp = protocol === 'rtsp' && body.startsWith('v=');
    if (isSdp)
      for (const { payloadType, clockRate } of readSdp(body).media)
        this.#rates.set(payloadType, clockRate);
    const said = [
      ...(protocol === 'hls' ? reportedPlaylist(body) : reportedHead(head)),
      ...(isSdp ? reportedSdp(body) : []),
    ];
    const lines = said.map((line) => this.#secrets.without(line));
    this.replies.push({ atMs: Math.round(this.#sinceMs()), protocol, method, lines });
  }

  chose(choice: SourceChoice): void {
    this.choices.push(choice);
  }

  packet(channel: number, packet: Buffer): void {
    this.#packets.take(channel, packet, this.#sinceMs());
  }
}
