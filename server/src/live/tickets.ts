/**
 * Tickets for live views: one camera, one session, view only, to be opened within 60 s and at most
 * five times. A ticket is all that ever stands in an address, because a browser can send nothing else with
 * a WebSocket; what it opens is checked against today's rights again, and every two seconds after that.
 *
 *   payload (base64url JSON) . HMAC-SHA256
 */
import { randomBytes } from 'node:crypto';
import type { Asker } from '#http/scope.ts';
import type { Clock } from '#lib/clock.ts';
import type { SecretKey } from '#lib/secrets.ts';

const lifetimeMs = 60_000;
const maxOpens = 5;

interface Payload {
  readonly camera: string;
  readonly session: string;
  /** The user as whom the session saw when it asked; left out when it saw as its own user. */
  readonly seeAs?: string;
  readonly expiresAtMs: number;
  readonly nonce: string;
}

export interface Ticket {
  readonly ticket: string;
  readonly expiresAtMs: number;
}

export class Tickets {
  readonly #key: SecretKey;
  readonly #clock: Clock;
  /** How often each ticket was opened; forgotten when it expires. */
  readonly #opens = new Map<string, { count: number; expiresAtMs: number }>();

  constructor(master: SecretKey, clock: Clock) {
    this.#key = master.derive('live ticket');
    this.#clock = clock;
  }

  issue(cameraId: string, { sessionId, seeAs }: Asker): Ticket {
    const expiresAtMs = this.#clock.now() + lifetimeMs;
    const nonce = randomBytes(12).toString('base64url');
    const eyes = seeAs === null ? {} : { seeAs };
    const payload: Payload = {
      camera: cameraId,
      session: sessionId,
      ...eyes,
      expiresAtMs,
      nonce,
    };
    const text = Buffer.from(JSON.stringify(payload)).toString('base64url');
    return { ticket: `${text}.${this.#key.sign(text).toString('base64url')}`, expiresAtMs };
  }

  /** Whom a ticket speaks for, or null when it does not open this camera now. */
  open(ticket: string, cameraId: string): Asker | null {
    const [text = '', signature = ''] = ticket.split('.');
    if (!this.#key.verify(text, Buffer.from(signature, 'base64url'))) return null;
    // Signed by us, so it is what we wrote.
    const payload = JSON.parse(Buffer.from(text, 'base64url').toString()) as Payload;
    const nowMs = this.#clock.now();
    if (payload.camera !== cameraId || payload.expiresAtMs <= nowMs) return null;
    this.#forgetExpired(nowMs);
    const opens = this.#opens.get(payload.nonce) ?? { count: 0, expiresAtMs: payload.expiresAtMs };
    if (opens.count >= maxOpens) return null;
    this.#opens.set(payload.nonce, { ...opens, count: opens.count + 1 });
    return { sessionId: payload.session, seeAs: payload.seeAs ?? null };
  }

  #forgetExpired(nowMs: number): void {
    for (const [nonce, { expiresAtMs }] of this.#opens) {
      if (expiresAtMs <= nowMs) this.#opens.delete(nonce);
    }
  }
}
