import {
  verificationRoutes,
  type ChainVerification,
  type VerificationState,
} from '@nazar/contract/chain-verification.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { call } from '#api/call.ts';
import { download } from '#api/download.ts';
import { ask, useChange } from '#api/query.ts';

/** A million entries take about a minute. */
const ASK_AGAIN_MS = 1000;

/** Asked again while one runs, no matter which user started it. */
export const useVerification = () =>
  useQuery({
    ...ask('activity', verificationRoutes.state, {}),
    refetchInterval: ({ state }: { state: { data?: VerificationState | undefined } }) =>
      state.data?.latest?.state === 'running' ? ASK_AGAIN_MS : false,
  });

export const useStart = () => useChange('activity', () => call(verificationRoutes.start, {}));
export const useCancel = () => useChange('activity', () => call(verificationRoutes.cancel, {}));

export const useSaveFile = () =>
  useMutation({
    mutationFn: ({ id, ended_at: at }: ChainVerification) => {
      const day = (at ?? '').slice(0, 19).replaceAll(/[-:]/g, '');
      const name = `activity-log-verification-${day}Z.txt`;
      return download(verificationRoutes.file, name, { params: { id } });
    },
  });
