/// <reference lib="dom" />
/** A house of cameras brought in: out of files of other products, in steps, as copies, and changed several at once. */
import { expect, type Page } from '@playwright/test';
import type { CameraGroup } from '@nazar/contract/access.ts';
import type { Camera } from '@nazar/contract/cameras.ts';
import type { Zone } from '@nazar/contract/zones.ts';
import russian from '../i18n/ru/app.json' with { type: 'json' };
import { makeFilm } from './farm/film.ts';
import { RtspCamera } from './farm/rtsp-camera.ts';
import { Installation, until } from './installation.ts';
import { choose, look } from './look.ts';
import { signInOn } from './people.ts';
import { keepSecret, secretsIn } from './secrets.ts';
import { test } from './test.ts';

test.describe.configure({ mode: 'serial' });

const password = `S3cret-${crypto.randomUUID()}`;
const unusedPassword = `S3cret-${crypto.randomUUID()}`;
const wrong: string[] = [];

let nazar: Installation;
let farm: RtspCamera;
let access: string;
let desk: Page;

test.beforeAll(async ({ browser }) => {
  test.setTimeout(90_000);
  for (const secret of [password, unusedPassword]) keepSecret('password', secret);
  const credentials = { scheme: 'digest', username: 'viewer', password } as const;
  farm = await RtspCamera.start({ film: makeFilm(), credentials });
  nazar = await Installation.ready();
  access = await nazar.signIn();
  desk = await browser.newPage();
  await signInOn(desk, nazar);
});
test.afterAll(async () => {
  await desk.close();
  await nazar.remove();
  await farm[Symbol.asyncDispose]();
});

/** The stream of the farm as a file holds it. */
const withPassword = (): string => farm.url.replace('rtsp://', `rtsp://viewer:${password}@`);

/** As Frigate's own documentation writes one, with a camera of each kind that is not taken. */
const frigate = (): string => `
mqtt: { enabled: true, host: mqtt.example.org, password: ${unusedPassword} }
detectors: { coral: { type: edgetpu, device: usb } }
record: { enabled: true, retain: { days: 5 }, alerts: { retain: { days: 30 } } }
objects: { track: [person, dog] }
cameras:
  front_door:
    friendly_name: Front door
    ffmpeg:
      inputs:
        - path: ${withPassword()}
          roles: [record]
        - path: ${withPassword()}2
          roles: [detect]
    detect: { width: 640, height: 360, fps: 5 }
    motion: { mask: "0,0,640,0,640,90,0,90" }
    zones: { steps: { coordinates: "0.1,0.1,0.5,0.1,0.5,0.5", objects: [person] } }
  garage:
    ffmpeg:
      inputs:
        - path: rtsp://viewer:{FRIGATE_RTSP_PASSWORD}@127.0.0.1:9/garage
          roles: [detect, record]
  terrace:
    ffmpeg:
      inputs:
        - path: http://127.0.0.1:9/flv?user=viewer&password=${unusedPassword}
          roles: [detect, record]
`;

/** Eighteen of one recorder, and one that starts a program. */
const go2rtc = (): string => {
  const lines = Array.from({ length: 18 }, (_, n) => {
    const name = `channel_${String(n + 1).padStart(2, '0')}`;
    return `  ${name}: rtsp://viewer:${unusedPassword}@127.0.0.1:9/${name}`;
  });
  const bell = `  bell: exec:ffmpeg -i rtsp://viewer:${unusedPassword}@127.0.0.1:9/bell -f rtsp {output}`;
  return ['streams:', ...lines, bell].join('\n');
};

const cameras = async (): Promise<Camera[]> =>
  (await nazar.get<{ results: Camera[] }>('/secure-api/cameras/', access)).results;
const dialog = (page: Page) => page.getByRole('dialog');
const press = (page: Page, name: string) =>
  dialog(page).getByRole('button', { name, exact: true }).click();

/** Over a list of few: axe reads what lies behind a dialog, too. */
async function openAdding(page: Page): Promise<void> {
  await page.goto(`${nazar.origin}/cameras?search=Garage`);
  await page.locator('main header button').first().click();
  await dialog(page).waitFor();
}

async function chooseFile(page: Page, text: string): Promise<void> {
  const file = { name: 'config.yml', mimeType: 'application/yaml', buffer: Buffer.from(text) };
  await dialog(page).locator('input[type=file]').setInputFiles(file);
}

