import { useQuery } from '@tanstack/react-query';
import { useTranslation } from '#lib/i18n.ts';
import { isId } from '#lib/is-id.ts';
import { shownName } from '#parts/shown-name.ts';
import { peopleSeenQuery, type Asked } from './queries.ts';

/** Why the daily figures are empty. */
export function useEmptyText(asked: Asked): string {
  const { t } = useTranslation();
  const { person } = asked.search;
  const seen = useQuery({
    ...peopleSeenQuery(asked, { person: person ?? '' }),
    enabled: person !== undefined,
  });
  if (person === undefined) return t('panels.empty.range');
  const name = isId(person)
    ? seen.data?.results.find(({ key }) => key === person)?.name
    : shownName(t, person);
  return name === undefined ? t('panels.empty.range') : t('panels.empty.person', { person: name });
}
