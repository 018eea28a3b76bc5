/** What the choice of a person asks the server. */
import { faceRoutes } from '@nazar/contract/faces.ts';
import { ask } from '#api/query.ts';

/** People in the dialog at a time. */
export const PEOPLE_SIZE = 12;

export const peopleQuery = (search: string, page: number) =>
  ask('faces', faceRoutes.list, {
    query: {
      ...(search !== '' && { search }),
      ordering: 'last_name',
      page,
      page_size: PEOPLE_SIZE,
    },
  });

/** The one shown before it is not shown meanwhile. */
export const personQuery = (id: string) => ({
  ...ask('faces', faceRoutes.read, { params: { id } }),
  placeholderData: () => undefined,
});
