/** HTTP edge of the administration of users. */
import { userRoutes } from '@nazar/contract/users.ts';
import { readerLanguage } from '#http/sentences.ts';
import { serve, type Api } from '#http/serve.ts';
import type { Accounts } from '../accounts.ts';
import type { HasMadeVisible } from './directory.ts';

export function administrationEndpoints(
  api: Api,
  { administration, directory }: Accounts,
  hasMadeVisible: HasMadeVisible,
): void {
  serve(api, userRoutes.list, ({ scope, query }) => directory.list(scope, query));
  serve(api, userRoutes.name, ({ scope, params }) =>
    directory.name(scope, params.id, hasMadeVisible),
  );
  serve(api, userRoutes.read, ({ params }) => directory.read(params.id));
  serve(api, userRoutes.create, ({ scope, body, raw }) =>
    administration.create(scope, body, readerLanguage(raw.headers['accept-language'])),
  );
  serve(api, userRoutes.change, ({ scope, params, body }) =>
    administration.change(scope, params.id, body),
  );
  serve(api, userRoutes.remove, ({ scope, params }) => administration.remove(scope, params.id));
  serve(api, userRoutes.resetLink, ({ scope, params, raw }) =>
    administration.resetLink(scope, params.id, readerLanguage(raw.headers['accept-language'])),
  );
  serve(api, userRoutes.unlock, ({ scope, params }) => administration.unlock(scope, params.id));
  serve(api, userRoutes.removeSecondFactor, ({ scope, params }) =>
    administration.removeSecondFactor(scope, params.id),
  );
  serve(api, userRoutes.sessions, async ({ scope, params }) => ({
    results: await administration.sessions(scope, params.id),
  }));
  serve(api, userRoutes.endSession, ({ scope, params }) =>
    administration.endSessions(scope, params.id, params.session),
  );
  serve(api, userRoutes.endSessions, ({ scope, params }) =>
    administration.endSessions(scope, params.id, null),
  );
}
