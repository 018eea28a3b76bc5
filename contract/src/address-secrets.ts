/**
 * Secrets that cameras want in the path or the query of their address (`?user=U&pwd=P`, `/user=U_password=P_channel=1`,
 * `/0/U:P/main`). They are kept apart and sealed; every address that is shown has `***` in their place. What only
 * resembles a secret is hidden too: the camera is sent all of it in any case. Pure.
 */

/** What stands for a secret. Sent back, it means the one that is kept. */
const addressMask = '***';

export interface AddressSecret {
  /** The name of its field, in lower case: `pwd`, `admin`. */
  readonly key: string;
  readonly value: string;
}

const long = [
  'pass(?:wor[dt]|w[dt]?|phrase|code)?',
  'pas|pwd|pswd|psw|secret|token|credential',
  'api[-_]?key|stream[-_]?key|auth(?:basic|orization)?|signature',
].join('|');
/** Too short to be searched for inside other words. */
const short = ['p', 'pw', 'key', 'sid', 'sig', 'hash'].join('|');
/**
 * What a secret follows: a name, or the user name of a part of the path that has both (a script and its line are none),
 * or the name of a field that is an encoded address with a user name and password itself.
 */
const keys = new RegExp(
  `(?:${long})s?(?:=|:|%3d|%3a)|(?<![a-z0-9])(?:${short})[=:]` +
    String.raw`|(?<=/)(?![^/:]{1,64}\.[cm]?[jt]sx?:)[^/:=&?#;]{1,64}:|(?<=[?&])[^&=]{1,64}=(?=\*\*\*|[^&]{0,100}%3a[^&]{0,200}%40)`,
  'gi',
);
/** A path may have its fields separated by underscores, as in the addresses of Xiongmai. */
const valueInPath = /[^&;/]*?(?=_(?:channel|stream|user|username|subtype)=|[&;/]|$)/y;
const valueInQuery = /[^&]*/y;
const beforePath = /^[a-z]+:\/\/[^/?#]*/i;

/** The same address with each secret as `value` says. */
function replaced(url: string, value: (key: string, secret: string) => string): string {
  const start = beforePath.exec(url)?.[0].length;
  if (start === undefined) return url;
  const rest = url.slice(start);
  const query = rest.indexOf('?');
  let [text, done] = [url.slice(0, start), 0];
  for (const { 0: key, index } of rest.matchAll(keys)) {
    if (index < done) continue;
    const at = index + key.length;
    const pattern = query < 0 || index < query ? valueInPath : valueInQuery;
    pattern.lastIndex = at;
    const secret = pattern.exec(rest)?.[0] ?? '';
    if (secret === '') continue;
    text += rest.slice(done, at) + value(nameBefore(rest, at), secret);
    done = at + secret.length;
  }
  return text + rest.slice(done);
}

const maxNameChars = 80;
const name = /([^/?&#;=:]*)(?:=|:|%3d|%3a)$/i;

const nameBefore = (text: string, at: number): string =>
  name.exec(text.slice(Math.max(0, at - maxNameChars), at))?.[1]?.toLowerCase() ?? '';

/** The address as it may be shown and kept. */
export const maskedAddress = (url: string): string => replaced(url, () => addressMask);

/** The secrets of an address, in their order; a mask is none. */
export function secretsIn(url: string): AddressSecret[] {
  const secrets: AddressSecret[] = [];
  replaced(url, (key, value) => {
    if (value !== addressMask) secrets.push({ key, value });
    return value;
  });
  return secrets;
}

/** Whether a mask stands where a secret has to. */
export function isMasked(url: string): boolean {
  let found = false;
  replaced(url, (_key, value) => {
    found ||= value === addressMask;
    return value;
  });
  return found;
}

/** The address with its secrets by their fields; null where one of them is not known. */
export function unmaskedAddress(
  url: string,
  secretOf: (key: string) => string | undefined,
): string | null {
  let isWhole = true;
  const whole = replaced(url, (key, value) => {
    const found = value === addressMask ? secretOf(key) : value;
    isWhole &&= found !== undefined;
    return found ?? value;
  });
  return isWhole ? whole : null;
}

/** The secrets of one field are given in their order, each once. */
export function secretOfKey(
  secrets: readonly AddressSecret[],
): (key: string) => string | undefined {
  const left = [...secrets];
  return (key) => {
    const at = left.findIndex((secret) => secret.key === key);
    return at < 0 ? undefined : left.splice(at, 1)[0]?.value;
  };
}
