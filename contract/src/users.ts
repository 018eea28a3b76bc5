/** The administration of users (NSH-047), and what others may know of one. */
import { z } from 'zod/mini';
import { Role, User } from './accounts.ts';
import { EmailAddress, Id, page, queryInteger, requiredText, text } from './fields.ts';
import { everyone, route } from './route.ts';

export const ListedUser = z.extend(User, { is_active: z.boolean() });
export type ListedUser = z.infer<typeof ListedUser>;

export const UserQuery = z.object({
  search: z.optional(text(150)),
  page: queryInteger(1, 1_000_000, 1),
  page_size: queryInteger(1, 1000, 100),
});
export type UserQuery = z.infer<typeof UserQuery>;

export const CreateUser = z.object({
  email: EmailAddress,
  password: z.string().check(z.minLength(1), z.maxLength(512)),
  first_name: requiredText(150),
  last_name: requiredText(150),
  role: z._default(Role, 'user'),
});
export type CreateUser = z.infer<typeof CreateUser>;

export const ChangeUser = z.partial(
  z.object({ role: Role, is_staff: z.boolean(), is_active: z.boolean() }),
);
export type ChangeUser = z.infer<typeof ChangeUser>;

/** APA-016. */
export const UserName = z.object({
  id: Id,
  full_name: z.string(),
  username: z.string(),
  email: z.string(),
});
export type UserName = z.infer<typeof UserName>;

const params = z.object({ id: Id });

export const userRoutes = {
  list: route({
    method: 'GET',
    path: '/secure-api/accounts/users/',
    summary: 'The users: all for administrators, oneself for everybody else.',
    callers: everyone,
    query: UserQuery,
    reply: page(ListedUser),
  }),
  create: route({
    method: 'POST',
    path: '/secure-api/accounts/users/',
    summary: 'Adds a user; an admin adds users and operators only.',
    callers: ['admin', 'superadmin'],
    body: CreateUser,
    reply: ListedUser,
    status: 201,
  }),
  change: route({
    method: 'PATCH',
    path: '/secure-api/accounts/users/:id/',
    summary: "Changes another user's role and flags, or disables them.",
    callers: ['admin', 'superadmin'],
    params,
    body: ChangeUser,
    reply: ListedUser,
  }),
  name: route({
    method: 'GET',
    path: '/secure-api/users/:id/',
    summary: 'What a user is called, for whoever may know.',
    callers: everyone,
    params,
    reply: UserName,
  }),
};
