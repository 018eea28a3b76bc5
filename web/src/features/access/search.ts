import { idOf } from '#lib/is-id.ts';

/** What the address of the page says: whose rights, which tab, and the search for cameras. */
export interface AccessSearch {
  user?: string;
  group?: string;
  tab?: 'groups' | 'cameras';
  search?: string;
}

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

export function accessSearch(search: Record<string, unknown>): AccessSearch {
  const { tab } = search;
  const user = idOf(search['user']);
  const group = user === undefined ? idOf(search['group']) : undefined;
  const words = text(search['search']);
  return {
    ...(user !== undefined && { user }),
    ...(group !== undefined && { group }),
    ...((tab === 'groups' || tab === 'cameras') && { tab }),
    ...(words !== undefined && { search: words }),
  };
}
