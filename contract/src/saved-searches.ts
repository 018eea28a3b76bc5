/** Searches of the activity log that an account keeps: each sees its own, on every machine. */
import { z } from 'zod/mini';
import { ActivityKind } from './activity.ts';
import { DateOrInstant, Id, Timestamp, requiredName, results, searchText, text } from './fields.ts';
import { everyone, route } from './route.ts';

export const maxSavedSearches = 100;

/** '' and null: not filtered by it. */
const filters = {
  term: z._default(searchText(150), ''),
  action: z._default(z.nullable(ActivityKind), null),
  dateFrom: z._default(z.nullable(DateOrInstant), null),
  dateTo: z._default(z.nullable(DateOrInstant), null),
  contentType: z._default(text(40), ''),
  objectId: z._default(text(100), ''),
  ipAddress: z._default(text(45), ''),
};

export const SavedSearchForm = z.object({ name: requiredName(100), ...filters });
export type SavedSearchForm = z.infer<typeof SavedSearchForm>;

export const SavedSearch = z.object({
  id: Id,
  name: z.string(),
  term: z.string(),
  action: z.nullable(ActivityKind),
  dateFrom: z.nullable(z.string()),
  dateTo: z.nullable(z.string()),
  contentType: z.string(),
  objectId: z.string(),
  ipAddress: z.string(),
  /** When it was saved. */
  timestamp: Timestamp,
});
export type SavedSearch = z.infer<typeof SavedSearch>;

const root = '/secure-api/activity-log/saved-searches/';

export const savedSearchRoutes = {
  list: route({
    method: 'GET',
    path: root,
    summary: "The caller's saved searches of the activity log, by name.",
    callers: everyone,
    reply: results(SavedSearch),
  }),
  save: route({
    method: 'POST',
    path: root,
    summary: 'Saves a search; one of the same name is replaced.',
    callers: everyone,
    body: SavedSearchForm,
    reply: SavedSearch,
    status: 201,
    problems: ['saved_searches_too_many'],
  }),
  remove: route({
    method: 'DELETE',
    path: `${root}:id/`,
    summary: 'Deletes a saved search.',
    callers: everyone,
    params: z.object({ id: Id }),
    status: 204,
    problems: ['saved_search_not_found'],
  }),
};
