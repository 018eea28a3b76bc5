/// <reference lib="dom" />
/**
 * What is refused and what is gone, on the page of recordings: each is said in words, nothing is lost, and what can be
 * played plays.
 */
import { existsSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Locator, type Page } from '@playwright/test';
import type { PlaybackTicket } from '@nazar/contract/playback.ts';
import type { RecordingSettings } from '@nazar/contract/recording-plans.ts';
import type { Recording, Segment } from '@nazar/contract/recordings.ts';
import { untilLive } from './cameras.ts';
import { makeFilm } from './farm/film.ts';
import { RtspCamera } from './farm/rtsp-camera.ts';
import { administrator, Installation, kill, until } from './installation.ts';
import { createPerson, grantCamera, signInOn } from './people.ts';
import { test } from './test.ts';

test.describe.configure({ mode: 'serial' });

const { password } = administrator;
const viewer = 'viewer@example.org';
const stranger = 'stranger@example.org';
const dayMs = 24 * 60 * 60_000;

let nazar: Installation;
let farm: RtspCamera;
let access: string;
let cameraId: string;
let recording: Recording;
let segments: Segment[];

const get = <T>(path: string) => nazar.get<T>(path, access);
const base = (): string => `/secure-api/cameras/${cameraId}/`;
const folder = (): string => join(nazar.folder, 'data/recordings');

test.beforeAll(async () => {
  test.setTimeout(150_000);
  farm = await RtspCamera.start({ film: makeFilm() });
  nazar = await Installation.ready();
  access = await nazar.signIn();
  const form = { name: 'Door', location: 'Hall', type: 'rtsp', status: 'active', url: farm.url };
  ({ id: cameraId } = await nazar.addUnrecorded(access, form));
  for (const email of [viewer, stranger]) {
    createPerson(nazar, { email, role: 'user', lastName: 'User' });
  }
  await grantCamera(nazar, access, {
    email: viewer,
    cameraId,
    capabilities: ['live', 'recordings'],
  });
  await untilLive(nazar, access, cameraId, 40_000);
  await toggle(true);
  const list = () => get<{ results: Recording[] }>(`/secure-api/recordings/?camera=${cameraId}`);
  await until('four files', list, ({ results: [one] }) => (one?.segments ?? 0) > 4, 70_000);
  await toggle(false);
  const saved = await until('saved', list, ({ results: [one] }) => one?.isActive === false, 20_000);
  recording = saved.results[0]!;
  const path = `/secure-api/recordings/${recording.id}/segments/`;
  segments = (await get<{ results: Segment[] }>(path)).results;
});
test.afterAll(async () => {
  await nazar.remove();
  await farm[Symbol.asyncDispose]();
});

async function toggle(is_recording: boolean): Promise<void> {
  const path = `${base()}toggle_recording/`;
  expect((await nazar.call('PATCH', path, { access, body: { is_recording } })).ok).toBe(true);
}

const open = (page: Page, search = '', id = cameraId) =>
  page.goto(`${nazar.origin}/recordings/${id}${search}`);

/** The moment of the picture that is shown, in milliseconds since 1970; null: none is. */
const shownMs = (page: Page): Promise<number | null> =>
  page.evaluate(() => {
    const video = document.querySelector<HTMLVideoElement>('main video[aria-hidden=false]');
    const moment = document.querySelector('main time')?.getAttribute('datetime');
    return video && video.readyState > 1 && moment ? Date.parse(moment) : null;
  });

/** A picture of that time is shown, and once it plays they move on. */
async function plays(page: Page, fromMs: number, untilMs: number): Promise<void> {
  await expect.poll(() => shownMs(page), { timeout: 20_000 }).not.toBeNull();
  const firstMs = (await shownMs(page))!;
  expect(firstMs).toBeGreaterThanOrEqual(fromMs - 100);
  expect(firstMs).toBeLessThan(untilMs);
  const play = page.getByRole('button', { name: 'Play', exact: true });
  if (await play.isVisible()) await play.click();
  await expect.poll(() => shownMs(page)).toBeGreaterThan(firstMs);
}

const startOf = (index: number): number => Date.parse(segments[index]!.started_at);
const play = (page: Page): Promise<void> =>
  page.getByRole('button', { name: 'Play', exact: true }).click();

/** What a request is answered with that says no. */
async function refused(method: string, path: string, body?: object): Promise<[number, unknown]> {
  const reply = await nazar.call(method, path, { access, ...(body && { body }) });
  return [reply.status, await reply.json()];
}

