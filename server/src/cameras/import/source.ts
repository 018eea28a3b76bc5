/**
 * One source of a configuration: the address of a stream, if it is one that Nazar opens by itself. Whatever starts a
 * program or encodes anew is refused, and never started.
 */
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

export type Source = { readonly stream: Stream } | NotTaken;

const schemes: ReadonlySet<string> = new Set(['rtsp:', 'rtsps:', 'http:', 'https:']);
const programs: ReadonlySet<string> = new Set(['exec', 'echo', 'expr']);
/** `{FRIGATE_X}` of Frigate, `${X}` and `${X:otherwise}` of go2rtc. */
const variable = /\{(FRIGATE_\w{1,93})\}|\$\{(\w{1,100})(?::([^}]{0,256}))?\}/g;
/** Passwords that stand in a path or query, where they would be kept and shown as a part of the address. */
const secretPart =
  /(?:^|[^a-z])(?:pass|passwd|password|pwd|psw|token|secret|auth|key|api_?key|credential)s?[=:]/i;

export const isNotTaken = (source: Source): source is NotTaken => 'fault' in source;

const notTaken = (fault: ImportFault, about = ''): NotTaken => ({ fault, about });

/** What a source may be asked with, by the name it goes by in the file. */
export function readSource(written: string, variables: Variables): Source {
  const text = written.trim();
  const scheme = /^([a-z][a-z0-9+.-]{0,19}):/i.exec(text)?.[1]?.toLowerCase() ?? '';
  if (programs.has(scheme)) return notTaken('runs_program', `${scheme}:`);
  const unwrapped = scheme === 'ffmpeg' ? unwrap(text.slice('ffmpeg:'.length)) : text;
  if (unwrapped === null) return notTaken('transcodes', 'ffmpeg:');
  const filled = fill(unwrapped, variables);
  return typeof filled === 'string' ? readAddress(filled) : filled;
}

/** The address inside `ffmpeg:`, where it only passes the picture on; null where it encodes, or names a stream. */
function unwrap(text: string): string | null {
  const [address = '', ...options] = text.split('#');
  const isPlain = /^(?:rtsps?|https?):\/\//i.test(address);
  const isCopied = options.every((option) => option === 'video=copy' || /^audio=\w+$/.test(option));
  return isPlain && isCopied ? address : null;
}

/** The text with its variables; what stands before the host is written so that it can be read back. */
function fill(text: string, variables: Variables): string | NotTaken {
  const unset = new Set<string>();
  const filled = text.replace(variable, (whole: string, frigate, other, otherwise, at: number) => {
    const name = String(frigate ?? other);
    const value = variables.get(name) ?? (otherwise as string | undefined);
    if (value === undefined) unset.add(name);
    const isSignIn = text.slice(at + whole.length).includes('@');
    return isSignIn ? encodeURIComponent(value ?? '') : (value ?? '');
  });
  return unset.size === 0 ? filled : notTaken('variable_unset', [...unset].toSorted().join(', '));
}

function readAddress(text: string): Source {
  const url = URL.parse(text);
  if (!url) return notTaken(/@/.test(text) ? 'special_characters' : 'address_refused');
  if (!schemes.has(url.protocol)) return notTaken('scheme', url.protocol);
  if (url.hostname === '') return notTaken('address_refused');
  const rest = decoded(`${url.pathname}${url.search}${url.hash}`);
  // "rtsp://admin:12#34@camera/": what follows the password looks like a path, and the password like a port.
  if (rest.includes('@')) return notTaken('special_characters');
  if (secretPart.test(rest)) return notTaken('password_in_address');
  const username = decoded(url.username);
  const password = decoded(url.password);
  url.username = '';
  url.password = '';
  // Options of go2rtc; no camera is sent what stands behind a #.
  url.hash = '';
  return { stream: { url: url.href, username, password } };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
