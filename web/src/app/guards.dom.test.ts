import { expect, test } from 'vitest';
import type { Session } from '#api/session.ts';
import { aUser, somePreferences } from '#testing/builders.ts';
import { redirectFrom, type Place } from './guards.ts';

const out: Session = { kind: 'out' };
const setup: Session = {
  kind: 'setup',
  state: {
    required: true,
    demo_available: true,
    registration: 'open',
    mail_available: false,
    sign_on: null,
    session_limits: { inactive_minutes: 30, days: 30 },
  },
};
const signedInAs = (role: 'user' | 'admin' | 'superadmin'): Session => ({
  kind: 'in',
  user: aUser({ role, is_staff: false, is_superuser: false }),
  preferences: somePreferences(),
});

const table: [string, Place, Session, string | null][] = [
  ['NAV-004 signed out, login stays', 'login', out, null],
  ['NAV-006 signed out, pages lead to login', 'shell', out, '/login'],
  ['NAV-006 signed out, the wizard leads to login', 'setup', out, '/login'],
  ['NSH-002 a link for a new password serves who is signed out', 'recovery', out, null],
  ['NSH-002 and who is signed in', 'recovery', signedInAs('user'), null],
  ['before the set-up there is nothing to recover', 'recovery', setup, '/setup'],
  ['NAV-007 signed in, pages stay', 'shell', signedInAs('user'), null],
  ['NAV-019 signed in, login leads home', 'login', signedInAs('user'), '/'],
  [
    'NAV-019 signed in without camera rights, the wizard leads home',
    'setup',
    signedInAs('user'),
    '/',
  ],
  ['an administrator may go on with the wizard', 'setup', signedInAs('superadmin'), null],
  ['before the first administrator, login leads to the wizard', 'login', setup, '/setup'],
  ['before the first administrator, pages lead to the wizard', 'shell', setup, '/setup'],
  ['before the first administrator, the wizard stays', 'setup', setup, null],
];

test.each(table)('%s', (_title, place, session, expected) => {
  expect(redirectFrom(place, session)).toBe(expected);
});
