import { cameraRoutes } from '@nazar/contract/cameras.ts';
import { zoneRoutes, type Zone } from '@nazar/contract/zones.ts';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import { aUser } from '#testing/builders.ts';
import { aCamera } from '#testing/cameras.ts';
import { fakeMedia } from '#testing/fake-media.ts';
import { renderApp } from '#testing/render-app.tsx';
import { answer, refusal } from '#testing/server.ts';

const window: Zone = {
  id: '33333333-3333-4333-8333-333333333333',
  kind: 'privacy',
  name: 'Window',
  points: [
    [0.1, 0.1],
    [0.4, 0.1],
    [0.4, 0.5],
    [0.1, 0.5],
  ],
  turns: [0],
};

beforeEach(() => {
  fakeMedia();
  answer(cameraRoutes.snapshot, new HttpResponse('jpeg'));
  answer(cameraRoutes.liveTicket, { ticket: 't', expires_at: '2026-01-02T03:04:05.000Z' });
});

async function open(zones: Zone[]) {
  answer(cameraRoutes.list, { count: 1, results: [aCamera()] });
  answer(zoneRoutes.list, { results: zones });
  await renderApp({ path: '/cameras', user: aUser() });
  await screen.findByRole('article');
  const person = userEvent.setup();
  await person.click(screen.getByRole('button', { name: 'Actions for Main entrance' }));
  await person.click(await screen.findByRole('menuitem', { name: 'Masks and zones' }));
  const dialog = within(await screen.findByRole('dialog'));
  await dialog.findByRole('button', { name: 'Save masks and zones' });
  return { person, dialog };
}

test('a mask is drawn, turned into another kind and saved without a mouse', async () => {
  const { person, dialog } = await open([window]);
  const sent = answer(zoneRoutes.replace, { results: [window] });
  const [corner] = dialog.getAllByRole('button', { name: /^Corner 1: 10% from the left/ });
  corner!.focus();
  await person.keyboard('{ArrowRight}{ArrowDown}{Shift>}{ArrowDown}{/Shift}');
  await person.keyboard('{Insert}');
  expect(dialog.getAllByRole('button', { name: /^Corner/ })).toHaveLength(5);
  await person.keyboard('{Delete}');
  await person.click(dialog.getByRole('button', { name: 'Add motion zone' }));
  await person.type(dialog.getByLabelText('Name of zone 2'), 'Door');
  await person.selectOptions(dialog.getByLabelText('Type of zone 2'), 'Recognition zone');
  await person.click(dialog.getByRole('button', { name: 'Save masks and zones' }));
  expect(await screen.findByText(/^Masks and zones saved/)).toBeInTheDocument();
  expect(sent[0]?.params).toEqual({ id: aCamera().id });
  const { zones } = sent[0]!.body as { zones: Zone[] };
  expect(zones.map(({ kind, name }) => [kind, name])).toEqual([
    ['privacy', 'Window'],
    ['recognition', 'Door'],
  ]);
  expect(zones[0]?.points).toHaveLength(4);
  expect(zones[0]?.points[0]).toEqual([0.255, 0.13]);
});

test('edges that cross are reported beside the zone and never sent; a refusal stays open', async () => {
  const { person, dialog } = await open([window]);
  const sent = answer(zoneRoutes.replace, refusal(404, 'camera_not_found', 'It is gone.'));
  const save = dialog.getByRole('button', { name: 'Save masks and zones' });
  const [second] = dialog.getAllByRole('button', { name: /^Corner 2/ });
  second!.focus();
  await person.keyboard(
    `{Shift>}${'{ArrowDown}'.repeat(10)}{/Shift}{ArrowLeft}${'{ArrowLeft}'.repeat(9)}`,
  );
  await person.click(save);
  expect(
    await dialog.findByText("The edges of zone 1 cross, or it's too small."),
  ).toBeInTheDocument();
  expect(sent).toHaveLength(0);
  await person.click(dialog.getByRole('button', { name: 'Remove zone 1' }));
  await person.click(save);
  expect(await dialog.findByText('It is gone.')).toBeInTheDocument();
  expect(sent[0]?.body).toEqual({ zones: [], rotation: 0 });
});

test('zones of a camera that was turned are turned with its picture by a press, left by another, and saved', async () => {
  const { person, dialog } = await open([{ ...window, turns: [0, 90] }]);
  const sent = answer(zoneRoutes.replace, { results: [window] });
  expect(dialog.getByText(/^This camera's picture was turned/)).toBeVisible();
  const turn = dialog.getByRole('button', { name: 'Turn with the picture (90°)' });
  await person.click(turn);
  expect(turn).toHaveAttribute('aria-pressed', 'true');
  expect(dialog.getByRole('button', { name: /^Corner 1: 90% from the left/ })).toBeVisible();
  await person.click(dialog.getByRole('button', { name: 'Leave where they are' }));
  expect(dialog.getByRole('button', { name: /^Corner 1: 10% from the left/ })).toBeVisible();
  await person.click(turn);
  await person.click(dialog.getByRole('button', { name: 'Save masks and zones' }));
  expect(await screen.findByText(/^Masks and zones saved/)).toBeInTheDocument();
  const { zones, rotation } = sent[0]!.body as { zones: Zone[]; rotation: number };
  expect(zones[0]?.points[0]).toEqual([0.9, 0.1]);
  expect(rotation).toBe(aCamera().rotation);
});

test('zones of a camera that was not turned ask nothing', async () => {
  const { dialog } = await open([window]);
  expect(dialog.queryByText(/picture was turned/)).toBeNull();
});
