/** The people whom counts are of. Two of one name are two; whom one may not name is one row. */
import type { SeenPerson } from '@nazar/contract/visit-counts.ts';
import { erasedName } from '@nazar/contract/names.ts';
import { isId } from '#lib/is-id.ts';

export interface Named {
  readonly person_name: string;
  /** Null: the name is a word for all of a kind. */
  readonly person_id: string | null;
}

/** A person of a list. */
export interface Choosable extends Named {
  /** What stands for them in the address. */
  readonly person: string;
  readonly visits: number;
}

/** Without those who cannot be asked for: whom one may not name. */
export const choosable = (rows: readonly SeenPerson[]): Choosable[] =>
  rows
    .filter(({ key }) => isId(key) || key === erasedKey)
    .map(({ key, name: person_name, visits }) =>
      isId(key)
        ? { person: key, person_id: key, person_name, visits }
        : { person: erasedName, person_id: null, person_name, visits },
    );

/** People who were erased are asked for together, by a name of theirs. */
const erasedKey = 'erased';
