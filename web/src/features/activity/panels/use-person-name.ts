import { hiddenName, unknownName } from '@nazar/contract/names.ts';
import { useTranslation } from '#lib/i18n.ts';
import type { Named } from './people.ts';

/** Unknown people, and whom one may not name, in the words of the reader's language. */
export function usePersonName(): (row: Named) => string {
  const { t } = useTranslation();
  return ({ person_id, person_name }) => {
    if (person_id === null && person_name === hiddenName) return t('panels.hidden');
    return person_id === null && person_name === unknownName ? t('detection.unknown') : person_name;
  };
}
