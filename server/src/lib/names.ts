/** Names from outside (providers, files, devices), cleaned for storage and display: no user can correct them here. */
import { nameCharacters, unseenCharacters } from '@nazar/contract/name-characters.ts';

/** One line, NFC, without invisible characters and marks that change the direction of text; at most `maxChars`. */
export function asName(text: string, maxChars: number): string {
  const line = text
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim();
  const shown = nameCharacters.test(line) ? line : line.replace(unseenCharacters, '').trim();
  return Array.from(shown).slice(0, maxChars).join('').trim();
}
