/**
 * Links that allow choosing a password for one account, once: for a user who forgot it, who is helped by
 * an administrator, or who is new. 256 random bits of which only the hash is stored. Every link of an account
 * ends when one is used, and when the account's password, address, role or enabled state changes: a link
 * that was issued to a user must not open the account of the administrator they became.
 */
import type { Language } from '@nazar/contract/accounts.ts';
import type { OneTimeLink } from '@nazar/contract/recovery.ts';
import type { Tx } from '#db/database.ts';
import type { Mail, TemplateWords } from '#mail/mail.ts';
import type { LinkKind, LinkRow, LinkStore } from './link-store.ts';
import type { UserRow } from '../store.ts';
import { newToken, tokenHash } from '../tokens.ts';

const hourMs = 60 * 60_000;
const invitationDays = 7;
const lifetimeMs: Readonly<Record<LinkKind, number>> = {
  reset: hourMs,
  help: 24 * hourMs,
  invitation: invitationDays * 24 * hourMs,
};

export interface LinksOptions {
  readonly store: LinkStore;
  readonly mail: Mail;
  /** The public address of this installation; null: not configured. */
  readonly publicUrl: string | null;
}

export class Links {
  readonly #options: LinksOptions;

  constructor(options: LinksOptions) {
    this.#options = options;
  }

  get areMailed(): boolean {
    return this.#options.mail.isAvailable;
  }

  /** A link that an administrator makes replaces earlier ones; `language` is that of the email. */
  async issue(
    tx: Tx,
    user: Pick<UserRow, 'id' | 'email'>,
    kind: LinkKind,
    language: Language,
    nowMs: number,
  ): Promise<OneTimeLink> {
    const { store, publicUrl } = this.#options;
    const token = newToken('link');
    const expiresAtMs = nowMs + lifetimeMs[kind];
    if (kind !== 'reset') await store.deleteOf(tx, user.id);
    await store.add(tx, {
      hash: tokenHash(token, 'link')!,
      user_id: user.id,
      kind,
      created_at: new Date(nowMs),
      expires_at: new Date(expiresAtMs),
    });
    const path = `/reset-password/${user.id}/${token}${kind === 'invitation' ? '?for=invitation' : ''}`;
    const url = publicUrl === null ? null : publicUrl + path;
    const mailed = url !== null && (await this.#send(tx, user.email, kind, language, url));
    return { path, url, expires_at: new Date(expiresAtMs).toISOString(), mailed };
  }

  /** The link of this token while it is valid; null for anything else. */
  async find(token: string, userId: string, at: Date): Promise<LinkRow | null> {
    const hash = tokenHash(token, 'link');
    return (hash && (await this.#options.store.find(hash, userId, at))) ?? null;
  }

  /** True exactly once; it ends all links of its account. */
  async use(tx: Tx, { hash, user_id }: LinkRow, at: Date): Promise<boolean> {
    const isMine = await this.#options.store.use(tx, hash, at);
    if (isMine) await this.revoke(tx, user_id);
    return isMine;
  }

  revoke(tx: Tx, userId: string): Promise<void> {
    return this.#options.store.deleteOf(tx, userId);
  }

  deleteExpired(at: Date): Promise<void> {
    return this.#options.store.deleteExpired(at);
  }

  #send(tx: Tx, to: string, kind: LinkKind, language: Language, url: string): Promise<boolean> {
    const template = templateOf(kind, url);
    return this.#options.mail.queue(tx, { to, language, template, keepMs: lifetimeMs[kind] });
  }
}

function templateOf(kind: LinkKind, url: string): TemplateWords {
  if (kind === 'invitation') {
    return {
      subject: 'invitation.subject',
      before: ['invitation.text'],
      action: { label: 'invitation.action', url },
      after: ['invitation.valid'],
      params: { days: String(invitationDays) },
    };
  }
  return {
    subject: 'reset.subject',
    before: [kind === 'reset' ? 'reset.asked' : 'reset.byAdministrator'],
    action: { label: 'reset.action', url },
    after: kind === 'reset' ? ['reset.validHour', 'reset.ignore'] : ['reset.validDay'],
  };
}
