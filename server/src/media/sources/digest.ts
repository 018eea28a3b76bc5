/** Basic and digest authentication (RFC 7617, RFC 7616), the same over HTTP and RTSP. */
import { createHash, randomBytes } from 'node:crypto';
import type { Reachable } from '../protocol/messages.ts';

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** The camera's credentials, else those in its address; null when there are none. */
export function credentialsOf(camera: Reachable, url: URL): Credentials | null {
  const username = camera.username || decodeURIComponent(url.username);
  const password = camera.password || decodeURIComponent(url.password);
  return username ? { username, password } : null;
}

/** The request line that is to be authenticated. */
export interface Asked {
  readonly method: string;
  readonly uri: string;
  /** How often this challenge was answered, this time included; 1 where it is left out. */
  readonly count?: number;
}

/** The Authorization header for that challenge; null for an unknown scheme. */
export function answerTo(challenge: string, asked: Asked, given: Credentials): string | null {
  if (/^basic\b/i.test(challenge)) {
    return `Basic ${Buffer.from(`${given.username}:${given.password}`).toString('base64')}`;
  }
  return /^digest\b/i.test(challenge) ? digest(challenge, asked, given) : null;
}

function digest(
  challenge: string,
  { method, uri, count = 1 }: Asked,
  given: Credentials,
): string | null {
  const said = (name: string): string | undefined =>
    new RegExp(`[ ,]${name}=(?:"([^"]*)"|([^\\s,]*))`, 'i').exec(challenge)?.slice(1).find(Boolean);
  const algorithm = said('algorithm') ?? 'MD5';
  const [, name = '', session] = /^(.*?)(-sess)?$/i.exec(algorithm) ?? [];
  const hashName = { MD5: 'md5', 'SHA-256': 'sha256' }[name.toUpperCase()];
  if (!hashName) return null;
  const hash = (text: string): string => createHash(hashName).update(text).digest('hex');
  const realm = said('realm') ?? '';
  const nonce = said('nonce') ?? '';
  const second = hash(`${method}:${uri}`);
  const qops = said('qop')?.split(/[\s,]+/) ?? [];
  const withQop = qops.includes('auth');
  const cnonce = randomBytes(8).toString('hex');
  const nc = count.toString(16).padStart(8, '0');
  const account = hash(`${given.username}:${realm}:${given.password}`);
  const first = session ? hash(`${account}:${nonce}:${cnonce}`) : account;
  const middle = withQop ? `${nonce}:${nc}:${cnonce}:auth` : nonce;
  const response = hash(`${first}:${middle}:${second}`);
  const parts = [
    `username="${given.username.replace(/["\\]/g, '\\$&')}"`,
    `realm="${realm}"`,
    `nonce="${nonce}"`,
    `uri="${uri}"`,
    `response="${response}"`,
    // Some old cameras refuse parameters that they did not send themselves.
    ...(said('algorithm') ? [`algorithm=${algorithm}`] : []),
    ...(withQop ? ['qop=auth', `nc=${nc}`] : []),
    ...(withQop || session ? [`cnonce="${cnonce}"`] : []),
    ...(said('opaque') ? [`opaque="${said('opaque')}"`] : []),
  ];
  return `Digest ${parts.join(', ')}`;
}
