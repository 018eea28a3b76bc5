/**
 * What a line may keep (C-604). The log redacts secrets by the names of their fields; the system log is read by more
 * people and for longer, so it also loses what names a person, and what is secret or personal inside a text. Pure.
 */
import { withoutCredentials } from '#lib/log.ts';

const removed = '[removed]';

/** Names of fields whose values are secrets, or say who somebody is. */
const withheld =
  /pass(word|phrase|wd)?$|secret|token|cookie|authorization|credential|api[-_]?key|private|ticket|otp|recovery|^code$|_code$|mail|^(first|last|full|user|person)_?name$|^name$|phone|user[-_]?agent|^ip$|^body$/i;
const address = /\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s"'<>)\]}]+/gi;
/** Bounded: a long word without an @ is not walked to its end from each of its letters. */
const email = /[^\s"'<>()[\]{}:,;=@/]{1,64}@[^\s"'<>()[\]{}:,;=@/]{1,255}/g;
/** Our own tokens, and runs of hexadecimal or base64 digits that are longer than an id. */
const token =
  /\bnz[a-z]_[\w-]{8,}|\b(?:Bearer|Basic)\s+\S+|(?<![\w/+-])(?=[\w/+-]*\d)[\w+-]{40,}={0,2}/g;

const maxDepth = 4;
const maxFields = 30;
const maxItems = 20;
const maxTextChars = 2_000;

/** A text without passwords, tokens and e-mail addresses, and with nothing that a database refuses. */
export function scrubText(text: string, maxChars = maxTextChars): string {
  return text
    .slice(0, 4 * maxChars)
    .replaceAll('\0', '')
    .toWellFormed()
    .replace(address, (url) => (url.startsWith('file:') ? url : withoutCredentials(url)))
    .replace(email, removed)
    .replace(token, removed)
    .slice(0, maxChars)
    .toWellFormed();
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
