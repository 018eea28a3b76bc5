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
/** Names of networks of one's own and of the largest registries; of two letters those of three parts, as `t.id` is code. */
const hostName =
  /(?<![\w/\\.-])(?:[a-z0-9-]{1,63}\.){1,8}(?:local|lan|home|internal|intranet|corp|localdomain|arpa|com|net|org|info|biz|cloud)(?![\w-])|(?<![\w/\\.-])(?:[a-z0-9-]{1,63}\.){2,8}[a-z]{2}(?![\w(.-])/gi;
/** A path in quotes may have spaces. */
const quoted = /(["'`])((?:\/|[a-z]:[\\/]|\\\\)[^"'`\r\n]*)\1/gi;
/** A drive or a share of Windows, with one backslash or with two as JSON writes it; only its last part has no spaces. */
const windows =
  /(?<![\w\\])(?:[a-z]:[\\/]|\\{2,4}(?=[^\s\\]))(?:[^\\/:*?"'`<>|\r\n]{1,255}[\\/]{1,2})*[^\\/:*?"'`<>|()\s]*/gi;
/** Absolute paths of two parts or more; a page has one. */
const absolute = /(?<![\w.])(?:\/[^\s"'`()<>:,;?#/]+){2,}\/?/g;
/** Where our own code lies below the folder that a user chose, and what the server answers under. */
const ownCode = /[\\/]((?:server|web|contract|i18n)[\\/]+src|node_modules)[\\/].*$/;
const ownPath = /^\/(?:secure-api|assets)\//;
/** Fields whose values say where something is. */
const placing =
  /^(?:to|from|server|origin|issuer|database|mail|provider|tls|folder|.*(?:host|hosts|hostname|hostnames|address|addresses|addr|url|proxy|folder|folders|file|dir|path))$/i;
/** A process of ours is a host, too. */
const ownProcess = /^(?:media|vision|chip|image)-\d+$/;

/** Removes host names, addresses and user names of this installation, wherever they stand. */
export type KnownPlaces = (text: string) => string;

/** A shorter word would be found inside of others. */
const minKnownChars = 4;

export function knownPlaces(words: Iterable<string>): KnownPlaces {
  const known = [...new Set(words)].filter((word) => word.length >= minKnownChars);
  if (known.length === 0) return (text) => text;
  // The longest first, so that no rest of one stays.
  const sorted = known
    .toSorted((a, b) => b.length - a.length)
    .map((word) => word.replace(/\W/g, '\\$&'));
  const any = new RegExp(`(?<![\\w-])(?:${sorted.join('|')})(?![\\w-])`, 'gi');
  return (text) => text.replace(any, address);
}

const noneKnown: KnownPlaces = (text) => text;

/** A text without addresses and paths; places in our own code stay. */
export function withoutPlaces(text: string, withoutKnown = noneKnown): string {
  const plain = text
    .replace(url, (found) => ownUrl.exec(found)?.[1] ?? address)
    .replace(namedHost, `$1 ${address}`)
    .replace(ipv4, address)
    .replace(maybeIpv6, (found) => (isIPv6(found) ? address : found))
    .replace(quoted, (_, quote: string, found: string) => quote + placeOf(found) + quote)
    .replace(windows, placeOf)
    .replace(absolute, placeOf)
    .replace(hostName, address);
  return withoutKnown(plain);
}

/** The same of every text in the details of a line, and without fields that say where something is. */
export function detailsWithoutPlaces(value: unknown, withoutKnown = noneKnown, key = ''): unknown {
  if (typeof value === 'string') {
    if (key === 'host' && ownProcess.test(value)) return value;
    return placing.test(key) ? removed : withoutPlaces(value, withoutKnown);
  }
  if (value === null || typeof value !== 'object') return value;
  if (placing.test(key)) return removed;
  if (Array.isArray(value)) return value.map((item) => detailsWithoutPlaces(item, withoutKnown));
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name,
      detailsWithoutPlaces(field, withoutKnown, name),
    ]),
  );
}

function placeOf(found: string): string {
  const own = ownCode.exec(found);
  if (own) return own[0].slice(1).replaceAll(/\\+/g, '/');
  return ownPath.test(found) ? found : path;
}
