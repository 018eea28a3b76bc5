import { useEffect } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { useSignal } from '#lib/signal.ts';
import type { Notice } from '../use-status-action.ts';
import { useDetection } from './detection-scope.tsx';
import { useDetectionWords } from './detection-words.ts';

/** What detection by hand has to say, among the other notices of the page, with the camera that it is about. */
export function DetectionNotices({ say }: { say: (notice: Notice) => void }) {
  const { t } = useTranslation();
  const { said } = useDetection();
  const now = useSignal(said);
  const words = useDetectionWords();
  useEffect(() => {
    if (now === null) return;
    const { tone, sentence } = words.said(now);
    const { name } = now;
    say({ tone, text: name === null ? sentence : t('detecting.named', { name, sentence }) });
    said.set(null);
  });
  return null;
}
