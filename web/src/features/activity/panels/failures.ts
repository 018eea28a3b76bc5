/** The sentences that the documents state for what a panel could not load. */
import { hasWords, isAskedWrong, Problem, problemSentence } from '#api/problem.ts';
import type { Translate } from '#lib/i18n.ts';
import type { Panel } from './panels.ts';

/** The server no longer gives this reader the answer: then its earlier answer is not shown either. */
export const isRefused = (error: unknown): boolean => [401, 403, 404].includes(statusOf(error));

export const dataOf = <T>({
  data,
  error,
}: {
  data: T | undefined;
  error: unknown;
}): T | undefined => (isRefused(error) ? undefined : data);

export const statusOf = (error: unknown): number => (error instanceof Problem ? error.status : 0);

export function failureOf(t: Translate, panel: Panel, error: unknown): string {
  const status = statusOf(error);
  // For wrong filters the documents state words for one panel only; "try again" would be no help on the others.
  if (isAskedWrong(error) && panel !== 'system') return t('panels.failed.filters');
  if (panel === 'overview') {
    if (status === 403) return t('panels.failed.forbidden');
    if (status === 400) return t('panels.failed.filters');
    return t('panels.failed.overview');
  }
  if (panel === 'faces') {
    if (status === 401) return t('panels.failed.signIn');
    if (status === 403) return t('panels.failed.facesForbidden');
    return t('panels.failed.faces');
  }
  if (panel === 'system') {
    if (status === 403) return t('systemLog.failed.forbidden');
    return status === 400 ? invalidText(t, error) : t('systemLog.failed.list');
  }
  return t(`panels.failed.${panel}`);
}

export function invalidText(t: Translate, error: unknown): string {
  const reason = error instanceof Problem && hasWords(error) ? problemSentence(error) : '';
  return t('systemLog.failed.invalid', { reason: reason || t('systemLog.failed.checkFilters') });
}
