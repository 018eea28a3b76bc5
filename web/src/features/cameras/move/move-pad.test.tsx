import { cameraRoutes } from '@nazar/contract/cameras.ts';
import { movementRoutes, type Movements } from '@nazar/contract/movements.ts';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import { aUser } from '#testing/builders.ts';
import { aCamera } from '#testing/cameras.ts';
import { fakeMedia } from '#testing/fake-media.ts';
import { renderApp } from '#testing/render-app.tsx';
import { answer, refusal } from '#testing/server.ts';

const can = (over: Partial<Movements> = {}): Movements => ({
  outcome: 'found',
  moves: true,
  presets: [{ token: '1', name: 'Door' }],
  ...over,
});

beforeEach(() => {
  fakeMedia();
  answer(cameraRoutes.snapshot, new HttpResponse('jpeg'));
  answer(cameraRoutes.liveTicket, { ticket: 't', expires_at: '2026-01-02T03:04:05.000Z' });
});

async function open(movements: Movements, may_move = true): Promise<void> {
  const camera = aCamera({ may_move });
  answer(cameraRoutes.list, { count: 1, results: [camera] });
  answer(cameraRoutes.read, camera);
  answer(movementRoutes.read, movements);
  await renderApp({ path: `/cameras/${camera.id}`, user: aUser() });
  await screen.findByRole('link', { name: 'Back to Cameras' });
}

test('a camera turns as long as a button is held, by finger and by key', async () => {
  await open(can());
  const sent = answer(movementRoutes.move, new HttpResponse(null, { status: 204 }));
  const left = await screen.findByRole('button', { name: 'Turn left' });
  fireEvent.pointerDown(left);
  fireEvent.pointerUp(left);
  const nearer = screen.getByRole('button', { name: 'Zoom in' });
  fireEvent.keyDown(nearer, { key: 'Enter' });
  fireEvent.keyDown(nearer, { key: 'Enter', repeat: true });
  fireEvent.keyUp(nearer, { key: 'Enter' });
  await waitFor(() => expect(sent).toHaveLength(4));
  expect(sent.map(({ body }) => body)).toEqual(
    expect.arrayContaining([
      { kind: 'move', x: -0.5, y: 0, zoom: 0, for_ms: 1500 },
      { kind: 'move', x: 0, y: 0, zoom: 0.5, for_ms: 1500 },
      { kind: 'stop' },
    ]),
  );
});

test('it goes to a place that it knows, and says when it did not', async () => {
  await open(can());
  const sent = answer(movementRoutes.move, refusal(503, 'camera_not_moved', 'It did not.'));
  const person = userEvent.setup();
  await person.selectOptions(await screen.findByRole('combobox', { name: 'Go to preset' }), 'Door');
  expect(await screen.findByText('It did not.')).toBeInTheDocument();
  expect(sent[0]?.body).toEqual({ kind: 'preset', preset: '1' });
});

test('NSH-017 a user who may not move it, or cannot, sees no buttons; a camera that does not answer says so', async () => {
  await open(can(), false);
  expect(screen.queryByRole('button', { name: 'Turn left' })).not.toBeInTheDocument();
});

test('a camera that does not answer says so instead of buttons that do nothing', async () => {
  await open(can({ outcome: 'unreachable', moves: false, presets: [] }));
  expect(await screen.findByText("The camera can't be reached.")).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Turn left' })).not.toBeInTheDocument();
});
