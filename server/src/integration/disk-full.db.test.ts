/**
 * R-08 on a whole installation whose disk is full: a tmpfs with database, record and recordings on it, which
 * another program fills to the last byte. Everything that is read is answered, what cannot be written is refused
 * in words, nothing that is evidence goes, and when there is room again it goes on by itself.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  globSync,
  mkdtempSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { LoginReply } from '@nazar/contract/accounts.ts';
import sharp from 'sharp';
import { makeFilm } from '@nazar/e2e/farm/film.ts';
import { RtspCamera } from '@nazar/e2e/farm/rtsp-camera.ts';
import { command, start, type Installation } from '#testing/installation.ts';
import { until } from '#testing/until.ts';
import { aCameraForm } from '#testing/world.ts';

/** More than 1 GiB, so that the database has its reserve. */
const diskMiB = 1_300;
/** With less room a disk is taken for full. */
const fullBytes = 16 * 1024 * 1024;
const email = 'administrator@example.org';
const password = 'correct-horse-7-staple';
const disk = mkdtempSync(join(tmpdir(), 'nazar-disk-'));
let camera: RtspCamera;
let nazar: Installation;
let access = '';

function mount(): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${diskMiB}m`, 'tmpfs', disk], {
      stdio: 'ignore',
    });
    return true;
  } catch {
    return false;
  }
}
const isMounted = mount();
const skip = !isMounted && 'no tmpfs may be mounted here';

before(async () => {
  if (!isMounted) return;
  chmodSync(disk, 0o711);
  const words = ['create', '--email', email, '--password', password, '--role', 'superadmin'];
  const { code, said } = await command('admin', words, disk);
  assert.equal(code, 0, said);
  camera = await RtspCamera.start({ film: makeFilm() });
  nazar = await start(disk, [], { CAMERA_ALLOW_LOOPBACK: '1' });
  const reply = await call('POST', '/secure-api/accounts/login/', { email, password });
  ({ access } = (await reply.json()) as LoginReply);
});
after(async () => {
  if (isMounted) {
    await camera?.[Symbol.asyncDispose]();
    execFileSync('umount', [disk]);
  }
  rmSync(disk, { recursive: true, force: true });
});

function call(method: string, path: string, body?: object): Promise<Response> {
  const headers = { authorization: `Bearer ${access}`, 'content-type': 'application/json' };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  return fetch(nazar.origin + path, { method, headers, ...sent });
}

async function answer<T>(method: string, path: string, body?: object): Promise<T> {
  const reply = await call(method, path, body);
  const text = await reply.text();
  assert.ok(reply.ok, `${method} ${path}: ${reply.status} ${text}`);
  return JSON.parse(text) as T;
}

/** Another program takes what is left, to the last byte. */
async function fill(name: string): Promise<string> {
  const path = join(disk, name);
  const taken = spawn('dd', ['if=/dev/zero', `of=${path}`, 'bs=64K'], { stdio: 'ignore' });
  const [code] = await once(taken, 'exit');
  assert.notEqual(code, 0, 'there was room for everything');
  return path;
}

/** Leaves less than a full disk has, and room for the row of that warning. */
async function fillBut(name: string): Promise<string> {
  const reserve = join(disk, 'reserve');
  writeFileSync(reserve, Buffer.alloc(fullBytes / 2));
  const path = await fill(name);
  rmSync(reserve);
  return path;
}

interface Timeline {
  readonly spans: readonly { readonly started_at: string; readonly ended_at: string }[];
  readonly gaps: readonly { readonly cause: string; readonly ended_at: string | null }[];
}

async function timelineOf(id: string): Promise<Timeline> {
  const [from, to] = [-600_000, 60_000].map((ms) => new Date(Date.now() + ms).toISOString());
  const query = `from=${from}&until=${to}&resolution_ms=0`;
  return answer('GET', `/secure-api/cameras/${id}/timeline/?${query}`);
}

/** The standing warnings of the disk. */
async function warned(): Promise<string[]> {
  const { results } = await answer<{ results: { kind: string }[] }>(
    'GET',
    '/secure-api/system/warnings/',
  );
  return results.map(({ kind }) => kind).filter((kind) => kind.startsWith('disk_'));
}

/** A recorded camera and, kept as evidence, its first segment, complete. */
async function recordedCamera() {
  const form = aCameraForm({ status: 'active', url: camera.url });
  const { id } = await answer<{ id: string }>('POST', '/secure-api/cameras/', form);
  const settings = `/secure-api/cameras/${id}/recording_settings/`;
  await answer('PATCH', settings, { continuousRecording: true });
  await until(async () => (await timelineOf(id)).spans.length > 0);
  const [{ started_at }] = (await timelineOf(id)).spans as [Timeline['spans'][number]];
  const end = new Date(Date.parse(started_at) + 1_000).toISOString();
  const hold = { camera: id, from: started_at, until: end, reason: 'A break-in' };
  await answer('POST', '/secure-api/recordings/holds/', hold);
  return { id, isHeld: (it: Timeline) => it.spans.some((span) => span.started_at === started_at) };
}

/** A recording that is over and not held. */
async function aRecording(): Promise<string> {
  const form = aCameraForm({ status: 'active', url: camera.url });
  const { id } = await answer<{ id: string }>('POST', '/secure-api/cameras/', form);
  const settings = `/secure-api/cameras/${id}/recording_settings/`;
  await answer('PATCH', settings, { continuousRecording: true });
  await until(async () => (await timelineOf(id)).spans.length > 0);
  await answer('PATCH', settings, { continuousRecording: false });
  let [found]: { id: string; isActive: boolean }[] = [];
  await until(async () => {
    const list = await answer<{ results: NonNullable<typeof found>[] }>(
      'GET',
      `/secure-api/recordings/?camera=${id}`,
    );
    [found] = list.results;
    return found?.isActive === false;
  });
  return found!.id;
}

/** A person with a photo. */
async function aPerson(firstName: string): Promise<string> {
  const { results } = await answer<{ results: { id: string }[] }>(
    'GET',
    '/secure-api/faces/categories/',
  );
  const background = { r: 90, g: 120, b: 160 };
  const photo = await sharp({ create: { width: 320, height: 320, channels: 3, background } })
    .png()
    .toBuffer();
  const form = new FormData();
  form.set('first_name', firstName);
  form.set('last_name', 'Example');
  form.set('category', results[0]!.id);
  form.append('uploaded_images', new Blob([new Uint8Array(photo)], { type: 'image/png' }), 'a.png');
  const headers = { authorization: `Bearer ${access}` };
  const reply = await fetch(`${nazar.origin}/secure-api/faces/`, {
    method: 'POST',
    headers,
    body: form,
  });
  const { id } = (await reply.json()) as { id?: string };
  assert.equal(reply.status, 201);
  return id!;
}

/** On the disk there is not one byte left. */
const freeBytes = (): number => {
  const { bavail, bsize } = statfsSync(disk);
  return bavail * bsize;
};

/**
 * What each database keeps of its catalogs for new sessions goes, as it does after a catalog was vacuumed. The next
 * session writes it anew, and does not begin where there is no room for it.
 */
function forgetCatalogs(): void {
  const folders = globSync(join(disk, 'postgres/data/{global,base/*}'));
  assert.ok(folders.length > 2);
  // Those of some may have gone by themselves.
  for (const folder of folders) rmSync(join(folder, 'pg_internal.init'), { force: true });
}

/**
 * Each of these writes is done or refused because there is no room; until one was refused. Room that a checkpoint of
 * the database gives back meanwhile is taken, too. Returns what took it.
 */
async function refused(): Promise<string[]> {
  const fillers: string[] = [];
  for (let tries = 1; tries <= 2_000; tries += 1) {
    if (tries % 20 === 0) fillers.push(await fill(`filler after ${tries}`));
    const reply = await call('POST', '/secure-api/cameras/', aCameraForm());
    const text = await reply.text();
    if (reply.status === 201) continue;
    assert.deepEqual(
      [reply.status, (JSON.parse(text) as { code: string }).code],
      [507, 'disk_full'],
    );
    return fillers;
  }
  return assert.fail('a full disk took everything');
}

test(
  'R-08 a full disk: what is there is read, what cannot be saved is refused in words, and it goes on when there is room',
  { skip, timeout: 240_000 },
  async () => {
    const serverPid = nazar.serverPid();
    const { id, isHeld } = await recordedCamera();
    const [erased, deleted] = [await aPerson('Ayla'), await aPerson('Murad')];
    const recording = await aRecording();
    await until(() => existsSync(join(disk, 'postgres/ballast')));
    const fillers = [await fill('filler')];
    assert.equal(freeBytes(), 0);
    await until(async () => (await warned()).length === 1);
    const gapOf = async () => (await timelineOf(id)).gaps.at(-1);
    await until(async () => (await gapOf())?.cause === 'disk');
    // The reserve of the database is freed, and taken, too.
    await until(() => !existsSync(join(disk, 'postgres/ballast')));
    // By it, people and recordings are deleted, which makes room.
    await answer('POST', `/secure-api/privacy/people/${erased}/erase/`, { password });
    assert.equal((await call('DELETE', `/secure-api/faces/${deleted}/`, {})).status, 204);
    const over = await call('DELETE', `/secure-api/recordings/${recording}/`, { password });
    // What is not held may have gone by itself to make room.
    assert.ok([204, 404].includes(over.status), await over.text());
    await answer('POST', '/secure-api/cameras/', aCameraForm());
    // Before the last byte: what is refused may want a new file of the database's log, and so would the warning.
    await until(async () => {
      // A checkpoint of the database gives back files of its log.
      if (freeBytes() >= fullBytes) fillers.push(await fillBut(`filler ${fillers.length}`));
      return (await warned())[0] === 'disk_full';
    });
    fillers.push(await fill('last filler'));
    fillers.push(...(await refused()));
    forgetCatalogs();
    fillers.push(await fill('very last filler'));
    const paths = ['cameras/', 'recordings/', 'activity-log/face-logs/', 'system/health/'];
    for (let round = 0; round < 4; round += 1) {
      await Promise.all([...paths, ...paths].map((path) => answer('GET', `/secure-api/${path}`)));
    }
    assert.ok(isHeld(await timelineOf(id)), 'evidence stays');
    for (const path of fillers) rmSync(path);
    await until(async () => (await gapOf())?.ended_at !== null);
    await until(async () => (await warned()).length === 0);
    await until(() => existsSync(join(disk, 'postgres/ballast')));
    await answer('POST', '/secure-api/cameras/', aCameraForm());
    assert.ok(isHeld(await timelineOf(id)));
    assert.equal(nazar.serverPid(), serverPid, 'the server has not ended meanwhile');
  },
);

test(
  'R-03 R-08 after a full disk index, files and chain agree',
  { skip, timeout: 60_000 },
  async () => {
    await nazar.stop();
    for (const [program, words] of [
      ['check-recordings', ['check']],
      ['audit', ['verify']],
    ] as const) {
      const { code, said } = await command(program, words, disk);
      assert.equal(code, 0, said);
    }
  },
);
