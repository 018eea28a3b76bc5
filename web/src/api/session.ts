/**
 * Who is signed in. Holds the state that the guards of the router read; the tokens
 * themselves are in `tokens.ts`.
 */
import {
  accountRoutes,
  type LoginReply,
  type Preferences,
  type TwoFactorRequired,
  type User,
} from '@nazar/contract/accounts.ts';
import { ownAccountRoutes } from '@nazar/contract/own-account.ts';
import { seeAsRoutes } from '@nazar/contract/see-as.ts';
import { setupRoutes, type SetupState } from '@nazar/contract/setup.ts';
import { signOnRoutes } from '@nazar/contract/sign-on.ts';
import { passkeyRoutes } from '@nazar/contract/passkeys.ts';
import type { FreshProof } from '@nazar/contract/proof.ts';
import { twoFactorRoutes, type Proof } from '@nazar/contract/two-factor.ts';
import { forgetCopies, forgetOldCopies } from '#lib/copies.ts';
import { chooseLanguage, showLanguage, type Language } from '#lib/i18n.ts';
import { readerTimezone } from '#lib/local-day.ts';
import { signal, useSignal } from '#lib/signal.ts';
import { cameraDraft, clearStorage, loginTracked, store, stored } from '#lib/storage.ts';
import { chooseTheme, type Theme } from '#lib/theme.ts';
import { call, onSeeingEnd, onSessionEnd } from './call.ts';
import { forgetEntries, syncEntries, syncWhenBack } from './offline-entries.ts';
import { showForSignIn } from './passkeys.ts';
import { Problem, endsSession } from './problem.ts';
import { see, seeing, type SeenUser } from './see-as.ts';
import { accessToken, forgetTokens, keepTokens, renewInTime } from './tokens.ts';

export const defaultPreferences: Preferences = {
  language: null,
  theme: null,
  avatar_color: null,
  sidebar_collapsed: false,
  cameras_view: 'grid',
  faces_view: 'grid',
  timezone: null,
};

export type Session =
  | { readonly kind: 'checking' }
  /** The server could not say who is signed in: `cause` is why, `tries` how often in a row. The tokens are kept. */
  | { readonly kind: 'unreachable'; readonly cause: unknown; readonly tries: number }
  /** No user can sign in before the first administrator exists. */
  | { readonly kind: 'setup'; readonly state: SetupState }
  | { readonly kind: 'out' }
  | { readonly kind: 'in'; readonly user: User; readonly preferences: Preferences };

/** The public facts about the installation, as the last check of the session received them. */
export const installation = signal<SetupState | null>(null);

export const session = signal<Session>({ kind: 'checking' });
export const useSession = (): Session => useSignal(session);

/** Blue until a colour was chosen. */
export const DEFAULT_AVATAR_COLOR = '#2563eb';

function forget(): void {
  stopSyncing();
  stopRenewing();
  see(null);
  forgetTokens();
  store('user-data', null);
  store('avatar-color', null);
  forgetCopies();
  loginTracked.set(null);
  cameraDraft.set(null);
}

function end(): void {
  forget();
  session.set({ kind: 'out' });
}

onSessionEnd(() => {
  if (session.get().kind !== 'checking') end();
});

/** What the account chose holds where this browser has chosen nothing. */
async function apply(preferences: Preferences): Promise<void> {
  store('avatar-color', preferences.avatar_color ?? DEFAULT_AVATAR_COLOR);
  if (stored('theme') === null && preferences.theme !== null) chooseTheme(preferences.theme);
  if (stored('language') === null && preferences.language !== null) {
    await showLanguage(preferences.language);
  }
}

/** Preferences are a comfort: without them the defaults serve. */
async function readPreferences(): Promise<Preferences> {
  try {
    return await call(accountRoutes.preferences, {});
  } catch {
    return defaultPreferences;
  }
}

let stopSyncing: () => void = () => undefined;
let stopRenewing: () => void = () => undefined;

async function enter(user: User): Promise<void> {
  // What is kept of the account is the administrator's, whosever eyes they look with.
  if (seeing.get() === null) store('user-data', JSON.stringify(user));
  const preferences = await readPreferences();
  await apply(preferences);
  session.set({ kind: 'in', user, preferences });
  stopSyncing();
  stopSyncing = syncWhenBack(user.id);
  stopRenewing();
  stopRenewing = renewInTime();
}

async function checkUser(): Promise<void> {
  if (accessToken() === null) {
    end();
    return;
  }
  await enter(await call(accountRoutes.me, {}));
}

/**
 * Reads who is signed in, and whether this installation still waits for its first administrator. Only a refusal of the
 * session itself ends it: a server that is restarting, or a proxy that lost it, says nothing about the session.
 */
export async function startSession(): Promise<void> {
  const before = session.get();
  forgetOldCopies(Date.now());
  // While it is tried again, the reason stays on the screen.
  if (before.kind !== 'unreachable') session.set({ kind: 'checking' });
  try {
    const state = await call(setupRoutes.state, {});
    installation.set(state);
    if (state.required) {
      forget();
      session.set({ kind: 'setup', state });
      return;
    }
    await checkUser();
  } catch (error) {
    // Begins again without it.
    if (error instanceof Problem && error.code === 'see_as_ended') return;
    if (endsSession(error)) end();
    else {
      const tries = before.kind === 'unreachable' ? before.tries + 1 : 1;
      session.set({ kind: 'unreachable', cause: error, tries });
    }
  }
}