test('a file of Frigate gives its cameras, with a value for its variable, and no password is shown', async () => {
  await openAdding(desk);
  await press(desk, 'Import from Frigate or go2rtc');
  await chooseFile(desk, frigate());
  const found = dialog(desk).getByRole('list', { name: 'Cameras found' });
  await expect(found.getByRole('listitem')).toHaveCount(1);
  await expect(found).toContainText('viewer · with password');
  await expect(dialog(desk)).toContainText('The password is part of the path.');
  await dialog(desk).getByLabel('FRIGATE_RTSP_PASSWORD', { exact: true }).fill(unusedPassword);
  await press(desk, 'Read again');
  await expect(found.getByRole('listitem')).toHaveCount(2);
  await dialog(desk).getByLabel('Name of garage').fill('Garage');
  await expect(found).toContainText('Recorded continuously, kept for 5 days · 1 motion zone');
  const left = dialog(desk).getByRole('region', { name: "settings aren't taken over" });
  await expect(left).toContainText("Nazar doesn't have this.mqtt.enabled: true");
  await expect(left).toContainText('cameras.front_door.zones.steps.objects: person');
  await expect(left).toContainText('record.alerts.retain.days: 30');
  await look(desk, 'import-frigate-en-light', wrong);
  await desk.setViewportSize({ width: 1280, height: 800 });
  await press(desk, 'Import 2 cameras');
  await expect(dialog(desk)).toContainText('This field is required.');
  expect(await cameras()).toHaveLength(0);
  await dialog(desk).getByLabel('Location').fill('House');
  expect(secretsIn(await desk.content(), ['password'])).toEqual([]);
  await press(desk, 'Import 2 cameras');
  await expect(desk.getByText('2 cameras imported.')).toBeVisible();
  const added = await cameras();
  const signIn = { username: 'viewer', has_password: true };
  const house = { location: 'House', status: 'inactive', ...signIn };
  expect(added).toMatchObject([
    { name: 'Front door', ...house },
    { name: 'Garage', ...house },
  ]);
  expect(added[0]?.sub_url).toBe(`${farm.url}2`);
  const of = (path: string) => nazar.get(`/secure-api/cameras/${added[0]?.id}/${path}/`, access);
  const recorded = { continuousRecording: true, motionDetection: false, retentionDays: 5 };
  expect(await of('recording_settings')).toMatchObject(recorded);
  const [zone] = ((await of('zones')) as { results: Zone[] }).results;
  expect([zone?.kind, zone?.points]).toEqual([
    'motion',
    [
      [0, 0.25],
      [0, 1],
      [1, 1],
      [1, 0.25],
    ],
  ]);
});

test('the eighteen channels of a go2rtc file are imported at once', async () => {
  await openAdding(desk);
  await press(desk, 'Import from Frigate or go2rtc');
  await press(desk, 'Paste the configuration instead');
  await dialog(desk).getByLabel('Configuration', { exact: true }).fill(go2rtc());
  await press(desk, 'Show cameras');
  await expect(dialog(desk)).toContainText('This source starts a program. exec:');
  await dialog(desk).getByLabel('Location').fill('Recorder');
  await press(desk, 'Import 18 cameras');
  await expect(desk.getByText('18 cameras imported.')).toBeVisible();
  expect(await cameras()).toHaveLength(20);
});

test('several are changed at once: what failed says why and is tried again', async () => {
  const gone = (await cameras()).filter(({ name }) => /channel_0[12]/.test(name));
  await desk.goto(`${nazar.origin}/cameras`);
  await desk.getByLabel('Select channel_01').check();
  await desk.getByRole('button', { name: 'Select all 20 cameras' }).click();
  await expect(desk.getByText('20 cameras selected')).toBeVisible();
  // Another administrator deletes two of them meanwhile.
  for (const { id } of gone) await nazar.call('DELETE', `/secure-api/cameras/${id}/`, { access });
  await desk.getByRole('button', { name: 'Actions', exact: true }).click();
  await desk.getByRole('menuitem', { name: 'Deactivate' }).click();
  await press(desk, 'Deactivate');
  await expect(dialog(desk)).toContainText('18 done, 2 failed');
  await expect(dialog(desk)).toContainText("You can't see this camera, or it doesn't exist.");
  await press(desk, 'Retry the failed');
  await expect(dialog(desk)).toContainText('0 done, 2 failed');
  await desk.keyboard.press('Escape');
});

test('several are put into a group, which then is the filter', async () => {
  const body = { name: 'Recorder', description: '', cameras: [] };
  const { id } = await nazar.post<CameraGroup>('/secure-api/cameras/groups/', access, body);
  await desk.goto(`${nazar.origin}/cameras?search=channel_1`);
  await desk.getByLabel('Select channel_10').click();
  await desk.getByLabel('Select channel_18').click({ modifiers: ['Shift'] });
  await expect(desk.getByText('9 cameras selected')).toBeVisible();
  await desk.getByRole('button', { name: 'Actions', exact: true }).click();
  await desk.getByRole('menuitem', { name: 'Add to group' }).click();
  await dialog(desk).getByRole('combobox').selectOption('Recorder');
  await press(desk, 'Add to group');
  await expect(dialog(desk)).toContainText('9 done');
  await desk.goto(`${nazar.origin}/cameras?group=${id}`);
  await expect(desk.getByRole('article')).toHaveCount(9);
});

