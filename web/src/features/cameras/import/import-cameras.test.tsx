/** The import of a configuration: chosen, shown, corrected, added. */
import {
  cameraImportRoutes,
  type FoundCamera,
  type ImportPreview,
} from '@nazar/contract/camera-import.ts';
import { cameraRoutes } from '@nazar/contract/cameras.ts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { aUser } from '#testing/builders.ts';
import { fakeMedia } from '#testing/fake-media.ts';
import { renderApp } from '#testing/render-app.tsx';
import { answer, fieldRefusal } from '#testing/server.ts';

const found = (name: string): FoundCamera => ({
  key: `streams.${name}`,
  name,
  type: 'rtsp',
  url: `rtsp://192.168.1.9/${name}`,
  sub_url: '',
  username: 'viewer',
  has_password: true,
  is_enabled: true,
  settings: {
    recording: null,
    enable_audio: false,
    enable_face_recognition: true,
    motion_zones: 0,
    zones_of_sub: false,
    device_url: '',
  },
});
const preview: ImportPreview = {
  kind: 'go2rtc',
  cameras: [found('gate'), found('yard')],
  left_out: [
    { key: 'streams.bell', name: 'bell', fault: 'runs_program', about: 'exec:' },
    { key: 'streams.nvr', name: 'nvr', fault: 'variable_unset', about: 'NVR_PASSWORD' },
  ],
  groups: [],
  settings_left: [],
  settings_left_more: 0,
  unset_variables: ['NVR_PASSWORD'],
};
const text = 'streams:\n  gate: rtsp://viewer:S3cret@192.168.1.9/gate\n';
const file = new File([text], 'go2rtc.yaml', { type: 'application/yaml' });

beforeEach(() => {
  fakeMedia();
  answer(cameraRoutes.list, { count: 0, results: [] });
});

async function openImport() {
  await renderApp({ path: '/cameras', user: aUser({ role: 'admin' }) });
  const person = userEvent.setup();
  await person.click((await screen.findAllByRole('button', { name: 'Add Camera' }))[0]!);
  await person.click(await screen.findByRole('button', { name: 'Import from Frigate or go2rtc' }));
  const dialog = await screen.findByRole('dialog', { name: 'Import cameras' });
  const input = await waitFor(() => {
    const one = dialog.querySelector<HTMLInputElement>('input[type=file]');
    if (one === null) throw new Error('no place for a file');
    return one;
  });
  return { person, dialog, input };
}

test('a file is shown before anything is saved, and its passwords never', async () => {
  const asked = answer(cameraImportRoutes.preview, preview);
  const added = answer(cameraImportRoutes.add, { results: [] });
  const { person, dialog, input } = await openImport();
  await person.upload(input, file);
  expect(await within(dialog).findByText('rtsp://192.168.1.9/gate')).toBeInTheDocument();
  expect(asked.map(({ body }) => body)).toEqual([{ text, variables: [] }]);
  expect(within(dialog).getByText('This source starts a program. exec:')).toBeInTheDocument();
  expect(document.body.innerHTML).not.toContain('S3cret');
  expect(added).toEqual([]);
});

test('chosen cameras are added by the names they were given, at one place', async () => {
  answer(cameraImportRoutes.preview, preview);
  const id = '22222222-2222-4222-8222-222222222222';
  const added = answer(cameraImportRoutes.add, {
    results: [{ key: 'streams.gate', name: 'Big gate', camera: id, fault: null }],
  });
  const { person, dialog, input } = await openImport();
  await person.upload(input, file);
  await person.click(await within(dialog).findByRole('checkbox', { name: 'Select yard' }));
  const name = within(dialog).getByLabelText('Name of gate');
  await person.clear(name);
  await person.type(name, 'Big gate');
  const button = within(dialog).getByRole('button', { name: 'Import 1 camera' });
  await person.click(button);
  expect(await within(dialog).findByText('This field is required.')).toBeInTheDocument();
  expect(added).toEqual([]);
  await person.type(within(dialog).getByLabelText(/^Location/), 'House');
  await person.click(button);
  expect(await screen.findByText('1 camera imported.')).toBeInTheDocument();
  expect(added.map(({ body }) => body)).toEqual([
    {
      text,
      variables: [],
      location: 'House',
      activate: false,
      cameras: [{ key: 'streams.gate', name: 'Big gate' }],
    },
  ]);
});

test('a camera that the file has turned off says so, and the others nothing', async () => {
  const cameras = [found('gate'), { ...found('yard'), is_enabled: false }];
  answer(cameraImportRoutes.preview, { ...preview, cameras });
  const { person, dialog, input } = await openImport();
  await person.upload(input, file);
  const lines = await within(dialog).findAllByRole('listitem');
  const [gate, yard] = ['gate', 'yard'].map((name) =>
    lines.find((line) => within(line).queryByLabelText(`Name of ${name}`) !== null),
  );
  const said = 'Turned off in this file. It will be imported deactivated.';
  expect(gate).not.toHaveTextContent(said);
  expect(yard).toHaveTextContent(said);
  expect(within(yard!).getByRole('checkbox')).toBeChecked();
});

