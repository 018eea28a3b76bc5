/**
 * Addresses inside of a text that is logged or reported: an error of a parser repeats what it was given. The user name
 * and password are taken out, and what is secret in the rest is masked. What is unclear goes: a line of a log may lose a
 * word, a password may not be in it. Pure; used by the server and by what browsers report.
 */
import { maskedAddress, secretsIn } from './address-secrets.ts';

const begin = /\b[a-z][a-z0-9+.-]{0,20}:\/\//gi;
/** Where a word ends that is no part of an address, unless it is one of a password. */
const wordEnd = /[\s"'`<>()[\]{}|,;]/;
/** Another address begins: what is before it belongs to no password. */
const known = /\b(?:rtsps?|rtmps?|https?|wss?|ftps?|file|smtps?|mqtts?|postgres(?:ql)?):\/\//gi;
/** A longer one is no password. */
const maxSignInChars = 512;
const unreadable = '[unreadable address]';

export function withoutSignIns(text: string): string {
  let [result, done] = ['', 0];
  for (const { 0: scheme, index } of text.matchAll(begin)) {
    if (index < done || scheme.toLowerCase() === 'file://') continue;
    const start = index + scheme.length;
    const at = signInEnd(text, start);
    const end = secretEnd(text, at + 1, wordEndAt(text, at + 1));
    const rest = text.slice(at + 1, end);
    // What was cut off before its @ may be the beginning of a password.
    const isCut = at < start && !hasHost(rest);
    const shown = isCut ? `${scheme}${unreadable}` : maskedAddress(scheme + rest);
    result += text.slice(done, index) + shown;
    done = end;
  }
  return result + text.slice(done);
}

/** The place of the @ before the host of the address whose host or user name begins at `start`; else before `start`. */
function signInEnd(text: string, start: number): number {
  const word = text.slice(start, wordEndAt(text, start));
  const isWhole = isHostFirst(word);
  const within = isWhole && !word.includes('@') ? word : lineAt(text, start);
  return start + within.lastIndexOf('@');
}

/** Whether a word begins with a host, and not with a user name: `admin:1234` is a user name in half of the cases. */
const isHostFirst = (word: string): boolean =>
  hasHost(word) && (/^localhost:/i.test(word) || !/^[^.:[\]/?#\\]+:/.test(word));

const hasHost = (word: string): boolean =>
  URL.canParse(`rtsp://${/^[^/?#\\]*/.exec(word)?.[0] ?? ''}`);

/** What may belong to an address: up to the end of the line, or the function in which another address stands. */
function lineAt(text: string, start: number): string {
  const line = /[^\r\n]*/.exec(text.slice(start, start + maxSignInChars))![0];
  known.lastIndex = 0;
  const next = known.exec(line)?.index;
  return next === undefined ? line : line.slice(0, next).replace(/@$/, '');
}

/** A secret that stands last may have signs that end a word: all up to a space goes. */
function secretEnd(text: string, start: number, end: number): number {
  const rest = text.slice(start, end);
  const isLast =
    /[=:]$|%3a/i.test(rest) || secretsIn(`a://${rest}`).some(({ value }) => rest.endsWith(value));
  return isLast ? end + /^\S{0,512}/.exec(text.slice(end, end + maxSignInChars))![0].length : end;
}

function wordEndAt(text: string, start: number): number {
  const rest = text.slice(start, start + 4 * maxSignInChars);
  // An IPv6 address has brackets.
  const skip = /^\[[\da-f:.]+\]/i.exec(rest)?.[0].length ?? 0;
  const end = rest.slice(skip).search(wordEnd);
  return end < 0 ? start + rest.length : start + skip + end;
}
