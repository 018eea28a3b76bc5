/** What is handed over: a film of the second asked for, with its proof; evidence that stays; what deleting leaves. */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { Demuxer } from 'node-av/api';
import { AV_PKT_FLAG_DISCARD } from 'node-av/constants';
import type { Grant } from '@nazar/contract/access.ts';
import type { LoginReply } from '@nazar/contract/accounts.ts';
import type { DownloadTicket, ExportEstimate, RecordingExport } from '@nazar/contract/exports.ts';
import type { PlaybackTicket } from '@nazar/contract/playback.ts';
import type { Hold } from '@nazar/contract/recording-plans.ts';
import type { CameraTimeline, Recording, Segment } from '@nazar/contract/recordings.ts';
import { contentsOf } from '../server/src/testing/film.ts';
import { untilLive } from './cameras.ts';
import { makeFilm, smallFilm } from './farm/film.ts';
import { RtspCamera } from './farm/rtsp-camera.ts';
import { administrator, Installation, until } from './installation.ts';
import { choose, look } from './look.ts';
import { signInOn, type Account } from './people.ts';
import { test } from './test.ts';

test.describe.configure({ mode: 'serial' });

/** Longer than what is recorded of it: each picture has a number of its own. */
const film = makeFilm({ ...smallFilm, pictures: 100 * smallFilm.fps });
const proof = { password: administrator.password };
const base = '/secure-api/recordings';
/** Clocks are read in milliseconds, pictures come each 40. */
const latePictures = 2;

let nazar: Installation;
let access: string;
let cameraId: string;
let recording: Recording;
let made: RecordingExport;
const farm = new AsyncDisposableStack();

interface Listed<T> {
  readonly count: number;
  readonly results: T[];
}

const get = <T>(path: string) => nazar.get<T>(path, access);
const post = <T>(path: string, body: object) => nazar.post<T>(path, access, body);
const refused = async (method: string, path: string, body: object = {}) => {
  const reply = await nazar.call(method, path, { access, body });
  return [reply.status, ((await reply.json()) as { code: string }).code];
};

test.beforeAll(async () => {
  nazar = await Installation.ready();
  access = await nazar.signIn();
  const camera = farm.use(await RtspCamera.start({ film }));
  const form = {
    name: 'Вход "2"',
    location: 'Farm',
    type: 'rtsp',
    status: 'active',
    url: camera.url,
  };
  cameraId = (await nazar.addUnrecorded(access, form)).id;
  await untilLive(nazar, access, cameraId, 30_000);
});
test.afterAll(async () => {
  await nazar.remove();
  await farm.disposeAsync();
});

async function switchRecording(is_recording: boolean): Promise<void> {
  const path = `/secure-api/cameras/${cameraId}/toggle_recording/`;
  const reply = await nazar.call('PATCH', path, { access, body: { is_recording } });
  expect(reply.status).toBe(200);
}

/** Records by hand until so many seconds are there, and stops. */
async function record(seconds: number): Promise<Recording> {
  const list = () => get<Listed<Recording>>(`${base}/?camera=${cameraId}`);
  await switchRecording(true);
  const isLong = ({ results: [one] }: Listed<Recording>) =>
    one !== undefined && one.isActive && Date.now() - Date.parse(one.startTime) > seconds * 1000;
  await until('it was recorded', list, isLong, (seconds + 30) * 1000);
  await switchRecording(false);
  const isOver = ({ results: [one] }: Listed<Recording>) => one?.isActive === false;
  return (await until('it is stopped', list, isOver, 30_000)).results[0]!;
}

async function exported(from: string, end: string): Promise<RecordingExport> {
  const fields = { cameras: [cameraId], from, until: end };
  const { results } = await post<Listed<RecordingExport>>(`${base}/exports/`, fields);
  const read = () => get<RecordingExport>(`${base}/exports/${results[0]!.id}/`);
  return until(
    'the export is over',
    read,
    ({ status }) => ['done', 'failed'].includes(status),
    60_000,
  );
}

