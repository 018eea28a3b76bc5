/** The words that the API answers in place of a name, in the reader's language. */
import { erasedName, hiddenName, unknownName } from '@nazar/contract/names.ts';
import type { Translate } from '#lib/i18n.ts';

const words = {
  [erasedName]: 'detection.erased',
  [hiddenName]: 'player.knownPerson',
  [unknownName]: 'detection.unknown',
} as const;

export function shownName(t: Translate, name: string): string {
  return Object.hasOwn(words, name) ? t(words[name as keyof typeof words]) : name;
}
