/** Changing models by the calls alone, with real hosts: the shipped networks under another name are another pack. */
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Face } from '@nazar/contract/faces.ts';
import type { ModelsReply } from '@nazar/contract/models.ts';
import type { RecognizedPicture } from '@nazar/contract/recognition.ts';
import { systemClock } from '#lib/clock.ts';
import { testServer, type SignedIn, type TestServer } from '#testing/server.ts';
import { until } from '#testing/until.ts';
import { needModels, shippedKey } from '#testing/vision.ts';
import { modelsDir } from '#vision/packs/installed-packs.ts';
import { shippedPack } from '#vision/packs/shipped-pack.ts';
import { demoFiles } from '#app/demo-files.ts';
import { makeDemo } from './make-demo.ts';

const faces = '/secure-api/faces/';
const models = '/secure-api/system/models/';
const addedModelsDir = mkdtempSync(join(tmpdir(), 'nazar-added-'));
let world: TestServer;
let admin: SignedIn;

before(
  async () => {
    needModels();
    await makeDemo();
    const place = join(addedModelsDir, 'other');
    cpSync(join(modelsDir, shippedPack.id), place, { recursive: true });
    const description = { ...shippedPack, id: 'other', version: '7' };
    writeFileSync(join(place, 'pack.json'), JSON.stringify(description));
    world = await testServer({ visionHosts: 1, clock: systemClock, addedModelsDir });
    admin = await world.signIn('admin');
  },
  { timeout: 60_000 },
);
after(async () => {
  await world[Symbol.asyncDispose]();
  rmSync(addedModelsDir, { recursive: true, force: true });
});

async function post<T>(url: string, fields: Record<string, string>, photo: Buffer): Promise<T> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('image', new Blob([new Uint8Array(photo)]), 'photo.jpg');
  const request = new Request('http://localhost/', { method: 'POST', body: form });
  const reply = await world.app.inject({
    method: 'POST',
    url,
    headers: {
      host: 'localhost',
      authorization: `Bearer ${admin.access}`,
      'content-type': request.headers.get('content-type')!,
    },
    payload: Buffer.from(await request.arrayBuffer()),
  });
  assert.ok(reply.statusCode < 300, reply.body);
  return reply.json<T>();
}

const read = async (): Promise<ModelsReply> => (await admin.get(models)).json<ModelsReply>();

/** Until those models serve, loaded. */
async function changeTo(model: string): Promise<void> {
  const { status, text } = await admin.send('POST', `${models}use/`, { model });
  assert.equal(status, 202, text);
  await until(async () => {
    // Networks are loaded meanwhile, on the same machine.
    await systemClock.wait(100);
    const { serving, change } = await read();
    return change === null && serving.id === model && serving.is_loaded;
  });
}

test('another pack is in use: enrolled people are known by it, and by the previous one after going back', async () => {
  const photos = demoFiles().photos.map((path) => readFileSync(path));
  const { results } = (await admin.get(`${faces}categories/`)).json<{
    results: { id: string }[];
  }>();
  const category = results[0]!.id;
  const people: Face[] = [];
  for (const [i, photo] of photos.entries()) {
    const fields = { first_name: `Person${i}`, last_name: 'Example', category };
    people.push(await post<Face>(faces, fields, photo));
  }
  const knownBy = async (): Promise<(string | null)[][]> => {
    const seen: (string | null)[][] = [];
    for (const photo of photos) {
      const { faces: found } = await post<RecognizedPicture>(`${faces}recognize/`, {}, photo);
      seen.push(found.map(({ face, explanation }) => [face, explanation?.pack ?? null]).flat());
    }
    return seen;
  };
  const by = (pack: string): string[][] => people.map(({ id }) => [id, pack]);
  assert.deepEqual(await knownBy(), by(shippedKey));
  await changeTo('other');
  assert.deepEqual(await knownBy(), by('other@7'));
  assert.deepEqual((await read()).previous?.id, shippedPack.id);
  await changeTo(shippedPack.id);
  assert.deepEqual(await knownBy(), by(shippedKey));
});
