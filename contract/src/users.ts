/** The administration of users, and what others may know of one. */
import { z } from 'zod/mini';
import { Role, User } from './accounts.ts';
import {
  EmailAddress,
  Id,
  Timestamp,
  page,
  queryFlag,
  queryInteger,
  requiredName,
  results,
  searchText,
} from './fields.ts';
import { OwnSession } from './own-account.ts';
import { OneTimeLink } from './recovery.ts';
import { administrators, everyone, route } from './route.ts';

export const ListedUser = z.extend(User, {
  is_active: z.boolean(),
  /** False: invited, and never chose one. */
  has_password: z.boolean(),
  /** Whether a second factor is asked of them. */
  two_factor: z.boolean(),
  /** Null: never. */
  last_login_at: z.nullable(Timestamp),
});
export type ListedUser = z.infer<typeof ListedUser>;

const userOrders = ['name', 'email', 'role', 'created', 'last_login'] as const;
export type UserOrder = (typeof userOrders)[number];
const backwards = userOrders.map((order) => `-${order}` as const);

export const UserQuery = z.object({
  search: z.optional(searchText(150)),
  role: z.optional(Role),
  is_active: z.optional(queryFlag),
  two_factor: z.optional(queryFlag),
  /** With `-` before it: from the other end. */
  ordering: z._default(z.enum([...userOrders, ...backwards]), 'created'),
  page: queryInteger(1, 1_000_000, 1),
  page_size: queryInteger(1, 1000, 100),
});
export type UserQuery = z.infer<typeof UserQuery>;

/** Without a password: only its owner ever knows it. */
export const CreateUser = z.object({
  email: EmailAddress,
  first_name: requiredName(150),
  last_name: requiredName(150),
  role: z._default(Role, 'user'),
});
export type CreateUser = z.infer<typeof CreateUser>;

/** `link`: with it the new user chooses a password, within a week. */
export const CreatedUser = z.extend(ListedUser, { link: OneTimeLink });
export type CreatedUser = z.infer<typeof CreatedUser>;

export const ChangeUser = z.partial(
  z.object({ role: Role, is_staff: z.boolean(), is_active: z.boolean() }),
);
export type ChangeUser = z.infer<typeof ChangeUser>;

export const UserDetail = z.extend(ListedUser, {
  /** Too many wrong passwords: until then no password is checked. Null: not locked. */
  locked_until: z.nullable(Timestamp),
});
export type UserDetail = z.infer<typeof UserDetail>;

export const UserSession = z.pick(OwnSession, {
  id: true,
  is_browser: true,
  user_agent: true,
  ip: true,
  created_at: true,
  expires_at: true,
});
export type UserSession = z.infer<typeof UserSession>;

export const UserName = z.object({
  id: Id,
  full_name: z.string(),
  username: z.string(),
  email: z.string(),
});
export type UserName = z.infer<typeof UserName>;

const params = z.object({ id: Id });
const callers = ['admin', 'superadmin'] as const;

export const userRoutes = {
  list: route({
    method: 'GET',
    path: '/secure-api/accounts/users/',
    summary: 'The users: all for administrators, oneself for everybody else.',
    callers: everyone,
    shownAs: true,
    query: UserQuery,
    reply: page(ListedUser),
  }),
  read: route({
    method: 'GET',
    path: '/secure-api/accounts/users/:id/',
    summary: 'One user, as administrators see them.',
    callers: administrators,
    params,
    reply: UserDetail,
    problems: ['user_not_found'],
  }),
  create: route({
    method: 'POST',
    path: '/secure-api/accounts/users/',
    summary: 'Invites a user with a link, told once; an admin adds users and operators only.',
    callers,
    body: CreateUser,
    reply: CreatedUser,
    status: 201,
    fieldProblems: ['email_taken'],
  }),
  change: route({
    method: 'PATCH',
    path: '/secure-api/accounts/users/:id/',
    summary: "Changes another user's role and flags, or disables them.",
    callers,
    params,
    body: ChangeUser,
    reply: ListedUser,
    problems: ['own_role', 'user_not_found', 'last_superadmin'],
  }),
  remove: route({
    method: 'DELETE',
    path: '/secure-api/accounts/users/:id/',
    summary: "Deletes another user's account for good.",
    callers,
    params,
    status: 204,
    problems: ['own_role', 'user_not_found', 'last_superadmin'],
  }),
  resetLink: route({
    method: 'POST',
    path: '/secure-api/accounts/users/:id/reset-link/',
    summary: 'Makes a link, told once, with which its owner chooses a new password.',
    callers,
    params,
    reply: OneTimeLink,
    status: 201,
    problems: ['own_role', 'user_not_found'],
  }),
  unlock: route({
    method: 'POST',
    path: '/secure-api/accounts/users/:id/unlock/',
    summary: 'Forgets the wrong passwords that were tried for an account.',
    callers,
    params,
    status: 204,
    problems: ['own_role', 'user_not_found'],
  }),
  removeSecondFactor: route({
    method: 'DELETE',
    path: '/secure-api/accounts/users/:id/two-factor/',
    summary:
      'Removes authenticator app, passkeys and recovery codes of who lost them; they sign in anew.',
    callers,
    params,
    status: 204,
    problems: ['own_role', 'user_not_found', 'two_factor_off'],
  }),
  sessions: route({
    method: 'GET',
    path: '/secure-api/accounts/users/:id/sessions/',
    summary: "Another user's living sessions.",
    callers,
    params,
    reply: results(UserSession),
    problems: ['own_role', 'user_not_found'],
  }),
  endSession: route({
    method: 'DELETE',
    path: '/secure-api/accounts/users/:id/sessions/:session/',
    summary: "Ends one of another user's sessions.",
    callers,
    params: z.extend(params, { session: Id }),
    status: 204,
    problems: ['own_role', 'user_not_found', 'session_not_found'],
  }),
  endSessions: route({
    method: 'DELETE',
    path: '/secure-api/accounts/users/:id/sessions/',
    summary: "Ends all of another user's sessions.",
    callers,
    params,
    status: 204,
    problems: ['own_role', 'user_not_found'],
  }),
  name: route({
    method: 'GET',
    path: '/secure-api/users/:id/',
    summary: 'What a user is called, for whoever may know.',
    callers: everyone,
    shownAs: true,
    params,
    reply: UserName,
    problems: ['user_not_found'],
  }),
};
