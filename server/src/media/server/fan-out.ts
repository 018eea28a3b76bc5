/**
 * Sends one live view to all its viewers. Viewers do not affect each other: one that cannot keep up skips to the next
 * key frame, and one that takes nothing for 30 s is disconnected.
 */
import type { LiveMessage } from '@nazar/contract/live.ts';
import type { Clock } from '#lib/clock.ts';
import { isGopFull } from '../protocol/gop.ts';
import type { LiveFragment, LiveInit } from '../protocol/messages.ts';

/** Why a viewer is disconnected. */
export type EndReason = 'camera' | 'shutdown' | 'stalled' | 'replaced';

/** A connection to a browser, or anything else that takes text and bytes. */
export interface Viewer {
  text(json: string): void;
  /** `fragment`: null for an initialisation segment. */
  binary(bytes: Uint8Array, fragment: LiveFragment | null): void;
  /** Bytes given to `text` and `binary` that the other side has not taken yet. */
  queuedBytes(): number;
  close(reason: EndReason): void;
  /** Nothing that was sent so far may be shown to others any more; what is sent next begins another stream. */
  forget?(): void;
}

const maxQueuedBytes = 2 * 1024 * 1024;
const maxQueuedMs = 1_000;
const stalledMs = 30_000;

interface Sent {
  readonly totalBytes: number;
  readonly atMs: number;
}

export interface JoinOptions {
  /** False: a viewer whose pictures come another way, and who gets the messages about them here. */
  readonly pictures?: boolean;
}

interface Recipient {
  readonly viewer: Viewer;
  readonly pictures: boolean;
  /** All bytes given to the viewer; less what is queued, this is what it took. */
  sentBytes: number;
  sent: Sent[];
  /** Pictures are left out until a key frame finds the queue short again. */
  skipping: boolean;
  /** When the viewer last took something, or had nothing to take. */
  tookAtMs: number;
  takenBytes: number;
}

/** Disconnects a viewer, who learns why. */
export function end(viewer: Viewer, reason: Exclude<EndReason, 'stalled'>): void {
  const message: LiveMessage = { kind: 'end', reason };
  viewer.text(JSON.stringify(message));
  viewer.close(reason);
}

export class FanOut {
  readonly #clock: Clock;
  readonly #recipients = new Set<Recipient>();
  #head: { readonly json: string; readonly init: Uint8Array } | null = null;
  #gop: { readonly head: LiveFragment; readonly body: Uint8Array }[] = [];
  #gopBytes = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** How many viewers get pictures here. */
  get viewers(): number {
    return [...this.#recipients].filter(({ pictures }) => pictures).length;
  }

  join(viewer: Viewer, { pictures = true }: JoinOptions = {}): Disposable {
    const tookAtMs = this.#clock.monotonicMs();
    const recipient: Recipient = {
      viewer,
      pictures,
      sentBytes: 0,
      sent: [],
      skipping: false,
      tookAtMs,
      takenBytes: 0,
    };
    this.#recipients.add(recipient);
    this.#start(recipient);
    return { [Symbol.dispose]: () => void this.#recipients.delete(recipient) };
  }

  init({ mime, width, height }: LiveInit, init: Uint8Array): void {
    const message: LiveMessage = { kind: 'stream', mime, width, height };
    this.#head = { json: JSON.stringify(message), init };
    this.#gop = [];
    this.#gopBytes = 0;
    for (const recipient of this.#recipients) this.#start(recipient);
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
    for (const recipient of this.#recipients)
      if (recipient.pictures) this.#offer(recipient, head, body);
  }

  /** Sends a message to all viewers in time with the pictures; those that skip pictures do not get it. */
  announce(message: LiveMessage): void {
    const json = JSON.stringify(message);
    for (const recipient of this.#recipients) if (!recipient.skipping) this.#text(recipient, json);
  }

  /** What was sent hides too little by now: no other client gets it, not from the viewers either. */
  forget(): void {
    this.lose();
    for (const { viewer } of this.#recipients) viewer.forget?.();
  }

  /** The host is gone: a new initialisation segment comes next. */
  lose(): void {
    this.#head = null;
    this.#gop = [];
    this.#gopBytes = 0;
  }

  end(reason: 'camera' | 'shutdown'): void {
    for (const { viewer } of this.#recipients) end(viewer, reason);
    this.#recipients.clear();
  }

  /** Sends everything that a viewer needs to begin. Without a key frame at hand it waits for the next one. */
  #start(recipient: Recipient): void {
    if (!this.#head || !recipient.pictures) return;
    this.#text(recipient, this.#head.json);
    this.#binary(recipient, this.#head.init, null);
    recipient.skipping = this.#gop.length === 0;
    for (const { head, body } of this.#gop) this.#binary(recipient, body, head);
  }

  #offer(recipient: Recipient, head: LiveFragment, body: Uint8Array): void {
    const slow = this.#isSlow(recipient);
    if (this.#clock.monotonicMs() - recipient.tookAtMs >= stalledMs) {
      this.#recipients.delete(recipient);
      recipient.viewer.close('stalled');
      return;
    }
    if (slow) recipient.skipping = true;
    else if (head.key) recipient.skipping = false;
    if (!recipient.skipping) this.#binary(recipient, body, head);
  }

  /** Whether this viewer is too far behind, in bytes or in time. */
  #isSlow(recipient: Recipient): boolean {
    const nowMs = this.#clock.monotonicMs();
    const queued = recipient.viewer.queuedBytes();
    const taken = recipient.sentBytes - queued;
    if (taken > recipient.takenBytes || queued === 0) {
      recipient.takenBytes = Math.max(taken, recipient.takenBytes);
      recipient.tookAtMs = nowMs;
    }
    const oldest = recipient.sent.findIndex(({ totalBytes }) => totalBytes > taken);
    recipient.sent = oldest < 0 ? [] : recipient.sent.slice(oldest);
    const behindMs = nowMs - (recipient.sent[0]?.atMs ?? nowMs);
    return queued > maxQueuedBytes || behindMs > maxQueuedMs;
  }

  #text(recipient: Recipient, json: string): void {
    recipient.viewer.text(json);
    this.#count(recipient, Buffer.byteLength(json));
  }

  #binary(recipient: Recipient, bytes: Uint8Array, fragment: LiveFragment | null): void {
    recipient.viewer.binary(bytes, fragment);
    this.#count(recipient, bytes.length);
  }

  #count(recipient: Recipient, bytes: number): void {
    recipient.sentBytes += bytes;
    recipient.sent.push({ totalBytes: recipient.sentBytes, atMs: this.#clock.monotonicMs() });
  }
}