test('a camera that is unknown or not theirs, and a day that is none', async ({ page }) => {
  await signInOn(page, nazar, stranger);
  for (const id of [cameraId, '01890000-0000-7000-8000-000000000000']) {
    await open(page, '', id);
    await expect(page.getByRole('main')).toContainText("You can't see this camera");
    await expect(page.getByRole('main')).not.toContainText('Door');
  }
  await page.context().clearCookies();
  await signInOn(page, nazar);
  await open(page, '?day=2026-13-40');
  await expect(
    page.getByText("2026-13-40 isn't a date. Showing another day instead."),
  ).toBeVisible();
  await expect(page.getByRole('list', { name: 'Recordings of this day' })).toBeVisible();
  const day = await refused('GET', `/secure-api/recordings/?camera=${cameraId}&date=2026-13-40`);
  expect(day).toEqual([400, { date: [expect.any(String)] }]);
});

test('a time that ends before it begins, of 25 hours, or of nothing', async ({ page }) => {
  const atMs = Date.parse(recording.startTime);
  const period = (fromMs: number, untilMs: number) => ({
    from: new Date(fromMs).toISOString(),
    until: new Date(untilMs).toISOString(),
  });
  const long = { ...period(atMs, atMs + 25 * 3_600_000) };
  const backwards = { ...period(atMs, atMs - 1000) };
  for (const wrong of [long, backwards]) {
    for (const path of [`${base()}playback/`, '/secure-api/recordings/exports/']) {
      const [status, said] = await refused('POST', path, { ...wrong, cameras: [cameraId] });
      expect(status, path).toBe(400);
      expect(said, path).toHaveProperty('until');
    }
  }
  const nothing = period(atMs - dayMs, atMs - dayMs + 60_000);
  expect((await refused('POST', `${base()}playback/`, nothing))[0]).toBe(404);

  await signInOn(page, nazar);
  await open(page, `?recording=${recording.id}`);
  await page.getByRole('button', { name: 'Export...' }).click();
  const dialog = page.getByRole('dialog', { name: 'Export recordings' });
  await typeMoment(dialog, /^From/, atMs);
  await typeMoment(dialog, /^Until/, atMs - 60_000);
  await expect(dialog.getByText('The end must be after the beginning.')).toBeVisible();
  await typeMoment(dialog, /^From/, atMs - dayMs);
  await typeMoment(dialog, /^Until/, atMs - dayMs + 60_000);
  const words = 'Nothing was recorded in this period. Choose another period or camera.';
  await expect(dialog.getByText(words)).toBeVisible();
  await dialog.getByRole('button', { name: 'Start export' }).click();
  await expect(dialog.getByText(words)).toBeVisible();
  expect((await get<{ count: number }>('/secure-api/recordings/exports/')).count).toBe(0);
});

/** As the browser's own field takes it: the reader's clock, to the second. */
async function typeMoment(dialog: Locator, label: RegExp, ms: number): Promise<void> {
  const field = dialog.getByLabel(label);
  const typed = await field.evaluate((_, at) => {
    const moment = new Date(at - new Date(at).getTimezoneOffset() * 60_000);
    return moment.toISOString().slice(0, 19);
  }, ms);
  await field.fill(typed);
}

test('~REC-035 settings that do not do are refused at their field, and none is kept', async ({
  page,
}) => {
  const read = () => get<RecordingSettings>(`${base()}recording_settings/`);
  const before = await read();
  await signInOn(page, nazar);
  await open(page);
  await page.getByRole('button', { name: 'Recording Settings' }).click();
  const dialog = page.getByRole('dialog');
  const save = dialog.getByRole('button', { name: 'Save Changes' });
  const days = dialog.getByLabel('Retention (days)');
  for (const wrong of ['0', '366', '1.5']) {
    await days.fill(wrong);
    await save.click();
    await expect(days).toHaveAttribute('aria-invalid', 'true');
    await expect(days).toHaveValue(wrong);
  }
  await days.fill('31');
  const path = dialog.getByLabel('Storage path');
  await path.fill('../x');
  await save.click();
  const words = "Recordings can't be kept there. Choose a folder below /recordings/.";
  await expect(dialog.getByText(words, { exact: true })).toBeVisible();
  await expect(path).toHaveValue('../x');
  await path.fill(before.storagePath);
  await dialog.getByRole('switch', { name: /^Schedule/ }).click();
  await dialog.getByRole('button', { name: 'Add a time' }).click();
  await dialog.getByLabel('Start of time 1').fill('10:00');
  await dialog.getByLabel('End of time 1').fill('09:00');
  await save.click();
  await expect(dialog.getByText(/^The end must be after the start\./)).toBeVisible();
  expect(await read()).toEqual(before);
});

