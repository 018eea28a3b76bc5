import type { Deletion } from '@nazar/contract/visit-deletion.ts';

/** Counts all that match a filter (`count_only`), or deletes a batch of them. */
export type RemoveMany<Filter> = (body: {
  filter: Filter;
  count_only: boolean;
  as_of?: string;
}) => Promise<Deletion>;

export interface DeletionProgress {
  readonly deleted: number;
  readonly isDone: boolean;
  /** When the first batch was asked for: what came later stays. */
  readonly asOf: string | undefined;
}

export const nothingDeleted: DeletionProgress = { deleted: 0, isDone: false, asOf: undefined };

export interface DeletingAll<Filter> {
  readonly removeMany: RemoveMany<Filter>;
  readonly filter: Filter;
  /** What an attempt that failed had deleted counts. */
  readonly from: DeletionProgress;
  readonly onProgress: (progress: DeletionProgress) => void;
  readonly signal: AbortSignal;
}

/** A batch per call. It stops between two of them only: what was asked for is deleted, so that the count is true. */
export async function deleteAll<Filter>({
  removeMany,
  filter,
  from,
  onProgress,
  signal,
}: DeletingAll<Filter>): Promise<DeletionProgress> {
  let progress = from;
  while (!progress.isDone && !signal.aborted) {
    const { asOf } = progress;
    const sent = { filter, count_only: false, ...(asOf !== undefined && { as_of: asOf }) };
    const batch = await removeMany(sent);
    progress = {
      deleted: progress.deleted + batch.deleted,
      isDone: batch.deleted === 0 || batch.left === 0,
      asOf: batch.as_of,
    };
    onProgress(progress);
  }
  return progress;
}