test('a variable is typed as a password and the file read again with it', async () => {
  const asked = answer(cameraImportRoutes.preview, preview);
  const { person, dialog, input } = await openImport();
  await person.upload(input, file);
  const field = await within(dialog).findByLabelText('NVR_PASSWORD');
  expect(field).toHaveAttribute('type', 'password');
  await person.type(field, 'S3cret');
  await person.click(within(dialog).getByRole('button', { name: 'Read again' }));
  await waitFor(() => expect(asked).toHaveLength(2));
  expect(asked[1]?.body).toEqual({ text, variables: [{ name: 'NVR_PASSWORD', value: 'S3cret' }] });
});

test('cameras that were not added are listed with their reason', async () => {
  answer(cameraImportRoutes.preview, preview);
  const id = '22222222-2222-4222-8222-222222222222';
  answer(cameraImportRoutes.add, {
    results: [
      { key: 'streams.gate', name: 'gate', camera: id, fault: null },
      { key: 'streams.yard', name: 'yard', camera: null, fault: 'address_refused' },
    ],
  });
  const { person, dialog, input } = await openImport();
  await person.upload(input, file);
  await person.type(await within(dialog).findByLabelText(/^Location/), 'House');
  await person.click(within(dialog).getByRole('button', { name: 'Import 2 cameras' }));
  expect(
    await within(dialog).findByText("1 camera imported. 1 couldn't be imported."),
  ).toBeInTheDocument();
  expect(within(dialog).getByText("This address isn't allowed.")).toBeInTheDocument();
});

test('a refused file says why, and another may be chosen', async () => {
  const sentence = "This file can't be read as YAML. Check line 2.";
  answer(cameraImportRoutes.preview, fieldRefusal({ text: [sentence] }));
  const { person, dialog, input } = await openImport();
  await person.upload(input, file);
  expect(await within(dialog).findByText(sentence)).toBeInTheDocument();
  await person.upload(input, new File(['x'.repeat(500_000)], 'a.yml'));
  expect(
    await within(dialog).findByText('This file is too long. The limit is 10000 lines.'),
  ).toBeInTheDocument();
  answer(cameraImportRoutes.preview, preview);
  await person.upload(input, file);
  expect(await within(dialog).findByText('rtsp://192.168.1.9/yard')).toBeInTheDocument();
  await person.click(within(dialog).getByRole('button', { name: 'Choose another file' }));
  expect(within(dialog).queryByText('rtsp://192.168.1.9/yard')).not.toBeInTheDocument();
});

test('settings taken over, and each one that is not, are listed before anything is saved', async () => {
  const yard: FoundCamera = {
    ...found('yard'),
    settings: {
      recording: { continuous: true, retention_days: 7 },
      enable_audio: true,
      enable_face_recognition: false,
      motion_zones: 2,
      zones_of_sub: true,
      device_url: 'http://192.168.1.9/onvif/device_service',
    },
  };
  answer(cameraImportRoutes.preview, {
    ...preview,
    cameras: [found('gate'), yard],
    groups: [{ name: 'Outside', cameras: ['streams.yard'] }],
    settings_left: [
      { key: '', path: 'mqtt.host', value: '', reason: 'not_in_nazar' },
      { key: '', path: 'record.alerts.retain.days', value: '30', reason: 'kept_longer' },
      { key: 'streams.yard', path: 'cameras.yard.ui.order', value: '2', reason: 'order' },
    ],
    settings_left_more: 4,
  });
  const added = answer(cameraImportRoutes.add, { results: [] });
  const { person, dialog, input } = await openImport();
  await person.upload(input, file);
  expect(await within(dialog).findByText('Not recorded')).toBeInTheDocument();
  const taken =
    'Recorded continuously, kept for 7 days · With sound · No face recognition · ' +
    '2 motion zones made from the motion masks · Can be moved: http://192.168.1.9/onvif/device_service';
  expect(within(dialog).getByText(taken)).toBeInTheDocument();
  expect(within(dialog).getByText(/masks were drawn on the substream/)).toBeInTheDocument();
  expect(within(dialog).getByText('Camera groups that will be added: Outside')).toBeInTheDocument();
  const left = within(dialog).getByRole('region', { name: "7 settings aren't taken over" });
  expect(left).toHaveTextContent("Nazar doesn't have this.mqtt.host");
  expect(within(left).getByText('record.alerts.retain.days: 30')).toBeInTheDocument();
  expect(within(left).getByText('cameras.yard.ui.order: 2')).toBeInTheDocument();
  expect(left).toHaveTextContent("4 more settings aren't listed here");
  // What is said of a camera goes with it.
  await person.click(within(dialog).getByRole('checkbox', { name: 'Select yard' }));
  expect(within(dialog).queryByText('cameras.yard.ui.order: 2')).not.toBeInTheDocument();
  expect(within(dialog).queryByText(/Camera groups that will be added/)).not.toBeInTheDocument();
  expect(within(dialog).getByText('record.alerts.retain.days: 30')).toBeInTheDocument();
  expect(added).toEqual([]);
});
