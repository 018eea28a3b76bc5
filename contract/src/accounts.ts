/** Who signs in: the session calls (SES, APA rows) and the signed-in user's own record. */
import { z } from 'zod/mini';
import { Day, EmailAddress, Id, Timestamp, maxChars, optionalName, text } from './fields.ts';
import { ofSignIn } from './refusals.ts';
import { everyone, route } from './route.ts';

export const roles = ['user', 'operator', 'admin', 'superadmin'] as const;
export const Role = z.enum(roles);
export type Role = z.infer<typeof Role>;

export const languages = ['en', 'az', 'ru', 'tr'] as const;
export const Language = z.enum(languages);
export type Language = z.infer<typeof Language>;

/** What people say of themselves; every field may stay empty. */
export const ProfileFields = z.object({
  phone: text(50),
  department: optionalName(150),
  position: optionalName(150),
  address: text(500),
  birthdate: z.nullable(Day),
  bio: text(2000),
});
export type ProfileFields = z.infer<typeof ProfileFields>;

/** A user, with the fields of their profile in the documents' snake_case. */
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
  password: z.string().check(z.minLength(1), maxChars(512)),
  /** Whether the session outlives the browser. */
  remember: z._default(z.boolean(), false),
});
export type Login = z.infer<typeof Login>;

/** How long an access token lives: a page exchanges it before it ends. */
export const accessTokenMs = 10 * 60_000;

export const LoginReply = z.object({ access: z.string(), refresh: z.string(), user: User });
export type LoginReply = z.infer<typeof LoginReply>;

/** What may be asked for after the password. */
const secondFactors = ['totp', 'passkey', 'recovery'] as const;
export type SecondFactor = (typeof secondFactors)[number];

/** The password was right and is not enough. No token, only a challenge for the second step. */
export const TwoFactorRequired = z.object({
  two_factor_required: z.literal(true),
  challenge: z.string(),
  /** The methods by which this account can sign in from here; none: an administrator has to help. */
  methods: z.array(z.enum(secondFactors)),
});
export type TwoFactorRequired = z.infer<typeof TwoFactorRequired>;

export const Refresh = z.object({ refresh: z.string().check(z.minLength(1), maxChars(128)) });
export const RefreshReply = z.object({ access: z.string(), refresh: z.string() });
export type RefreshReply = z.infer<typeof RefreshReply>;

/** All fields are optional in a change; the answer always holds all of them. */
export const Preferences = z.object({
  language: z.nullable(Language),
  theme: z.nullable(z.enum(['light', 'dark'])),
  avatar_color: z.nullable(z.string().check(z.regex(/^#[0-9a-f]{6}$/))),
  sidebar_collapsed: z.boolean(),
  cameras_view: z.enum(['grid', 'list']),
  faces_view: z.enum(['grid', 'list']),
  /** A time zone of the IANA database; null: UTC. Every list and chart uses its days. */
  timezone: z.nullable(text(64)),
});
export type Preferences = z.infer<typeof Preferences>;

export const accountRoutes = {
  login: route({
    method: 'POST',
    path: '/secure-api/accounts/login/',
    summary: 'Signs in with e-mail and password, or says that a second factor is needed.',
    callers: 'anyone',
    body: Login,
    reply: z.union([LoginReply, TwoFactorRequired]),
    problems: [...ofSignIn, 'setup_required', 'password_too_short_for_role'],
  }),
  refresh: route({
    method: 'POST',
    path: '/token/refresh/',
    summary: 'Exchanges a refresh token, once, for a new pair.',
    callers: 'anyone',
    body: Refresh,
    reply: RefreshReply,
    problems: ['setup_required', 'invalid_refresh'],
  }),
  logout: route({
    method: 'POST',
    path: '/secure-api/accounts/logout/',
    summary: 'Ends this session, its tickets and its streams.',
    callers: everyone,
    whileEnrolling: true,
    status: 204,
  }),
  me: route({
    method: 'GET',
    path: '/secure-api/accounts/users/me/',
    summary: 'The signed-in user.',
    callers: everyone,
    whileEnrolling: true,
    shownAs: true,
    reply: User,
  }),
  /** The same under the address that the log screens ask, which is closed until a second factor is set up. */
  meOfLogs: route({
    method: 'GET',
    path: '/secure-api/activity-log/auth/me/',
    summary: 'The signed-in user.',
    callers: everyone,
    shownAs: true,
    reply: User,
  }),
  preferences: route({
    method: 'GET',
    path: '/secure-api/accounts/preferences/my_preferences/',
    summary: "The signed-in user's preferences.",
    callers: everyone,
    whileEnrolling: true,
    reply: Preferences,
  }),
  updatePreferences: route({
    method: 'PATCH',
    path: '/secure-api/accounts/preferences/update_my_preferences/',
    summary: "Changes the signed-in user's preferences.",
    callers: everyone,
    body: z.partial(Preferences),
    reply: Preferences,
    fieldProblems: ['time_zone_unknown'],
  }),
};
