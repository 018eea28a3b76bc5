import { accessRoutes, type CameraViewer } from '@nazar/contract/access.ts';
import { cameraRoutes } from '@nazar/contract/cameras.ts';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse } from 'msw';
import { expect, test } from 'vitest';
import { aUser, anId } from '#testing/builders.ts';
import { aCamera } from '#testing/cameras.ts';
import { fakeMedia } from '#testing/fake-media.ts';
import { renderApp } from '#testing/render-app.tsx';
import { answer } from '#testing/server.ts';

const viewer = (name: string, over: Partial<CameraViewer>): CameraViewer => ({
  user: { id: anId(), name, email: `${name.toLowerCase()}@example.com`, role: 'user' },
  reason: 'granted',
  capabilities: ['live'],
  categories: [],
  groups: [],
  ...over,
});

test('=CFL-004 the menu of a camera shows who may see it, and why', async () => {
  fakeMedia();
  answer(cameraRoutes.snapshot, new HttpResponse('jpeg'));
  answer(cameraRoutes.liveTicket, { ticket: 't', expires_at: '2026-01-02T03:04:05.000Z' });
  const camera = aCamera();
  answer(cameraRoutes.list, { count: 1, results: [camera] });
  const asked = answer(accessRoutes.viewers, {
    results: [
      viewer('Boss', { reason: 'administrator' }),
      viewer('Maker', { reason: 'made' }),
      viewer('Rena', { capabilities: ['live', 'people'] }),
      viewer('Guard', { groups: ['Guards'] }),
    ],
  });
  await renderApp({ path: '/cameras', user: aUser() });
  const person = userEvent.setup();
  await person.click(await screen.findByRole('button', { name: `Actions for ${camera.name}` }));
  await person.click(await screen.findByRole('menuitem', { name: 'Who can see it' }));
  const dialog = await screen.findByRole('dialog', { name: `Who can see ${camera.name}` });
  const rows = await within(dialog).findAllByRole('listitem');
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    'Boss · boss@example.comAdministrator',
    'Maker · maker@example.comAdded this camera',
    'Rena · rena@example.comGranted: View, Names',
    'Guard · guard@example.comGranted through Guards: View',
  ]);
  expect(asked[0]?.params).toEqual({ id: camera.id });
});
