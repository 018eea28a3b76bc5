/**
 * A recording folder whose disk hangs: a FIFO stands in the place of its mark, so whatever opens that waits for ever.
 * Nothing else waits, and nothing of the folder is given up.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Camera } from '@nazar/contract/cameras.ts';
import { call, testServer, type SignedIn } from '#testing/server.ts';
import { until } from '#testing/until.ts';

const url = 'rtsp://192.168.7.3/stream';
const folders = ['one', 'two'] as const;

/** Two folders that are named by an administrator, each with a camera that is to be recorded there. */
async function twoFolders() {
  await using stack = new AsyncDisposableStack();
  const paths = folders.map((name) => mkdtempSync(join(tmpdir(), `nazar-folder-${name}-`)));
  for (const path of paths) stack.defer(() => rmSync(path, { recursive: true, force: true }));
  const recordingFolders = paths.map((path) => ({ path, isOwn: false }));
  const world = stack.use(await testServer({ recordingFolders, openRecordingFolder: undefined }));
  const admin = await world.signIn('superadmin');
  const cameras: string[] = [];
  for (const [index, name] of folders.entries()) {
    const fields = { name, url, location: 'Hall', status: 'active' };
    const added = await admin.send('POST', '/secure-api/cameras/', fields);
    assert.equal(added.status, 201, added.text);
    const { id } = added.json<Camera>();
    cameras.push(id);
    const storagePath = `/recordings${index === 0 ? '' : '-2'}/${name}/`;
    const settings = { storagePath, continuousRecording: true };
    const saved = await admin.send(
      'PATCH',
      `/secure-api/cameras/${id}/recording_settings/`,
      settings,
    );
    assert.equal(saved.status, 200, saved.text);
  }
  const built = stack.move();
  return { world, admin, paths, cameras, [Symbol.asyncDispose]: () => built.disposeAsync() };
}

/** The disk hangs until what is returned is called. */
function hang(folder: string): () => void {
  const mark = join(folder, 'nazar-root.json');
  const text = readFileSync(mark, 'utf8');
  rmSync(mark);
  execFileSync('mkfifo', [mark]);
  // A folder others may write to: so it opens, and every read waits.
  const writer = openSync(mark, 'r+');
  return () => {
    writeFileSync(`${mark}.new`, text);
    renameSync(`${mark}.new`, mark);
    closeSync(writer);
  };
}

const stateOf = async (admin: SignedIn, id: string): Promise<string> =>
  (await admin.get(`/secure-api/cameras/${id}/`)).json<Camera>().recording_state;

test('while a recording folder hangs the server answers, and other folders are used as before', async () => {
  await using it = await twoFolders();
  const { world, admin, paths, cameras } = it;
  const health = async () => (await call(world.app, 'GET', '/healthz')).status;
  assert.equal(await health(), 200);
  const answers = hang(paths[0]!);
  // Whatever asks for the folder: the plan of what is recorded, and what the page of recordings shows.
  const sent = admin.send('PATCH', `/secure-api/cameras/${cameras[0]}/recording_settings/`, {
    retentionDays: 20,
  });
  assert.equal(await health(), 200, 'health does not wait for the disk');
  assert.equal((await sent).status, 200);
  assert.equal(await stateOf(admin, cameras[0]!), 'disk_hung');
  assert.notEqual(await stateOf(admin, cameras[1]!), 'disk_hung', 'the other goes on');
  const statistics = await admin.get('/secure-api/recordings/stats/');
  assert.equal(statistics.status, 200);
  answers();
  await until(async () => (await stateOf(admin, cameras[0]!)) !== 'disk_hung');
});
