import { bookmarkRoutes } from '@nazar/contract/bookmarks.ts';
import { serve, type Api } from '#http/serve.ts';
import type { Bookmarks } from './bookmarks.ts';

export function bookmarkEndpoints(api: Api, bookmarks: Bookmarks): void {
  serve(api, bookmarkRoutes.list, ({ scope, params, query }) =>
    bookmarks.list(scope, params.id, query),
  );
  serve(api, bookmarkRoutes.add, ({ scope, params, body }) =>
    bookmarks.add(scope, params.id, body),
  );
  serve(api, bookmarkRoutes.remove, ({ scope, params }) => bookmarks.remove(scope, params.id));
}
