/** What the search over all cameras asks the server. */
import { recordingRoutes } from '@nazar/contract/recordings.ts';
import { ask } from '#api/query.ts';
import { isDay } from '#lib/local-day.ts';
import { PAGE_SIZE, narrowed } from '../queries.ts';
import type { FindSearch } from './find-address.ts';

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
