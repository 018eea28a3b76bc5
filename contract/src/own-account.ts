/** What users do with their own account: request one, change it, end its sessions, delete it. */
import { z } from 'zod/mini';
import { ProfileFields, Role, User } from './accounts.ts';
import { EmailAddress, Id, Timestamp, maxChars, requiredName, results } from './fields.ts';
import { FreshProof } from './proof.ts';
import { ofPasswordFields, ofProof, ofProofFields } from './refusals.ts';
import { everyone, route } from './route.ts';

const Password = z.string().check(z.minLength(1), maxChars(512));

/** A role cannot be asked for. */
export const Registration = z.object({
  first_name: requiredName(150),
  last_name: requiredName(150),
  email: EmailAddress,
  password: Password,
  password2: Password,
});
export type Registration = z.infer<typeof Registration>;

export const Registered = z.object({
  id: Id,
  email: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  role: Role,
});
export type Registered = z.infer<typeof Registered>;

/** Everything that people may change about themselves, and nothing else. */
export const UpdateMe = z.partial(
  z.extend(ProfileFields, {
    first_name: requiredName(150),
    last_name: requiredName(150),
    email: EmailAddress,
    /** Fresh proof, asked for when the e-mail address changes: with it the account changes hands. */
    ...FreshProof.shape,
  }),
);
export type UpdateMe = z.infer<typeof UpdateMe>;

export const ChangePassword = z.object({ old_password: Password, new_password: Password });
export type ChangePassword = z.infer<typeof ChangePassword>;

export const OwnSession = z.object({
  id: Id,
  is_current: z.boolean(),
  is_browser: z.boolean(),
  user_agent: z.string(),
  ip: z.string(),
  created_at: Timestamp,
  expires_at: Timestamp,
});
export type OwnSession = z.infer<typeof OwnSession>;

export const ownAccountRoutes = {
  register: route({
    method: 'POST',
    path: '/secure-api/accounts/register/',
    summary: 'Asks for an account, as far as this installation gives any.',
    callers: 'anyone',
    body: Registration,
    reply: Registered,
    status: 201,
    problems: ['setup_required', 'registration_closed'],
    fieldProblems: ['email_taken', 'passwords_differ', ...ofPasswordFields],
  }),
  updateMe: route({
    method: 'PUT',
    path: '/secure-api/accounts/users/update_me/',
    summary: "Changes the signed-in user's profile.",
    callers: everyone,
    body: UpdateMe,
    reply: User,
    problems: [...ofProof],
    fieldProblems: [...ofProofFields, 'email_taken'],
  }),
  changePassword: route({
    method: 'POST',
    path: '/secure-api/accounts/change-password/',
    summary: 'Changes the password and ends all other sessions.',
    callers: everyone,
    body: ChangePassword,
    status: 204,
    fieldProblems: ['password_wrong', ...ofPasswordFields],
  }),
  deleteAccount: route({
    method: 'DELETE',
    path: '/secure-api/accounts/users/delete_account/',
    summary: "Deletes the signed-in user's account for good.",
    callers: everyone,
    body: FreshProof,
    status: 204,
    problems: [...ofProof, 'last_superadmin'],
    fieldProblems: [...ofProofFields],
  }),
  sessions: route({
    method: 'GET',
    path: '/secure-api/accounts/sessions/',
    summary: "The signed-in user's living sessions.",
    callers: everyone,
    whileEnrolling: true,
    reply: results(OwnSession),
  }),
  endSession: route({
    method: 'DELETE',
    path: '/secure-api/accounts/sessions/:id/',
    summary: "Ends one of the signed-in user's sessions.",
    callers: everyone,
    params: z.object({ id: Id }),
    status: 204,
    problems: ['session_not_found'],
  }),
};
