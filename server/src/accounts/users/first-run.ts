/** The first administrator: a one-time code printed on the console opens the wizard, once. */
import { createHash, randomBytes } from 'node:crypto';
import type { FirstAdministrator } from '@nazar/contract/setup.ts';
import { Problem } from '#lib/problem.ts';
import type { AccountParts } from '../parts.ts';
import type { Client } from '../sessions/sessions.ts';
import type { Opened, SignIn } from '../sign-in/sign-in.ts';
import type { FirstRunStore } from './first-run-store.ts';
import { newUserRow } from './users.ts';

const codeLifetimeMs = 24 * 60 * 60_000;

export class FirstRun {
  readonly #parts: AccountParts;
  readonly #store: FirstRunStore;
  readonly #signIn: SignIn;
  #isOver = false;

  constructor(parts: AccountParts, store: FirstRunStore, signIn: SignIn) {
    this.#parts = parts;
    this.#store = store;
    this.#signIn = signIn;
  }

  /** True until the first administrator exists; after that the database is not queried again. */
  async isAwaited(): Promise<boolean> {
    this.#isOver ||= await this.#store.hasAdministrator();
    return !this.#isOver;
  }

  /** Makes a new one-time code; earlier ones stop working. */
  async newCode(): Promise<string> {
    const code = randomBytes(16).toString('base64url');
    const expiresAt = new Date(this.#parts.clock.now() + codeLifetimeMs);
    await this.#store.replaceCode(hashOf(code), expiresAt);
    return code;
  }

  /** Throws setup_code_invalid, email_taken and the password problems. */
  async setUp(first: FirstAdministrator, client: Client): Promise<Opened> {
    const { throttle } = this.#parts;
    const code = hashOf(first.code);
    const done = await throttle.attempt('setup', client.ip, async () => {
      const isGood = await this.#store.isCode(code, this.#now());
      return isGood ? this.#add(first, code, client) : null;
    });
    if (!done) throw new Problem('setup_code_invalid', { field: 'code' });
    return done;
  }

  /** Null when the same code was used meanwhile. */
  async #add(first: FirstAdministrator, code: Buffer, client: Client): Promise<Opened | null> {
    const { store, users, passwords, clock } = this.#parts;
    const { email, password } = first;
    const name = { firstName: first.first_name, lastName: first.last_name };
    const row = await newUserRow(
      { email, password, ...name, role: 'superadmin' },
      passwords,
      clock.now(),
    );
    return store.transaction(async (tx) => {
      if (!(await this.#store.useCode(tx, code, this.#now()))) return null;
      const added = await store.addUser(tx, row);
      if (!added) throw new Problem('email_taken', { field: 'email' });
      await users.setRegistration(tx, first.registration);
      const entrance = { client, remember: false, how: 'password' } as const;
      return this.#signIn.begin(tx, row, entrance, 'account.set_up');
    });
  }

  #now(): Date {
    return new Date(this.#parts.clock.now());
  }
}

const hashOf = (code: string): Buffer => createHash('sha256').update(code.trim()).digest();
