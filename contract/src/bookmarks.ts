/** Bookmarks: moments of what a camera recorded that a user wants to find again, with a note. */
import { z } from 'zod/mini';
import { Id, Timestamp, atMostAYear, page, queryInteger, requiredText, Instant } from './fields.ts';
import { everyone, route } from './route.ts';

export const Bookmark = z.object({
  id: Id,
  camera_id: Id,
  at: Timestamp,
  note: z.string(),
  created_by: z.object({ id: Id, name: z.string() }),
  created_at: Timestamp,
  /** The reader made it, or is an administrator. */
  may_delete: z.boolean(),
});
export type Bookmark = z.infer<typeof Bookmark>;

export const BookmarkFields = z.object({ at: Instant, note: requiredText(500) });
export type BookmarkFields = z.infer<typeof BookmarkFields>;

export const BookmarkQuery = z
  .object({
    from: z.optional(Instant),
    until: z.optional(Instant),
    ordering: z._default(z.enum(['at', '-at']), 'at'),
    page: queryInteger(1, 1_000_000, 1),
    page_size: queryInteger(1, 1000, 1000),
  })
  .check(atMostAYear('from', 'until'));
export type BookmarkQuery = z.infer<typeof BookmarkQuery>;

/** The limit for one account: more than a person reads. */
export const maxBookmarks = 10_000;

const one = z.object({ id: Id });

export const bookmarkRoutes = {
  list: route({
    method: 'GET',
    path: '/secure-api/cameras/:id/bookmarks/',
    summary: 'Bookmarks of a camera in some time, by whoever may see its recordings.',
    callers: everyone,
    shownAs: true,
    params: one,
    query: BookmarkQuery,
    reply: page(Bookmark),
    problems: ['camera_not_found'],
  }),
  add: route({
    method: 'POST',
    path: '/secure-api/cameras/:id/bookmarks/',
    summary: 'Marks a moment of a camera, with a note.',
    callers: everyone,
    params: one,
    body: BookmarkFields,
    reply: Bookmark,
    status: 201,
    problems: ['camera_not_found', 'bookmarks_too_many'],
  }),
  remove: route({
    method: 'DELETE',
    path: '/secure-api/recordings/bookmarks/:id/',
    summary: 'Deletes a bookmark that one made; any, for administrators.',
    callers: everyone,
    params: one,
    status: 204,
    problems: ['bookmark_not_found'],
  }),
};
