/** What a connection test says, as one line. */
import type { ConnectionTest } from '@nazar/contract/probing.ts';
import { useTranslation } from '#lib/i18n.ts';
import { joined } from '#lib/joined.ts';
import { Problem, problemSentence } from '#api/problem.ts';
import { formatNumber } from '#lib/format.ts';

export interface ConnectionWords {
  readonly tone: 'success' | 'error';
  readonly text: string;
}

export function useConnectionWords() {
  const { t } = useTranslation();
  const failed = (name: string, message: string): ConnectionWords => ({
    tone: 'error',
    text: t('cameras.testFailed', { name, message }),
  });
  const found = ({ codec, width, height, fps, latency_ms: latencyMs }: ConnectionTest): string => {
    const size = width === null || height === null ? null : `${width}×${height}`;
    const rate = fps === null ? null : t('cameras.testRate', { fps: formatNumber(fps) });
    const late =
      latencyMs === null ? null : t('cameras.testLatency', { ms: formatNumber(latencyMs) });
    return joined([codec?.toUpperCase(), size, rate, late]);
  };
  return {
    answered: (name: string, test: ConnectionTest): ConnectionWords => {
      if (test.success) return { tone: 'success', text: `${test.message} (${found(test)})` };
      // The server says by itself which camera has no address, and that it could not ask: no camera failed then.
      if (test.outcome === 'no_url' || test.outcome === 'failed') {
        return { tone: 'error', text: test.message };
      }
      return failed(name, test.message);
    },
    refused: (name: string, error: unknown): ConnectionWords => {
      const isSaid = error instanceof Problem && error.status !== 0;
      return failed(name, isSaid ? problemSentence(error) : t('cameras.testCheck'));
    },
  };
}
