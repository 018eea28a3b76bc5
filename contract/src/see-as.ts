/**
 * An administrator sees what another user sees. Started and left by these routes; in between every request
 * names the user in a header, and only routes with `shownAs` answer it, with what that user would be answered.
 */
import { z } from 'zod/mini';
import { Id } from './fields.ts';
import { route } from './route.ts';
import { UserName } from './users.ts';

/** As Node writes it; browsers and scripts may write X-See-As. */
export const seeAsHeader = 'x-see-as';

const params = z.object({ id: Id });
const callers = ['admin', 'superadmin'] as const;

export const seeAsRoutes = {
  begin: route({
    method: 'POST',
    path: '/secure-api/accounts/users/:id/see-as/',
    summary: 'Begins to see what another user sees, read only, for 8 hours at most.',
    callers,
    params,
    reply: UserName,
    status: 201,
    problems: ['user_not_found'],
  }),
  end: route({
    method: 'DELETE',
    path: '/secure-api/accounts/users/:id/see-as/',
    summary: 'Ends seeing what that user sees.',
    callers,
    params,
    status: 204,
    problems: ['user_not_found'],
  }),
};
