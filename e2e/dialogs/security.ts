/** What opens above one's own sign-in, passkeys and API keys. */
import type { Page } from '@playwright/test';
import type { ApiKey, MySecurity } from '@nazar/contract/own-security.ts';
import type { Passkey } from '@nazar/contract/passkeys.ts';
import type { TwoFactorState } from '@nazar/contract/two-factor.ts';
import { idOf } from '../busy-week.ts';
import { answer, button, said, sourceBelow, type Overlay } from './overlay.ts';

const at = '2026-03-08T15:41:07.000Z';
const in_ = sourceBelow('features/');

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
