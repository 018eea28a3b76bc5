/** The sentence for what a live view is doing; null where the picture says it. */
import { useTranslation } from '#lib/i18n.ts';
import { formatSeconds } from '#lib/format.ts';
import { useNow } from '#lib/use-now.ts';
import type { PlayerState } from './player-state.ts';

type Ended = Extract<PlayerState, { kind: 'ended' }>;

export function usePlayerSentence(state: PlayerState): string | null {
  const { t } = useTranslation();
  const now = useNow(state.kind === 'reconnecting');
  const ended = ({ why, sentence }: Ended): string => {
    if (why === 'refused' && sentence !== null) return sentence;
    if (why === 'unsupported') return t('player.unsupported');
    if (why === 'replaced') return t('problem:problem.view_replaced');
    return why === 'camera' ? t('player.cameraGone') : t('player.rightsLost');
  };
  switch (state.kind) {
    case 'idle':
    case 'playing':
      return null;
    case 'connecting':
      return t('player.connecting');
    case 'starting':
      return t('player.starting');
    case 'reconnecting': {
      const why = state.sentence ?? t(`player.broken.${state.why}`);
      const seconds = Math.max(1, Math.floor((state.atMs - now) / 1000));
      return t('player.reconnecting', { why, time: formatSeconds(seconds) });
    }
    default:
      return ended(state);
  }
}
