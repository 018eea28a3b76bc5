/**
 * One browser that gets pictures by WebRTC. Each send is guarded: the native library throws when the other side left,
 * and an exception here would end the whole process with all its cameras.
 */
import { randomInt } from 'node:crypto';
import type { PeerConnection, Track } from 'node-datachannel';
import { awaitAtMost, type Clock } from '#lib/clock.ts';
import { orientationLine, writeOffer, type Offer } from './offer.ts';
import { address, asksForKey } from './rtp.ts';
import type { PeerPorts } from '../../protocol/messages.ts';

export interface PeerOptions {
  readonly offer: Offer;
  readonly ports: PeerPorts;
  readonly clock: Clock;
  /** Pictures can be sent from now on. */
  readonly opened: () => void;
  /** It lost a picture and needs a key frame to go on. */
  readonly lost: () => void;
  /** It left, could not be reached, or does not keep up. Never called after `dispose`. */
  readonly ended: () => void;
}

/** One picture, ready to be sent. */
export interface Picture {
  readonly key: boolean;
  readonly packets: readonly Buffer[];
}

/** A browser that does not connect within this cannot reach us. */
const connectMs = 10_000;
const gatherMs = 3_000;
/** A group of pictures is sent in portions: sent at once it would overflow the socket buffers of 200 KiB. */
const portionBytes = 48 * 1024;
const portionMs = 4;
/** Twice the largest group of pictures worth sending; beyond it the peer waits for the next key frame. */
const maxQueuedBytes = 8 * 1024 * 1024;
/** Packets kept for retransmission: some seconds at 4 Mbit/s. */
const keptPackets = 2_048;

export class Peer implements Disposable {
  readonly #options: PeerOptions;
  readonly #connection: PeerConnection;
  readonly #track: Track;
  readonly #ssrc: number;
  readonly #end = new AbortController();
  #sequence = randomInt(0x8000);
  #queue: Buffer[] = [];
  #queuedBytes = 0;
  #sending = false;
  #waitsForKey = true;
  #open = false;

  private constructor(
    options: PeerOptions,
    connection: PeerConnection,
    track: Track,
    ssrc: number,
  ) {
    this.#options = options;
    this.#connection = connection;
    this.#track = track;
    this.#ssrc = ssrc;
    track.onOpen(() => this.#opened());
    track.onMessage((message) => {
      if (asksForKey(message) && !this.#end.signal.aborted) options.lost();
    });
    connection.onStateChange((state) => {
      if (['closed', 'failed', 'disconnected'].includes(state)) this.#ended();
    });
  }

  /** Resolves with the peer and the SDP answer for its browser. */
  static async answer(options: PeerOptions): Promise<{ peer: Peer; sdp: string }> {
    const { offer, ports, clock } = options;
    const { PeerConnection, Video, RtcpNackResponder } = await import('node-datachannel');
    const connection = new PeerConnection('viewer', {
      iceServers: [],
      disableAutoNegotiation: true,
      forceMediaTransport: true,
      portRangeBegin: ports.first,
      portRangeEnd: ports.last,
      ...(ports.address === null ? {} : { bindAddress: ports.address }),
    });
    try {
      connection.setRemoteDescription(writeOffer(offer), 'offer');
      const ssrc = randomInt(1, 2 ** 31);
      const video = new Video(offer.mid, 'SendOnly');
      video.addH264Codec(offer.payloadType, offer.parameters);
      video.addSSRC(ssrc, 'camera', 'camera', 'video');
      if (offer.orientationId !== null) video.parseSdpLine(orientationLine(offer.orientationId));
      const track = connection.addTrack(video);
      track.setMediaHandler(new RtcpNackResponder(keptPackets));
      const peer = new Peer(options, connection, track, ssrc);
      const gathered = Promise.withResolvers<void>();
      connection.onGatheringStateChange((state) => {
        if (state === 'complete') gathered.resolve();
      });
      connection.setLocalDescription('answer');
      await awaitAtMost(clock, gathered.promise, gatherMs, peer.#end.signal);
      void peer.#giveUpUnconnected();
      return { peer, sdp: connection.localDescription()?.sdp ?? '' };
    } catch (error) {
      connection.close();
      throw error;
    }
  }

  /** Pictures before the first key frame are left out. */
  send({ key, packets }: Picture): void {
    if (!this.#open) return;
    if (this.#queuedBytes > maxQueuedBytes) this.#skip();
    if (this.#waitsForKey && !key) return;
    this.#waitsForKey = false;
    for (const packet of packets) {
      this.#queue.push(packet);
      this.#queuedBytes += packet.length;
    }
    if (!this.#sending) void this.#send();
  }

  [Symbol.dispose](): void {
    if (this.#end.signal.aborted) return;
    this.#end.abort();
    this.#open = false;
    this.#queue = [];
    this.#connection.close();
  }

  #opened(): void {
    if (this.#end.signal.aborted) return;
    this.#open = true;
    this.#options.opened();
  }

  #ended(): void {
    if (this.#end.signal.aborted) return;
    this[Symbol.dispose]();
    this.#options.ended();
  }

  #skip(): void {
    this.#queue = [];
    this.#queuedBytes = 0;
    this.#waitsForKey = true;
  }

  async #send(): Promise<void> {
    this.#sending = true;
    const { clock } = this.#options;
    const { signal } = this.#end;
    while (this.#open && this.#sendPortion()) {
      await clock.wait(portionMs, signal).catch(() => undefined);
    }
    this.#sending = false;
  }

  /** Returns whether packets are left. */
  #sendPortion(): boolean {
    let sentBytes = 0;
    let sent = 0;
    for (const packet of this.#queue) {
      if (sentBytes >= portionBytes) break;
      if (!this.#give(packet)) return false;
      sentBytes += packet.length;
      sent += 1;
    }
    this.#queue.splice(0, sent);
    this.#queuedBytes -= sentBytes;
    return this.#queue.length > 0;
  }

  #give(packet: Buffer): boolean {
    const { payloadType, orientationId } = this.#options.offer;
    this.#sequence = (this.#sequence + 1) & 0xffff;
    address(packet, {
      payloadType,
      sequence: this.#sequence,
      ssrc: this.#ssrc,
      orientationId: orientationId ?? 0,
    });
    try {
      if (this.#track.isOpen()) {
        this.#track.sendMessageBinary(packet);
        return true;
      }
    } catch {
      // The browser left between two packets.
    }
    this.#ended();
    return false;
  }

  async #giveUpUnconnected(): Promise<void> {
    await this.#options.clock.wait(connectMs, this.#end.signal).catch(() => undefined);
    if (!this.#open) this.#ended();
  }
}
