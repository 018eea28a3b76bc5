/** What opens above users and groups. */
import { press, said, sourceBelow, type Overlay } from './overlay.ts';

const in_ = sourceBelow('features/');

export const userOverlays: readonly Overlay[] = [
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
    // Not the address of the one before: it is loaded again, and opens the dialog below this one.
    path: ({ userId }) => `/settings/users?user=${userId}&`,
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
