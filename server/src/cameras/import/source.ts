/**
 * One source of a configuration: the address of a stream, if it is one that Nazar opens by itself. A source that starts
 * a program or transcodes is refused, and never started.
 */
import { isMasked, secretsIn } from '@nazar/contract/address-secrets.ts';
import { isAddressFault, readAddress } from '@nazar/contract/camera-address.ts';
import type { ImportFault } from '@nazar/contract/camera-import.ts';

export interface Stream {
  readonly url: string;
  readonly username: string;
  readonly password: string;
}

export interface NotTaken {
  readonly fault: ImportFault;
  /** For a person: a scheme, or names of variables. Never a part of the address itself. */
  readonly about: string;
}

/** Values by the names of variables. */
export type Variables = ReadonlyMap<string, string>;

export interface Usable {
  readonly stream: Stream;
  /** The names of options that the file sets for the source beyond its address, and Nazar doesn't use. */
  readonly options: readonly string[];
}

export type Source = Usable | NotTaken;

const schemes: ReadonlySet<string> = new Set(['rtsp:', 'rtsps:', 'http:', 'https:']);
const programs: ReadonlySet<string> = new Set(['exec', 'echo', 'expr']);
/** `{FRIGATE_X}` of Frigate, `${X}` and `${X:otherwise}` of go2rtc. */
const variable = /\{(FRIGATE_\w{1,93})\}|\$\{(\w{1,100})(?::([^}]{0,256}))?\}/g;
/** What other programs fill in, after the user name and password: `${X-y}`, `{{ x }}`, `{X}`, `%X_Y%`, `<x>`. */
const placeholder = /\$\{|\{\{|\{[A-Za-z_]\w*\}|\$[A-Z_]{2,}|%[A-Z_]{4,}%|<[A-Za-z_][^<>/]*>/;
/** Passwords contain such characters, too: there, only a placeholder that stands alone or is unmistakable counts. */
const inSignIn =
  /\$\{|\{\{|(?:^|\/\/|:)(?:\{[A-Za-z_]\w*\}|\$[A-Z_]{2,}|%[A-Z_]{4,}%|<[A-Za-z_][^<>/]*>)(?:$|:)/;

export const isNotTaken = (source: Source): source is NotTaken => 'fault' in source;

const notTaken = (fault: ImportFault, about = ''): NotTaken => ({ fault, about });

/** The stream behind a source, or why it cannot be used. `written`: the source as the file has it. */
export function readSource(written: string, variables: Variables): Source {
  const text = written.trim();
  const scheme = /^([a-z][a-z0-9+.-]{0,19}):/i.exec(text)?.[1]?.toLowerCase() ?? '';
  if (programs.has(scheme)) return notTaken('runs_program', `${scheme}:`);
  if (scheme === 'onvif') return notTaken('onvif');
  const unwrapped = scheme === 'ffmpeg' ? unwrap(text.slice('ffmpeg:'.length)) : text;
  if (unwrapped === null) return notTaken('transcodes', 'ffmpeg:');
  const filled = fill(unwrapped, variables);
  if (typeof filled !== 'string') return filled;
  const read = readStream(filled);
  return 'fault' in read ? read : { stream: read, options: optionsOf(text) };
}

/** Options that hold for every source anyway: video that isn't transcoded, and no sound sent to the camera. */
const usualOptions: ReadonlySet<string> = new Set(['video=copy', 'audio=copy', 'backchannel=0']);

/** The names of the options after an address. Their values may hold a password. */
function optionsOf(text: string): string[] {
  // Options follow the host: a # before it belongs to a password.
  const options = text
    .slice(text.lastIndexOf('@') + 1)
    .split('#', 21)
    .slice(1);
  const names = options
    .filter((option) => !usualOptions.has(option))
    .map((option) => /^[a-z_]{1,20}(?==|$)/.exec(option)?.[0])
    .filter((name) => name !== undefined);
  return [...new Set(names)].map((name) => `#${name}`);
}

/** The address inside `ffmpeg:` if it only passes the video on; null if it transcodes, or names a stream. */
function unwrap(text: string): string | null {
  const [address = '', ...options] = text.split('#');
  const isPlain = /^(?:rtsps?|https?):\/\//i.test(address);
  const isCopied = options.every((option) => option === 'video=copy' || /^audio=\w+$/.test(option));
  return isPlain && isCopied ? address : null;
}

/**
 * The text with its variables filled in; the part before the host is encoded so that it can be read back. The meaning
 * of a variable is unknown: after the host its value would be shown as a part of the address.
 */
function fill(text: string, variables: Variables): string | NotTaken {
  const unset = new Set<string>();
  const inPath = new Set<string>();
  const rest = text.replaceAll(variable, (whole) => '_'.repeat(whole.length));
  const lastSign = rest.lastIndexOf('@');
  const isLeft = inSignIn.test(rest.slice(0, Math.max(0, lastSign)));
  if (isLeft || placeholder.test(rest.slice(lastSign + 1))) return notTaken('placeholder');
  const pathAt = pathIn(rest, lastSign);
  const filled = text.replace(variable, (_, frigate, other, otherwise, at: number) => {
    const name = String(frigate ?? other);
    const value = variables.get(name) ?? (otherwise as string | undefined);
    if (value === undefined) unset.add(name);
    if (at >= pathAt) inPath.add(name);
    return at < lastSign ? encodeURIComponent(value ?? '') : (value ?? '');
  });
  if (inPath.size > 0) return notTaken('variable_in_path', listed(inPath));
  return unset.size === 0 ? filled : notTaken('variable_unset', listed(unset));
}

const listed = (names: ReadonlySet<string>): string => [...names].toSorted().join(', ');

/** Where the path begins. */
function pathIn(text: string, lastSign: number): number {
  const host = lastSign < 0 ? text.indexOf('://') + '://'.length : lastSign + 1;
  const path = text.slice(host).search(/[/?#]/);
  return path < 0 ? text.length : host + path;
}

function readStream(text: string): Stream | NotTaken {
  const scheme = URL.parse(text)?.protocol;
  if (scheme !== undefined && !schemes.has(scheme)) return notTaken('scheme', scheme);
  const read = readAddress(text);
  if (isAddressFault(read)) {
    return notTaken(read === 'refused' ? 'address_refused' : 'special_characters');
  }
  if (secretsIn(read.url).length > 0 || isMasked(read.url)) return notTaken('password_in_address');
  const url = new URL(read.url);
  // Options of go2rtc; the part after a # is never sent to a camera.
  url.hash = '';
  const { username, password } = read;
  return { url: url.href, username: username ?? '', password: password ?? '' };
}
