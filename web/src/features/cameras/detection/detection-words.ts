import { useTranslation, type Translate } from '#lib/i18n.ts';
import type { Said } from './detection.ts';
import type { Interruption } from './detection-state.ts';

const withReason = (sentence: string, reason: string): string =>
  reason === '' ? sentence : `${sentence}. ${reason}`;

function sentenceOf(t: Translate, said: Said | Interruption): string {
  switch (said.why) {
    case 'refused':
      return withReason(t('detecting.said.refused', { status: said.status }), said.reason);
    case 'stopFailed':
      return withReason(t('detecting.stopFailed'), said.reason);
    case 'stoppedForOthers':
      return t('detecting.stoppedForOthers', { count: said.count });
    case 'byItself':
      return t('detecting.byItself');
    default:
      return t(`detecting.said.${said.why}`);
  }
}

const calm: ReadonlySet<Said['why']> = new Set(['stopped', 'stoppedForOthers', 'byItself']);

export interface DetectionWords {
  readonly tone: 'info' | 'error';
  readonly sentence: string;
}

export function useDetectionWords() {
  const { t } = useTranslation();
  return {
    said: (said: Said): DetectionWords => ({
      tone: calm.has(said.why) ? 'info' : 'error',
      sentence: sentenceOf(t, said),
    }),
    interrupted: (why: Interruption): string => sentenceOf(t, why),
  };
}
