/** What a camera's ingest is doing, with its cause, as one sentence: "Offline: the camera refused the password". */
import type { StreamHealth } from '@nazar/contract/cameras.ts';
import { useTranslation } from '#lib/i18n.ts';
import { formatSeconds } from '#lib/format.ts';
import { useNow } from '#lib/use-now.ts';

export function useHealthSentence({ state, cause, retry_at: retryAt }: StreamHealth): string {
  const { t } = useTranslation();
  const now = useNow(retryAt !== null);
  const word = t(`ingest.state.${state}`);
  const sentence =
    cause === 'none'
      ? word
      : t('ingest.sentence', { state: word, cause: t(`ingest.cause.${cause}`) });
  const seconds = retryAt === null ? 0 : Math.floor((Date.parse(retryAt) - now) / 1000);
  if (seconds <= 0) return sentence;
  return t('ingest.nextTry', { sentence, time: formatSeconds(seconds) });
}
