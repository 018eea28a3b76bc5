/** Who signs in: the session calls (SES, APA rows) and the signed-in user's own record. */
import { z } from 'zod/mini';
import { EmailAddress, Id, Timestamp, text } from './fields.ts';
import { everyone, route } from './route.ts';

export const roles = ['user', 'operator', 'admin', 'superadmin'] as const;
export const Role = z.enum(roles);
export type Role = z.infer<typeof Role>;

export const languages = ['en', 'az', 'ru', 'tr'] as const;
export const Language = z.enum(languages);
export type Language = z.infer<typeof Language>;

/** PRO-013: what people say of themselves; every field may stay empty (PRO-014). */
export const ProfileFields = z.object({
  phone: text(50),
  department: text(150),
  position: text(150),
  address: text(500),
  birthdate: z.nullable(z.iso.date()),
  bio: text(2000),
});
export type ProfileFields = z.infer<typeof ProfileFields>;

/** ENT-001, and the profile fields of ENT-039 in the documents' snake_case. */
export const User = z.extend(ProfileFields, {
  id: Id,
  email: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  role: Role,
  is_staff: z.boolean(),
  is_superuser: z.boolean(),
  joinDate: Timestamp,
});
export type User = z.infer<typeof User>;

export const Login = z.object({
  email: EmailAddress,
  password: z.string().check(z.minLength(1), z.maxLength(512)),
  /** SES-005: whether the session outlives the browser. */
  remember: z._default(z.boolean(), false),
});
export type Login = z.infer<typeof Login>;

export const LoginReply = z.object({ access: z.string(), refresh: z.string(), user: User });
export type LoginReply = z.infer<typeof LoginReply>;

export const Refresh = z.object({ refresh: z.string().check(z.minLength(1), z.maxLength(128)) });
export const RefreshReply = z.object({ access: z.string(), refresh: z.string() });
export type RefreshReply = z.infer<typeof RefreshReply>;

/** NSH-006. All fields are optional in a change; the answer always holds all of them. */
export const Preferences = z.object({
  language: z.nullable(Language),
  theme: z.nullable(z.enum(['light', 'dark'])),
  avatar_color: z.nullable(z.string().check(z.regex(/^#[0-9a-f]{6}$/))),
  sidebar_collapsed: z.boolean(),
  cameras_view: z.enum(['grid', 'list']),
  faces_view: z.enum(['grid', 'list']),
});
export type Preferences = z.infer<typeof Preferences>;

export const accountRoutes = {
  login: route({
    method: 'POST',
    path: '/secure-api/accounts/login/',
    summary: 'Signs in with e-mail and password.',
    callers: 'anyone',
    body: Login,
    reply: LoginReply,
  }),
  refresh: route({
    method: 'POST',
    path: '/token/refresh/',
    summary: 'Exchanges a refresh token, once, for a new pair.',
    callers: 'anyone',
    body: Refresh,
    reply: RefreshReply,
  }),
  logout: route({
    method: 'POST',
    path: '/secure-api/accounts/logout/',
    summary: 'Ends this session, its tickets and its streams.',
    callers: everyone,
    status: 204,
  }),
  me: route({
    method: 'GET',
    path: '/secure-api/accounts/users/me/',
    summary: 'The signed-in user.',
    callers: everyone,
    reply: User,
  }),
  preferences: route({
    method: 'GET',
    path: '/secure-api/accounts/preferences/my_preferences/',
    summary: "The signed-in user's preferences.",
    callers: everyone,
    reply: Preferences,
  }),
  updatePreferences: route({
    method: 'PATCH',
    path: '/secure-api/accounts/preferences/update_my_preferences/',
    summary: "Changes the signed-in user's preferences.",
    callers: everyone,
    body: z.partial(Preferences),
    reply: Preferences,
  }),
};
