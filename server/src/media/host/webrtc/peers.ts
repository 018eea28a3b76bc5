/**
 * The browsers that get one camera's pictures by WebRTC. They are fed from the live view's own fragments: H.264
 * as the camera sends it, or as it is encoded for viewers. Whoever comes gets the group of pictures so far at
 * once and is not kept waiting for the next key picture, which can be 10 s away.
 */
import type { Clock } from '#lib/clock.ts';
import { parameterSetsOfExtradata, unitsOf } from '../../codec/h264.ts';
import { h264ConfigurationOf } from '../../mp4/boxes.ts';
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
  readonly ended: (peerId: string) => void;
}

interface Seat {
  readonly peer: Peer;
  /** It has pictures of the present stream. */
  begun: boolean;
  caughtUpAtMs: number;
}

/** A browser on a bad network asks again and again; a whole group of pictures each time would not mend it. */
const catchUpEveryMs = 1_000;
/** Baseline, which every browser has. */
const anyProfile = '42';

export class Peers implements Disposable {
  readonly #options: PeersOptions;
  readonly #seats = new Map<string, Seat>();
  #tap: Disposable | null = null;
  #sets: readonly Buffer[] = [];

  constructor(options: PeersOptions) {
    this.#options = options;
  }

  get count(): number {
    return this.#seats.size;
  }

  /** Answers a browser's offer, or says why it cannot be. */
  async answer(peerId: string, sdp: string, ports: PeerPorts): Promise<PeerAnswer> {
    const { live, rotation, clock } = this.#options;
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
      this.#seats.set(peerId, { peer, begun: false, caughtUpAtMs: -Infinity });
      this.#listen();
      return { sdp: answer, refusal: 'none' };
    } catch {
      // No port of the range is free, or this machine has no such library.
      return refused('unavailable');
    }
  }

  end(peerId: string): void {
    const seat = this.#seats.get(peerId);
    if (!seat) return;
    this.#seats.delete(peerId);
    seat.peer[Symbol.dispose]();
    if (this.#seats.size === 0) this.#leave();
    this.#options.ended(peerId);
  }

  [Symbol.dispose](): void {
    for (const peerId of this.#seats.keys()) this.end(peerId);
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

  /** A stream that begins anew has other times and maybe another size: browsers ask anew. */
  #begin({ body }: Init): void {
    const sets = parameterSetsOfExtradata(h264ConfigurationOf(body));
    this.#sets = sets ? unitsOf(sets, false) : [];
    for (const [peerId, { begun }] of this.#seats) if (begun) this.end(peerId);
  }

  #send(fragment: Fragment): void {
    if (this.#options.live.reorders) {
      // Browsers show WebRTC's pictures in the order they come, and these are sent in another.
      this[Symbol.dispose]();
      return;
    }
    const packets = this.#packetsOf(fragment, ticksOf(fragment.at));
    for (const seat of this.#seats.values()) {
      seat.begun ||= fragment.key;
      seat.peer.send({ key: fragment.key, packets });
    }
  }

  /**
   * The pictures since the last key picture, a tick after each other from the newest on: a browser plays what
   * has old times at its own pace, and would stay that far behind; and it drops what is older than it has shown.
   */
  #catchUp(peerId: string): void {
    const seat = this.#seats.get(peerId);
    const { live, clock } = this.#options;
    const nowMs = clock.monotonicMs();
    const newest = live.gop.at(-1);
    if (!seat || !newest || nowMs - seat.caughtUpAtMs < catchUpEveryMs) return;
    seat.caughtUpAtMs = nowMs;
    seat.begun = true;
    for (const [index, fragment] of live.gop.entries()) {
      const packets = this.#packetsOf(fragment, ticksOf(newest.at) + index);
      seat.peer.send({ key: fragment.key, packets });
    }
  }

  #packetsOf({ body, key }: Fragment, ticks: number): Buffer[] {
    return packetsOf(unitsOfFragment(body, key, this.#sets), ticks >>> 0, this.#options.rotation);
  }
}

/** Times on the wire are those of the media timeline, so that a browser knows which picture it shows. */
const ticksOf = (at: number): number => Math.round(at * ticksPerSecond);

const refused = (refusal: PeerAnswer['refusal']): PeerAnswer => ({ sdp: '', refusal });