test('a camera is added in steps, with its first picture, and copied without its password', async () => {
  await openAdding(desk);
  const form = dialog(desk);
  await form.locator('input[name=url]').fill(farm.url);
  await form.locator('input[name=username]').fill('viewer');
  await form.locator('input[name=password]').fill(password);
  await press(desk, 'Next');
  await expect(form.getByRole('img', { name: 'First picture of the camera' })).toBeVisible();
  await look(desk, 'steps-test-en-light', wrong);
  await desk.setViewportSize({ width: 1280, height: 800 });
  await press(desk, 'Next');
  await press(desk, 'Next');
  await expect(form.getByRole('heading', { name: 'Step 3 of 4' })).toBeVisible();
  await form.locator('input[name=name]').fill('Porch');
  await form.locator('input[name=location]').fill('House');
  await press(desk, 'Next');
  await form.getByLabel('Activate the camera now').check();
  await press(desk, 'Add Camera');
  await expect(desk.getByText('Camera added successfully!')).toBeVisible();
  const porch = async () => (await cameras()).find(({ name }) => name === 'Porch');
  await until('live', porch, (one) => one?.health.state === 'live', 20_000);

  await desk.goto(`${nazar.origin}/cameras?search=Porch`);
  await desk.getByRole('button', { name: 'Actions for Porch' }).click();
  await desk.getByRole('menuitem', { name: 'Duplicate' }).click();
  await expect(form.locator('input[name=name]')).toHaveValue('Porch (copy)');
  await expect(form).toContainText("The password isn't copied.");
  await press(desk, 'Add Camera');
  await expect(form).toHaveCount(0);
  const copy = (await cameras()).find(({ name }) => name === 'Porch (copy)');
  expect([copy?.url, copy?.has_password, copy?.status]).toEqual([farm.url, false, 'inactive']);
});

test('a user who saves a camera that another saved meanwhile sees both versions and decides', async () => {
  await desk.goto(`${nazar.origin}/cameras?search=Garage`);
  await desk.getByRole('button', { name: 'Actions for Garage' }).click();
  await desk.getByRole('menuitem', { name: 'Edit' }).click();
  const location = dialog(desk).locator('input[name=location]');
  await location.fill('Mine');
  const [garage] = (await cameras()).filter(({ name }) => name === 'Garage');
  const body = { ...garage, location: 'Theirs' };
  await nazar.call('PUT', `/secure-api/cameras/${garage?.id}/`, { access, body });
  await press(desk, 'Save Changes');
  await expect(dialog(desk)).toContainText('Someone else changed this camera meanwhile.');
  await press(desk, 'Load the saved version');
  await expect(location).toHaveValue('Theirs');
  await location.fill('Ours');
  await press(desk, 'Save Changes');
  await expect(desk.getByText('Camera updated successfully!')).toBeVisible();
});

test('files that mean harm, or nothing, are refused with a sentence each', async () => {
  await openAdding(desk);
  await press(desk, 'Import from Frigate or go2rtc');
  const bomb = 'a: &a [x, x]\nb: &b [*a, *a]\nstreams: [*b, *b]\n';
  const files: readonly [string, string][] = [
    [bomb, 'This file repeats parts by aliases'],
    [`${go2rtc()}${'\n#'.repeat(10_000)}`, 'This file is too long. The limit is 10000 lines.'],
    ['x'.repeat(2_000_000), 'This file is too long. The limit is 10000 lines.'],
    ['streams:\n  a: [', "This file can't be read as YAML. Check line 2."],
    ['\u0089PNG\r\n', "This isn't a configuration of Frigate or go2rtc"],
  ];
  for (const [text, sentence] of files) {
    await chooseFile(desk, text);
    await expect(dialog(desk).getByRole('alert')).toContainText(sentence);
  }
  await chooseFile(desk, go2rtc());
  // The two that were deleted can be had again; the others are there.
  await expect(dialog(desk).getByRole('button', { name: 'Import 2 cameras' })).toBeVisible();
  await expect(dialog(desk)).toContainText('This camera exists already: channel_03');
});

test('in the dark and in Russian it looks right, too', async ({ browser }) => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  await choose(context, 'ru', 'dark');
  const page = await context.newPage();
  await signInOn(page, nazar);
  await openAdding(page);
  await look(page, 'steps-address-ru-dark', wrong);
  await press(page, russian.cameraImport.open);
  await chooseFile(page, frigate().replaceAll('/garage', '/garage2'));
  await dialog(page).getByText('FRIGATE_RTSP_PASSWORD').first().waitFor();
  await look(page, 'import-choice-ru-dark', wrong);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: russian.ui.discard, exact: true }).click();
  await page.getByRole('checkbox').first().check();
  await page.getByRole('button', { name: russian.cameraSelection.actions, exact: true }).click();
  await page.getByRole('menuitem', { name: russian.cameraSelection.tasks.delete }).click();
  await look(page, 'several-delete-ru-dark', wrong);
  await context.close();
  expect(wrong).toEqual([]);
});
