import { alignmentRoutes, type CameraAlignment } from '@nazar/contract/alignment.ts';
import { cameraRoutes, type Camera } from '@nazar/contract/cameras.ts';
import { zoneRoutes, type Zone } from '@nazar/contract/zones.ts';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import { aUser } from '#testing/builders.ts';
import { aCamera, someHealth } from '#testing/cameras.ts';
import { fakeMedia } from '#testing/fake-media.ts';
import { renderApp } from '#testing/render-app.tsx';
import { answer, refusal } from '#testing/server.ts';

const { sub: _, aligned: __, ...stream } = someHealth({ width: 640, height: 480 });
const withSub = (aligned: boolean | null): Camera =>
  aCamera({ health: someHealth({ sub: stream, aligned }) });

const mask: Zone = {
  id: '33333333-3333-4333-8333-333333333333',
  kind: 'privacy',
  name: 'Window',
  points: [
    [0.5, 0.5],
    [0.75, 0.5],
    [0.75, 0.75],
    [0.5, 0.75],
  ],
  turns: [0],
};
const unknown: CameraAlignment = {
  state: 'measuring',
  part: null,
  is_confirmed: false,
  confirmed_by: null,
  aligned_at: null,
  main: { width: 1280, height: 720 },
  sub: { width: 640, height: 480 },
  streams: 'these two',
};
const measured: CameraAlignment = {
  ...unknown,
  state: 'known',
  part: { x: 0.125, y: 0, width: 0.75, height: 1 },
  aligned_at: '2026-01-02T03:04:05.000Z',
};
const confirmed: CameraAlignment = {
  ...measured,
  is_confirmed: true,
  confirmed_by: { id: '44444444-4444-4444-8444-444444444444', email: 'leyla@example.org' },
};

beforeEach(() => {
  fakeMedia();
  answer(cameraRoutes.snapshot, new HttpResponse('jpeg'));
  answer(cameraRoutes.liveTicket, { ticket: 't', expires_at: '2026-01-02T03:04:05.000Z' });
  answer(alignmentRoutes.picture, new HttpResponse('jpeg'));
  answer(zoneRoutes.list, { results: [mask] });
});

async function openZones(camera = withSub(false)) {
  answer(cameraRoutes.list, { count: 1, results: [camera] });
  await renderApp({ path: '/cameras', user: aUser() });
  await screen.findByRole('article');
  const person = userEvent.setup();
  await person.click(screen.getByRole('button', { name: 'Actions for Main entrance' }));
  await person.click(await screen.findByRole('menuitem', { name: 'Masks and zones' }));
  const dialog = within(await screen.findByRole('dialog'));
  await dialog.findByRole('button', { name: 'Save masks and zones' });
  return { person, dialog };
}

async function compare() {
  const { person, dialog } = await openZones();
  await person.click(await dialog.findByRole('button', { name: 'Compare streams' }));
  const streams = within(await screen.findByRole('dialog', { name: 'Streams of Main entrance' }));
  await streams.findByRole('img', { name: 'Main stream of Main entrance' });
  await streams.findByRole('img', { name: 'Substream of Main entrance' });
  return { person, dialog, streams };
}

test('the zones say in plain words whether it is known what the substream shows, and by whom', async () => {
  answer(alignmentRoutes.read, confirmed);
  const { dialog } = await openZones();
  await dialog.findByText('The substream shows part of the main picture.');
  expect(dialog.getByText(/^Confirmed by leyla@example\.org on .*2026/)).toBeInTheDocument();
});

test('an unknown place is shown with what it means, and is asked again until it was measured', async () => {
  let times = 0;
  answer(alignmentRoutes.read, () => ((times += 1) < 2 ? unknown : measured));
  const { dialog } = await openZones();
  expect(await dialog.findByText(/privacy masks hide the whole substream/)).toBeInTheDocument();
  await dialog.findByText(/^Measured by Nazar on /, undefined, { timeout: 8000 });
  expect(dialog.queryByText(/privacy masks hide the whole substream/)).toBeNull();
});

test('streams that never both came are not compared', async () => {
  answer(alignmentRoutes.read, { ...unknown, state: 'none', sub: null, streams: null });
  const { dialog } = await openZones();
  await dialog.findByText('You can compare the streams once both have sent a picture.');
  expect(dialog.queryByRole('button', { name: 'Compare streams' })).toBeNull();
});

test('a camera without a substream has nothing to compare', async () => {
  const asked = answer(alignmentRoutes.read, unknown);
  const { dialog } = await openZones(aCamera());
  expect(dialog.queryByText('Streams')).toBeNull();
  expect(asked).toHaveLength(0);
});

test('a failed answer is shown beside the zones, which can be drawn all the same', async () => {
  answer(alignmentRoutes.read, refusal(500, 'internal', 'It went wrong.'));
  const { dialog } = await openZones();
  expect(await dialog.findByText('It went wrong.')).toBeInTheDocument();
  expect(dialog.getByRole('button', { name: 'Save masks and zones' })).toBeEnabled();
});

test('the frame is corrected by keys and by figures, and confirmed for the streams that were compared', async () => {
  const sent = answer(alignmentRoutes.confirm, confirmed);
  answer(alignmentRoutes.read, () => (sent.length > 0 ? confirmed : measured));
  const { person, streams } = await compare();
  streams.getByRole('button', { name: /^Top left corner: 12\.5% from the left/ }).focus();
  await person.keyboard('{ArrowRight}{Shift>}{ArrowDown}{/Shift}');
  expect(
    streams.getByRole('button', { name: 'Top left corner: 12.7% from the left, 1% from the top' }),
  ).toHaveFocus();
  streams.getByRole('button', { name: /^Center of the frame/ }).focus();
  await person.keyboard('{ArrowLeft}');
  const width = streams.getByLabelText('Width, %');
  await person.clear(width);
  await person.type(width, '60');
  await person.click(streams.getByRole('button', { name: 'Confirm position' }));
  expect(await screen.findByText(/^Confirmed by leyla/)).toBeInTheDocument();
  expect(screen.queryByRole('dialog', { name: 'Streams of Main entrance' })).toBeNull();
  expect(sent[0]?.params).toEqual({ id: aCamera().id });
  expect(sent[0]?.body).toEqual({
    part: { x: 0.125, y: 0.01, width: 0.6, height: 0.99 },
    streams: 'these two',
  });
});

