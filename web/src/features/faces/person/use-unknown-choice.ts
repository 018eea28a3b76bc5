import { privacyRoutes, type ConfirmedProof, type UnknownMatch } from '@nazar/contract/privacy.ts';
import type { FreshProof } from '@nazar/contract/proof.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '#api/call.ts';

/** Which unknown people go along: those with the same face, and as the reader chooses. Each search is recorded. */
export function useUnknownChoice(faceId: string, mayChoose: (match: UnknownMatch) => boolean) {
  const query = useQuery({
    // In no area: nothing that changes elsewhere searches again while the reader chooses.
    queryKey: ['unknown-matches', privacyRoutes.unknownMatches.path, faceId],
    queryFn: ({ signal }) => call(privacyRoutes.unknownMatches, { params: { id: faceId }, signal }),
    // What was shown some time ago may have changed.
    gcTime: 0,
    staleTime: Infinity,
  });
  const [chosen, setChosen] = useState<ReadonlyMap<string, boolean>>(new Map());
  const isChosen = (match: UnknownMatch): boolean =>
    mayChoose(match) && (chosen.get(match.id) ?? match.is_same);
  const confirmed = (proof: FreshProof): ConfirmedProof => {
    if (query.data === undefined) return proof;
    const unknown = query.data.results.filter(isChosen).map(({ id }) => id);
    return { ...proof, unknown, unknown_version: query.data.version };
  };
  return {
    query,
    isChosen,
    mayChoose,
    onChoose: (id: string, is: boolean) => setChosen((before) => new Map(before).set(id, is)),
    confirmed,
    /** Does it with what was confirmed; a list that has changed is shown anew. */
    withConfirmed: async (proof: FreshProof, work: (body: ConfirmedProof) => Promise<unknown>) => {
      try {
        await work(confirmed(proof));
      } catch (error) {
        void query.refetch();
        throw error;
      }
    },
  };
}
