import { useTranslation } from '#lib/i18n.ts';
import { shownName } from '#parts/shown-name.ts';
import type { Named } from './people.ts';

/** Unknown and erased people, and whom one may not name, in the words of the reader's language. */
export function usePersonName(): (row: Named) => string {
  const { t } = useTranslation();
  return ({ person_id, person_name }) =>
    person_id === null ? shownName(t, person_name) : person_name;
}
