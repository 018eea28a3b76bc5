import { alignmentRoutes, type CameraAlignment } from '@nazar/contract/alignment.ts';
import { useQuery } from '@tanstack/react-query';
import { call } from '#api/call.ts';
import { ask, useChange } from '#api/query.ts';
import type { Part } from './part.ts';

/** A measurement takes some 20 s once both streams come. */
const ASK_AGAIN_MS = 3000;

/** Asked again while it is not known: it is measured meanwhile. */
export const useAlignment = (id: string) =>
  useQuery({
    ...ask('cameras', alignmentRoutes.read, { params: { id } }),
    refetchInterval: ({ state }: { state: { data?: CameraAlignment | undefined } }) =>
      state.data?.state === 'known' ? false : ASK_AGAIN_MS,
  });

export interface Confirmation {
  readonly part: Part;
  /** Names the two streams that were compared. */
  readonly streams: string;
}

export const useConfirm = (id: string) =>
  useChange('cameras', (body: Confirmation) =>
    call(alignmentRoutes.confirm, { params: { id }, body }),
  );

export const useMeasureAgain = (id: string) =>
  useChange('cameras', () => call(alignmentRoutes.forget, { params: { id } }));
