import type { Camera } from '@nazar/contract/cameras.ts';
import { probingRoutes } from '@nazar/contract/probing.ts';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from '#lib/i18n.ts';
import { call } from '#api/call.ts';
import { useConnectionWords } from '#parts/connection-test/connection-words.ts';
import type { Notice } from './use-status-action.ts';

/** The test of a saved camera, from its menu. */
export function useTestAction(say: (notice: Notice) => void): (camera: Camera) => void {
  const { t } = useTranslation();
  const words = useConnectionWords();
  const { mutate } = useMutation({
    mutationFn: ({ id }: Camera) =>
      call(probingRoutes.testConnection, { params: { id }, body: {} }),
    onMutate: ({ name }) => say({ tone: 'info', text: t('cameras.testingNamed', { name }) }),
    onSuccess: (answer, { name }) => say(words.answered(name, answer)),
    onError: (error, { name }) => say(words.refused(name, error)),
  });
  return mutate;
}
