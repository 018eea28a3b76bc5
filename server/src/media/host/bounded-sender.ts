/**
 * Sends a media host's messages to the server within a bound: a server that does not read (it hangs, it is being
 * killed) must not cost the host its memory. Live pictures wait for the next key frame, detected faces, drawn JPEGs
 * and what cameras cost are left out; health and news of the recorder are always sent.
 */
import type { FromHost, LiveFragment } from '../protocol/messages.ts';

/** About 20 s of one camera's stream at 3 Mbit/s. */
const maxQueuedBytes = 8 * 1024 * 1024;

export interface SenderPeer {
  readonly queuedBytes: number;
  tell(message: unknown, body?: Uint8Array): void;
}

export class BoundedSender {
  /** Streams whose live pictures wait for a key frame. */
  readonly #behind = new Set<string>();

  tell(peer: SenderPeer, message: FromHost<unknown>, body?: Uint8Array): void {
    const isFull = peer.queuedBytes > maxQueuedBytes;
    if (isFull && ['seen', 'drawn', 'cost'].includes(message.kind)) return;
    if (message.kind === 'fragment' && this.#isLeftOut(message, isFull)) return;
    peer.tell(message, body);
  }

  #isLeftOut({ cameraId, stream, key }: LiveFragment, isFull: boolean): boolean {
    const name = `${cameraId} ${stream}`;
    if (isFull) this.#behind.add(name);
    else if (key) this.#behind.delete(name);
    return this.#behind.has(name);
  }
}
