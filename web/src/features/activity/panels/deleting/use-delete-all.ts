/** All that match a filter, marked as deleted in batches that one can stop. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { refresh } from '#api/query.ts';
import { deleteAll, nothingDeleted, type DeletionProgress, type RemoveMany } from './delete-all.ts';

export interface DeleteAllWork {
  readonly deleted: number;
  readonly isBusy: boolean;
  /** The batch that was asked for is waited for. */
  readonly isStopping: boolean;
  readonly error: unknown;
  /** After a failure it goes on with what is left. */
  readonly start: (onEnd: (progress: DeletionProgress) => void) => void;
  readonly stop: () => void;
  readonly reset: () => void;
}

/** Leaving the page stops it, too: nothing goes on deleting where the user can't see it. */
export function useDeleteAll<Filter>(
  removeMany: RemoveMany<Filter>,
  filter: Filter,
): DeleteAllWork {
  const client = useQueryClient();
  const [progress, setProgress] = useState(nothingDeleted);
  const [isStopping, setStopping] = useState(false);
  const work = useRef<AbortController | null>(null);
  useEffect(() => () => work.current?.abort(), []);
  const remove = useMutation({
    mutationFn: (signal: AbortSignal) =>
      deleteAll({ removeMany, filter, from: progress, onProgress: setProgress, signal }),
    onSettled: () => Promise.all([refresh(client, 'activity'), refresh(client, 'detections')]),
  });
  const start: DeleteAllWork['start'] = (onEnd) => {
    work.current = new AbortController();
    setStopping(false);
    remove.mutate(work.current.signal, { onSuccess: onEnd });
  };
  const stop = (): void => {
    work.current?.abort();
    setStopping(true);
  };
  const reset = (): void => {
    remove.reset();
    setProgress(nothingDeleted);
  };
  const { isPending: isBusy, error } = remove;
  const { deleted } = progress;
  return { deleted, isBusy, isStopping: isBusy && isStopping, error, start, stop, reset };
}
