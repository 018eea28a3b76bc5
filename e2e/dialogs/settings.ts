/** What opens above settings, users and one's own account. */
import type { Page } from '@playwright/test';
import type { ModelsReply } from '@nazar/contract/models.ts';
import type { ApiKey, MySecurity } from '@nazar/contract/own-security.ts';
import type { Passkey } from '@nazar/contract/passkeys.ts';
import type { Erasure } from '@nazar/contract/privacy.ts';
import type { TwoFactorState } from '@nazar/contract/two-factor.ts';
import { idOf } from '../busy-week.ts';
import { answer, press, said, sourceBelow, type Overlay, type Words } from './overlay.ts';

const at = '2026-03-08T15:41:07.000Z';
const in_ = sourceBelow('features/');

export const settingsOverlays: readonly Overlay[] = [
  {
    name: 'user-add',
    source: in_('users/add-dialog'),
    path: () => '/settings/users?add=true',
  },
  {
    name: 'user',
    source: in_('users/user-dialog'),
    path: ({ userId }) => `/settings/users?user=${userId}`,
  },
  {
    name: 'user-disable',
    depth: 2,
    source: in_('users/asking-button'),
    path: ({ userId }) => `/settings/users?user=${userId}`,
    act: async (page, { users }) => {
      await page.getByRole('dialog').waitFor();
      await press(page, users.disable);
    },
  },
  {
    name: 'group-add',
    source: in_('access/group-dialog'),
    path: () => '/settings/access?tab=groups',
    act: (page, { access }) => press(page, access.newGroup),
  },
  {
    name: 'group-delete',
    source: in_('access/group-list'),
    path: () => '/settings/access?tab=groups',
    act: (page, { access }) => press(page, said(access.delete, { name: 'Night shift' })),
  },
];

const serving = { id: 'ultraface-mobilefacenet', version: '3' };
const models: ModelsReply = {
  installed: [
    { ...serving, license: 'MIT' },
    { id: 'scrfd-adaface', version: '1', license: 'MIT' },
  ],
  unavailable: [],
  awaited: null,
  serving: { ...serving, is_installed: true, is_loaded: true },
  previous: null,
  change: null,
};
const change: ModelsReply['change'] = {
  to: { id: 'scrfd-adaface', version: '1' },
  started_at: at,
  started_by: 'Test Administrator',
  total: 420,
  done: 418,
  failed: 2,
  losses: { photos: 2, people: [{ id: idOf(1), name: 'Leyla Orucova' }] },
};

const erasure: Erasure = {
  id: idOf(3),
  subject: 'person',
  reason: 'asked',
  state: 'done',
  requested_at: at,
  due_at: '2026-04-07T15:41:07.000Z',
  removed_at: at,
  cleaned_at: at,
  removed: { pictures: 41, visits: 0 },
  certificate: {
    subject_digest: 'a3'.repeat(32),
    images: 3,
    vectors: 3,
    pictures: 41,
    visits: 0,
    people: 0,
    unknown: { compared: 40, found: 3, taken: 2, not_comparable: 4, all_cameras: false },
    notes: 0,
    tables_clean: true,
    statistics_clean: true,
    log_clean: false,
  },
};

export const policyOverlays: readonly Overlay[] = [
  {
    name: 'model-choose',
    source: in_('recognition/choose-model'),
    path: () => '/settings/recognition',
    given: (page) => answer(page, 'system/models/', models),
    act: (page, words) => press(page, words.models.change),
  },
  {
    name: 'model-agree',
    source: in_('recognition/model-change'),
    path: () => '/settings/recognition',
    given: (page) => answer(page, 'system/models/', { ...models, change }),
    act: (page, words) => press(page, words.models.agree),
  },
  {
    name: 'attributes',
    source: in_('recognition/attribute-confirmation'),
    path: () => '/settings/recognition',
    act: (page, { recognition }) =>
      page.getByRole('checkbox', { name: recognition.feature.age, exact: true }).click(),
  },
  {
    name: 'certificate',
    source: in_('privacy/certificate-dialog'),
    path: () => '/settings/privacy',
    given: (page) => answer(page, 'privacy/erasures/?*', { count: 1, results: [erasure] }),
    act: (page, { privacy }) =>
      page.getByRole('button').filter({ hasText: privacy.certificate }).click(),
  },
];

const key: ApiKey = {
  id: idOf(4),
  name: 'Door script',
  scopes: ['cameras:read', 'logs:read'],
  created_at: at,
  expires_at: '2027-03-08T15:41:07.000Z',
  last_used_at: null,
  last_used_ip: null,
};
const passkey: Passkey = {
  id: idOf(5),
  name: 'Phone',
  host: 'localhost',
  is_synced: true,
  created_at: at,
  last_used_at: null,
};
const isOn: TwoFactorState = {
  is_on: true,
  totp: true,
  passkeys: 1,
  is_demanded: false,
  recovery_codes_left: 3,
};

