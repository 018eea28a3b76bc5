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
import { useCategoryName } from '#parts/category-name.ts';
import { daysAlike } from '#parts/week/week-summary.ts';
import { useWeekdays } from '#parts/week/week-words.ts';
import { categoriesQuery } from '../queries.ts';
import { goneAmong, type Known, type Named } from './gone.ts';
import { useKnownPlaces } from './use-known-places.ts';

export const isOfCameras = (kind: AlertKind): boolean => kindsOfCameras.includes(kind);
export const isOfPeople = (kind: AlertKind): boolean => kindsOfPeople.includes(kind);

export const isOfEnrolled = (kind: AlertKind): boolean => kindsOfEnrolled.includes(kind);

/** More names, or more times of a day, than these make no sentence. */
const mostNamed = 3;
const mostTimes = 2;

/** Null: there are too many for a sentence, or some are not known: they are loading or hidden. */
function namesOf(ids: readonly string[], all: readonly Named[]): string[] | null {
  const names = ids.flatMap((id) => all.find((one) => one.id === id)?.name ?? []);
  return names.length < ids.length || names.length > mostNamed ? null : names;
}

interface PlaceKind {
  readonly known: Known;
  readonly nameOf: (name: string) => string;
  readonly counted: (count: number) => string;
  readonly gone: (count: number) => string;
}

/** "Lobby", "4 cameras", "2 deleted cameras". */
function wordsOf(ids: readonly string[], { known, nameOf, counted, gone }: PlaceKind): string[] {
  const goneIds = goneAmong(ids, known);
  const there = ids.filter((id) => !goneIds.includes(id));
  return [
    ...(namesOf(there, known.all)?.map(nameOf) ?? [counted(there.length)]),
    ...(goneIds.length > 0 ? [gone(goneIds.length)] : []),
  ];
}

/** At which cameras a rule counts: "Lobby and the cameras of Outside", "4 cameras and 1 group of cameras". */
function usePlaceWords(): (rule: AlertRule) => string {
  const { t } = useTranslation();
  const { cameras, groups } = useKnownPlaces();
  const ofCameras: PlaceKind = {
    known: cameras,
    nameOf: (name) => name,
    counted: (count) => t('alertRules.camerasChosen', { count }),
    gone: (count) => t('alertRules.goneCameras', { count }),
  };
  const ofGroups: PlaceKind = {
    known: groups,
    nameOf: (name) => t('alertRules.camerasOf', { name }),
    counted: (count) => t('alertRules.groupsChosen', { count }),
    gone: (count) => t('alertRules.goneGroups', { count }),
  };
  return ({ cameras: ids, camera_groups: groupIds }) => {
    if (ids === null) return t('alertRules.anyCamera');
    const places = [...wordsOf(ids, ofCameras), ...wordsOf(groupIds, ofGroups)];
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
