/** Names that come from elsewhere (providers, files, devices), made fit to be kept and shown where nobody can be asked. */
import { nameCharacters, unseenCharacters } from '@nazar/contract/name-characters.ts';

/** On one line, composed, without what shows nothing or turns text round; at most so many characters. */
export function asName(text: string, maxChars: number): string {
  const line = text
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim();
  const shown = nameCharacters.test(line) ? line : line.replace(unseenCharacters, '').trim();
  return Array.from(shown).slice(0, maxChars).join('').trim();
}
