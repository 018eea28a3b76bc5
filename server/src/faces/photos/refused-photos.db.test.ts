import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { FaceFields } from '@nazar/contract/faces.ts';
import type { ProblemCode } from '@nazar/contract/problem.ts';
import type { Scope } from '#http/scope.ts';
import { Problem, RefusedFiles } from '#lib/problem.ts';
import { twoPacks, type TwoPacks } from '#testing/packs.ts';
import { aPicture, aSeenFace, aWorld, type World } from '#testing/world.ts';
import type { SentPhoto } from './enrolment.ts';
import type { Enrolled } from './photos.ts';

let vision: TwoPacks;
let world: World;
let user: Scope;
let category: string;

before(async () => {
  vision = twoPacks();
  world = await aWorld(undefined, vision.vision);
  user = await world.actor('user');
  category = (await world.faces.categories.list())[0]!.id;
});
after(() => world[Symbol.asyncDispose]());

/** What a file is, or the code with which the image hosts refuse it. */
type Kind = 'photo' | ProblemCode;
let lastFace = 100;

/** Files that are read as these say, in their order. */
function files(...kinds: Kind[]): SentPhoto[] {
  let read = 0;
  vision.beforePhoto = () => {
    const kind = kinds[read++ % kinds.length]!;
    if (kind !== 'photo') throw new Problem(kind);
  };
  return kinds.map((kind, i) => ({
    bytes: aPicture((lastFace += 1)).chip,
    name: `${i} ${kind}.jpg`,
  }));
}

const someone = () => FaceFields.parse({ first_name: 'Some', last_name: 'Body', category });
const count = async (): Promise<number> =>
  (await world.faces.list(user, { ordering: 'created_at', page: 1, page_size: 1 })).count;
const refusedBy = ({ refused }: Enrolled) =>
  refused.map(({ index, name, why }) => [index, name, why.code]);

test('a file that is no photo is named with its reason, and costs the others nothing', async () => {
  const sent = files('image_empty', 'photo', 'image_unreadable', 'photo');
  const face = await world.faces.add(user, someone(), sent, null);
  assert.equal(face.images.length, 2);
  assert.deepEqual(refusedBy(face), [
    [0, '0 image_empty.jpg', 'image_empty'],
    [2, '2 image_unreadable.jpg', 'image_unreadable'],
  ]);
  const more = files('photo', 'image_type', 'face_index_unknown');
  const now = await world.faces.photos.add(user, face.id, more);
  assert.equal(now.images.length, 3);
  assert.deepEqual(refusedBy(now), [
    [1, '1 image_type.jpg', 'image_type'],
    [2, '2 face_index_unknown.jpg', 'face_index_unknown'],
  ]);
  assert.deepEqual(refusedBy(await world.faces.photos.add(user, face.id, files('photo'))), []);
});

test('the face of a visit is kept, too, when no file beside it is a photo', async () => {
  const face = await world.faces.add(user, someone(), files('image_type'), aSeenFace(3));
  assert.equal(face.images.length, 1);
  assert.deepEqual(refusedBy(face), [[0, '0 image_type.jpg', 'image_type']]);
});

test('when no file is a photo nothing is kept, and the error names each; a single one is refused as everywhere', async () => {
  const before = await count();
  const all = files('image_empty', 'image_too_large');
  const named = (error: unknown): boolean => {
    assert.ok(error instanceof RefusedFiles);
    assert.equal(error.field, 'uploaded_images');
    assert.deepEqual(
      error.files.map(({ name, why }) => [name, why.code]),
      [
        ['0 image_empty.jpg', 'image_empty'],
        ['1 image_too_large.jpg', 'image_too_large'],
      ],
    );
    return true;
  };
  await assert.rejects(world.faces.add(user, someone(), all, null), named);
  await assert.rejects(world.faces.add(user, someone(), files('image_type'), null), {
    code: 'image_type',
  });
  assert.equal(await count(), before);
  const { id } = await world.faces.add(user, someone(), files('photo'), null);
  await assert.rejects(
    world.faces.photos.add(user, id, files('image_empty', 'image_too_large')),
    named,
  );
  assert.equal((await world.faces.read(user, id)).images.length, 1);
});

test('a busy server refuses the whole request, which may be sent again, and keeps nothing of it', async () => {
  const { id } = await world.faces.add(user, someone(), files('photo'), null);
  const before = await count();
  for (const code of ['busy', 'unavailable'] as const) {
    const sent = files('photo', 'image_empty', code);
    await assert.rejects(world.faces.add(user, someone(), sent, null), { code });
    await assert.rejects(world.faces.photos.add(user, id, files('photo', code)), { code });
  }
  assert.deepEqual([await count(), (await world.faces.read(user, id)).images.length], [before, 1]);
});

test('C-524 a file that is not a photo takes no place among the twenty of a person', async () => {
  const { id } = await world.faces.add(user, someone(), files('photo'), null);
  for (const amount of [9, 9]) {
    await world.faces.photos.add(user, id, files(...Array<Kind>(amount).fill('photo')));
  }
  const last = await world.faces.photos.add(user, id, files('photo', 'image_empty'));
  assert.equal(last.images.length, 20);
  await assert.rejects(world.faces.photos.add(user, id, files('photo')), {
    code: 'images_too_many',
  });
});
