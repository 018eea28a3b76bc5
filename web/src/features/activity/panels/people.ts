/** The people whom counts are of. Two of one name are two; whom one may not name is one row (C-1009). */
import { hiddenName, unknownName } from '@nazar/contract/names.ts';

export interface Named {
  readonly person_name: string;
  readonly person_id: string | null;
}

/** A row of a count by person. */
export interface Counted extends Named {
  /** By which one person's visits are asked for, who may not be one to open. */
  readonly key: string | null;
}

/** What stands for them in the address; undefined for those who cannot be asked for. */
export function keyOf({ key, person_name }: Counted): string | undefined {
  if (key !== null) return key;
  return person_name === hiddenName || person_name === unknownName ? undefined : person_name;
}

/** LDP-003, CFL-031: the server says who is recognized; a person may well be called Manon. */
export const knownPeople = <Row extends Counted & { readonly recognized_count: number }>(
  rows: readonly Row[],
): Row[] => rows.filter((row) => row.recognized_count > 0 && keyOf(row) !== undefined);
