import type { MatchExplanation } from '@nazar/contract/faces.ts';
import { usePersonName } from '../use-person-name.ts';

export type NearPerson = MatchExplanation['nearest'][number];

/** Whom one may not name, in the words of the reader's language. */
export function useNearName(): (person: Pick<NearPerson, 'person_id' | 'name'>) => string {
  const nameOf = usePersonName();
  return ({ person_id, name }) => nameOf({ person_id, person_name: name });
}