/** Whom the installation lets have API keys. */
async function mayHaveKeys(page: Page): Promise<void> {
  await page.route('**/secure-api/accounts/security/my_security/', async (route) => {
    const json = (await (await route.fetch()).json()) as MySecurity;
    const effective = { ...json.effective, api_access: true };
    await route.fulfill({ json: { ...json, effective } });
  });
}

/** Keys, passkeys, an app and a provider elsewhere. */
async function beSecured(page: Page): Promise<void> {
  await mayHaveKeys(page);
  await answer(page, 'accounts/api-keys/', { results: [key] });
  await answer(page, 'accounts/passkeys/', { results: [passkey] });
  await answer(page, 'accounts/two-factor/', isOn);
  await answer(page, 'accounts/oidc/connection/', { connected_at: at });
  await page.route('**/secure-api/setup/', async (route) => {
    const json: object = await (await route.fetch()).json();
    await route.fulfill({ json: { ...json, sign_on: 'Keycloak' } });
  });
}

const path = (): string => '/security';
const secured = { path: () => '/security?', given: beSecured } as const;
const button =
  (label: (words: Words) => string) =>
  (page: Page, words: Words): Promise<void> =>
    press(page, label(words));

export const securityOverlays: readonly Overlay[] = [
  {
    name: 'two-factor',
    source: in_('security/two-factor/set-up-dialog'),
    path,
    act: button(({ twoFactor }) => twoFactor.setUp),
  },
  {
    name: 'passkey-add',
    source: in_('security/two-factor/add-passkey-dialog'),
    path,
    act: button(({ passkeys }) => passkeys.add),
  },
  {
    name: 'key-add',
    source: in_('security/keys/create-key-dialog'),
    path: () => '/security?keys',
    given: mayHaveKeys,
    act: button(({ keys }) => keys.add),
  },
  {
    name: 'account-delete',
    source: 'parts/delete-account.tsx',
    path,
    act: button(({ deleteAccount }) => deleteAccount.action),
  },
  {
    name: 'two-factor-off',
    source: in_('security/two-factor/two-factor-card'),
    ...secured,
    act: button(({ twoFactor }) => twoFactor.turnOff),
  },
  {
    name: 'two-factor-codes',
    source: in_('security/two-factor/two-factor-card#2'),
    ...secured,
    act: button(({ twoFactor }) => twoFactor.newCodes),
  },
  {
    name: 'passkey-rename',
    source: in_('security/two-factor/rename-passkey-dialog'),
    ...secured,
    act: button(({ passkeys }) => said(passkeys.renameOf, { name: 'Phone' })),
  },
  {
    name: 'passkey-remove',
    source: in_('security/two-factor/passkeys-card'),
    ...secured,
    act: button(({ passkeys }) => said(passkeys.removeOf, { name: 'Phone' })),
  },
  {
    name: 'key-revoke',
    source: in_('security/keys/api-keys'),
    ...secured,
    act: button(({ keys }) => said(keys.revokeOf, { name: 'Door script' })),
  },
  {
    name: 'sign-on',
    source: in_('security/connection-card'),
    ...secured,
    act: button(({ signOn }) => signOn.disconnect),
  },
];

export const signedOutOverlays: readonly Overlay[] = [
  {
    name: 'terms',
    source: in_('register/terms-dialog'),
    path: () => '/register',
    isSignedOut: true,
    act: button(({ register }) => register.readTerms),
  },
];

const home = (): string => '/profile';

/** Of the frame that stands round every page. */
export const frameOverlays: readonly Overlay[] = [
  {
    name: 'account-menu',
    source: 'app/account-menu.tsx',
    path: home,
    kind: 'menu',
    act: button(({ header }) => header.account),
  },
  {
    name: 'language-menu',
    source: 'parts/language-menu.tsx',
    path: home,
    kind: 'menu',
    act: (page) => page.locator('header button[aria-haspopup=menu]').first().click(),
  },
  {
    name: 'drawer',
    source: 'app/drawer-window.tsx',
    path: home,
    kind: 'drawer',
    only: 'phone',
    act: button(({ nav }) => nav.menu),
  },
  {
    name: 'discard',
    depth: 2,
    source: 'ui/discard-dialog.tsx',
    path: () => '/settings/users?add=true',
    act: async (page, { ui }) => {
      await page.getByRole('dialog').locator('input').first().fill('x');
      await press(page, ui.close);
    },
  },
  {
    name: 'idle',
    source: 'app/idle-warning.tsx',
    path: () => '/profile?',
    comesByItself: true,
    given: async (page) => {
      await page.route(
        '**/secure-api/accounts/security/my_security/',
        async (route) => {
          const json: object = await (await route.fetch()).json();
          await route.fulfill({ json: { ...json, session_ends_in_s: 55 } });
        },
        // What closes it asks again.
        { times: 1 },
      );
    },
  },
];
