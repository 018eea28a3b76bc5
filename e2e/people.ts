/// <reference lib="dom" />
/** Accounts beside the administrator's, all with the same password: made, granted a camera, signed in. */
import type { Page } from '@playwright/test';
import type { Grant } from '@nazar/contract/access.ts';
import type { ListedUser } from '@nazar/contract/users.ts';
import { administrator, type Installation } from './installation.ts';

const { password } = administrator;

export interface Person {
  readonly email: string;
  readonly role: 'user' | 'operator';
  readonly lastName: string;
}

export function createPerson(nazar: Installation, { email, role, lastName }: Person): void {
  const words = ['create', '--email', email, '--password', password, '--role', role];
  nazar.admin([...words, '--first-name', 'Test', '--last-name', lastName]);
}

export interface CameraGrant {
  readonly email: string;
  readonly cameraId: string;
  readonly capabilities: readonly string[];
}

/** `access`: of the administrator. Returns the id of the grant. */
export async function grantCamera(
  nazar: Installation,
  access: string,
  { email, cameraId, capabilities }: CameraGrant,
): Promise<string> {
  const found = `/secure-api/accounts/users/?search=${encodeURIComponent(email)}`;
  const { results } = await nazar.get<{ results: ListedUser[] }>(found, access);
  const to = { type: 'user', id: results[0]!.id };
  const body = { to, of: { type: 'camera', id: cameraId }, capabilities };
  const reply = await nazar.call('PUT', '/secure-api/cameras/grants/', { access, body });
  if (!reply.ok) throw new Error(`the grant was answered ${reply.status}`);
  return ((await reply.json()) as Grant).id;
}

export interface Account {
  readonly email: string;
  readonly password: string;
}

/** By the form of the page that is open, up to the Dashboard. */
export async function signInHere(
  page: Page,
  { origin }: Pick<Installation, 'origin'>,
  account: Account = administrator,
): Promise<void> {
  await page.locator('input[name=email]').fill(account.email);
  await page.locator('input[name=password]').fill(account.password);
  await page.locator('button[type=submit]').click();
  await page.waitForURL(`${origin}/`);
}

/** By the form, up to the Dashboard. `ownPassword`: where it is not the one of all. */
export async function signInOn(
  page: Page,
  nazar: Pick<Installation, 'origin'>,
  email: string = administrator.email,
  ownPassword: string = password,
): Promise<void> {
  await page.goto(`${nazar.origin}/login`);
  await signInHere(page, nazar, { email, password: ownPassword });
}
