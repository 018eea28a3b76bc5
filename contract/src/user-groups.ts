/** Groups of users: what is granted to a group applies to all of its members. Kept by administrators. */
import { z } from 'zod/mini';
import { Id, Timestamp, requiredName, results, text } from './fields.ts';
import { administrators, route } from './route.ts';

/** More than this is not a group but everyone. */
const maxMembers = 1000;

export const GroupMember = z.object({ id: Id, name: z.string(), email: z.string() });
export type GroupMember = z.infer<typeof GroupMember>;

export const UserGroup = z.object({
  id: Id,
  name: z.string(),
  description: z.string(),
  members: z.array(GroupMember),
  created_at: Timestamp,
});
export type UserGroup = z.infer<typeof UserGroup>;

export const UserGroupFields = z.object({
  name: requiredName(150),
  description: z._default(text(2000), ''),
  members: z._default(z.array(Id).check(z.maxLength(maxMembers)), []),
});
export type UserGroupFields = z.infer<typeof UserGroupFields>;

const params = z.object({ id: Id });
/** Users who may change roles give rights; staff sees and changes none. */
const callers = ['admin', 'superadmin'] as const;

export const userGroupRoutes = {
  list: route({
    method: 'GET',
    path: '/secure-api/accounts/groups/',
    summary: 'The groups of users, with their members.',
    callers: administrators,
    shownAs: true,
    reply: results(UserGroup),
  }),
  add: route({
    method: 'POST',
    path: '/secure-api/accounts/groups/',
    summary: 'Adds a group of users.',
    callers,
    body: UserGroupFields,
    reply: UserGroup,
    status: 201,
    fieldProblems: ['group_exists', 'user_not_found'],
  }),
  replace: route({
    method: 'PUT',
    path: '/secure-api/accounts/groups/:id/',
    summary: "Replaces a group's name, description and members.",
    callers,
    params,
    body: UserGroupFields,
    reply: UserGroup,
    problems: ['group_not_found'],
    fieldProblems: ['group_exists', 'user_not_found'],
  }),
  remove: route({
    method: 'DELETE',
    path: '/secure-api/accounts/groups/:id/',
    summary: 'Deletes a group of users, and what was granted to it.',
    callers,
    params,
    status: 204,
    problems: ['group_not_found'],
  }),
};
