/** The whole application at one address, against the fake server, as a browser would open it. */
import { render, type RenderResult } from '@testing-library/react';
import { accountRoutes, type Preferences, type User } from '@nazar/contract/accounts.ts';
import { activityRoutes, type ActivityEntry } from '@nazar/contract/activity.ts';
import { analyticsRoutes } from '@nazar/contract/analytics.ts';
import { setupRoutes, type RegistrationPolicy } from '@nazar/contract/setup.ts';
import { warningRoutes, type Warning } from '@nazar/contract/warnings.ts';
import { App } from '#app/app.tsx';
import { reachable } from '#api/connection.ts';
import { go } from '#lib/address.ts';
import { session, startSession } from '#api/session.ts';
import { aSummary, somePreferences } from './builders.ts';
import { answer, refusal, type Seen } from './server.ts';

export interface Scene {
  path: string;
  /** Signed in as this user; absent: signed out. */
  user?: User;
  /** What the logs' own call says of them; absent: the same. */
  logUser?: User | Response;
  preferences?: Partial<Preferences>;
  setupRequired?: boolean;
  registration?: RegistrationPolicy;
  mailAvailable?: boolean;
  /** The activity log; absent: empty. */
  activity?: (seen: Seen) => { count: number; more: boolean; results: ActivityEntry[] };
  /** What administrators are warned of; absent: nothing. */
  warnings?: () => { results: Warning[] };
  signOn?: string | null;
  /** After which every session ends; absent: 30. */
  inactiveMinutes?: number;
}

export async function renderApp(scene: Scene): Promise<RenderResult> {
  reachable.set(true);
  session.set({ kind: 'checking' });
  answer(setupRoutes.state, {
    required: scene.setupRequired ?? false,
    demo_available: true,
    registration: scene.registration ?? 'open',
    mail_available: scene.mailAvailable ?? false,
    sign_on: scene.signOn ?? null,
    session_limits: { inactive_minutes: scene.inactiveMinutes ?? 30, days: 30 },
  });
  answer(accountRoutes.preferences, somePreferences(scene.preferences));
  answer(accountRoutes.updatePreferences, somePreferences(scene.preferences));
  answer(analyticsRoutes.summary, aSummary());
  answer(warningRoutes.list, scene.warnings ?? { results: [] });
  // Asked where the list fails. Without a last slash an address stands for both: the list comes after it.
  const { list } = activityRoutes;
  answer({ ...list, path: list.alsoAt[0] }, refusal(503, 'internal', ''));
  answer(list, scene.activity ?? { count: 0, more: false, results: [] });
  answer(activityRoutes.filter, refusal(503, 'internal', ''));
  if (scene.user !== undefined) {
    localStorage.setItem('auth-token', 'good');
    localStorage.setItem('refresh-token', 'spare');
    answer(accountRoutes.me, scene.user);
    answer(accountRoutes.meOfLogs, scene.logUser ?? scene.user);
  }
  go(scene.path, { replace: true });
  const result = render(<App />);
  await startSession();
  return result;
}
