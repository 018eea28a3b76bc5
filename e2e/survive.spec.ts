/** What `kill -9` of each process does, and what it does not do to the others. */
import { expect } from '@playwright/test';
import type { Camera } from '@nazar/contract/cameras.ts';
import { makeFilm } from './farm/film.ts';
import { RtspCamera } from './farm/rtsp-camera.ts';
import { administrator, Installation, kill, until } from './installation.ts';
import { test } from './test.ts';

test.describe.configure({ mode: 'serial' });

let nazar: Installation;
let farm: RtspCamera;
let access: string;
let cameraId: string;

const health = async (): Promise<Camera['health']> =>
  (await nazar.get<Camera>(`/secure-api/cameras/${cameraId}/`, access)).health;
const isLive = ({ state }: Camera['health']): boolean => state === 'live';
const answers = async (): Promise<boolean> =>
  (await fetch(`${nazar.origin}/healthz`).catch(() => null))?.ok ?? false;

test.beforeAll(async () => {
  farm = await RtspCamera.start({ film: makeFilm(), behaviour: { kind: 'ok' } });
  nazar = await Installation.ready();
  access = await nazar.signIn();
  const camera = await nazar.post<Camera>('/secure-api/cameras/', access, {
    name: 'Door',
    location: 'Hall',
    type: 'rtsp',
    status: 'active',
    url: farm.url,
  });
  cameraId = camera.id;
  await until('live', health, isLive, 40_000);
});
test.afterAll(async () => {
  await nazar.remove();
  await farm[Symbol.asyncDispose]();
});

test('R-06 a killed media host is back with its camera; the server goes on', async () => {
  const [before] = nazar.pids('media-1.sock');
  const server = nazar.serverPid;
  kill(before!);
  await until(
    'another host',
    () => nazar.pids('media-1.sock')[0],
    (pid) => pid !== before && !!pid,
    30_000,
  );
  await until('live again', health, isLive, 40_000);
  expect(nazar.serverPid).toBe(server);
});

test('R-06 a killed vision host is back; the camera does not notice', async () => {
  const since = (await health()).since;
  const [before] = nazar.pids('vision-1.sock');
  kill(before!);
  await until(
    'another host',
    () => nazar.pids('vision-1.sock')[0],
    (pid) => pid !== before && !!pid,
    30_000,
  );
  expect((await health()).since).toBe(since);
});

test('R-16 a killed PostgreSQL is back; camera and server go on, sessions hold', async () => {
  const since = (await health()).since;
  const [server, postgres] = [nazar.serverPid, nazar.postgresPid];
  kill(postgres);
  await until(
    'another PostgreSQL',
    () => nazar.postgresPid,
    (pid) => pid !== postgres,
    40_000,
  );
  await until('answers', health, isLive, 40_000);
  expect((await health()).since).toBe(since);
  expect(nazar.serverPid).toBe(server);
});

test('R-18, C-209 a killed server is back, adopts its hosts, and no one is signed out', async () => {
  const [server, postgres] = [nazar.serverPid, nazar.postgresPid];
  const hosts = [...nazar.pids('media-1.sock'), ...nazar.pids('vision-1.sock')];
  kill(server);
  await until('gone', answers, (is) => !is, 5_000);
  await until('answers', answers, (is) => is, 40_000);
  await until('live', health, isLive, 40_000);
  expect(nazar.postgresPid).toBe(postgres);
  expect([...nazar.pids('media-1.sock'), ...nazar.pids('vision-1.sock')]).toEqual(hosts);
});

test('R-01 after a kill of everything it starts again with all it had', async () => {
  await nazar.killAll();
  await nazar.start();
  access = await nazar.signIn();
  expect((await nazar.get<Camera>(`/secure-api/cameras/${cameraId}/`, access)).name).toBe('Door');
  await until('live', health, isLive, 40_000);
});

test('a second instance on the same data folder is refused with one sentence', async () => {
  const other = await nazar.beside();
  await expect(other.start()).rejects.toThrow(/Another Nazar .* is using/);
});

test('R-19 a stop leaves nothing running', async () => {
  await nazar.stop();
  expect(nazar.pids('.sock')).toEqual([]);
  expect(await answers()).toBe(false);
});

test('npm run admin works on a stopped installation and refuses weak passwords', async () => {
  const words = ['create', '--email', 'second@example.org', '--role', 'admin', '--password'];
  const weak = nazar.admin([...words, 'eleven-char']);
  expect(weak.code).toBe(1);
  expect(weak.said).toMatch(/12 characters/);
  expect(nazar.admin([...words, administrator.password]).code).toBe(0);
  expect(nazar.admin(['reset', '--email', 'second@example.org']).code).toBe(0);
  expect(nazar.admin(['reset', '--email', 'nobody@example.org']).code).toBe(1);
});
