/** Hands one email to the mail server that the environment names. */
import { randomUUID } from 'node:crypto';
import { isIP } from 'node:net';
import { createTransport } from 'nodemailer';

export interface Smtp {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte (`smtps:`). */
  readonly isTls: boolean;
  /** Otherwise: whether the connection must become TLS before anything is sent on it. */
  readonly mustUpgrade: boolean;
  readonly login: { readonly user: string; readonly password: string } | null;
}

/** What is handed over. No text in it was typed by a user. */
export interface Email {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/**
 * `smtps://user:password@host` or `smtp://user:password@host:587`. The latter must offer STARTTLS, because
 * emails hold links that open accounts; on loopback and with `?tls=never` it may do without. Null: the
 * text is not such an address.
 */
export function readSmtpUrl(text: string): Smtp | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  if ((url.protocol !== 'smtp:' && url.protocol !== 'smtps:') || url.hostname === '') return null;
  const isTls = url.protocol === 'smtps:';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const user = decodeURIComponent(url.username);
  const isNear =
    host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
  return {
    host,
    port: url.port === '' ? (isTls ? 465 : 587) : Number(url.port),
    isTls,
    mustUpgrade: !isTls && !isNear && url.searchParams.get('tls') !== 'never',
    login: user === '' ? null : { user, password: decodeURIComponent(url.password) },
  };
}

/** What went wrong, without the server's own words: those repeat addresses. */
export class NotSent extends Error {
  override readonly name = 'NotSent';
  /** nodemailer's code for it, e.g. ECONNECTION, EAUTH, ETIMEDOUT. */
  readonly code: string;
  /** The mail server's reply; null if the attempt failed before that. */
  readonly reply: number | null;

  constructor(code: string, reply: number | null) {
    super(`${code} ${reply ?? ''}`.trim());
    this.code = code;
    this.reply = reply;
  }

  /** The server will never take this email; a refusal of our sign-in (53x) can be corrected. */
  get isFinal(): boolean {
    const isAboutLetter = this.code === 'EENVELOPE' || this.code === 'EMESSAGE';
    const reply = this.reply ?? 0;
    return isAboutLetter && reply >= 500 && Math.floor(reply / 10) !== 53;
  }
}

const waits = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };

/**
 * Resolves when the server has taken the email; throws NotSent. `id` makes the Message-ID: an email that
 * is sent twice, because a server died in between, is one email to the receiver's mail program.
 */
export async function send(smtp: Smtp, from: string, id: string, email: Email): Promise<void> {
  const { host, port, isTls, mustUpgrade, login } = smtp;
  const transport = createTransport({
    host,
    port,
    secure: isTls,
    requireTLS: mustUpgrade,
    ...(login && { auth: { user: login.user, pass: login.password } }),
    ...waits,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    await transport.sendMail({
      from,
      // An object, because nodemailer splits a text at its commas.
      to: { name: '', address: email.to },
      subject: email.subject,
      text: email.text,
      html: email.html,
      messageId: `<${id}@${domainOf(from)}>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
  } catch (error) {
    const { code = 'UNKNOWN', responseCode } = error as { code?: string; responseCode?: number };
    throw new NotSent(code, responseCode ?? null);
  } finally {
    transport.close();
  }
}

const domainOf = (from: string): string => /@([\w.-]+)/.exec(from)?.[1] ?? randomUUID();

/** How this installation sends emails, and the sender and origin that they name. */
export interface MailRoute {
  readonly smtp: Smtp;
  /** `Nazar <nazar@example.org>` or the address alone. */
  readonly from: string;
  /** The origin of links in emails, which no request can choose. */
  readonly origin: string;
}