/** Keeps what a login or the set-up answered and opens the application. */
export async function beginSession(reply: LoginReply): Promise<void> {
  keepTokens(reply);
  loginTracked.set('1');
  await enter(reply.user);
}

/** Null: signed in. Else what the second step needs. */
export async function signIn(
  email: string,
  password: string,
  remember: boolean,
): Promise<TwoFactorRequired | null> {
  const reply = await call(accountRoutes.login, { body: { email, password, remember } });
  store('remember-me', remember ? 'true' : null);
  if ('challenge' in reply) return reply;
  await beginSession(reply);
  return null;
}

/** What the login page goes on with, when something else has shown the password. In memory only: it lets in. */
export const secondStep = signal<TwoFactorRequired | null>(null);

/**
 * After a password was set by a link: the session of the account whose link it was, in place of any other.
 * False: a second step is needed, which the login page asks for.
 */
export async function signInWithNewPassword(email: string, password: string): Promise<boolean> {
  if (session.get().kind === 'in') await signOut();
  secondStep.set(await signIn(email, password, false));
  return secondStep.get() === null;
}

/** The sign-in of a user who came back from the provider, as `signIn`. */
export async function completeSignOn(): Promise<TwoFactorRequired | null> {
  const reply = await call(signOnRoutes.complete, { body: {} });
  if ('challenge' in reply) return reply;
  await beginSession(reply);
  return null;
}

/** The second step of a login. */
export async function signInWithProof(challenge: string, proof: Proof): Promise<void> {
  await beginSession(await call(twoFactorRoutes.login, { body: { challenge, ...proof } }));
}

/** False: the reader showed no passkey. */
export async function signInWithPasskey(remember: boolean): Promise<boolean> {
  const passkey = await showForSignIn();
  if (!passkey) return false;
  const reply = await call(passkeyRoutes.login, { body: { passkey, remember } });
  store('remember-me', remember ? 'true' : null);
  await beginSession(reply);
  return true;
}

/** From now on this tab shows what that user sees. Throws the Problem that says why not. */
export async function beginSeeAs(userId: string): Promise<void> {
  const { id, full_name } = await call(seeAsRoutes.begin, { params: { id: userId } });
  await lookAs({ id, name: full_name });
}

/** Ends seeing as another user. The server is informed; if it can't be reached, it forgets by itself. */
export async function leaveSeeAs(): Promise<void> {
  const user = seeing.get();
  if (user === null) return;
  await call(seeAsRoutes.end, { params: { id: user.id } }).catch(() => undefined);
  await lookAs(null);
}

/** Everything on the screen is another's: it begins again, as after a sign-in. */
async function lookAs(user: SeenUser | null): Promise<void> {
  session.set({ kind: 'checking' });
  forgetCopies();
  see(user);
  await startSession();
}

onSeeingEnd(() => {
  if (seeing.get() !== null) void lookAs(null);
});

/** The browser forgets the session even when the server can't be reached. */
export async function signOut(): Promise<void> {
  try {
    const now = session.get();
    if (now.kind === 'in') await syncEntries(now.user.id);
    await call(accountRoutes.logout, {});
  } catch {
    // The tokens die by themselves.
  } finally {
    forgetEntries();
    store('alert-changes', null);
    end();
  }
}

/** What the server made of a change of the profile. */
export function showUser(user: User): void {
  const now = session.get();
  if (now.kind !== 'in') return;
  store('user-data', JSON.stringify(user));
  session.set({ ...now, user });
}

/** Throws the Problem that says why the account stays. */
export async function deleteAccount(proof: FreshProof): Promise<void> {
  await call(ownAccountRoutes.deleteAccount, { body: proof });
  end();
  clearStorage();
}

/** Shown at once, kept for the account; a failure to keep it changes nothing on the screen. */
export async function changePreferences(change: Partial<Preferences>): Promise<void> {
  const now = session.get();
  if (now.kind !== 'in') return;
  session.set({ ...now, preferences: { ...now.preferences, ...change } });
  try {
    await call(accountRoutes.updatePreferences, { body: change });
  } catch {
    // It holds in this browser until the next sign-in.
  }
}

/** Emails say times in the zone of the browser that was used first; the API changes it. */
export function keepTimeZone(): void {
  const now = session.get();
  if (now.kind !== 'in' || seeing.get() !== null) return;
  // Preferences that could not be read may hold another one.
  if (now.preferences === defaultPreferences || now.preferences.timezone !== null) return;
  void changePreferences({ timezone: readerTimezone() });
}

export async function pickLanguage(language: Language): Promise<void> {
  await chooseLanguage(language);
  await changePreferences({ language });
}

export async function pickTheme(theme: Theme): Promise<void> {
  chooseTheme(theme);
  await changePreferences({ theme });
}

/** The signed-in user; only for what stands inside the shell, where there is always one. */
export function useUser(): User {
  const now = useSession();
  if (now.kind !== 'in') throw new Error('nobody is signed in here');
  return now.user;
}

export function usePreferences(): Preferences {
  const now = useSession();
  return now.kind === 'in' ? now.preferences : defaultPreferences;
}
