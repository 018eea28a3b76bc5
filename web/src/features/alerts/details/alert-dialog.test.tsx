import { alertRoutes, type AlertDetails } from '@nazar/contract/alerts.ts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { alertChanges, alertRefusals } from '#api/offline-alerts.ts';
import { alertDetails, alertPage, lobby, openAlerts, someCounts } from '#testing/alerts.ts';
import { anId } from '#testing/builders.ts';
import { answer, refusal } from '#testing/server.ts';

beforeEach(() => {
  alertChanges.set(new Map());
  alertRefusals.set([]);
});

async function open(details: AlertDetails | Response): Promise<HTMLElement> {
  const id = details instanceof Response ? anId() : details.id;
  answer(alertRoutes.read, details);
  await openAlerts({ alerts: () => alertPage([]), more: `?alert=${id}` });
  return screen.findByRole('dialog');
}

test('an alert opens from its address, with the ways to recording, camera and visits', async () => {
  const visit = {
    id: anId(),
    image: null,
    picture_hidden: false,
    face_name: 'Leyla Orucova',
    timestamp: '2026-03-04T05:08:00.000Z',
  };
  const dialog = await open(
    alertDetails({ visit: visit.id, face_name: 'Leyla Orucova', count: 3, visits: [visit] }),
  );
  const link = (name: string | RegExp) => within(dialog).getByRole('link', { name });
  await within(dialog).findByText('Latest visits');
  // Ten seconds before the newest visit.
  expect(decodeURIComponent(link('Play recording').getAttribute('href')!)).toBe(
    `/recordings/${lobby.id}?at=2026-03-04T05:07:50.000Z`,
  );
  const ofVisit = `/activity-log?tab=analytics&panel=timeline&visit=${visit.id}`;
  expect(link('Leyla Orucova')).toHaveAttribute('href', ofVisit);
  expect(link('Lobby')).toHaveAttribute('href', `/cameras/${lobby.id}`);
  expect(link(/^Leyla Orucova\d/)).toHaveAttribute('href', ofVisit);
});

test('a picture that a mask hides says so', async () => {
  const dialog = await open(alertDetails({ picture_hidden: true }));
  expect(await within(dialog).findByText(/privacy mask/)).toBeVisible();
});

test('the history has names and times, and the notes stand with it', async () => {
  const at = '2026-03-04T05:06:07.000Z';
  const dialog = await open(
    alertDetails({
      status: 'resolved',
      resolved_by_name: 'Rena Example',
      resolution_notes: 'It was the courier.',
      history: [
        { kind: 'raised', at, by: null, to: null },
        { kind: 'assigned', at: '2026-03-04T05:07:00.000Z', by: 'Boss', to: 'Rena Example' },
        {
          kind: 'assigned',
          at: '2026-03-04T05:08:00.000Z',
          by: 'Rena Example',
          to: 'Rena Example',
        },
        { kind: 'resolved', at: '2026-03-04T05:09:00.000Z', by: 'Rena Example', to: null },
        { kind: 'over', at: '2026-03-04T05:10:00.000Z', by: null, to: null },
      ],
    }),
  );
  const history = await within(dialog).findByRole('region', { name: 'History' });
  const steps = within(history)
    .getAllByRole('listitem')
    .map(({ firstChild }) => firstChild?.textContent);
  expect(steps).toEqual([
    'A rule raised the alert.',
    'Boss assigned the alert to Rena Example.',
    'Rena Example took the alert.',
    'Rena Example resolved the alert.',
    "It's over.",
  ]);
  expect(within(dialog).getByText('It was the courier.')).toBeVisible();
  expect(within(dialog).queryByRole('button', { name: /resolve/i })).toBeNull();
});

test('it is resolved from here as well', async () => {
  const details = alertDetails();
  const dialog = await open(details);
  answer(alertRoutes.counts, someCounts());
  const sent = answer(alertRoutes.updateStatus, { ...details, status: 'resolved' });
  await userEvent.click(await within(dialog).findByRole('button', { name: /^Resolve:/ }));
  const asks = await screen.findByRole('dialog', { name: 'Resolve alert' });
  await userEvent.click(within(asks).getByRole('button', { name: 'Resolve' }));
  await waitFor(() => expect(sent[0]?.body).toEqual({ status: 'resolved' }));
});

test('an alert that is gone is said to be gone', async () => {
  const dialog = await open(refusal(404, 'alert_not_found', 'None.'));
  expect(await within(dialog).findByText('This alert is no longer available')).toBeVisible();
});
