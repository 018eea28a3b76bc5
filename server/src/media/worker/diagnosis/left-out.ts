/**
 * What may be said of a camera's words to strangers. Everything is left out that is not known to be harmless: words are
 * kept by what they may be, never removed by what they may not be, because no one knows all the places where a camera
 * puts its address, its name, its serial number or a person's house.
 */
import type { Reachable } from '../../protocol/messages.ts';
import { hostOf } from '../../sources/dial/dial.ts';

export const leftOut = '(left out)';

/** A shorter word would be found everywhere. */
const minSecretChars = 4;

/** The words of an address and an account that appear nowhere, wherever the camera repeats them. */
export class Secrets {
  readonly #secrets: readonly string[];

  constructor({ url, username, password }: Pick<Reachable, 'url' | 'username' | 'password'>) {
    const address = URL.parse(url);
    const words = address ? wordsOf(address) : [url];
    this.#secrets = [...words, username, password]
      .flatMap((word) => [word, decoded(word), encodeURIComponent(word)])
      .filter((word) => word.length >= minSecretChars)
      // The longest first, so that no rest of one stays.
      .toSorted((a, b) => b.length - a.length);
  }

  /** A second check of a line of which all that is unknown was left out already. */
  without(line: string): string {
    return this.#secrets.reduce((text, secret) => replacedIn(text, secret), line);
  }
}

/** Fields of the query may be tokens. */
function wordsOf(address: URL): string[] {
  const fields = [...address.searchParams.values()].filter((word) => !standards.test(word));
  const { hostname, username, password, pathname, search } = address;
  return [hostOf(address), hostname, username, password, pathname, search, ...fields];
}

/** Whatever its case: cameras write host names in capitals. */
function replacedIn(text: string, secret: string): string {
  const pattern = new RegExp(secret.replace(/[^\w]/g, '\\$&'), 'gi');
  return text.replace(pattern, leftOut);
}

function decoded(word: string): string {
  try {
    return decodeURIComponent(word);
  } catch {
    return word;
  }
}

/** Names of standards, whose digits are no serial number. */
const standards = /^(?:LIVE555|H26[45](?:DVR)?|MPEG-?[24]|RTSP|RTP|HTTP|ONVIF|IPv[46])$/i;
const plainWord = /^[A-Za-z]{1,20}(?:-[A-Za-z]{1,20}){0,2}$/;
/** 1.0, v2, 2014.05.27, 0.94.14rc21. Four parts may be an address, and a number alone may be anything. */
const version = /^(?:[vV]\d{1,4}|[vV]?\d{1,4}(?:\.\d{1,3}){1,2}(?:[a-d]|rc\d{1,2})?)$/;

/** Keeps of a server's name the words and versions that name a product: no serial number, address or house. */
export function productOf(text: string): string {
  return text
    .slice(0, 200)
    .split(/[\s/,;()[\]_]+/)
    .filter((word) => word !== '')
    .map((word) =>
      [standards, plainWord, version].some((form) => form.test(word)) ? word : leftOut,
    )
    .join(' ');
}

/** Ends of paths that say which stream it is. */
const streamPart = /^(?:(?:track|stream)(?:ID)?[=_-]?\d{1,3}|(?:video|audio)\d{0,3})$/i;

/** How an address is written, without the address: `rtsp://(left out)/(left out)/trackID=1`. */
export function addressForm(text: string): string {
  const address = text.trim();
  if (address === '' || address === '*') return address;
  const scheme = /^(rtsps?|https?):\/\//i.exec(address)?.[1];
  const last = address.split('/').at(-1) ?? '';
  const end = streamPart.test(last) ? last : last === '' ? '' : leftOut;
  if (scheme) return `${scheme.toLowerCase()}://${leftOut}/${end}`;
  const isAbsolute = address.startsWith('/');
  const isDeep = address.slice(1, -1).includes('/');
  return `${isAbsolute ? '/' : ''}${isDeep ? `${leftOut}/` : ''}${end || leftOut}`;
}