/** As a browser saves it: by the ticket alone. */
async function download(
  id: string,
): Promise<{ bytes: Buffer; disposition: string; status: number }> {
  const { address } = await post<DownloadTicket>(`${base}/exports/${id}/ticket/`, {});
  const reply = await nazar.call('GET', address);
  const bytes = Buffer.from(await reply.arrayBuffer());
  return {
    bytes,
    disposition: reply.headers.get('content-disposition') ?? '',
    status: reply.status,
  };
}

/** The pictures that a player shows: those before the edit list's beginning are only decoded. */
async function shownIn(file: string): Promise<number[]> {
  await using media = await Demuxer.open(file);
  let hidden = 0;
  for await (const packet of media.packets(media.video()!.index)) {
    if (packet?.hasFlags(AV_PKT_FLAG_DISCARD) === true) hidden += 1;
    packet?.free();
  }
  return (await contentsOf(file)).numbers.slice(hidden);
}

/** Which picture of the film was recorded at a moment, by the file that holds it. */
async function pictureAt(momentMs: number): Promise<number> {
  const { results } = await get<Listed<Segment>>(`${base}/${recording.id}/segments/`);
  const segment = results.find(
    ({ started_at, ended_at }) =>
      Date.parse(started_at) <= momentMs && momentMs < Date.parse(ended_at!),
  );
  const file = join(nazar.folder, 'segment.mp4');
  const reply = await nazar.call('GET', `${base}/segments/${segment!.id}/file/`, { access });
  writeFileSync(file, Buffer.from(await reply.arrayBuffer()));
  const { numbers } = await contentsOf(file);
  const laterMs = momentMs - Date.parse(segment!.started_at);
  return numbers[0]! + Math.round((laterMs / 1000) * film.fps);
}

test('~REC-010 an export begins at the second asked for and has its camera’s own letters', async () => {
  test.setTimeout(120_000);
  recording = await record(24);
  const fromMs = Math.ceil(Date.parse(recording.startTime) / 1000) * 1000 + 4000;
  // Over the border of two files.
  const [from, end] = [new Date(fromMs).toISOString(), new Date(fromMs + 9000).toISOString()];
  const asked = { cameras: [cameraId], from, until: end };
  const estimates = await post<Listed<ExportEstimate>>(`${base}/exports/estimate/`, asked);
  expect(estimates.results[0]!.seconds).toBeCloseTo(9, 1);
  made = await exported(from, end);
  expect([made.status, made.fault]).toEqual(['done', null]);
  const { bytes, disposition, status } = await download(made.id);
  expect(status).toBe(200);
  expect(decodeURIComponent(disposition)).toContain(`UTF-8''${made.file_name}`);
  expect(made.file_name).toMatch(/^Вход-2-\d{8}T\d{6}Z\.mp4$/);
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(made.sha256);
  const file = join(nazar.folder, 'film.mp4');
  writeFileSync(file, bytes);
  const numbers = await shownIn(file);
  const late = Math.abs(numbers[0]! - (await pictureAt(fromMs)));
  console.log(`  the first picture is ${late} pictures from the second asked for`);
  expect(late).toBeLessThanOrEqual(latePictures);
  expect(Math.abs(numbers.length - 9 * film.fps)).toBeLessThanOrEqual(latePictures);
});

test('C-408 verify-export accepts it, and refuses it with any byte changed or its end cut off', async () => {
  const { bytes } = await download(made.id);
  const verdict = (name: string, changed: Buffer) => {
    const file = join(nazar.folder, name);
    writeFileSync(file, changed);
    const { code, said } = nazar.recordings(['verify-export', file]);
    return [code, /^[A-Z]+/.exec(said)?.[0]];
  };
  expect(verdict('whole.mp4', bytes)[0]).toBe(0);
  const changedAt = (at: number): Buffer => {
    const changed = Buffer.from(bytes);
    changed[at]! ^= 1;
    return changed;
  };
  // Bytes of the film, and of the signature at its end.
  for (const [index, at] of [40, bytes.length >> 1, bytes.length - 32].entries())
    expect(verdict(`changed-${index}.mp4`, changedAt(at)), `byte ${at}`).toEqual([1, 'CHANGED']);
  // A hash of the manifest: it is another one, or none at all, which is no manifest.
  const [code, word] = verdict('manifest.mp4', changedAt(bytes.length - 200));
  expect([code, ['CHANGED', 'NO'].includes(`${word}`)]).toEqual([1, true]);
  expect(verdict('cut.mp4', bytes.subarray(0, -1))).toEqual([1, 'NO']);
});

