/** A rule as a sentence: "When an unknown person is seen at any camera, while the mode is Away, raise a warning." */
import {
  kindsOfCameras,
  kindsOfEnrolled,
  kindsOfPeople,
  type AlertRule,
} from '@nazar/contract/alert-rules.ts';
import type { AlertKind } from '@nazar/contract/alerts.ts';
import type { WeekSchedule } from '@nazar/contract/week-schedule.ts';
import { useQuery } from '@tanstack/react-query';
import { formatList, formatPercent } from '#lib/format.ts';
import { useTranslation } from '#lib/i18n.ts';
import { joined } from '#lib/joined.ts';
import { readerTimezone } from '#lib/local-day.ts';
import { useOwnCameras } from '#parts/alerts/use-own-cameras.ts';
import { useCategoryName } from '#parts/category-name.ts';
import { daysAlike } from '#parts/week/week-summary.ts';
import { useWeekdays } from '#parts/week/week-words.ts';
import { cameraGroupsQuery, categoriesQuery } from '../queries.ts';

export const isOfCameras = (kind: AlertKind): boolean => kindsOfCameras.includes(kind);
export const isOfPeople = (kind: AlertKind): boolean => kindsOfPeople.includes(kind);

export const isOfEnrolled = (kind: AlertKind): boolean => kindsOfEnrolled.includes(kind);

/** More names, or more times of a day, than these make no sentence. */
const mostNamed = 3;
const mostTimes = 2;

interface Named {
  readonly id: string;
  readonly name: string;
}

/** Null: there are too many for a sentence, or some are not known: they are loading, hidden or gone. */
function namesOf(ids: readonly string[], all: readonly Named[]): string[] | null {
  const names = ids.flatMap((id) => all.find((one) => one.id === id)?.name ?? []);
  return names.length < ids.length || names.length > mostNamed ? null : names;
}

/** At which cameras a rule counts: "Lobby and the cameras of Outside", "4 cameras and 1 group of cameras". */
function usePlaceWords(): (rule: AlertRule) => string {
  const { t } = useTranslation();
  const { cameras } = useOwnCameras();
  const groups = useQuery(cameraGroupsQuery).data?.results ?? [];
  return ({ cameras: ids, camera_groups: groupIds }) => {
    if (ids === null) return t('alertRules.anyCamera');
    const cameraNames = namesOf(ids, cameras) ?? [
      t('alertRules.camerasChosen', { count: ids.length }),
    ];
    const groupNames = namesOf(groupIds, groups)?.map((name) =>
      t('alertRules.camerasOf', { name }),
    ) ?? [t('alertRules.groupsChosen', { count: groupIds.length })];
    const places = [...cameraNames, ...groupNames];
    return places.length === 0 ? t('alertRules.camerasChosen', { count: 0 }) : formatList(places);
  };
}

/** At which times a rule counts: "Mon – Fri 22:00–24:00". */
function useTimeWords(): (schedule: WeekSchedule) => string {
  const { t } = useTranslation();
  const { short } = useWeekdays();
  return (schedule) => {
    const parts = daysAlike(schedule);
    const isLong = parts.length > mostTimes || parts.some(({ times }) => times.length > mostTimes);
    const days = parts.map(({ firstDay, lastDay, times }) => {
      const named =
        firstDay === lastDay ? short(firstDay) : `${short(firstDay)} – ${short(lastDay)}`;
      return `${named} ${formatList(times)}`;
    });
    const times = isLong || days.length === 0 ? t('alertRules.atChosenTimes') : formatList(days);
    const { timeZone } = schedule;
    if (timeZone === readerTimezone()) return times;
    return t('alertRules.timesIn', { times, zone: timeZone.replaceAll('_', ' ') });
  };
}

/** Under which conditions a rule about people counts: times and mode, where they are limited. */
function useConditionWords(): (rule: AlertRule) => string[] {
  const { t } = useTranslation();
  const timesOf = useTimeWords();
  return ({ kind, schedule, modes, confidence_percent: percent }) => {
    if (!isOfPeople(kind)) return [];
    const [mode] = modes;
    const isLimited = isOfEnrolled(kind) && percent > 0;
    return [
      ...(isLimited ? [t('alertRules.atLeast', { percent: formatPercent(percent / 100) })] : []),
      ...(schedule === null ? [] : [timesOf(schedule)]),
      ...(modes.length === 1 && mode !== undefined
        ? [t('alertRules.inMode', { mode: t(`alerts.modes.${mode}`) })]
        : []),
    ];
  };
}

export function useRuleWords(): (rule: AlertRule) => string {
  const { t } = useTranslation();
  const categories = useQuery(categoriesQuery).data?.results ?? [];
  const categoryName = useCategoryName();
  const placesOf = usePlaceWords();
  const conditionsOf = useConditionWords();
  const who = ({ categories: ids }: AlertRule): string => {
    const names = ids.flatMap((id) => {
      const found = categories.find((one) => one.id === id);
      return found === undefined ? [] : categoryName(found.name);
    });
    // They are still loading, or are gone.
    return names.length === 0 ? '…' : formatList(names);
  };
  const whatOf = (rule: AlertRule): string => {
    const about = { cameras: placesOf(rule), categories: who(rule) };
    if (rule.kind === 'returning_stranger') {
      return t('alertRules.whenAgain', { ...about, count: rule.visits });
    }
    const isExcept = rule.kind === 'known_person' && rule.categories.length > 0;
    return isExcept
      ? t('alertRules.whenKnownExcept', about)
      : t(`alertRules.when.${rule.kind}`, about);
  };
  return (rule) => {
    const isIdle = rule.kind === 'watched_person' && rule.categories.length === 0;
    if (isIdle) return t('alertRules.watchesNoOne');
    const what = whatOf(rule);
    const when = joined([what, ...conditionsOf(rule)], ', ');
    return t('alertRules.sentence', { when, raise: t(`alertRules.raise.${rule.level}`) });
  };
}
