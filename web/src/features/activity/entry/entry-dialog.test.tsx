import { activityRoutes } from '@nazar/contract/activity.ts';
import { savedSearchRoutes } from '@nazar/contract/saved-searches.ts';
import { screen, within } from '@testing-library/react';
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

async function open(): Promise<HTMLElement> {
  answer(savedSearchRoutes.list, { results: [] });
  answer(activityRoutes.read, entry);
  await renderApp({
    path: `/activity-log?entry=${entry.id}`,
    user: aUser(),
    activity: () => pageOf([entry]),
  });
  const dialog = await screen.findByRole('dialog');
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