async function openRecordings(page: Page, as: Account = administrator): Promise<void> {
  await signInOn(page, nazar, as.email, as.password);
  await page.goto(`${nazar.origin}/recordings/${cameraId}?recording=${recording.id}`);
  await page.getByRole('button', { name: 'Export...' }).waitFor();
}

/** As ISO 8601 has it, which the field takes in every language: the reader's clock, to the second. */
async function typeMoment(page: Page, label: RegExp, ms: number): Promise<void> {
  const typed = await page.evaluate((at) => {
    const moment = new Date(at - new Date(at).getTimezoneOffset() * 60_000);
    return moment.toISOString().slice(0, 19);
  }, ms);
  await page.getByRole('dialog').getByLabel(label).fill(typed);
}

for (const theme of ['light', 'dark']) {
  test(`~REC-010 a period is typed, exported, saved and verified on the page, ${theme}`, async ({
    page,
  }) => {
    test.setTimeout(180_000);
    const wrong: string[] = [];
    await choose(page.context(), 'en', theme);
    await openRecordings(page);
    await page.getByRole('button', { name: 'Export...' }).click();
    const fromMs = Math.ceil(Date.parse(recording.startTime) / 1000) * 1000 + 4000;
    await typeMoment(page, /^From/, fromMs);
    await typeMoment(page, /^Until/, fromMs + 25 * 3_600_000);
    const dialog = page.getByRole('dialog', { name: 'Export recordings' });
    await expect(dialog.getByText('Choose at most 24 hours at once.')).toBeVisible();
    await look(page, `export-wrong-${theme}`, wrong);
    // The new one comes above those of before, once it is ready.
    const before = await get<Listed<RecordingExport>>(`${base}/exports/`);
    const saves = dialog.getByRole('button', { name: /^Download export/ });
    await typeMoment(page, /^Until/, fromMs + 9000);
    await expect(dialog.getByText(/^0:00:09 recorded, about /)).toBeVisible();
    await dialog.getByRole('button', { name: 'Start export' }).click();
    await expect(saves).toHaveCount(before.results.length + 1, { timeout: 60_000 });
    await look(page, `exports-${theme}`, wrong);
    const saving = page.waitForEvent('download');
    await saves.first().click();
    const saved = await saving;
    expect(saved.suggestedFilename()).toMatch(/^Вход-2-\d{8}T\d{6}Z\.mp4$/);
    const hash = createHash('sha256')
      .update(readFileSync(await saved.path()))
      .digest('hex');
    await dialog
      .getByRole('button', { name: /^How to verify/ })
      .first()
      .click();
    const verify = page.getByRole('dialog', { name: 'Verify this export' });
    await expect(verify.getByLabel('SHA-256')).toHaveValue(hash);
    await look(page, `verify-${theme}`, wrong);
    expect(wrong).toEqual([]);
  });
}

