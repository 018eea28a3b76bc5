import type { Deletion } from '@nazar/contract/face-log-deletion.ts';

/** Of all that match a filter: how many they are, or a batch of them is taken. */
export type RemoveMany<Filter> = (body: {
  filter: Filter;
  count_only: boolean;
  as_of?: string;
}) => Promise<Deletion>;

/** A batch per call. `onProgress` hears how many are deleted so far. What comes meanwhile stays. */
export async function deleteAll<Filter>(
  removeMany: RemoveMany<Filter>,
  filter: Filter,
  onProgress: (deleted: number) => void,
): Promise<number> {
  let deleted = 0;
  let asOf: string | undefined;
  for (;;) {
    const batch = await removeMany({
      filter,
      count_only: false,
      ...(asOf !== undefined && { as_of: asOf }),
    });
    deleted += batch.deleted;
    asOf = batch.as_of;
    onProgress(deleted);
    if (batch.deleted === 0 || batch.left === 0) return deleted;
  }
}
