/**
 * How the address of a camera is read, wherever it comes from: a form, a script, a file that is imported, a command, an
 * answer of a device. There is one reader, because two that split an address differently show or dial a part of a
 * password. User name and password are split off; an address that can be read in two ways is refused. Pure.
 *
 * A password may hold the signs that end the host (`/`, `?`, `#`): `rtsp://admin:12/34@camera/` is a camera at the host
 * "admin" to every parser of URLs. An `@` behind the host therefore always means that the address cannot be trusted;
 * an `@` that really belongs to the path is written `%40`. `rtsp://admin:a/b@camera/` has one meaning only, because "a"
 * is no port, and is read.
 */

export interface CameraAddress {
  /** Without user name and password; the only `@` it may hold is a `%40`. */
  readonly url: string;
  /** Null: the address had no user name. */
  readonly username: string | null;
  readonly password: string | null;
}

/** `special_characters`: it is ambiguous where the part before the host ends. */
export type AddressFault = 'refused' | 'special_characters';

export const isAddressFault = (read: CameraAddress | AddressFault): read is AddressFault =>
  typeof read === 'string';

const scheme = /^(rtsps?|https?):\/\//i;
/** What ends the host. For http a backslash is a slash (WHATWG URL, 4.4). */
const hostEnd = { rtsp: /[/?#]/, http: /[/?#\\]/ } as const;
// oxlint-disable-next-line no-control-regex -- parsers of URLs drop some of them in silence, and a password with them
const control = /[\0-\x1f\x7f]/;
/** Names, addresses of both versions. What is percent-encoded hides something. */
const hostname = /^(?:[\w.-]+|\[[\da-f:.]+\])$/i;

/** `typed` may have spaces around it. */
export function readAddress(typed: string): CameraAddress | AddressFault {
  const text = typed.trim();
  const start = scheme.exec(text)?.[0];
  if (start === undefined || control.test(text)) return 'refused';
  const rest = text.slice(start.length);
  const end = rest.search(hostEnd[/^http/i.test(start) ? 'http' : 'rtsp']);
  const usual = (end < 0 ? rest : rest.slice(0, end)).lastIndexOf('@');
  const last = rest.lastIndexOf('@');
  const host = hostAt(start, rest, last);
  // Every parser splits at the last @ before the path. Where that leads to no host, the last @ of all may lead to one.
  const others = usual === last ? [] : [usual, ...positions(rest, '@')];
  if (others.some((at) => at !== last && hostAt(start, rest, at) !== null)) {
    return 'special_characters';
  }
  if (host === null) return isSuspicious(rest) ? 'special_characters' : 'refused';
  return last < 0 ? { url: host, username: null, password: null } : split(host, rest, last);
}

/** An @, or one that was encoded together with the rest of a user name and password. */
const isSuspicious = (rest: string): boolean => /@|%40/i.test(rest);

/** The address whose host begins behind this @, or at once (-1); null: no host does. */
function hostAt(start: string, rest: string, at: number): string | null {
  const url = URL.parse(start + rest.slice(at + 1));
  // What is before a second @ would be taken for a user name.
  const isHost = url?.username === '' && url.password === '' && hostname.test(url.hostname);
  return isHost ? url.href : null;
}

function split(url: string, rest: string, at: number): CameraAddress | AddressFault {
  const signIn = rest.slice(0, at);
  const colon = signIn.indexOf(':');
  const username = decoded(colon < 0 ? signIn : signIn.slice(0, colon));
  const password = colon < 0 ? '' : decoded(signIn.slice(colon + 1));
  if (control.test(username + password)) return 'refused';
  return { url, username: username || null, password: password || null };
}

function positions(text: string, sign: string): number[] {
  return Array.from(text.matchAll(new RegExp(sign, 'g')), ({ index }) => index);
}

/** A `%` that encodes nothing is itself: passwords are typed as they are. */
export function decoded(text: string): string {
  return text.replace(/(?:%[\da-f]{2})+/gi, (bytes) => {
    try {
      return decodeURIComponent(bytes);
    } catch {
      return bytes;
    }
  });
}