test('playback continues after a pause that outlives its ticket', async ({ page }) => {
  test.setTimeout(60_000);
  await signInOn(page, nazar);
  await open(page, `?at=${new Date(startOf(1)).toISOString()}`);
  await play(page);
  await plays(page, startOf(1), startOf(2));
  await page.getByRole('button', { name: 'Pause' }).click();
  // Tickets live in the server's memory: what a server that begins anew is asked for is as late as after six minutes.
  const before = nazar.serverPid;
  kill(before);
  await until(
    'another server',
    async () => pidOf(),
    (pid) => pid !== null && pid !== before,
    20_000,
  );
  await until('it answers', isThere, (there) => there, 30_000);
  await play(page);
  const fromMs = (await shownMs(page)) ?? startOf(1);
  await expect.poll(() => shownMs(page), { timeout: 30_000 }).toBeGreaterThan(fromMs + 1000);
});

function pidOf(): number | null {
  try {
    return nazar.serverPid;
  } catch {
    return null;
  }
}

async function isThere(): Promise<boolean> {
  try {
    return (await nazar.call('GET', base(), { access })).ok;
  } catch {
    return false;
  }
}

test('a fifth account that needs an encoded copy is asked to wait', async ({ page }) => {
  test.setTimeout(90_000);
  const points = [
    [0.5, 0],
    [1, 0],
    [1, 1],
    [0.5, 1],
  ];
  const draw = (zones: object[]) =>
    nazar.call('PUT', `${base()}zones/`, { access, body: { zones } });
  expect((await draw([{ kind: 'privacy', name: 'Right', points }])).ok).toBe(true);
  const body = { from: recording.startTime, until: recording.endTime };
  // One account alone would give up its own oldest.
  const tokens: string[] = [];
  for (let each = 0; each < 4; each++) {
    const who = { email: `viewer-${each}@example.org`, password };
    createPerson(nazar, { email: who.email, role: 'user', lastName: 'User' });
    await grantCamera(nazar, access, { ...who, cameraId, capabilities: ['live', 'recordings'] });
    const login = await nazar.call('POST', '/secure-api/accounts/login/', { body: who });
    tokens.push(((await login.json()) as { access: string }).access);
  }
  await signInOn(page, nazar, viewer);
  // At the end: a copy that no player asks for is given up after 20 s, in which a slow machine makes accounts.
  for (const token of tokens) {
    const { playlist } = await nazar.post<PlaybackTicket>(`${base()}playback/`, token, body);
    expect((await nazar.call('GET', playlist)).status).toBe(200);
  }
  await open(page, `?recording=${recording.id}`);
  await expect(page.getByText(/^At most 4 /)).toBeVisible({ timeout: 20_000 });
  expect(await shownMs(page)).toBeNull();
  expect((await draw([])).ok).toBe(true);
  await plays(page, startOf(0), startOf(1));
});

/** The files of the camera, in the order of time: their names begin with it. */
const filesOf = (): string[] =>
  readdirSync(join(folder(), cameraId), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.mp4'))
    .toSorted()
    .map((name) => join(folder(), cameraId, name));

test('a file that is gone is passed over, the first one too, and what is missing is reported', async ({
  page,
}) => {
  test.setTimeout(90_000);
  const files = filesOf();
  expect(files).toHaveLength(segments.length);
  renameSync(files[0]!, `${files[0]}.aside`);
  await signInOn(page, nazar);
  await open(page, `?at=${new Date(startOf(0)).toISOString()}`);
  await expect(page.getByText(/^No recording from /)).toBeVisible();
  await plays(page, startOf(1), startOf(2));
  renameSync(`${files[0]}.aside`, files[0]!);
  renameSync(files[2]!, `${files[2]}.aside`);
  // The file before it plays to its end, although what comes next is asked for long before.
  await open(page, `?at=${new Date(startOf(2) - 3000).toISOString()}`);
  await play(page);
  const seen: number[] = [];
  await expect
    .poll(async () => seen.push((await shownMs(page)) ?? 0) && seen.at(-1), {
      timeout: 20_000,
      intervals: [50],
    })
    .toBeGreaterThan(startOf(3));
  expect(Math.max(...seen.filter((ms) => ms < startOf(2)))).toBeGreaterThan(startOf(2) - 600);
  renameSync(`${files[2]}.aside`, files[2]!);
});

test('R-08 a disk that is away is reported, and what was asked for plays when it is back', async ({
  page,
}) => {
  test.setTimeout(90_000);
  const aside = `${folder()}-aside`;
  await signInOn(page, nazar);
  await page.goto(`${nazar.origin}/cameras`);
  renameSync(folder(), aside);
  const other = await page.context().newPage();
  await open(other, `?at=${new Date(startOf(1)).toISOString()}`);
  await expect(
    other.getByText("The disk with this recording isn't available right now."),
  ).toBeVisible({ timeout: 20_000 });
  await toggle(true);
  const words = "Not recording: the disk isn't available";
  await expect(page.getByText(words)).toBeVisible({ timeout: 10_000 });
  await toggle(false);
  expect(existsSync(folder())).toBe(false);
  renameSync(aside, folder());
  await plays(other, startOf(1), startOf(2));
});
