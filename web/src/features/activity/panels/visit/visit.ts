/** What the dialog of a visit asks the server, and what it sends. */
import type { MatchExplanation } from '@nazar/contract/faces.ts';
import { visitRoutes, type Visit, type DetailedVisit } from '@nazar/contract/visits.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '#api/call.ts';
import { ask, refresh } from '#api/query.ts';

export const visitQuery = (id: string) => ask('activity', visitRoutes.read, { params: { id } });

/** Every answer is recorded as a view of the people in it, so it is asked again only after a change. */
export const explanationQuery = (id: string) => ({
  ...ask('activity', visitRoutes.explanation, { params: { id } }),
  staleTime: Infinity,
});

const corrections = {
  mark: visitRoutes.notThisPerson,
  takeBack: visitRoutes.thisPersonAfterAll,
} as const;
export type Correction = keyof typeof corrections;

/** The figures, the person and the unknown people change with it. */
export function useCorrection(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (correction: Correction): Promise<Visit> =>
      call(corrections[correction], { params: { id } }),
    onSettled: () => Promise.all([refresh(client, 'activity'), refresh(client, 'faces')]),
  });
}

/** Whether today's comparison names someone else than the visit, or no one where the visit does, or the other way round. */
export function differs(
  visit: Pick<DetailedVisit, 'is_recognized' | 'person_id'>,
  { verdict, nearest: [first] }: Pick<MatchExplanation, 'verdict' | 'nearest'>,
): boolean {
  if ((verdict === 'match') !== visit.is_recognized) return true;
  return visit.is_recognized && first?.person_id !== visit.person_id;
}

/** From so many times what is asked for the lead is clear: it would hold if the second were as near again. */
const clearLead = 2;

/** How clearly the nearest person is ahead of the next; null where there is no next one. */
export function gradeOf({
  lead,
  verdict,
}: Pick<MatchExplanation, 'lead' | 'verdict'>): 'clear' | 'close' | 'doubtful' | null {
  if (lead === null) return null;
  if (verdict !== 'match' || lead < 1) return 'doubtful';
  return lead < clearLead ? 'close' : 'clear';
}
