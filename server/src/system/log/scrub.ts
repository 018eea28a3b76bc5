/**
 * What a line may keep. The log redacts secrets by the names of their fields; the system log is read by more
 * people and for longer, so it also loses what names a person, and what is secret or personal inside a text. Pure.
 */
import { withoutSignIns } from '@nazar/contract/address-text.ts';

const removed = '[removed]';

/** Names of fields whose values are secrets, or say who a person is. */
const withheld =
  /pass(word|phrase|wd)?$|secret|token|cookie|authorization|credential|api[-_]?key|private|ticket|otp|recovery|^code$|_code$|mail|^(first|last|full|user|person)_?name$|^name$|phone|user[-_]?agent|^ip$|^body$/i;
const address = /\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s"'<>)\]}]+/gi;
/** What follows the name of a secret, in any notation: `"password":"x"`, `pwd=x`, `Authorization: Basic x`. */
const named =
  /(\b[\w-]{0,40}(?:pass(?:wor[dt]|wd|phrase)?|pwd|secret|token|api[-_]?key|credentials?|loginpas)["']?\s{0,4}[=:]\s{0,4})("(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|[^\s,;&)}\]]+)/gi;
const header = /\b((?:proxy-)?authorization["']?\s{0,4}[=:]).*/gi;
/** A user name, a password and a host without a scheme. Where a function stands before an address (`draw@https://`), none is meant. */
const bareSignIn =
  /(?<![^\s"'<>()[\]{},])[^\s"'<>()[\]{},:]{1,100}:[^\s"'<>]{0,300}@(?![a-z][a-z0-9+.-]{0,20}:\/\/)[\w.-]+/gi;
/** Bounded: a long word without an @ is not walked to its end from each of its letters. */
const email =
  /[^\s"'<>()[\]{}:,;=@/]{1,64}@(?![a-z][a-z0-9+.-]{0,20}:\/\/)[^\s"'<>()[\]{}:,;=@/]{1,255}/gi;
/** Our own tokens, and runs of hexadecimal or base64 digits that are longer than an id. */
const token =
  /\bnz[a-z]_[\w-]{8,}|\b(?:Bearer|Basic)\s+\S+|(?<![\w/+-])(?=[\w/+-]*\d)[\w+-]{40,}={0,2}/g;

const maxDepth = 4;
const maxFields = 30;
const maxItems = 20;
const maxTextChars = 2_000;

/** A text without passwords, tokens and e-mail addresses, and with nothing that a database refuses. */
export function scrubText(text: string, maxChars = maxTextChars): string {
  const bounded = text
    .slice(0, 4 * maxChars)
    .replaceAll('\0', '')
    .toWellFormed();
  return withoutSignIns(bounded)
    .replace(address, withoutQuery)
    .replace(header, `$1 ${removed}`)
    .replace(named, `$1${removed}`)
    .replace(bareSignIn, removed)
    .replace(email, removed)
    .replace(token, removed)
    .slice(0, maxChars)
    .toWellFormed();
}

/** What was searched for may stand there, and tokens that have any name. */
function withoutQuery(url: string): string {
  const at = url.startsWith('file:') ? -1 : url.search(/[?#]/);
  if (at < 0) return url;
  // A stack names line and column behind it.
  return url.slice(0, at) + (/(?::\d{1,7}){1,2}$/.exec(url)?.[0] ?? '');
}

/** The same of every text in a value, and without fields that are withheld by their names. */
export function scrub(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return scrubText(value);
  if (value === null || typeof value !== 'object') return value ?? null;
  if (depth === maxDepth) return removed;
  if (Array.isArray(value)) return value.slice(0, maxItems).map((item) => scrub(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, maxFields)
      .map(([key, field]) => [
        scrubText(key, 100),
        withheld.test(key) ? removed : scrub(field, depth + 1),
      ]),
  );
}
