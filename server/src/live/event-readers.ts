/** Browsers that read events: their limit, what each is still owed, and one text for all with the same rights. */
import type { WebSocket } from '@fastify/websocket';
import type { News } from '@nazar/contract/live.ts';
import type { Scope } from '#http/scope.ts';
import { FairShare } from '#lib/limits/fair-share.ts';

export interface Reader {
  readonly socket: WebSocket;
  scope: Scope;
  /** Readers with equal rights are sent the same text. */
  rights: string;
  /**
   * What it is to request next: counts of the visits that it was sent (`visits`), or the list as well, because there
   * were more visits than it was sent (`detections`).
   */
  owed: 'visits' | 'detections' | null;
}

const maxReaders = 1_000;
/** Several browsers with dozens of tabs. */
const maxReadersPerAccount = 100;
/** A reader that takes nothing is let go before it costs memory. */
const maxQueuedBytes = 1024 * 1024;

export class EventReaders extends FairShare<Reader> {
  constructor() {
    super(maxReaders, maxReadersPerAccount);
  }

  tellAll(message: News): void {
    const text = JSON.stringify(message);
    for (const { socket } of this) send(socket, text);
  }

  /**
   * One message for all readers of the same rights, or none where it is not theirs to read. Returns those who got it.
   */
  tellEach(messageFor: (scope: Scope) => News | null): Reader[] {
    const texts = new Map<string, string | null>();
    const sentTo: Reader[] = [];
    for (const reader of this) {
      const { socket, scope, rights } = reader;
      let text = texts.get(rights);
      if (text === undefined) {
        const message = messageFor(scope);
        text = message && JSON.stringify(message);
        texts.set(rights, text);
      }
      if (text === null) continue;
      send(socket, text);
      sentTo.push(reader);
    }
    return sentTo;
  }
}

export const tell = ({ socket }: Reader, message: News): void =>
  send(socket, JSON.stringify(message));

function send(socket: WebSocket, text: string): void {
  if (socket.readyState !== socket.OPEN) return;
  if (socket.bufferedAmount > maxQueuedBytes) return socket.terminate();
  socket.send(text);
}