test('masks stand on the substream where the frame says', async () => {
  answer(alignmentRoutes.read, measured);
  const { person, streams } = await compare();
  const masks = () =>
    [...document.querySelectorAll('[data-marks=sub] polygon')].map((one) =>
      one.getAttribute('points'),
    );
  expect(masks()).toEqual(['0.5,0.5 0.8333333333333334,0.5 0.8333333333333334,0.75 0.5,0.75']);
  await person.click(streams.getByRole('button', { name: 'Whole picture' }));
  expect(masks()).toEqual(['0.5,0.5 0.75,0.5 0.75,0.75 0.5,0.75']);
  // What lies beyond the main picture is hidden, above and below.
  await person.click(streams.getByRole('button', { name: 'More than the main picture' }));
  expect(masks()).toHaveLength(3);
  await person.click(streams.getByRole('button', { name: 'Discard changes' }));
  expect(masks()).toHaveLength(1);
});

test('measuring again discards what was drawn and says that it is not known', async () => {
  let isForgotten = false;
  answer(alignmentRoutes.read, () => (isForgotten ? unknown : confirmed));
  const sent = answer(alignmentRoutes.forget, () => {
    isForgotten = true;
    return unknown;
  });
  const { person, streams } = await compare();
  await person.click(streams.getByRole('button', { name: 'Whole picture' }));
  await person.click(streams.getByRole('button', { name: 'Measure again' }));
  expect(await streams.findByText('Not known yet')).toBeInTheDocument();
  expect(sent).toHaveLength(1);
});

test('nothing is confirmed that was not seen: without a picture the reason stands in its place', async () => {
  answer(alignmentRoutes.read, measured);
  answer(alignmentRoutes.picture, ({ url }) =>
    url.searchParams.get('stream') === 'sub'
      ? refusal(503, 'camera_not_live', 'The camera is not live.')
      : new HttpResponse('jpeg'),
  );
  const { person, dialog } = await openZones();
  await person.click(await dialog.findByRole('button', { name: 'Compare streams' }));
  const streams = within(await screen.findByRole('dialog', { name: 'Streams of Main entrance' }));
  expect(await streams.findByText('The camera is not live.')).toBeInTheDocument();
  expect(streams.getByRole('button', { name: 'Confirm position' })).toBeDisabled();
  // Lines over the sentence would strike it through.
  const marked = (): (string | undefined)[] =>
    [...document.querySelectorAll<SVGElement>('[data-marks]')].map(
      ({ dataset }) => dataset['marks'],
    );
  expect(marked()).toEqual(['main']);
  answer(alignmentRoutes.picture, new HttpResponse('jpeg'));
  await person.click(streams.getByRole('button', { name: 'Refresh pictures' }));
  await streams.findByRole('img', { name: 'Substream of Main entrance' });
  expect(marked()).toEqual(['main', 'sub']);
  expect(streams.getByRole('button', { name: 'Confirm position' })).toBeEnabled();
});

test('a refusal stays open with its reason and what was drawn', async () => {
  answer(alignmentRoutes.read, measured);
  answer(
    alignmentRoutes.confirm,
    refusal(409, 'streams_changed', 'The streams are others by now.'),
  );
  const { person, streams } = await compare();
  await person.click(streams.getByRole('button', { name: 'Whole picture' }));
  await person.click(streams.getByRole('button', { name: 'Confirm position' }));
  expect(await streams.findByText('The streams are others by now.')).toBeInTheDocument();
  expect(streams.getByLabelText('Width, %')).toHaveValue(100);
});

const sentence = "We don't know yet what the substream shows of the main picture.";

test('the card says that it is not known, with the way to the zones for those who may', async () => {
  answer(alignmentRoutes.read, unknown);
  answer(cameraRoutes.list, { count: 1, results: [withSub(false)] });
  await renderApp({ path: '/cameras', user: aUser() });
  const card = within(await screen.findByRole('article'));
  expect(card.getByText(new RegExp(sentence))).toBeInTheDocument();
  await userEvent.click(card.getByRole('button', { name: 'Compare streams' }));
  expect(
    await screen.findByRole('dialog', { name: 'Masks and zones of Main entrance' }),
  ).toBeInTheDocument();
});

test.each([
  ['while nothing is known of that', null],
  ['once it is known', true],
])('the card says nothing %s', async (_when, aligned) => {
  answer(cameraRoutes.list, { count: 1, results: [withSub(aligned)] });
  await renderApp({ path: '/cameras', user: aUser() });
  const card = within(await screen.findByRole('article'));
  expect(card.getByText('Main entrance')).toBeInTheDocument();
  expect(card.queryByText(new RegExp(sentence))).toBeNull();
});

test('a user who may not change cameras reads the sentence, without a button', async () => {
  answer(cameraRoutes.list, { count: 1, results: [withSub(false)] });
  await renderApp({ path: '/cameras', user: aUser({ role: 'user' }) });
  const card = within(await screen.findByRole('article'));
  expect(card.getByText(new RegExp(sentence))).toBeInTheDocument();
  expect(card.queryByRole('button', { name: 'Compare streams' })).toBeNull();
});
