/** Entries name what they are about, to those who may read the name, and are found by all that they show. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { languages, type Language } from '@nazar/contract/accounts.ts';
import { ActivityQuery } from '@nazar/contract/activity.ts';
import { sql } from 'kysely';
import type { Capability, Grant, Scope } from '#http/scope.ts';
import { aCameraForm, aWorld, type World } from '#testing/world.ts';
import { ActivityLog } from './activity-log.ts';

let world: World;
let log: ActivityLog;
let admin: Scope;
let maker: Scope;
let guard: Scope;
let hall: string;
let entrance: string;

before(async () => {
  world = await aWorld();
  const { database, activity, clock } = world;
  log = new ActivityLog({ db: database.db, activity, clock, development: false });
  admin = await world.actor('admin');
  maker = await world.actor('operator');
  guard = await world.actor('user');
  hall = await world.camera(maker, { name: 'Hall of İzmir' });
  entrance = await world.camera(admin, { name: 'Entrance' });
});
after(() => world[Symbol.asyncDispose]());

const withGrant = (scope: Scope, cameraId: string): Scope => {
  const grant: Grant = { capabilities: new Set<Capability>(['live']), categories: new Set() };
  return { ...scope, grants: new Map([[cameraId, grant]]) };
};

async function sentences(scope: Scope, search = '', language: Language = 'en'): Promise<string[]> {
  const query = ActivityQuery.parse({ limit: '100', ...(search !== '' && { search }) });
  const { results } = await log.list(scope, query, language);
  return results.map(({ description }) => description);
}

async function watches(scope: Scope, id: string): Promise<void> {
  world.clock.advance(60_000);
  const object = { type: 'camera', id } as const;
  await world.activity.recordAlone({ actor: scope, action: 'camera.watched', object });
}

test('LOG-002 LOG-003 an entry names the camera and what it was set to, in each language, also once it is deleted', async () => {
  await world.cameras.updateStatus(admin, entrance, 'maintenance');
  await world.cameras.remove(maker, hall);
  const all = await sentences(admin);
  assert.deepEqual(all.filter((text) => /Hall|Entrance/.test(text)).toSorted(), [
    'Added camera Entrance',
    'Added camera Hall of İzmir',
    'Deleted camera Hall of İzmir',
    'Set Entrance to maintenance',
  ]);
  for (const language of languages) {
    const said = await sentences(admin, '', language);
    for (const wanted of said.filter((text) => /Hall|Entrance/.test(text))) {
      // Whole, a part across both ends of the name, and the name alone.
      const at = wanted.search(/Hall|Entrance/);
      const parts = [wanted, wanted.slice(Math.max(0, at - 3), at + 4), wanted.slice(at + 2)];
      for (const part of parts) {
        const found = await sentences(admin, part.trim(), language);
        assert.ok(found.includes(wanted), `${language}: ${part}`);
      }
    }
  }
  assert.deepEqual(await sentences(admin, 'deleted camera hall'), ['Deleted camera Hall of İzmir']);
  assert.deepEqual(await sentences(admin, 'set entrance to MAIN'), ['Set Entrance to maintenance']);
  assert.deepEqual(await sentences(admin, 'set entrance to inactive'), []);
  assert.deepEqual(await sentences(admin, 'deleted camera entrance'), []);
});

test('LOG-003 fields and values of an entry are found as they are read, in each language, and no others', async () => {
  const form = { ...aCameraForm(), name: 'Loading ramp', location: 'Dock №7', fps: 12 };
  await world.cameras.replace(admin, entrance, form);
  const [changed = ''] = await sentences(admin);
  assert.equal(changed, 'Changed camera Loading ramp');
  const words: Record<Language, readonly string[]> = {
    en: ['dock №7', 'Location', 'Inactive'],
    az: ['dock №7', 'Yer', 'deaktiv'],
    ru: ['DOCK №7', 'Расположение', 'неактивна'],
    tr: ['dock №7', 'Konum', 'pasif'],
  };
  for (const language of languages) {
    const [sentence = ''] = await sentences(admin, '', language);
    for (const word of words[language]) {
      assert.ok(
        (await sentences(admin, word, language)).includes(sentence),
        `${language}: ${word}`,
      );
    }
    assert.deepEqual(await sentences(admin, 'Dock №8', language), []);
  }
  // No one reads how it is stored.
  for (const stored of ['"from"', 'changes', 'status=']) {
    assert.deepEqual(await sentences(admin, stored), [], stored);
  }
});

test('C-304 C-1009 a user who may not read a name neither reads it in the log nor finds an entry by it', async () => {
  const roof = await world.camera(maker, { name: 'Roof' });
  const person = await world.person(admin, 'Aylin', 4);
  for (const scope of [admin, maker, guard]) {
    await watches(scope, roof);
    const object = { type: 'face', id: person.id } as const;
    await world.activity.recordAlone({ actor: scope, action: 'face.viewed', object });
  }
  const granted = withGrant(guard, roof);
  const read = (list: readonly string[], part: string) =>
    list.filter((text) => text.includes(part));
  for (const [who, scope, cameras, people] of [
    ['an administrator', admin, 4, 4],
    ['who added the camera', maker, 2, 0],
    ['a guard with a grant', granted, 1, 0],
    ['a guard without', guard, 0, 0],
  ] as const) {
    const all = await sentences(scope);
    assert.equal(read(all, 'Roof').length, cameras, who);
    assert.equal(read(all, 'Aylin').length, people, who);
    for (const words of ['roof', 'watched camera roof', 'era ro']) {
      const found = await sentences(scope, words);
      assert.equal(read(found, 'Roof').length, found.length, `${who}: ${words}`);
      assert.equal(found.length > 0, cameras > 0, `${who}: ${words}`);
    }
    for (const words of ['aylin', 'details of aylin']) {
      assert.equal((await sentences(scope, words)).length > 0, people > 0, `${who}: ${words}`);
    }
  }
  await world.cameras.remove(maker, roof);
  assert.deepEqual(await sentences(granted, 'roof'), [], 'a grant ends with the camera');
  assert.equal((await sentences(maker, 'roof')).length, 3);
  assert.equal(read(await sentences(guard), 'Watched a camera live').length, 1);
});

test('C-1003 once a person is gone, no entry names them and none is found by the name', async () => {
  const { id } = await world.person(admin, 'Gönül', 6);
  assert.ok((await sentences(admin, 'gönül')).length > 0);
  await world.faces.remove(admin, id);
  assert.deepEqual(await sentences(admin, 'gönül'), []);
});

test('an entry says whether what it is about exists, to those who may know of it', async () => {
  const [cellar, attic] = [
    await world.camera(maker, { name: 'Cellar' }),
    await world.camera(maker),
  ];
  const leaving = await world.actor('user');
  const about = [
    { type: 'camera', id: cellar },
    { type: 'camera', id: attic },
    { type: 'user', id: maker.userId },
    { type: 'user', id: leaving.userId },
  ] as const;
  for (const object of about) {
    for (const actor of [admin, guard]) {
      await world.activity.recordAlone({ actor, action: 'camera.watched', object });
    }
  }
  await world.cameras.remove(maker, attic);
  await sql`delete from app_user where id = ${leaving.userId}`.execute(world.database.db.write());
  const read = async (scope: Scope): Promise<boolean[]> => {
    const { results } = await log.list(scope, ActivityQuery.parse({ limit: '1000' }), 'en');
    const mine = results.filter(({ user }) => user === scope.userId);
    return about.map(({ id }) => mine.some((one) => one.object_id === id && one.object_exists));
  };
  assert.deepEqual(await read(admin), [true, false, true, false]);
  assert.deepEqual(await read(guard), [false, false, false, false]);
  assert.deepEqual(await read(withGrant(guard, cellar)), [true, false, false, false]);
});
