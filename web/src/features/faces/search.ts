/** What the address of the Face Database says: which of its lists, its filters and its page. */
import { idOf } from '#lib/is-id.ts';
import { unknownStatuses, type UnknownStatus } from '@nazar/contract/unknown-faces.ts';

export const strangerOrders = ['-timestamp', 'timestamp', '-count', 'number'] as const;
export type StrangerOrder = (typeof strangerOrders)[number];

export interface FacesSearch {
  /** Unknown people, or the visits of such people one by one; absent: the people. */
  view?: 'unknown' | 'visits';
  search?: string;
  category?: string;
  status?: 'active' | 'inactive';
  /** Id of the account that added them. */
  added_by?: string;
  /** The progress with unknown people. */
  progress?: UnknownStatus;
  order?: StrangerOrder;
  page?: number;
  /** The form for a new person is open. */
  add?: true;
  /** Ids of the person and of the unknown person whose details are open. */
  person?: string;
  stranger?: string;
}

const oneOf = <T extends string>(known: readonly T[], given: unknown): T | undefined =>
  known.find((value) => value === given);

/** From the query string as the router reads it: digits are numbers, `true` is a flag. */
export function facesSearch(given: Record<string, unknown>): FacesSearch {
  const { search, category, added_by, page, person, stranger } = given;
  const known = {
    view: oneOf(['unknown', 'visits'], given['view']),
    search: typeof search === 'string' || typeof search === 'number' ? String(search) : undefined,
    category: idOf(category),
    status: oneOf(['active', 'inactive'], given['status']),
    added_by: idOf(added_by),
    progress: oneOf(unknownStatuses, given['progress']),
    order: oneOf(strangerOrders, given['order']),
    page: typeof page === 'number' && Number.isInteger(page) && page > 1 ? page : undefined,
    add: given['add'] === true ? true : undefined,
    person: idOf(person),
    stranger: idOf(stranger),
  };
  const said = Object.entries(known).filter(([, value]) => value !== undefined && value !== '');
  return Object.fromEntries(said);
}

export const isFiltered = ({ search, category, status, added_by }: FacesSearch): boolean =>
  [search, category, status, added_by].some((filter) => filter !== undefined);
