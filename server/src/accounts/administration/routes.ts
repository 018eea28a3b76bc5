/** HTTP edge of the administration of users. */
import { userRoutes } from '@nazar/contract/users.ts';
import { readerLanguage } from '#http/sentences.ts';
import { serve, type Doors } from '#http/serve.ts';
import type { Accounts } from '../accounts.ts';
import type { HasMadeVisible } from './directory.ts';

export function administrationEndpoints(
  doors: Doors,
  { administration, directory }: Accounts,
  hasMadeVisible: HasMadeVisible,
): void {
  serve(doors, userRoutes.list, ({ scope, query }) => directory.list(scope, query));
  serve(doors, userRoutes.name, ({ scope, params }) =>
    directory.name(scope, params.id, hasMadeVisible),
  );
  serve(doors, userRoutes.read, ({ params }) => directory.read(params.id));
  serve(doors, userRoutes.create, ({ scope, body, raw }) =>
    administration.create(scope, body, readerLanguage(raw.headers['accept-language'])),
  );
  serve(doors, userRoutes.change, ({ scope, params, body }) =>
    administration.change(scope, params.id, body),
  );
  serve(doors, userRoutes.remove, ({ scope, params }) => administration.remove(scope, params.id));
  serve(doors, userRoutes.resetLink, ({ scope, params, raw }) =>
    administration.resetLink(scope, params.id, readerLanguage(raw.headers['accept-language'])),
  );
  serve(doors, userRoutes.unlock, ({ scope, params }) => administration.unlock(scope, params.id));
  serve(doors, userRoutes.removeSecondFactor, ({ scope, params }) =>
    administration.removeSecondFactor(scope, params.id),
  );
  serve(doors, userRoutes.sessions, async ({ scope, params }) => ({
    results: await administration.sessions(scope, params.id),
  }));
  serve(doors, userRoutes.endSession, ({ scope, params }) =>
    administration.endSessions(scope, params.id, params.session),
  );
  serve(doors, userRoutes.endSessions, ({ scope, params }) =>
    administration.endSessions(scope, params.id, null),
  );
}
