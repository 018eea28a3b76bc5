import { activityRoutes, type ActivityEntry } from '@nazar/contract/activity.ts';
import { savedSearchRoutes } from '@nazar/contract/saved-searches.ts';
import { cleanup, screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { anEntry, pageOf } from '#testing/activity-list.ts';
import { aUser } from '#testing/builders.ts';
import { renderApp } from '#testing/render-app.tsx';
import { answer } from '#testing/server.ts';

const entry = anEntry({
  event: 'settings.changed',
  content_type_name: 'system',
  additional_data: {
    section: 'recognition',
    changes: { enabledFeatures: { from: [], to: ['age'] } },
  },
});

async function openEntry(shown: ActivityEntry): Promise<HTMLElement> {
  answer(savedSearchRoutes.list, { results: [] });
  answer(activityRoutes.read, shown);
  await renderApp({
    path: `/activity-log?entry=${shown.id}`,
    user: aUser(),
    activity: () => pageOf([shown]),
  });
  return screen.findByRole('dialog');
}

async function open(): Promise<HTMLElement> {
  const dialog = await openEntry(entry);
  await within(dialog).findByText('Additional attributes');
  return dialog;
}

test('LOG-019 a change of settings is shown in the words of the settings page, on phones above its values', async () => {
  const dialog = await open();
  const rows = within(within(dialog).getByRole('table')).getAllByRole('row');
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    'BeforeAfter',
    'Additional attributes',
    '–Age',
  ]);
  expect(within(dialog).getByText('Section').nextSibling).toHaveTextContent('Recognition');
  expect(dialog).not.toHaveTextContent('enabledFeatures');
});

test('LOG-019 where there is room a field stands beside its values', async () => {
  const usual = globalThis.matchMedia;
  const media = vi
    .spyOn(globalThis, 'matchMedia')
    .mockImplementation((query) =>
      Object.assign(usual(query), { matches: query.startsWith('(min-width') }),
    );
  const dialog = await open();
  const rows = within(within(dialog).getByRole('table')).getAllByRole('row');
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    'FieldBeforeAfter',
    'Additional attributes–Age',
  ]);
  media.mockRestore();
});

test.each([
  { type: 'camera', href: '/cameras/' },
  { type: 'user', href: '/settings/users?user=' },
])(
  'an entry leads to its $type while there is one, and nowhere once that is deleted',
  async (one) => {
    const [there, gone] = [entry.id, '99999999-9999-4999-8999-999999999999'];
    const of = (id: string, object_exists: boolean) =>
      anEntry({ content_type_name: one.type, object_id: id, object_exists });
    const dialog = await openEntry(of(there, true));
    const link = await within(dialog).findByRole('link', { name: 'Open' });
    expect(link).toHaveAttribute('href', `${one.href}${there}`);
    cleanup();
    const other = await openEntry(of(gone, false));
    await within(other).findByText(gone);
    expect(within(other).queryByRole('link', { name: 'Open' })).toBeNull();
  },
);
