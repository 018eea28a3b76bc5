/**
 * Recovery after a forgotten password. The request reveals nothing: the answer is always the
 * same and is sent before the server checks whether there is such an account. The work after that is
 * limited per account and per network, so that no mailbox is filled from here.
 */
import { createHash } from 'node:crypto';
import type { Language } from '@nazar/contract/accounts.ts';
import type { ConfirmReset, OneTimeLink } from '@nazar/contract/recovery.ts';
import { consoleActor, type Actor } from '#activity/activity.ts';
import type { Tx } from '#db/database.ts';
import { addressGroup, isLoopback } from '#http/address.ts';
import type { Log } from '#lib/log.ts';
import { Problem } from '#lib/problem.ts';
import { takeAllowance } from '../throttle/allowance.ts';
import type { LinkRow } from './link-store.ts';
import type { AccountParts } from '../parts.ts';
import { checkPassword } from '../passwords/rules.ts';
import { aboutUser, actorOf } from '../log-entry.ts';
import type { Client } from '../sessions/sessions.ts';
import type { UserRow } from '../store.ts';
import { noPassword } from '../users/users.ts';

const hourMs = 60 * 60_000;
const perAccount = { windowMs: hourMs, times: 3 };
const perNetwork = { network: 10, loopback: 200 } as const;

export class Recovery {
  readonly #parts: AccountParts;
  readonly #log: Log;
  readonly #underWay = new Set<Promise<void>>();

  constructor(parts: AccountParts, log: Log) {
    this.#parts = parts;
    this.#log = log;
  }

  /** Whether a request leads to an email; otherwise only an administrator can help. */
  get isByMail(): boolean {
    return this.#parts.links.areMailed;
  }

  /** Throws too_many_requests, for the network alone. */
  async ask(email: string, client: Client, language: Language): Promise<void> {
    const times = perNetwork[isLoopback(client.ip) ? 'loopback' : 'network'];
    const key = `recovery-network:${addressGroup(client.ip)}`;
    const waitMs = await takeAllowance(this.#parts, key, { windowMs: hourMs, times });
    if (waitMs > 0) {
      throw new Problem('too_many_requests', { retry_after_s: Math.ceil(waitMs / 1000) });
    }
    if (!this.isByMail) return;
    const work = this.#sendLink(email, client, language).catch((error: unknown) =>
      this.#log.error({ err: error }, 'a link for a new password could not be queued'),
    );
    this.#underWay.add(work);
    void work.then(() => this.#underWay.delete(work));
  }

  /**
   * Returns the email address of the account. Throws link_invalid, too_many_requests and the password problems, which
   * leave the link as it is.
   */
  async confirm({ uid, token, new_password }: ConfirmReset, client: Client): Promise<string> {
    const { throttle, links, store, passwords } = this.#parts;
    const at = this.#now();
    const done = await throttle.attempt(`link:${uid}`, client.ip, async () => {
      const link = await links.find(token, uid, at);
      const user = link && (await store.userById(uid));
      if (!link || !user?.is_active) return null;
      checkPassword(new_password, user, 'new_password');
      const ended = await this.#setPassword(link, user, await passwords.hash(new_password), client);
      return ended && { ended, email: user.email };
    });
    if (!done) throw new Problem('link_invalid');
    this.#parts.ended(done.ended);
    // Guesses that locked the account were guesses at the former password.
    await throttle.forgive(done.email);
    return done.email;
  }

  /** A link from an administrator or from the machine's console; part of the caller's transaction. */
  async help(tx: Tx, user: UserRow, actor: Actor, language: Language): Promise<OneTimeLink> {
    const { links, activity, clock } = this.#parts;
    const chosen = (await this.#parts.preferences.of(user.id))?.language;
    const kind = user.password_hash === '' ? 'invitation' : 'help';
    const link = await links.issue(tx, user, kind, chosen ?? language, clock.now());
    await activity.record(tx, aboutUser('account.link_issued', actor, user.id));
    return link;
  }

  /** Throws user_not_found. */
  async helpFromConsole(email: string): Promise<OneTimeLink> {
    const { store } = this.#parts;
    const user = await store.userByEmail(email);
    if (!user) throw new Problem('user_not_found', { email });
    return store.transaction((tx) => this.help(tx, user, consoleActor, 'en'));
  }

  /** Resolves when the emails of all requests so far are queued. */
  async settled(): Promise<void> {
    await Promise.all(this.#underWay);
  }

  async #sendLink(email: string, client: Client, language: Language): Promise<void> {
    const { store, preferences, links, activity, clock } = this.#parts;
    // The subject is hashed, so that the table of counts does not list accounts.
    const key = `recovery:${createHash('sha256').update(email).digest('hex')}`;
    if ((await takeAllowance(this.#parts, key, perAccount)) > 0) return;
    const user = await store.userByEmail(email);
    // The provider decides about users who sign in there: no email may bypass it.
    if (!user?.is_active || user.password_hash === noPassword) return;
    const chosen = (await preferences.of(user.id))?.language;
    await store.transaction(async (tx) => {
      await links.issue(tx, user, 'reset', chosen ?? language, clock.now());
      const actor = actorOf(client, null, null);
      await activity.record(tx, aboutUser('account.reset_asked', actor, user.id));
    });
  }

  /** Returns the sessions that it ended; null when the same link was used meanwhile. */
  #setPassword(
    link: LinkRow,
    user: UserRow,
    hash: string,
    client: Client,
  ): Promise<string[] | null> {
    const { store, links, sessions, activity } = this.#parts;
    return store.transaction(async (tx) => {
      if (!(await links.use(tx, link, this.#now()))) return null;
      await store.setPassword(tx, user.id, hash);
      const entry = aboutUser('account.password_reset', actorOf(client, user.id, null), user.id);
      await activity.record(tx, { ...entry, details: { by: link.kind } });
      return sessions.endAll(tx, user.id, 'password');
    });
  }

  #now(): Date {
    return new Date(this.#parts.clock.now());
  }
}
