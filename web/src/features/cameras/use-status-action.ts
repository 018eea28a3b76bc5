import type { Camera } from '@nazar/contract/cameras.ts';
import { useTranslation } from '#lib/i18n.ts';
import { Problem, problemSentence } from '#api/problem.ts';
import { useSwitchStatus } from './queries.ts';

export interface Notice {
  readonly tone: 'success' | 'error' | 'info';
  readonly text: string;
  /** What to do about it. */
  readonly action?: { readonly label: string; readonly choose: () => void };
}

export function useStatusAction(say: (notice: Notice) => void): (camera: Camera) => void {
  const { t } = useTranslation();
  const { mutate } = useSwitchStatus();
  return (camera) => {
    const on = camera.status !== 'active';
    const { name } = camera;
    mutate(
      { camera, status: on ? 'active' : 'inactive' },
      {
        onSuccess: () =>
          say({
            tone: 'success',
            text: on ? t('cameras.activated', { name }) : t('cameras.deactivated', { name }),
          }),
        onError: (error) => {
          const message = error instanceof Problem ? problemSentence(error) : t('cameras.tryAgain');
          say({
            tone: 'error',
            text: on
              ? t('cameras.activateFailed', { message })
              : t('cameras.deactivateFailed', { message }),
          });
        },
      },
    );
  };
}
