import { pushRoutes } from '@nazar/contract/push.ts';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { aUser } from '#testing/builders.ts';
import { aPushDevice, keepDevices, pushBrowser } from '#testing/push.ts';
import { renderApp } from '#testing/render-app.tsx';
import { answer, refusal } from '#testing/server.ts';
import { pushSupport } from './support.ts';

const user = aUser({ role: 'user', is_staff: false, is_superuser: false });
const phone = aPushDevice({ name: 'Safari, iPhone', fault: 'timeout' });
const own = aPushDevice({ name: 'Chrome, Linux', delivered_at: '2026-03-04T06:00:00.000Z' });

const card = async (): Promise<HTMLElement> => {
  const title = await screen.findByRole('heading', { name: 'Push notifications' });
  return title.closest('section')!;
};
const open = async (who = user): Promise<void> => {
  await renderApp({ path: '/settings/notifications', user: who });
  await screen.findByRole('switch', { name: /^Push notifications/ });
};
const press = async (name: string | RegExp): Promise<void> =>
  userEvent.click(await screen.findByRole('button', { name }));

beforeEach(() => () => vi.unstubAllGlobals());

test('~CFL-012 a press turns push messages on here; the wish goes with it, and what was typed stays', async () => {
  const browser = pushBrowser();
  const { added, changes } = keepDevices([phone], own);
  await open();
  expect(screen.getByRole('switch', { name: /^Push notifications/ })).toBeEnabled();
  await userEvent.click(screen.getByRole('switch', { name: /^Known people/ }));
  await press('Turn on on this device');
  expect(await screen.findByText('This device receives push notifications.')).toBeVisible();
  expect(browser.isSubscribed).toBe(true);
  expect(added[0]!.body).toMatchObject({
    endpoint: 'https://push.example.org/one',
    p256dh: 'B'.repeat(87),
    auth: 'a'.repeat(22),
  });
  expect(changes.map(({ body }) => body)).toEqual([{ push: true }]);
  expect(await screen.findByRole('switch', { name: /^Push notifications/ })).toBeChecked();
  expect(screen.getByRole('switch', { name: /^Known people/ })).toBeChecked();
  const rows = within(screen.getByRole('list', { name: 'Your devices' })).getAllByRole('listitem');
  expect(rows.map(({ textContent }) => textContent.includes('This device'))).toEqual([true, false]);
  expect(rows[1]).toHaveTextContent("The push service didn't answer in time.");
});

test('it is turned off here, and removed elsewhere by its name', async () => {
  const browser = pushBrowser({ permission: 'granted', isSubscribed: true });
  const { removed } = keepDevices([own, phone], own);
  await open();
  await press('Turn off on this device');
  expect(await screen.findByRole('button', { name: 'Turn on on this device' })).toBeVisible();
  expect(browser.isSubscribed).toBe(false);
  await press('Remove: Safari, iPhone');
  const dialog = await screen.findByRole('alertdialog');
  expect(dialog).toHaveTextContent('Safari, iPhone gets no more push notifications.');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Remove device' }));
  expect(await screen.findByText('No device receives push notifications yet.')).toBeVisible();
  expect(removed.map(({ params }) => params['id'])).toEqual([own.id, phone.id]);
});

test.each([
  ['refused', { permission: 'denied' as const }, /Notifications of this page are blocked/],
])('what this browser can not do is said without a press: %s', async (_, over, sentence) => {
  pushBrowser(over);
  keepDevices([], own);
  await open();
  expect(await screen.findByText(sentence)).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Turn on on this device' })).toBeNull();
});

test.each([
  ['dismissed', { asked: 'default' as const }, /select Allow/],
  ['refused', { asked: 'denied' as const }, /Notifications of this page are blocked/],
  [
    'certificate',
    { registerFault: new DOMException('no', 'SecurityError') },
    /doesn't trust the certificate/,
  ],
  [
    'service',
    { subscribeFault: new DOMException('no', 'AbortError') },
    /didn't reach its push service/,
  ],
])('what a press came to is said: %s', async (_, over, sentence) => {
  pushBrowser(over);
  const { added } = keepDevices([], own);
  await open();
  await press('Turn on on this device');
  expect(await screen.findByText(sentence)).toBeVisible();
  expect(added).toHaveLength(0);
});

test('a browser without push, and an iPhone whose page is not on the home screen, say what to do', async () => {
  keepDevices([], own);
  vi.stubGlobal('isSecureContext', true);
  await open();
  expect(await screen.findByText("This browser can't receive push notifications.")).toBeVisible();
  const userAgent =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Safari/604.1';
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(userAgent);
  expect(pushSupport()).toBe('needs_install');
  vi.stubGlobal('isSecureContext', false);
  expect(pushSupport()).toBe('insecure');
});

test('an installation without a key says what administrators set', async () => {
  pushBrowser();
  keepDevices([], own, { public_key: null });
  await open();
  expect(await within(await card()).findByText(/NAZAR_PUBLIC_URL/)).toBeVisible();
  expect(screen.queryByRole('button', { name: /^Turn on/ })).toBeNull();
});

test('a test says what the push service answered', async () => {
  pushBrowser();
  keepDevices([phone], own);
  const replies = [
    { is_delivered: true, status: 201, fault: null, took_ms: 10 },
    { is_delivered: false, status: 413, fault: 'refused' as const, took_ms: 10 },
  ];
  const tests = answer(pushRoutes.test, () => replies.shift()!);
  await open();
  await press('Test: Safari, iPhone');
  expect(await screen.findByText(/The push service took the test/)).toBeVisible();
  await press('Test: Safari, iPhone');
  expect(await screen.findByText(/refused the message.*HTTP 413/)).toBeVisible();
  expect(tests.map(({ params }) => params['id'])).toEqual([phone.id, phone.id]);
});

test('administrators choose what push messages say; for others it is not there', async () => {
  pushBrowser();
  const { contents } = keepDevices([], own);
  await open(aUser({ role: 'admin' }));
  await userEvent.click(await screen.findByRole('radio', { name: /^Names and pictures/ }));
  expect(await screen.findByText('Saved.')).toBeVisible();
  expect(contents.map(({ body }) => body)).toEqual([{ content: 'pictures' }]);
});

test('what could not be loaded says so and offers another try', async () => {
  pushBrowser();
  keepDevices([phone], own);
  answer(pushRoutes.read, refusal(500, 'internal', 'It broke.'));
  await open();
  expect(await screen.findByText("Your devices couldn't be loaded")).toBeVisible();
  expect(screen.queryByRole('radio', { name: /^Names/ })).toBeNull();
});
