/** An entry made here: sent to the server, or kept until it is back. */
import { activityRoutes, type ActivityKind } from '@nazar/contract/activity.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '#api/call.ts';
import { keepEntry } from '#api/offline-entries.ts';
import { Problem } from '#api/problem.ts';
import { refresh } from '#api/query.ts';
import { useUser } from '#api/session.ts';

export interface NewEntry {
  readonly action: ActivityKind;
  readonly description: string;
}

/** Answers whether the server has it; false: it waits on this device. */
export function useAddEntry() {
  const client = useQueryClient();
  const { id: userId } = useUser();
  return useMutation({
    async mutationFn({ action, description }: NewEntry): Promise<boolean> {
      // With an id of its own it is there once, however often it is sent.
      const id = crypto.randomUUID();
      try {
        await call(activityRoutes.add, { body: { id, action, description } });
        return true;
      } catch (error) {
        if (!(error instanceof Problem) || error.status !== 0) throw error;
        const timestamp = new Date().toISOString();
        if (!keepEntry(userId, { id, action, description, timestamp })) throw error;
        return false;
      }
    },
    onSettled: () => refresh(client, 'activity'),
  });
}
