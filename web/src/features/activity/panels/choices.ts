/** What the filters offer to choose from. */
import { useQuery, type QueryKey, type UseQueryOptions } from '@tanstack/react-query';
import { useFormat } from '#lib/format.ts';
import { useTranslation } from '#lib/i18n.ts';
import { isRefused } from './failures.ts';
import type { Panel } from './panels.ts';
import { useLastKnown } from './use-last-known.ts';

export interface Choice {
  readonly value: string;
  readonly label: string;
}

/** What is chosen stays an option, though it may be none of those that were found. */
export const withChosen = (
  choices: readonly Choice[],
  chosen: string | undefined,
  label: string,
): Choice[] =>
  chosen === undefined || choices.some(({ value }) => value === chosen)
    ? [...choices]
    : [...choices, { value: chosen, label }];

/** A list to choose from: where it cannot be had the last stays, with its time. */
export function useChoices<T, K extends QueryKey>(options: UseQueryOptions<T, Error, T, K>) {
  const { t } = useTranslation();
  const { formatTime } = useFormat();
  const query = useQuery(options);
  const { data: last, at } = useLastKnown(query);
  const failure = (sentence: string): string =>
    last === undefined ? sentence : `${sentence} ${t('ui.cached', { time: formatTime(at) })}`;
  return { query, last: isRefused(query.error) ? undefined : last, failure };
}

export function listFailure(
  t: ReturnType<typeof useTranslation>['t'],
  panel: Panel,
  list: 'camera' | 'person',
): string {
  if (panel === 'timeline' || list === 'camera') return t('panels.failed.filterLists');
  return t('panels.failed.personsList');
}
