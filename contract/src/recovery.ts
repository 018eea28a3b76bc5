/** The way back in for users who forgot a password, and the way in for invited ones: a link that works once. */
import { z } from 'zod/mini';
import { EmailAddress, Id, Timestamp, maxChars } from './fields.ts';
import { ofPasswordFields } from './refusals.ts';
import { route } from './route.ts';

export const AskForReset = z.object({ email: EmailAddress });
export type AskForReset = z.infer<typeof AskForReset>;

export const ConfirmReset = z.object({
  uid: Id,
  token: z.string().check(z.minLength(1), maxChars(128)),
  new_password: z.string().check(z.minLength(1), maxChars(512)),
});
export type ConfirmReset = z.infer<typeof ConfirmReset>;

/** Shown once to the administrator who asked for it; only its hash is kept. */
export const OneTimeLink = z.object({
  /** `/reset-password/{uid}/{token}`, with `?for=invitation` for a new user. */
  path: z.string(),
  /** The same at the public address of the installation; null: the installation does not know it. */
  url: z.nullable(z.string()),
  expires_at: Timestamp,
  /** Whether it was also sent to its owner. */
  mailed: z.boolean(),
});
export type OneTimeLink = z.infer<typeof OneTimeLink>;

export const recoveryRoutes = {
  /** Says nothing about whether there is such an account, neither in words nor by the time it takes. */
  ask: route({
    method: 'POST',
    path: '/secure-api/accounts/password-reset/',
    summary: 'Sends a link for a new password, if there is such an account and mail is set up.',
    callers: 'anyone',
    body: AskForReset,
    reply: z.object({ status: z.literal('ok') }),
    problems: ['setup_required'],
  }),
  confirm: route({
    method: 'POST',
    path: '/secure-api/accounts/password-reset/confirm/',
    summary:
      'Sets a password with the link that was sent, once, ends all sessions, and says whose it is.',
    callers: 'anyone',
    body: ConfirmReset,
    // To sign in with what was just set, by the checks of every sign-in.
    reply: z.object({ email: z.string() }),
    problems: ['setup_required', 'link_invalid'],
    fieldProblems: [...ofPasswordFields],
  }),
};
