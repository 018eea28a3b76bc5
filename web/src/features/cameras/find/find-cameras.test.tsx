import { cameraRoutes } from '@nazar/contract/cameras.ts';
import { deviceRoutes, type DeviceDescription } from '@nazar/contract/devices.ts';
import { recordingRoutes } from '@nazar/contract/recordings.ts';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { aUser } from '#testing/builders.ts';
import { fakeMedia } from '#testing/fake-media.ts';
import { renderApp } from '#testing/render-app.tsx';
import { someStatistics } from '#testing/recordings.ts';
import { answer, refusal } from '#testing/server.ts';

const device = {
  name: '<b>Dome</b>',
  hardware: 'D1',
  location: 'Yard',
  address: '192.168.1.7',
  url: 'http://192.168.1.7/onvif/device_service',
};
const stream = (name: string, url: string) => ({
  name,
  url,
  codec: 'H264',
  width: 1920,
  height: 1080,
  fps: 25,
});
const description = (over: Partial<DeviceDescription> = {}): DeviceDescription => ({
  outcome: 'found',
  manufacturer: 'Acme',
  model: 'Dome 1',
  streams: [
    stream('Main', 'rtsp://192.168.1.7/main'),
    { ...stream('Small', 'rtsp://192.168.1.7/sub'), width: 640, height: 360 },
  ],
  moves: true,
  ...over,
});

beforeEach(() => fakeMedia());

async function openForm() {
  answer(cameraRoutes.list, { count: 0, results: [] });
  answer(recordingRoutes.statistics, someStatistics());
  await renderApp({ path: '/cameras', user: aUser() });
  const person = userEvent.setup();
  const [add] = await screen.findAllByRole('button', { name: 'Add Camera' });
  await person.click(add!);
  await person.click(await screen.findByRole('button', { name: 'All settings' }));
  const form = within(await screen.findByRole('dialog'));
  return { person, form };
}

test('a camera that is found fills in its address, its streams and where it is moved', async () => {
  answer(deviceRoutes.discover, { results: [device] });
  const asked = answer(deviceRoutes.describe, description());
  const { person, form } = await openForm();
  await person.type(form.getByLabelText('User name'), 'viewer');
  await person.click(form.getByRole('button', { name: 'Find cameras' }));
  expect(await form.findByText('<b>Dome</b>')).toBeInTheDocument();
  await person.click(form.getByRole('button', { name: /^Get streams of/ }));
  const streams = await form.findByRole('list', { name: 'Streams' });
  expect(asked[0]?.body).toEqual({ url: device.url, username: 'viewer', password: '' });
  const [main, small] = within(streams).getAllByRole('listitem');
  // As near to 1280x720 as the small one, and larger.
  expect(within(main!).getByText(/closest to your resolution/)).toBeInTheDocument();
  expect(within(small!).queryByText(/closest to your resolution/)).toBeNull();
  await person.click(within(main!).getByRole('button', { name: 'Use as main stream' }));
  await person.click(within(small!).getByRole('button', { name: 'Use as substream' }));
  const fieldsThen = ['Stream address', 'IP address', 'ONVIF address', /^Second stream|^Sub/];
  const shown = fieldsThen.map((label) => form.getByLabelText<HTMLInputElement>(label).value);
  expect(shown).toEqual([
    'rtsp://192.168.1.7/main',
    '192.168.1.7',
    device.url,
    'rtsp://192.168.1.7/sub',
  ]);
  expect(form.getByLabelText<HTMLInputElement>(/^Name/).value).toBe('<b>Dome</b>');
});

test('a press from an empty name is no complaint about it, which would move the button from under the click', async () => {
  answer(deviceRoutes.discover, { results: [device] });
  answer(deviceRoutes.describe, description());
  const { person, form } = await openForm();
  const name = form.getByLabelText(/^Name/);
  await person.click(name);
  await person.click(form.getByRole('button', { name: 'Find cameras' }));
  await person.click(await form.findByRole('button', { name: /^Get streams of/ }));
  expect(await form.findByRole('list', { name: 'Streams' })).toBeInTheDocument();
  expect(name).toHaveFocus();
  expect(form.queryByText('This field is required.')).not.toBeInTheDocument();
});

test('no camera, a refused password and too many requests are shown', async () => {
  answer(deviceRoutes.discover, { results: [] });
  const { person, form } = await openForm();
  const find = form.getByRole('button', { name: 'Find cameras' });
  await person.click(find);
  expect(await form.findByText(/No ONVIF cameras found/)).toBeInTheDocument();
  answer(deviceRoutes.discover, { results: [device] });
  answer(deviceRoutes.describe, description({ outcome: 'password_refused', streams: [] }));
  await person.click(find);
  await person.click(await form.findByRole('button', { name: /^Get streams of/ }));
  expect(await form.findByText(/needs its user name and password/)).toBeInTheDocument();
  answer(deviceRoutes.discover, refusal(429, 'too_many_requests', 'Too many requests.'));
  await person.click(find);
  expect(await form.findByText('Too many requests.')).toBeInTheDocument();
});

test('ENT-003 the IP address, or that of the stream, is asked where no search finds the camera', async () => {
  const asked = answer(deviceRoutes.describe, description());
  const { person, form } = await openForm();
  const offers = () => form.queryAllByRole('button', { name: /^Get streams of/ });
  expect(offers()).toEqual([]);
  // Which host that is isn't known: a part of a password would stand on the button.
  await person.type(form.getByLabelText('Stream address'), 'rtsp://admin:12/34@192.168.1.7/s');
  expect(offers()).toEqual([]);
  await person.clear(form.getByLabelText('Stream address'));
  await person.type(form.getByLabelText('Stream address'), 'rtsp://viewer:a@192.168.1.7/s');
  expect(offers().map(({ textContent }) => textContent)).toEqual(['Get streams of 192.168.1.7']);
  await person.type(form.getByLabelText('IP address'), '192.168.1.8');
  await person.click(form.getByRole('button', { name: 'Get streams of 192.168.1.8' }));
  const streams = await form.findByRole('list', { name: 'Streams' });
  const url = 'http://192.168.1.8/onvif/device_service';
  expect(asked.map(({ body }) => body)).toEqual([{ url, username: '', password: '' }]);
  const [main] = within(streams).getAllByRole('button', { name: 'Use as main stream' });
  await person.click(main!);
  const shown = ['IP address', 'ONVIF address'].map(
    (label) => form.getByLabelText<HTMLInputElement>(label).value,
  );
  expect(shown).toEqual(['192.168.1.8', url]);
});
