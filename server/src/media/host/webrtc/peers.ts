/**
 * The browsers that get one camera's pictures by WebRTC. They are fed from the fragments of the live view: H.264 as
 * the camera sends it, or as it is encoded for viewers. A new browser gets the present group of pictures at once and
 * does not wait for the next key frame, which can be 10 s away.
 */
import type { Clock } from '#lib/clock.ts';
import { parameterSetsOfExtradata, unitsOf } from '../../codec/h264.ts';
import { h264ConfigurationOf } from '../../mp4/boxes.ts';
import type { CameraLog } from '../camera-log.ts';
import type { Fragment, LiveStream } from '../live/live-stream.ts';
import type { Init } from '../../mp4/remuxer.ts';
import type { PeerAnswer, PeerPorts } from '../../protocol/messages.ts';
import { ticksPerSecond } from '../../codec/timeline.ts';
import { readOffer } from './offer.ts';
import { Peer } from './peer.ts';
import { packetsOf, unitsOfFragment, type Rotation } from './rtp.ts';

export interface PeersOptions {
  readonly live: LiveStream;
  readonly rotation: Rotation;
  readonly clock: Clock;
  readonly log: Pick<CameraLog, 'failed'>;
  readonly ended: (peerId: string) => void;
}

interface ConnectedPeer {
  readonly peer: Peer;
  /** Whether it has got pictures of the present stream. */
  begun: boolean;
  caughtUpAtMs: number;
}

/** A browser on a bad network asks again and again; a whole group of pictures each time would not help it. */
const catchUpEveryMs = 1_000;
/** Baseline, which every browser has. */
const anyProfile = '42';

export class Peers implements Disposable {
  readonly #options: PeersOptions;
  readonly #peers = new Map<string, ConnectedPeer>();
  #tap: Disposable | null = null;
  #sets: readonly Buffer[] = [];

  constructor(options: PeersOptions) {
    this.#options = options;
  }

  get count(): number {
    return this.#peers.size;
  }

  /** Answers a browser's offer, or says why it is refused. */
  async answer(peerId: string, sdp: string, ports: PeerPorts): Promise<PeerAnswer> {
    const { live, rotation, clock, log } = this.#options;
    const configuration = live.init && h264ConfigurationOf(live.init.body);
    const offer = readOffer(sdp, configuration?.toString('hex', 1, 2) ?? anyProfile);
    if (!offer) return refused('offer');
    if (rotation !== 0 && offer.orientationId === null) return refused('offer');
    if (live.reorders) return refused('reordered');
    try {
      const { peer, sdp: answer } = await Peer.answer({
        offer,
        ports,
        clock,
        opened: () => this.#catchUp(peerId),
        lost: () => this.#catchUp(peerId),
        ended: () => this.end(peerId),
      });
      this.#peers.set(peerId, { peer, begun: false, caughtUpAtMs: -Infinity });
      this.#listen();
      return { sdp: answer, refusal: 'none' };
    } catch (error) {
      // No port of the range is free, or the native library does not load on this machine.
      log.failed('a low-latency view was not started', error);
      return refused('unavailable');
    }
  }

  end(peerId: string): void {
    const peerState = this.#peers.get(peerId);
    if (!peerState) return;
    this.#peers.delete(peerId);
    peerState.peer[Symbol.dispose]();
    if (this.#peers.size === 0) this.#leave();
    this.#options.ended(peerId);
  }

  [Symbol.dispose](): void {
    for (const peerId of this.#peers.keys()) this.end(peerId);
  }

  #listen(): void {
    this.#tap ??= this.#options.live.tap({
      init: (init) => this.#begin(init),
      fragment: (fragment) => this.#send(fragment),
    });
  }

  #leave(): void {
    this.#tap?.[Symbol.dispose]();
    this.#tap = null;
  }

  /** A new stream has other times and maybe another size: peers end, and browsers ask again. */
  #begin({ body }: Init): void {
    const sets = parameterSetsOfExtradata(h264ConfigurationOf(body));
    this.#sets = sets ? unitsOf(sets, false) : [];
    for (const [peerId, { begun }] of this.#peers) if (begun) this.end(peerId);
  }

  #send(fragment: Fragment): void {
    if (this.#options.live.reorders) {
      // Browsers show WebRTC's pictures in the order in which they come, which is not the order to show these in.
      this[Symbol.dispose]();
      return;
    }
    const packets = this.#packetsOf(fragment, ticksOf(fragment.at));
    for (const peerState of this.#peers.values()) {
      peerState.begun ||= fragment.key;
      peerState.peer.send({ key: fragment.key, packets });
    }
  }

  /**
   * Sends the group of pictures so far with times one tick apart, from the newest on: a browser plays pictures with old
   * times at their own pace and would stay that far behind, and it drops pictures older than those it has shown.
   */
  #catchUp(peerId: string): void {
    const peerState = this.#peers.get(peerId);
    const { live, clock } = this.#options;
    const nowMs = clock.monotonicMs();
    const newest = live.gop.at(-1);
    if (!peerState || !newest || nowMs - peerState.caughtUpAtMs < catchUpEveryMs) return;
    peerState.caughtUpAtMs = nowMs;
    peerState.begun = true;
    for (const [index, fragment] of live.gop.entries()) {
      const packets = this.#packetsOf(fragment, ticksOf(newest.at) + index);
      peerState.peer.send({ key: fragment.key, packets });
    }
  }

  #packetsOf({ body, key }: Fragment, ticks: number): Buffer[] {
    return packetsOf(unitsOfFragment(body, key, this.#sets), ticks >>> 0, this.#options.rotation);
  }
}

/** RTP times are those of the media timeline, so that a browser knows which picture it shows. */
const ticksOf = (at: number): number => Math.round(at * ticksPerSecond);

const refused = (refusal: PeerAnswer['refusal']): PeerAnswer => ({ sdp: '', refusal });
