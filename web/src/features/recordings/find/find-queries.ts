/** What the search over all cameras asks the server. */
import { faceRoutes } from '@nazar/contract/faces.ts';
import { recordingRoutes } from '@nazar/contract/recordings.ts';
import { ask } from '#api/query.ts';
import { isDay } from '#lib/local-day.ts';
import { PAGE_SIZE, narrowed } from '../queries.ts';
import type { FindSearch } from './find-address.ts';

/** People in the dialog at a time. */
export const PEOPLE_SIZE = 12;

/** A day that is none narrows nothing; the page says so. */
export const findQuery = (
  { day, filter, search, person, page = 1 }: FindSearch,
  timezone: string,
) =>
  ask('recordings', recordingRoutes.list, {
    query: {
      timezone,
      ...(day !== undefined && isDay(day) && { date: day }),
      ...(filter !== undefined && narrowed[filter]),
      ...(search !== undefined && { search }),
      ...(person !== undefined && { person }),
      page,
      page_size: PAGE_SIZE,
    },
  });

export const peopleQuery = (search: string, page: number) =>
  ask('faces', faceRoutes.list, {
    query: {
      ...(search !== '' && { search }),
      ordering: 'last_name',
      page,
      page_size: PEOPLE_SIZE,
    },
  });

export const personQuery = (id: string) => ({
  ...ask('faces', faceRoutes.read, { params: { id } }),
  placeholderData: () => undefined,
});