test('a moment is marked and found again, a recording held and released, by keyboard alone', async ({
  page,
}) => {
  test.setTimeout(120_000);
  const wrong: string[] = [];
  await openRecordings(page);
  const mark = page.getByRole('button', { name: 'Add bookmark' });
  await expect(mark).toBeEnabled({ timeout: 30_000 });
  await mark.focus();
  await page.keyboard.press('Enter');
  await page.keyboard.type('A parcel');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: /^Show .*: A parcel$/ })).toBeVisible();
  await expect(mark).toBeFocused();
  await look(page, 'handover', wrong);
  await page.getByRole('button', { name: 'Holds...' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Hold recordings of Вход' });
  await dialog.getByLabel(/^Reason/).focus();
  await page.keyboard.type('Case 16');
  await dialog.getByRole('button', { name: 'Hold', exact: true }).focus();
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('Case 16')).toBeVisible();
  await look(page, 'hold', wrong);
  await page.keyboard.press('Escape');
  await expect(
    page.getByText("This recording is held as evidence and can't be deleted."),
  ).toBeVisible();
  await expect(page.getByRole('button', { name: 'Delete', exact: true })).toBeDisabled();
  await look(page, 'held', wrong);
  await page.getByRole('button', { name: 'Holds...' }).focus();
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Release hold: Case 16' }).focus();
  await page.keyboard.press('Enter');
  const question = page.getByRole('alertdialog', { name: 'Release this hold?' });
  await question.getByRole('button', { name: 'Release hold' }).focus();
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('No holds')).toBeVisible();
  expect(wrong).toEqual([]);
});

test('C-304 C-308 an export is its maker’s and the administrators’, and closed once the grant is taken', async ({
  page,
}) => {
  const guard = { email: 'guard@example.org', password: 'a-quiet-horse-9-staple' };
  const words = ['create', '--email', guard.email, '--password', guard.password];
  expect(
    nazar.admin([...words, '--role', 'user', '--first-name', 'Night', '--last-name', 'Guard']).code,
  ).toBe(0);
  const signedIn = await nazar.call('POST', '/secure-api/accounts/login/', { body: guard });
  const { access: theirs, user } = (await signedIn.json()) as LoginReply;
  const asGuard = async (method: string, path: string, body?: object) => {
    const reply = await nazar.call(method, path, { access: theirs, ...(body && { body }) });
    return { status: reply.status, body: await reply.json() };
  };
  const of = { cameras: [cameraId], from: made.from, until: made.until };
  expect((await asGuard('POST', `${base}/exports/`, of)).status).toBe(404);
  const given = await nazar.call('PUT', '/secure-api/cameras/grants/', {
    access,
    body: {
      to: { type: 'user', id: user.id },
      of: { type: 'camera', id: cameraId },
      capabilities: ['live', 'recordings'],
    },
  });
  const grant = (await given.json()) as Grant;
  const added = (await asGuard('POST', `${base}/exports/`, of)).body as Listed<RecordingExport>;
  const own = added.results[0]!;
  expect(((await asGuard('GET', `${base}/exports/`)).body as Listed<object>).count).toBe(1);
  expect((await asGuard('GET', `${base}/exports/${made.id}/`)).status).toBe(404);
  expect((await asGuard('GET', `${base}/holds/`)).status).toBe(403);
  const seen = () => get<RecordingExport>(`${base}/exports/${own.id}/`);
  const done = await until('it is made', seen, ({ status }) => status === 'done', 60_000);
  expect(done.created_by).toEqual({ id: user.id, name: 'Night Guard' });
  expect((await asGuard('POST', `${base}/exports/${own.id}/ticket/`, {})).status).toBe(201);
  await openRecordings(page, guard);
  await expect(page.getByRole('button', { name: 'Holds...' })).toBeHidden();
  await page.getByRole('tab', { name: 'Exports' }).click();
  const save = page.getByRole('button', { name: /^Download export/ });
  await expect(save).toHaveCount(1);
  const taken = await nazar.call('DELETE', `/secure-api/cameras/grants/${grant.id}/`, { access });
  expect(taken.status).toBe(204);
  expect((await asGuard('POST', `${base}/exports/${own.id}/ticket/`, {})).status).toBe(404);
});

