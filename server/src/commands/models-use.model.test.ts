/** Changing to a pack of another size and geometry as an administrator types it, while everything runs. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import type { RecognizedPicture } from '@nazar/contract/recognition.ts';
import {
  command,
  emptyDataFolder,
  start,
  type Installation,
  type Run,
} from '#testing/installation.ts';
import { needModels } from '#testing/vision.ts';
import { packKey } from '#vision/packs/pack.ts';
import { humanPack } from '#vision/setup/human-pack.ts';
import { demoFiles } from '#app/demo-files.ts';
import { makeDemo } from './make-demo.ts';

const data = emptyDataFolder();
let nazar: Installation;

before(
  async () => {
    needModels();
    await makeDemo();
    nazar = await start(data.path, ['--demo']);
  },
  { timeout: 60_000 },
);
after(async () => {
  await nazar.stop();
  data[Symbol.dispose]();
});

const models = (...words: string[]): Promise<Run> => command('models', words, data.path);

async function signIn(): Promise<string> {
  const [, email] = /e-mail +(\S+)/.exec(nazar.printed()) ?? [];
  const [, password] = /password (\S+)/.exec(nazar.printed()) ?? [];
  const reply = await fetch(`${nazar.origin}/secure-api/accounts/login/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  return ((await reply.json()) as { access: string }).access;
}

/** Who is on the photos that the demo's people were enrolled with, and by which pack. */
async function seen(access: string): Promise<(readonly [string | null, string | undefined])[]> {
  const found = [];
  for (const path of demoFiles().photos) {
    const form = new FormData();
    form.append('image', new Blob([new Uint8Array(readFileSync(path))]), 'photo.jpg');
    const headers = { authorization: `Bearer ${access}` };
    const url = `${nazar.origin}/secure-api/faces/recognize/`;
    const reply = await fetch(url, { method: 'POST', headers, body: form });
    const { faces } = (await reply.json()) as RecognizedPicture;
    found.push(...faces.map(({ name, explanation }) => [name, explanation?.pack] as const));
  }
  return found;
}

test(
  'the console changes to another pack and reports its progress; enrolled people are known by it',
  { timeout: 180_000 },
  async () => {
    const access = await signIn();
    const before = await seen(access);
    assert.equal(before.length, 3);
    assert.match((await models('use', humanPack.id)).said, /no models named/);
    assert.equal((await models('add', 'human')).code, 0);
    const { code, said } = await models('use', humanPack.id);
    assert.equal(code, 0, said);
    assert.match(said, new RegExp(`${humanPack.id} ${humanPack.version} serves\\.`));
    assert.match((await models('list')).said, /blazeface-faceres 1, serves/);
    // The hosts start again with it; until they have, they answer by the pack before.
    const names = before.map(([name]) => [name, packKey(humanPack)]);
    let now = await seen(access);
    for (
      let tries = 0;
      tries < 60 && now.some(([, pack]) => pack !== packKey(humanPack));
      tries += 1
    ) {
      now = await seen(access);
    }
    assert.deepEqual(now, names);
  },
);
