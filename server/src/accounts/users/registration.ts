/**
 * Accounts that people request themselves: open, after approval by an administrator, or not at all. The
 * role is always `user`, and one network may request five per hour.
 */
import type { Registered, Registration as RegistrationForm } from '@nazar/contract/own-account.ts';
import { Problem } from '#lib/problem.ts';
import { addressGroup, isLoopback } from '#http/address.ts';
import { takeAllowance } from '../throttle/allowance.ts';
import { checkPassword } from '../passwords/rules.ts';
import type { AccountParts } from '../parts.ts';
import type { Registration as Policy } from './store.ts';
import { newUserRow } from './users.ts';

const windowMs = 60 * 60_000;
/** Loopback stands for everyone behind a proxy that is not trusted, as at the login. */
const perWindow = { network: 5, loopback: 100 } as const;

export class Registration {
  readonly #parts: AccountParts;
  /** From the environment; null: the policy chosen in the first-run wizard. */
  readonly #fixed: Policy | null;

  constructor(parts: AccountParts, fixed: Policy | null) {
    this.#parts = parts;
    this.#fixed = fixed;
  }

  async policy(): Promise<Policy> {
    return this.#fixed ?? (await this.#parts.users.registration());
  }

  /** Throws registration_closed, passwords_differ, email_taken, too_many_requests, the password problems. */
  async register(form: RegistrationForm, ip: string): Promise<Registered> {
    const { store, passwords, clock } = this.#parts;
    const policy = await this.policy();
    if (policy === 'closed') throw new Problem('registration_closed');
    const { email, password, password2 } = form;
    if (password !== password2) throw new Problem('passwords_differ', { field: 'password2' });
    checkPassword(password, { role: 'user', email });
    await this.#count(ip);
    const name = { firstName: form.first_name, lastName: form.last_name };
    const isActive = policy === 'open';
    const row = await newUserRow(
      { email, password, ...name, role: 'user', isActive },
      passwords,
      clock.now(),
    );
    const added = await store.transaction((tx) => store.addUser(tx, row));
    if (!added) throw new Problem('email_taken', { field: 'email' });
    const { id, first_name, last_name, role } = row;
    return { id, email: row.email, first_name, last_name, role };
  }

  /** Counts a request before any hashing. Throws too_many_requests. */
  async #count(ip: string): Promise<void> {
    const times = perWindow[isLoopback(ip) ? 'loopback' : 'network'];
    const key = `registration:${addressGroup(ip)}`;
    const waitMs = await takeAllowance(this.#parts, key, { windowMs, times });
    if (waitMs === 0) return;
    throw new Problem('too_many_requests', { retry_after_s: Math.ceil(waitMs / 1000) });
  }
}
