/**
 * Tickets for recordings: the only credential that ever stands in an address, because a `<video>` or a
 * download can send nothing else. A ticket is for one subject, one session and the user as whom the session sees,
 * must be opened within 60 s and at most five times, and lives as long as it is used: five minutes after the last
 * request it is forgotten. Nothing is signed: a ticket is 192 random bits that this process remembers, and after a
 * restart the page asks for another.
 */
import { randomBytes } from 'node:crypto';
import type { Asker } from '#http/scope.ts';
import type { Clock } from '#lib/clock.ts';

const openWithinMs = 60_000;
const maxOpens = 5;
/** A playing player asks every ten seconds; a paused one asks for another ticket. */
const idleMs = 5 * 60_000;
/** As many as views of one account (C-405); a session that asks for more loses the oldest. */
const perSession = 36;

interface Entry<Subject> {
  readonly subject: Subject;
  readonly asker: Asker;
  opens: number;
  /** Monotonic. */
  livesUntilMs: number;
}

export interface Spoken<Subject> {
  readonly subject: Subject;
  readonly asker: Asker;
}

export class PlaybackTickets<Subject> {
  readonly #clock: Clock;
  readonly #entries = new Map<string, Entry<Subject>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  issue(subject: Subject, asker: Asker): { readonly ticket: string; readonly expiresAtMs: number } {
    this.#forget(asker.sessionId);
    const ticket = randomBytes(24).toString('base64url');
    const livesUntilMs = this.#clock.monotonicMs() + openWithinMs;
    this.#entries.set(ticket, { subject, asker, opens: 0, livesUntilMs });
    return { ticket, expiresAtMs: this.#clock.now() + openWithinMs };
  }

  /** Returns for whom the ticket speaks, and for what; null when it opens nothing now. */
  open(ticket: string): Spoken<Subject> | null {
    const entry = this.#living(ticket);
    if (!entry || entry.opens >= maxOpens) return null;
    entry.opens += 1;
    return this.#prolonged(entry);
  }

  /** The same for later requests; null unless it was opened. */
  use(ticket: string): Spoken<Subject> | null {
    const entry = this.#living(ticket);
    return entry && entry.opens > 0 ? this.#prolonged(entry) : null;
  }

  #living(ticket: string): Entry<Subject> | null {
    const entry = this.#entries.get(ticket);
    if (!entry) return null;
    if (entry.livesUntilMs > this.#clock.monotonicMs()) return entry;
    this.#entries.delete(ticket);
    return null;
  }

  #prolonged(entry: Entry<Subject>): Spoken<Subject> {
    entry.livesUntilMs = this.#clock.monotonicMs() + idleMs;
    return entry;
  }

  /** Forgets expired tickets, and the oldest of a session that asks for very many. */
  #forget(sessionId: string): void {
    const nowMs = this.#clock.monotonicMs();
    const own: string[] = [];
    for (const [ticket, { asker, livesUntilMs }] of this.#entries) {
      if (livesUntilMs <= nowMs) this.#entries.delete(ticket);
      else if (asker.sessionId === sessionId) own.push(ticket);
    }
    for (const ticket of own.slice(0, Math.max(0, own.length - perSession + 1))) {
      this.#entries.delete(ticket);
    }
  }
}