test('exports that cannot be made are refused, each with its own word', async () => {
  const [from, later] = [recording.startTime, recording.endTime!];
  const day = (hours: number) => new Date(Date.parse(from) + hours * 3_600_000).toISOString();
  const asked = { cameras: [cameraId], from, until: later };
  for (const wrong of [
    { ...asked, from: later, until: from },
    { ...asked, until: day(25) },
    { ...asked, cameras: [] },
    { ...asked, from: '2026-13-40' },
  ]) {
    const reply = await nazar.call('POST', `${base}/exports/`, { access, body: wrong });
    expect(reply.status).toBe(400);
  }
  const nothing = await exported('2020-01-15T10:00:00Z', '2020-01-15T11:00:00Z');
  expect([nothing.status, nothing.fault]).toEqual(['failed', 'nothing_recorded']);
  const unknown = { ...asked, cameras: ['00000000-0000-4000-8000-000000000000'] };
  expect(await refused('POST', `${base}/exports/`, unknown)).toEqual([404, 'camera_not_found']);
});

test('C-407 ~REC-011 evidence is not deleted, not even with proof; released it is, and leaves its gap', async () => {
  const held = { camera: cameraId, from: recording.startTime, until: recording.endTime! };
  const hold = await post<Hold>(`${base}/holds/`, { ...held, reason: 'Case 17' });
  const path = `${base}/${recording.id}/`;
  expect((await get<Recording>(path)).held).toBe(true);
  expect(await refused('DELETE', path, proof)).toEqual([409, 'recording_held']);
  const query = new URLSearchParams(held).toString();
  const which = await get<Listed<Hold>>(`${base}/holds/?${query}`);
  expect(which.results.map(({ reason, created_by }) => [reason, created_by?.name])).toEqual([
    ['Case 17', `${administrator.first} ${administrator.last}`],
  ]);
  expect((await nazar.call('DELETE', `${base}/holds/${hold.id}/`, { access })).status).toBe(204);
  const unproven = await nazar.call('DELETE', path, { access, body: {} });
  expect([400, 403]).toContain(unproven.status);
  expect((await nazar.call('DELETE', path, { access, body: proof })).status).toBe(204);
  const times = new URLSearchParams({ from: held.from, until: held.until }).toString();
  const timeline = await get<CameraTimeline>(`/secure-api/cameras/${cameraId}/timeline/?${times}`);
  expect(timeline.spans).toEqual([]);
  expect(timeline.gaps.map(({ cause }) => cause)).toEqual(['deleted']);
});

test('a deleted camera’s held film is found, played and exported by an administrator', async () => {
  test.setTimeout(120_000);
  recording = await record(12);
  const [from, end] = [recording.startTime, recording.endTime!];
  await post<Hold>(`${base}/holds/`, { camera: cameraId, from, until: end, reason: 'Case 18' });
  expect((await nazar.call('DELETE', `/secure-api/cameras/${cameraId}/`, { access })).status).toBe(
    204,
  );
  const deleted = await get<{ results: { id: string; recordings: number }[] }>(
    `${base}/deleted_cameras/`,
  );
  expect(deleted.results).toMatchObject([{ id: cameraId, recordings: 1 }]);
  const { results } = await get<Listed<Recording>>(`${base}/?camera=${cameraId}`);
  expect(results).toMatchObject([{ id: recording.id, cameraDeleted: true, held: true }]);
  const playback = `/secure-api/cameras/${cameraId}/playback/`;
  const { playlist } = await post<PlaybackTicket>(playback, { from, until: end });
  const files = (await (await nazar.call('GET', playlist)).text()).match(/^[^#\s].*$/gm) ?? [];
  expect(files.length).toBeGreaterThan(0);
  const first = await nazar.call(
    'GET',
    new URL(files[0]!, nazar.origin + playlist).href.slice(nazar.origin.length),
  );
  expect([first.status, first.headers.get('content-type')]).toEqual([200, 'video/mp4']);
  const film = await exported(from, end);
  expect([film.status, film.camera_name]).toEqual(['done', 'Вход "2"']);
  const { bytes } = await download(film.id);
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(film.sha256);
  expect(await refused('DELETE', `${base}/${recording.id}/`, proof)).toEqual([
    409,
    'recording_held',
  ]);
});
