/** What a browser is to a low-latency view: it offers to receive H.264, and counts what comes. */
import { PeerConnection, RtcpReceivingSession, Video, type Track } from 'node-datachannel';

export interface Received {
  /** The RTP timestamp, in ticks of 90 kHz. */
  readonly timestamp: number;
  /** The types of the NAL units of one picture, in the order they came. */
  readonly types: readonly number[];
}

export interface ViewerOptions {
  /** Left out of the offer where false, as by a browser that cannot turn pictures. */
  readonly turns?: boolean;
}

export class WebRtcViewer implements Disposable {
  readonly pictures: Received[] = [];
  /** Quarters to be turned by, as the newest picture said; null: not said. */
  turned: number | null = null;
  readonly offer: Promise<string>;
  readonly #connection = new PeerConnection('test', {
    iceServers: [],
    bindAddress: '127.0.0.1',
    disableAutoNegotiation: true,
  });
  readonly #track: Track;
  #types: number[] = [];
  #waiting: { pictures: number; resolve: () => void }[] = [];

  constructor({ turns = true }: ViewerOptions = {}) {
    const video = new Video('video', 'RecvOnly');
    video.addH264Codec(102, 'profile-level-id=42e01f;packetization-mode=1');
    if (turns) video.parseSdpLine('a=extmap:4 urn:3gpp:video-orientation');
    this.#track = this.#connection.addTrack(video);
    this.#track.setMediaHandler(new RtcpReceivingSession());
    this.#track.onMessage((packet) => this.#take(packet));
    const offered = Promise.withResolvers<string>();
    this.#connection.onGatheringStateChange((state) => {
      if (state === 'complete') offered.resolve(this.#connection.localDescription()?.sdp ?? '');
    });
    this.#connection.setLocalDescription('offer');
    this.offer = offered.promise;
  }

  accept(answer: string): void {
    this.#connection.setRemoteDescription(answer, 'answer');
  }

  /** Resolves when that many pictures have come in all. */
  async has(pictures: number): Promise<void> {
    if (this.pictures.length >= pictures) return;
    const enough = Promise.withResolvers<void>();
    this.#waiting.push({ pictures, resolve: enough.resolve });
    await enough.promise;
  }

  /** As a browser does that cannot go on without a key picture. */
  askForKey(): void {
    this.#track.requestKeyframe();
  }

  [Symbol.dispose](): void {
    this.#connection.close();
  }

  #take(packet: Buffer): void {
    const isExtended = ((packet[0] ?? 0) & 0x10) !== 0;
    const payload = packet.subarray(isExtended ? 20 : 12);
    if (isExtended) this.turned = (packet[17] ?? 0) & 3;
    const type = (payload[0] ?? 0) & 31;
    const begins = ((payload[1] ?? 0) & 0x80) !== 0;
    if (type !== 28) this.#types.push(type);
    else if (begins) this.#types.push((payload[1] ?? 0) & 31);
    if (((packet[1] ?? 0) & 0x80) === 0) return;
    this.pictures.push({ timestamp: packet.readUInt32BE(4), types: this.#types });
    this.#types = [];
    this.#waiting = this.#waiting.filter(({ pictures, resolve }) => {
      if (this.pictures.length < pictures) return true;
      resolve();
      return false;
    });
  }
}
