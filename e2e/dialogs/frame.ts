/** What opens above the frame that stands round every page, and before anyone signs in. */
import type { Page } from '@playwright/test';
import type { Notification } from '@nazar/contract/notifications.ts';
import { idOf } from '../busy-week.ts';
import { answer, button, press, said, sourceBelow, type Overlay } from './overlay.ts';

const in_ = sourceBelow('features/');

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

const notification = (place: number): Notification => ({
  id: idOf(place),
  type: 'alert',
  kind: 'alert',
  level: place % 2 === 0 ? 'critical' : 'warning',
  title: `${place} unknown people at Loading bay with a long name, north`,
  message: '12 visits.',
  is_read: place > 3,
  created_at: '2026-03-08T15:41:07.000Z',
  alert: idOf(place),
  visit: null,
  export: null,
});

/** More than the list shows without scrolling. */
async function beNotified(page: Page): Promise<void> {
  const results = Array.from({ length: 4 }, (_, place) => notification(place + 1));
  await answer(page, 'notifications/?*', { count: results.length, results });
  await answer(page, 'notifications/unread_count/', { unread_count: 3 });
}

/** Round every page, no matter who is signed in. */
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
    name: 'bell',
    source: 'features/notifications/panel/notification-panel.tsx',
    path: home,
    kind: 'panel',
    given: beNotified,
    act: (page, { header }) => press(page, said(header.bell, { count: '3' })),
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
