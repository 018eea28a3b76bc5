import { ownSecurityRoutes, type ApiKey, type MySecurity } from '@nazar/contract/own-security.ts';
import { securityEventRoutes } from '@nazar/contract/security-events.ts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { aUser, anId } from '#testing/builders.ts';
import { renderApp } from '#testing/render-app.tsx';
import { answer, fieldRefusal, refusal } from '#testing/server.ts';
import { aSecurity } from '#testing/usual-replies.ts';

const allowed: Partial<MySecurity> = {
  api_access: true,
  effective: { session_timeout_minutes: 30, api_access: true },
  policy: { session_timeout_minutes: 240, api_access: true },
};

async function open(security: Partial<MySecurity> = {}, keys: ApiKey[] = []): Promise<void> {
  answer(securityEventRoutes.list, { results: [] });
  answer(ownSecurityRoutes.security, aSecurity(security));
  answer(ownSecurityRoutes.keys, { results: keys });
  await renderApp({ path: '/security', user: aUser() });
  await screen.findByLabelText('Session timeout');
}

const save = (): Promise<void> => userEvent.click(screen.getByRole('button', { name: 'Save' }));

const aKey = (over: Partial<ApiKey> = {}): ApiKey => ({
  id: anId(),
  name: 'Door script',
  scopes: ['live'],
  created_at: '2026-03-04T05:06:07.000Z',
  expires_at: '2026-06-04T05:06:07.000Z',
  last_used_at: null,
  last_used_ip: null,
  ...over,
});

test('~SEC-009, SEC-011, SEC-012 the choice is saved, and the page says so', async () => {
  await open();
  const sent = answer(ownSecurityRoutes.updateSecurity, aSecurity());
  const timeout = screen.getByLabelText('Session timeout');
  expect(timeout).toHaveValue('30');
  const options = within(timeout).getAllByRole('option');
  expect(options.map(({ textContent }) => textContent)).toEqual([
    '15 minutes',
    '30 minutes',
    '60 minutes',
    '120 minutes',
    'Never',
  ]);
  await userEvent.selectOptions(timeout, 'never');
  const from = screen.getByLabelText('Sign in from');
  expect(from).toHaveDisplayValue('Any address');
  expect(screen.queryByLabelText(/^Allowed IP addresses/)).toBeNull();
  await userEvent.selectOptions(from, 'Only these addresses');
  const list = screen.getByLabelText(/^Allowed IP addresses/);
  expect(list).toHaveValue(aSecurity().ip);
  await userEvent.clear(list);
  await userEvent.type(list, '192.0.2.0/24');
  await save();
  expect(await screen.findByRole('button', { name: 'Saving...' })).toBeInTheDocument();
  const saved = await screen.findByText(
    'Your security settings were saved.',
    {},
    { timeout: 8000 },
  );
  expect(saved).toBeVisible();
  expect(sent.map(({ body }) => body)).toEqual([
    { session_timeout: 'never', allowed_ips: '192.0.2.0/24', api_access: false },
  ]);
});

test('SEC-012 anywhere is a choice, and no list at all is refused instead of becoming that choice', async () => {
  await open();
  const sent = answer(ownSecurityRoutes.updateSecurity, aSecurity());
  const from = screen.getByLabelText('Sign in from');
  await userEvent.selectOptions(from, 'Only these addresses');
  const list = screen.getByLabelText(/^Allowed IP addresses/);
  await userEvent.clear(list);
  await save();
  await waitFor(() => expect(list).toBeInvalid());
  expect(sent).toEqual([]);
  await userEvent.type(list, '10.0.0.0/8');
  await userEvent.selectOptions(from, 'Any address');
  await userEvent.selectOptions(from, 'Only these addresses');
  expect(screen.getByLabelText(/^Allowed IP addresses/), 'what was typed waits').toHaveValue(
    '10.0.0.0/8',
  );
  await userEvent.selectOptions(from, 'Any address');
  await save();
  await waitFor(() => expect(sent).toHaveLength(1), { timeout: 8000 });
  expect(sent[0]?.body).toMatchObject({ allowed_ips: 'All' });
});

test('SEC-012 a refused list stands beside the field, one that locks out above the form', async () => {
  await open();
  const from = screen.getByLabelText('Sign in from');
  await userEvent.selectOptions(from, 'Only these addresses');
  answer(ownSecurityRoutes.updateSecurity, () => fieldRefusal({ allowed_ips: ['No address.'] }));
  await save();
  await screen.findByText('No address.', {}, { timeout: 8000 });
  expect(screen.getByLabelText(/^Allowed IP addresses/)).toBeInvalid();
  const lockedOut = 'This list would lock you out: your address is 192.0.2.7.';
  answer(ownSecurityRoutes.updateSecurity, () => refusal(409, 'address_locked_out', lockedOut));
  await save();
  expect(await screen.findByText(lockedOut, {}, { timeout: 8000 })).toBeInTheDocument();
});

test('CFL-022 while the policy allows no API access, it cannot be switched on, and there are no keys', async () => {
  await open();
  expect(screen.getByRole('switch', { name: /^API access/ })).toBeDisabled();
  expect(screen.getByText(/^An administrator must allow/)).toBeInTheDocument();
  expect(screen.queryByRole('heading', { name: 'API keys' })).toBeNull();
});

test('C-118 a new key is asked for with what it may do, and shown once', async () => {
  await open(allowed);
  expect(await screen.findByText('No API keys yet.')).toBeInTheDocument();
  const key = `nzk_${'k'.repeat(43)}`;
  const sent = answer(ownSecurityRoutes.createKey, { ...aKey(), key });
  await userEvent.click(screen.getByRole('button', { name: 'Create API key' }));
  const dialog = within(await screen.findByRole('dialog'));
  await userEvent.click(dialog.getByRole('button', { name: 'Create key' }));
  expect(await dialog.findByText('Choose at least one permission.')).toBeInTheDocument();
  expect(sent).toHaveLength(0);
  await userEvent.type(dialog.getByLabelText(/^Name/), 'Door script');
  await userEvent.click(dialog.getByRole('checkbox', { name: 'Watch live' }));
  await userEvent.type(dialog.getByLabelText(/^Your password/), 'the password');
  await userEvent.click(dialog.getByRole('button', { name: 'Create key' }));
  expect(await dialog.findByLabelText('API key')).toHaveValue(key);
  expect(sent.map(({ body }) => body)).toEqual([
    { name: 'Door script', scopes: ['live'], expires_in_days: 90, password: 'the password' },
  ]);
  await userEvent.click(dialog.getByRole('button', { name: 'Done' }));
  expect(document.body.innerHTML).not.toContain(key);
  const kept = [localStorage, sessionStorage].map((storage) => Object.values(storage));
  expect(JSON.stringify(kept)).not.toContain(key);
});

test('~SEC-013 a key is revoked after a question', async () => {
  const key = aKey({ last_used_at: '2026-03-05T05:06:07.000Z', last_used_ip: '192.0.2.9' });
  await open(allowed, [key]);
  expect(await screen.findByText(/Watch live .* from 192\.0\.2\.9/)).toBeInTheDocument();
  const sent = answer(ownSecurityRoutes.revokeKey, undefined as never);
  await userEvent.click(screen.getByRole('button', { name: 'Revoke Door script' }));
  await userEvent.click(
    within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Revoke' }),
  );
  expect(await screen.findByText('“Door script” was revoked.')).toBeInTheDocument();
  expect(sent.map(({ params }) => params['id'])).toEqual([key.id]);
});
