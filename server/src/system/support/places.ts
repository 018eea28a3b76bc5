/**
 * Lines of the system log as they may leave the installation. The log itself holds no secret and no name; here, where
 * cameras and servers are, and where files lie, goes too: addresses, host names, paths. Pure.
 */
import { isIPv6 } from 'node:net';

const address = '[address]';
const path = '[path]';
const removed = '[removed]';

const url = /\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s"'<>)\]}]+/gi;
/** A file of the server, or one that the server gave to a browser. */
const ownUrl = /^(?:file:\/\/|https?:\/\/[^/]+(?=\/assets\/))(\/.*)$/;
const ipv4 = /\b\d{1,3}(?:\.\d{1,3}){3}\b/g;
const maybeIpv6 = /(?<![\w:])[\da-f:]{2,39}(?![\w:])/gi;
/** What names a host without an address: a failed look-up, and a certificate. */
const namedHost = /\b(ENOTFOUND|EAI_AGAIN|Host:|DNS:|IP:) ?[\w.*-]+/g;
/** Absolute paths of two parts or more; a page has one. */
const absolute = /(?<![\w.])(?:\/[^\s"'`()<>:,;?#/]+){2,}\/?/g;
/** Where our own code lies below the folder that somebody chose, and what the server answers under. */
const ownCode = /\/((?:server|web|contract|i18n)\/src|node_modules)\/.*$/;
const ownPath = /^\/(?:secure-api|assets)\//;
/** Fields whose values say where something is. */
const placing =
  /^(?:to|from|server|origin|issuer|database|mail|provider|tls|folder|.*(?:host|hosts|hostname|hostnames|address|addresses|addr|url|proxy|folder|folders|file|dir|path))$/i;
/** A process of ours is a host, too. */
const ownProcess = /^(?:media|vision|chip|image)-\d+$/;

/** A text without addresses and paths; places in our own code stay. */
export function withoutPlaces(text: string): string {
  return text
    .replace(url, (found) => ownUrl.exec(found)?.[1] ?? address)
    .replace(namedHost, `$1 ${address}`)
    .replace(ipv4, address)
    .replace(maybeIpv6, (found) => (isIPv6(found) ? address : found))
    .replace(absolute, placeOf);
}

/** The same of every text in the details of a line, and without fields that say where something is. */
export function detailsWithoutPlaces(value: unknown, key = ''): unknown {
  if (typeof value === 'string') {
    if (key === 'host' && ownProcess.test(value)) return value;
    return placing.test(key) ? removed : withoutPlaces(value);
  }
  if (value === null || typeof value !== 'object') return value;
  if (placing.test(key)) return removed;
  if (Array.isArray(value)) return value.map((item) => detailsWithoutPlaces(item));
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, detailsWithoutPlaces(field, name)]),
  );
}

function placeOf(found: string): string {
  const own = ownCode.exec(found);
  if (own) return own[0].slice(1);
  return ownPath.test(found) ? found : path;
}
