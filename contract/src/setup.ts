/** First run: one code from the console opens the door once, for one administrator. */
import { z } from 'zod/mini';
import { EmailAddress, maxChars, requiredName, requiredText } from './fields.ts';
import { ofPasswordFields, ofSignIn } from './refusals.ts';
import { route } from './route.ts';
import { LoginReply } from './accounts.ts';

export const RegistrationPolicy = z.enum(['open', 'approval', 'closed']);
export type RegistrationPolicy = z.infer<typeof RegistrationPolicy>;

export const SetupState = z.object({
  /** False once the first administrator exists; every other route answers 503 while it is true. */
  required: z.boolean(),
  /** Whether the demo camera can be offered (its video could be made on this machine). */
  demo_available: z.boolean(),
  /** Who may register: the login page offers registration only if it is possible. */
  registration: RegistrationPolicy,
  /** Whether this installation sends letters: without, who forgot a password asks an administrator. */
  mail_available: z.boolean(),
  /** What the provider is called at which people may sign in instead; null: there is none. */
  sign_on: z.nullable(z.string()),
  /** How long sessions of browsers last at most, remembered or not; an account may have set less for itself. */
  session_limits: z.object({ inactive_minutes: z.int(), days: z.int() }),
});
export type SetupState = z.infer<typeof SetupState>;

export const FirstAdministrator = z.object({
  code: requiredText(64),
  email: EmailAddress,
  password: z.string().check(z.minLength(1), maxChars(512)),
  first_name: requiredName(150),
  last_name: requiredName(150),
  registration: z._default(RegistrationPolicy, 'open'),
});
export type FirstAdministrator = z.infer<typeof FirstAdministrator>;

export const setupRoutes = {
  state: route({
    method: 'GET',
    path: '/secure-api/setup/',
    summary: 'Whether this installation still waits for its first administrator.',
    callers: 'anyone',
    reply: SetupState,
  }),
  administrator: route({
    method: 'POST',
    path: '/secure-api/setup/administrator/',
    summary: 'Creates the first administrator with the one-time code and signs in.',
    callers: 'setup',
    body: FirstAdministrator,
    reply: LoginReply,
    status: 201,
    problems: [...ofSignIn],
    fieldProblems: ['setup_code_invalid', 'email_taken', ...ofPasswordFields],
  }),
  /**
   * Asked again, it adds only what is missing and answers the camera that is there: a wizard that was
   * reloaded, or a button pressed twice, makes no second one. People are enrolled all or none.
   */
  demoCamera: route({
    method: 'POST',
    path: '/secure-api/setup/demo-camera/',
    summary: 'Adds the demo camera, if it is not there, and enrols three of its people.',
    callers: ['admin', 'superadmin'],
    body: z.object({ enrol: z._default(z.boolean(), true) }),
    reply: z.object({ camera_id: z.guid() }),
    status: 201,
    problems: ['demo_not_available'],
  }),
};
