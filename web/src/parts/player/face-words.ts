/** What is written on a face. */
import type { FaceBox } from '@nazar/contract/live.ts';
import { hiddenName } from '@nazar/contract/names.ts';
import { formatPercent } from '#lib/format.ts';
import { translate } from '#lib/i18n.ts';

export const shownName = (name: string): string =>
  name === hiddenName ? translate('player.knownPerson') : name;

export function faceLabel({ state, name, confidence }: FaceBox): string {
  switch (state) {
    case 'known': {
      const words = name === null ? translate('player.knownPerson') : shownName(name);
      return confidence === null ? words : `${words} ${formatPercent(confidence)}`;
    }
    case 'unknown':
      return translate('player.unknown');
    case 'unusable':
      return translate('player.unusable');
    default:
      // Undecided: recognition is still running.
      return '…';
  }
}
