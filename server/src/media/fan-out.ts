/**
 * One camera's live view to all who watch it. Each viewer is on its own: who cannot keep up skips to the
 * next key frame, who takes nothing for 30 s is let go, and nobody else notices.
 */
import type { LiveMessage } from '@nazar/contract/live.ts';
import type { Clock } from '#lib/clock.ts';
import { isGopFull } from './protocol/gop.ts';
import type { LiveFragment, LiveInit } from './protocol/messages.ts';

/** Why a viewer is let go. */
export type EndReason = 'camera' | 'shutdown' | 'stalled';

/** A connection to a browser, or whatever else can take text and bytes. */
export interface Viewer {
  text(json: string): void;
  /** `fragment`: null for an initialisation segment. */
  binary(bytes: Uint8Array, fragment: LiveFragment | null): void;
  /** Accepted by the two above and not taken by the other side yet. */
  queuedBytes(): number;
  close(reason: EndReason): void;
}

const maxQueuedBytes = 2 * 1024 * 1024;
const maxQueuedMs = 1_000;
const stalledMs = 30_000;

interface Sent {
  readonly totalBytes: number;
  readonly atMs: number;
}

export interface JoinOptions {
  /** False: somebody whose pictures come another way, and who hears what is said about them here. */
  readonly pictures?: boolean;
}

interface Seat {
  readonly viewer: Viewer;
  readonly pictures: boolean;
  /** Bytes ever given to the viewer; together with what is queued this tells what it took, and when. */
  sentBytes: number;
  sent: Sent[];
  /** Pictures are left out until a key frame finds the queue short again. */
  skipping: boolean;
  /** When the viewer last took something, or had nothing to take. */
  tookAtMs: number;
  takenBytes: number;
}

export class FanOut {
  readonly #clock: Clock;
  readonly #seats = new Set<Seat>();
  #head: { readonly json: string; readonly init: Uint8Array } | null = null;
  #gop: { readonly head: LiveFragment; readonly body: Uint8Array }[] = [];
  #gopBytes = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Who gets pictures here. */
  get viewers(): number {
    return [...this.#seats].filter(({ pictures }) => pictures).length;
  }

  join(viewer: Viewer, { pictures = true }: JoinOptions = {}): Disposable {
    const tookAtMs = this.#clock.monotonicMs();
    const seat: Seat = {
      viewer,
      pictures,
      sentBytes: 0,
      sent: [],
      skipping: false,
      tookAtMs,
      takenBytes: 0,
    };
    this.#seats.add(seat);
    this.#seat(seat);
    return { [Symbol.dispose]: () => void this.#seats.delete(seat) };
  }

  init({ mime, width, height }: LiveInit, init: Uint8Array): void {
    const message: LiveMessage = { kind: 'stream', mime, width, height };
    this.#head = { json: JSON.stringify(message), init };
    this.#gop = [];
    this.#gopBytes = 0;
    for (const seat of this.#seats) this.#seat(seat);
  }

  fragment(head: LiveFragment, body: Uint8Array): void {
    const { key } = head;
    if (key || isGopFull(this.#gop.length, this.#gopBytes)) {
      this.#gop = [];
      this.#gopBytes = 0;
    }
    if (key || this.#gop.length > 0) {
      this.#gop.push({ head, body });
      this.#gopBytes += body.length;
    }
    for (const seat of this.#seats) if (seat.pictures) this.#offer(seat, head, body);
  }

  /** To all viewers, in time with the pictures; who skips pictures does without. */
  announce(message: LiveMessage): void {
    const json = JSON.stringify(message);
    for (const seat of this.#seats) if (!seat.skipping) this.#text(seat, json);
  }

  /** The host is gone: the next thing to come is a new initialisation segment. */
  lose(): void {
    this.#head = null;
    this.#gop = [];
    this.#gopBytes = 0;
  }

  end(reason: 'camera' | 'shutdown'): void {
    const message: LiveMessage = { kind: 'end', reason };
    for (const seat of this.#seats) {
      seat.viewer.text(JSON.stringify(message));
      seat.viewer.close(reason);
    }
    this.#seats.clear();
  }

  /** Everything a viewer needs to begin. Without a key frame at hand it waits for the next one. */
  #seat(seat: Seat): void {
    if (!this.#head || !seat.pictures) return;
    this.#text(seat, this.#head.json);
    this.#binary(seat, this.#head.init, null);
    seat.skipping = this.#gop.length === 0;
    for (const { head, body } of this.#gop) this.#binary(seat, body, head);
  }

  #offer(seat: Seat, head: LiveFragment, body: Uint8Array): void {
    const slow = this.#isSlow(seat);
    if (this.#clock.monotonicMs() - seat.tookAtMs >= stalledMs) {
      this.#seats.delete(seat);
      seat.viewer.close('stalled');
      return;
    }
    if (slow) seat.skipping = true;
    else if (head.key) seat.skipping = false;
    if (!seat.skipping) this.#binary(seat, body, head);
  }

  /** Whether more waits for this viewer than it may fall behind, in bytes or in time. */
  #isSlow(seat: Seat): boolean {
    const nowMs = this.#clock.monotonicMs();
    const queued = seat.viewer.queuedBytes();
    const taken = seat.sentBytes - queued;
    if (taken > seat.takenBytes || queued === 0) {
      seat.takenBytes = Math.max(taken, seat.takenBytes);
      seat.tookAtMs = nowMs;
    }
    const oldest = seat.sent.findIndex(({ totalBytes }) => totalBytes > taken);
    seat.sent = oldest < 0 ? [] : seat.sent.slice(oldest);
    const behindMs = nowMs - (seat.sent[0]?.atMs ?? nowMs);
    return queued > maxQueuedBytes || behindMs > maxQueuedMs;
  }

  #text(seat: Seat, json: string): void {
    seat.viewer.text(json);
    this.#count(seat, Buffer.byteLength(json));
  }

  #binary(seat: Seat, bytes: Uint8Array, fragment: LiveFragment | null): void {
    seat.viewer.binary(bytes, fragment);
    this.#count(seat, bytes.length);
  }

  #count(seat: Seat, bytes: number): void {
    seat.sentBytes += bytes;
    seat.sent.push({ totalBytes: seat.sentBytes, atMs: this.#clock.monotonicMs() });
  }
}
