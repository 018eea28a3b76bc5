/** The list of the activity log, as a desk shows it: as a table. */
import { activityRoutes, type ActivityEntry } from '@nazar/contract/activity.ts';
import { savedSearchRoutes } from '@nazar/contract/saved-searches.ts';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, vi } from 'vitest';
import { anId, aUser } from './builders.ts';
import { renderApp } from './render-app.tsx';
import { answer, type Seen } from './server.ts';

export const anEntry = (over: Partial<ActivityEntry> = {}): ActivityEntry => ({
  id: anId(),
  action: 'update',
  event: 'camera.changed',
  level: 'info',
  description: 'Camera Gate was changed',
  user: null,
  user_name: '',
  user_email: '',
  ip_address: '192.0.2.7',
  timestamp: '2026-03-04T05:06:07.000Z',
  content_type_name: 'camera',
  object_id: null,
  object_name: '',
  object_exists: false,
  additional_data: {},
  network: null,
  source: 'request',
  is_mock: false,
  sequence: 12,
  ...over,
});

export const pageOf = (results: ActivityEntry[], count = results.length) => ({
  count,
  more: false,
  results,
});

/** With live updates paused: what is asked, a test asks. Answers what the list was asked for. */
export async function openList(
  reply: (seen: Seen) => ReturnType<typeof pageOf> | Response = () => pageOf([anEntry()]),
  more = '',
  user = aUser(),
): Promise<Seen[]> {
  await renderApp({ path: `/activity-log${more}`, user });
  const asked = answer(activityRoutes.list, reply);
  await userEvent.click(await screen.findByRole('button', { name: 'Pause live updates' }));
  return asked;
}

/** In the menu of the page. */
export async function chooseAction(name: string | RegExp): Promise<void> {
  await userEvent.click(screen.getByRole('button', { name: 'More actions' }));
  const all = [
    ...(await screen.findAllByRole('menuitem')),
    ...screen.queryAllByRole('menuitemcheckbox'),
    ...screen.queryAllByRole('menuitemradio'),
  ];
  const item = all.find(({ textContent }) =>
    typeof name === 'string' ? textContent === name : name.test(textContent),
  );
  await userEvent.click(item!);
}

export function atDesk(): void {
  const usual = globalThis.matchMedia;
  beforeEach(() => {
    answer(savedSearchRoutes.list, { results: [] });
    vi.spyOn(globalThis, 'matchMedia').mockImplementation((query) =>
      Object.assign(usual(query), { matches: query.startsWith('(min-width') }),
    );
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });
}
