/** Checking what a client says about who it is: basic and digest (RFC 7617, RFC 2617 with MD5), by hand. */
import { createHash } from 'node:crypto';
import type { Credentials } from './behaviour.ts';

const realm = 'farm';
const nonce = '0123456789abcdef';

export function challenge({ scheme }: Credentials): string {
  return scheme === 'basic'
    ? `Basic realm="${realm}"`
    : `Digest realm="${realm}", nonce="${nonce}"`;
}

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

export function accepts(wanted: Credentials, method: string, given: string | undefined): boolean {
  if (!given) return false;
  if (wanted.scheme === 'basic') {
    const token = Buffer.from(`${wanted.username}:${wanted.password}`).toString('base64');
    return given === `Basic ${token}`;
  }
  const said = (name: string): string =>
    new RegExp(`[ ,]${name}="?([^",]*)"?`, 'i').exec(given)?.[1] ?? '';
  if (said('username') !== wanted.username || said('nonce') !== nonce) return false;
  const first = md5(`${wanted.username}:${realm}:${wanted.password}`);
  const second = md5(`${method}:${said('uri')}`);
  return said('response') === md5(`${first}:${nonce}:${second}`);
}
