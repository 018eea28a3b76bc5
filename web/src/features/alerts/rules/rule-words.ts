/** A rule as a sentence: "When an unknown person is seen at any camera, raise a warning." */
import {
  kindsOfCameras,
  kindsOfPeople,
  type AlertKind,
  type AlertRule,
} from '@nazar/contract/alerts.ts';
import { useQuery } from '@tanstack/react-query';
import { formatList } from '#lib/format.ts';
import { useTranslation } from '#lib/i18n.ts';
import { useOwnCameras } from '#parts/alerts/use-own-cameras.ts';
import { useCategoryName } from '#parts/category-name.ts';
import { categoriesQuery } from '../queries.ts';

export const isOfCameras = (kind: AlertKind): boolean => kindsOfCameras.includes(kind);
export const isOfPeople = (kind: AlertKind): boolean => kindsOfPeople.includes(kind);

/** More names than these make no sentence. */
const mostNamed = 3;

export function useRuleWords(): (rule: AlertRule) => string {
  const { t } = useTranslation();
  const { cameras } = useOwnCameras();
  const categories = useQuery(categoriesQuery).data?.results ?? [];
  const categoryName = useCategoryName();

  const where = ({ cameras: ids }: AlertRule): string => {
    if (ids === null) return t('alertRules.anyCamera');
    const names = ids.flatMap((id) => cameras.find((one) => one.id === id)?.name ?? []);
    if (names.length === 0 || ids.length > mostNamed || names.length < ids.length) {
      return t('alertRules.camerasChosen', { count: ids.length });
    }
    return formatList(names);
  };
  const who = ({ categories: ids }: AlertRule): string => {
    const names = ids.flatMap((id) => {
      const found = categories.find((one) => one.id === id);
      return found === undefined ? [] : categoryName(found.name);
    });
    // They are still loading, or are gone.
    return names.length === 0 ? '…' : formatList(names);
  };
  return (rule) => {
    const isIdle = rule.kind === 'watched_person' && rule.categories.length === 0;
    if (isIdle) return t('alertRules.watchesNoOne');
    const about = { cameras: where(rule), categories: who(rule) };
    const when = t(`alertRules.when.${rule.kind}`, about);
    return t('alertRules.sentence', { when, raise: t(`alertRules.raise.${rule.level}`) });
  };
}
