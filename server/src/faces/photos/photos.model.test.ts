import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import sharp, { type Sharp } from 'sharp';
import type { EnrolledFace, Face } from '@nazar/contract/faces.ts';
import { systemClock } from '#lib/clock.ts';
import type { CheckedPhoto } from '@nazar/contract/recognition.ts';
import { photoKinds } from '#testing/photo-kinds.ts';
import { recorded } from '#testing/activity-chain.ts';
import { testServer, type SignedIn, type TestServer } from '#testing/server.ts';
import { labelledFaces, needModels } from '#testing/vision.ts';
import { thumbnailSidePx } from '#vision/uploads/upload.ts';

const path = '/secure-api/faces/';
let world: TestServer;
let admin: SignedIn;
let category: string;

before(async () => {
  needModels();
  world = await testServer({ visionHosts: 1, clock: systemClock });
  admin = await world.signIn('admin');
  const categories = (await admin.get(`${path}categories/`)).json<{ results: { id: string }[] }>();
  category = categories.results[0]!.id;
});
after(() => world[Symbol.asyncDispose]());

/** A drawn shape: a picture without people. */
const drawn = (side = 400): Sharp =>
  sharp({ create: { width: side, height: side, channels: 3, background: '#3366aa' } }).composite([
    {
      input: Buffer.from(
        '<svg width="200" height="200"><circle cx="100" cy="100" r="90" fill="#eeaa33"/></svg>',
      ),
    },
  ]);

/** A file, and what it is called where that matters. */
type Sent = Buffer | readonly [name: string, bytes: Buffer];

async function post(
  files: Record<string, readonly Sent[]>,
  url = path,
  fields: Record<string, string> = {},
  { access } = admin,
) {
  const form = new FormData();
  const all =
    url === path ? { first_name: 'Vusal', last_name: 'Example', category, ...fields } : fields;
  for (const [name, value] of Object.entries(all)) form.append(name, value);
  for (const [name, list] of Object.entries(files)) {
    for (const sent of list) {
      const [called, bytes] = Buffer.isBuffer(sent) ? ['../../x.php', sent] : sent;
      form.append(name, new Blob([new Uint8Array(bytes)]), called);
    }
  }
  const request = new Request('http://localhost/', { method: 'POST', body: form });
  return world.app.inject({
    method: 'POST',
    url,
    headers: {
      host: 'localhost',
      authorization: `Bearer ${access}`,
      'content-type': request.headers.get('content-type')!,
    },
    payload: Buffer.from(await request.arrayBuffer()),
  });
}

const limit = { timeout: 60_000 };

/** The fields of the documents. */
const entity =
  `id first_name last_name category category_name image images description email phone position
  notes is_active created_by created_by_name created_at`.split(/\s+/);

test(
  'APF-003, APF-004, ENT-015 a person with photos; one without a face is kept and says so',
  limit,
  async () => {
    const [png, webp] = [await drawn().png().toBuffer(), await drawn(500).webp().toBuffer()];
    const reply = await post({ uploaded_images: [png], image: [webp] });
    assert.equal(reply.statusCode, 201, reply.payload);
    const face = reply.json<Face>();
    assert.deepEqual(
      [face.category_name, face.created_by_name, face.is_active, face.images[0]?.id.length],
      ['employee', 'Test admin', true, 36],
    );
    assert.deepEqual(
      face.images.map(({ fault }) => fault),
      ['no_face', 'no_face'],
    );
    assert.deepEqual(
      [face.usable_images, face.created_by, face.image],
      [0, admin.id, face.images[0]!.image],
    );
    const photo = await world.app.inject({
      url: face.image!,
      headers: { host: 'localhost', authorization: `Bearer ${admin.access}` },
    });
    assert.equal(photo.headers['content-type'], 'image/jpeg');
    assert.equal((await sharp(photo.rawPayload).metadata()).width, 500, '`image` is the main one');
    const small = await world.app.inject({
      url: `${face.image!}?size=thumb`,
      headers: { host: 'localhost', authorization: `Bearer ${admin.access}` },
    });
    const { format, width } = await sharp(small.rawPayload).metadata();
    assert.deepEqual(
      [small.headers['content-type'], format, width],
      ['image/webp', 'webp', thumbnailSidePx],
    );
    assert.equal(small.headers['cache-control'], 'private, no-store', 'C-404');
  },
);

test('ENT-014 a person has the fields of the documents, as they were sent', limit, async () => {
  const photo = await drawn().png().toBuffer();
  const sent = {
    description: 'Tall',
    email: 'vusal@example.org',
    phone: '+994 50 1',
    position: 'Guide',
    notes: 'Badge 3',
    is_active: 'false',
  };
  const face = (await post({ image: [photo] }, path, sent)).json<Face>();
  for (const field of entity) assert.ok(field in face, field);
  assert.partialDeepStrictEqual(face, {
    ...sent,
    is_active: false,
    first_name: 'Vusal',
    last_name: 'Example',
    category,
    category_name: 'employee',
    created_by: admin.id,
    created_by_name: 'Test admin',
    image: face.images[0]!.image,
  });
  assert.ok(Date.parse(face.created_at) > 0);
});

test('C-522 a kept photo has no metadata and stands upright', limit, async () => {
  const exif = { IFD0: { Make: 'canary-maker', Copyright: 'canary' } };
  const turned = await drawn()
    .resize(400, 300)
    .withExif(exif)
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
  const face = (await post({ image: [turned] })).json<Face>();
  const photo = await world.app.inject({
    url: face.image!,
    headers: { host: 'localhost', authorization: `Bearer ${admin.access}` },
  });
  const { width, height, exif: left, orientation } = await sharp(photo.rawPayload).metadata();
  assert.deepEqual([width, height, left, orientation], [300, 400, undefined, undefined]);
  assert.ok(!photo.rawPayload.includes('canary'));
});

test(
  'C-520, C-522 a file that is no photo is named with its reason, the others are saved',
  limit,
  async () => {
    const jpeg = await drawn().jpeg().toBuffer();
    const sent: Sent[] = [
      ['Gözəl şəkil.jpg', jpeg],
      ['boş.jpg', Buffer.alloc(0)],
      ['Снимок.jpg', jpeg.subarray(0, jpeg.length >> 1)],
      ['large.png', Buffer.concat([jpeg, Buffer.alloc(11 * 1024 * 1024)])],
      ['anim.gif', await drawn().gif().toBuffer()],
    ];
    const created = await post({ uploaded_images: sent });
    assert.equal(created.statusCode, 201, created.payload);
    const { id, images, refused_images: refused } = created.json<EnrolledFace>();
    assert.equal(images.length, 1);
    assert.deepEqual(
      refused.map(({ index, name, code }) => [index, name, code]),
      [
        [1, 'boş.jpg', 'image_empty'],
        [2, 'Снимок.jpg', 'image_unreadable'],
        [3, 'large.png', 'image_too_large'],
        [4, 'anim.gif', 'image_type'],
      ],
    );
    assert.equal(refused[0]!.detail, 'This file is empty. Choose another one.');
    const added = await post({ uploaded_images: sent.slice(0, 2) }, `${path}${id}/add_images/`);
    assert.equal(added.statusCode, 200, added.payload);
    const now = added.json<EnrolledFace>();
    assert.deepEqual(
      [now.images.length, now.refused_images.map(({ name }) => name)],
      [2, ['boş.jpg']],
    );
    assert.deepEqual(
      (await post({ uploaded_images: [jpeg] })).json<EnrolledFace>().refused_images,
      [],
    );
  },
);

test(
  'C-520 where no file is a photo no person is added, and each file is named',
  limit,
  async () => {
    const before = (await admin.get(path)).json()['count'];
    const none = await post({
      image: [['a.gif', await drawn().gif().toBuffer()]],
      uploaded_images: [['דוד.jpg', Buffer.alloc(0)]],
    });
    assert.deepEqual(
      [none.statusCode, none.json()],
      [
        400,
        {
          uploaded_images: [
            "a.gif: This isn't a supported photo. Use JPEG, PNG, WebP, AVIF or HEIC.",
            '\u2068דוד.jpg\u2069: This file is empty. Choose another one.',
          ],
        },
      ],
    );
    assert.equal((await admin.get(path)).json()['count'], before);
  },
);

test(
  'C-522 the name of a file is repeated without path and unseen characters, and kept nowhere',
  limit,
  async () => {
    const jpeg = await drawn().jpeg().toBuffer();
    const sent: Sent[] = [
      ['canary-good.jpg', jpeg],
      ['../../etc/<b>canary-\u202egpj.php', Buffer.alloc(0)],
      [`C:\\Users\\me\\${'canary'.repeat(100)}.jpg`, Buffer.alloc(0)],
    ];
    const reply = await post({ uploaded_images: sent });
    const { id, refused_images: refused } = reply.json<EnrolledFace>();
    assert.equal(refused[0]!.name, '<b>canary-gpj.php');
    assert.equal(refused[1]!.name.length, 100);
    assert.match(refused[1]!.name, /^canarycanary.*….*canary\.jpg$/);
    const kept = JSON.stringify([
      (await admin.get(`${path}${id}/`)).json(),
      await recorded(world.database.db),
      (await admin.get('/secure-api/activity-log/')).json(),
    ]);
    assert.doesNotMatch(kept, /canary/);
  },
);

test(
  'a photo that a browser cannot show is answered as the picture it is, upright, where that is asked for',
  limit,
  async () => {
    const kinds = await photoKinds(await drawn(480).resize(640, 480).png().toBuffer());
    const heic = kinds.find(({ name }) => name === 'HEIC turned by 90 degrees')!.bytes;
    const check = async (query: string) =>
      (await post({ image: [heic] }, `${path}check_photo/${query}`)).json<CheckedPhoto>();
    const { preview, width, height } = await check('?preview=true');
    const shown = await sharp(Buffer.from(preview!, 'base64')).metadata();
    assert.deepEqual([shown.format, shown.width, shown.height], ['jpeg', width, height]);
    assert.deepEqual([width, height], [640, 480]);
    assert.equal((await check('')).preview, null);
  },
);

test('C-520 a file is read as what it is, whatever it is called', limit, async () => {
  const [png, webp] = [await drawn().png().toBuffer(), await drawn().webp().toBuffer()];
  const kinds = await photoKinds(await sharp(png).resize(640, 480).png().toBuffer());
  const heic = kinds.find(({ name }) => name === 'HEIC')!.bytes;
  const sent: Sent[] = [
    ['png.jpg', png],
    ['webp.heic', webp],
    ['heic.png', heic],
    ['jpeg.txt', await drawn().jpeg().toBuffer()],
    ['gif.jpg', await drawn().gif().toBuffer()],
  ];
  const face = (await post({ uploaded_images: sent })).json<EnrolledFace>();
  assert.deepEqual(
    [face.images.length, face.refused_images.map(({ name, code }) => [name, code])],
    [4, [['gif.jpg', 'image_type']]],
  );
});

test(
  'C-520, C-521 a file that is not a photo is refused with its reason, and no person is added',
  limit,
  async () => {
    const jpeg = await drawn().jpeg().toBuffer();
    const wide = await sharp({
      create: { width: 8300, height: 10, channels: 3, background: '#fff' },
    })
      .png()
      .toBuffer();
    const bomb = await sharp({
      create: { width: 8000, height: 8000, channels: 3, background: '#fff' },
    })
      .png()
      .toBuffer();
    const before = (await admin.get(path)).json()['count'];
    const refused: [string, Buffer, number][] = [
      ['GIF', await drawn().gif().toBuffer(), 415],
      ['TIFF', await drawn().tiff().toBuffer(), 415],
      ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 415],
      ['HTML', Buffer.from('<script>alert(1)</script>'), 415],
      ['cut off', jpeg.subarray(0, jpeg.length >> 1), 400],
      ['only the first bytes', jpeg.subarray(0, 3), 400],
      ['too wide', wide, 413],
      ['too many pixels', bomb, 413],
    ];
    for (const [name, bytes, status] of refused) {
      const reply = await post({ uploaded_images: [bytes] });
      assert.equal(reply.statusCode, status, `${name}: ${reply.payload}`);
      assert.doesNotMatch(reply.payload, /\/tmp|sharp|vips/i);
    }
    assert.equal((await admin.get(path)).json()['count'], before);
  },
);

test(
  '~FACE-045, ~FACE-046, ~FACE-050 the fault of a missing field stands beside it',
  limit,
  async () => {
    const photo = await drawn().png().toBuffer();
    const wrong: [Record<string, string>, string][] = [
      [{ first_name: ' ' }, 'first_name'],
      [{ last_name: '' }, 'last_name'],
      [{ category: '' }, 'category'],
      [{ category: admin.id }, 'category'],
      [{ email: 'nobody' }, 'email'],
      [{ is_active: 'perhaps' }, 'is_active'],
    ];
    for (const [fields, field] of wrong) {
      const reply = await post({ image: [photo] }, path, fields);
      assert.ok([400, 404].includes(reply.statusCode), JSON.stringify(fields));
      assert.deepEqual(Object.keys(reply.json()), [field]);
    }
    const none = await post({});
    assert.deepEqual([none.statusCode, Object.keys(none.json())], [400, ['image']]);
  },
);

test(
  'APF-008, APF-009, C-524 photos are added and removed one by one, 20 at most',
  limit,
  async () => {
    const photo = await drawn(200).png().toBuffer();
    const { id } = (await post({ image: [photo] })).json<Face>();
    const add = async (count: number): Promise<number> => {
      const files = { uploaded_images: Array<Buffer>(count).fill(photo) };
      return (await post(files, `${path}${id}/add_images/`)).statusCode;
    };
    assert.equal(await add(10), 200);
    // Two at once that fit alone, and not together.
    assert.deepEqual((await Promise.all([add(9), add(9)])).toSorted(), [200, 413]);
    const full = await post({ uploaded_images: [photo] }, `${path}${id}/add_images/`);
    assert.equal(full.statusCode, 413);
    const face = (await admin.get(`${path}${id}/`)).json<Face>();
    assert.equal(face.images.length, 20);
    const removed = await admin.send(
      'DELETE',
      `${path}${id}/remove_image/?image_id=${face.images[0]!.id}`,
    );
    assert.equal(removed.json<Face>().images.length, 19);
    assert.equal((await admin.send('DELETE', `${path}${id}/`)).status, 204);
    assert.equal((await admin.get(face.images[1]!.image)).status, 404);
  },
);

test(
  'C-524 photos that are added at once to several people of an account stay within its bound',
  limit,
  async () => {
    const user = await world.signIn('user');
    const photo = await drawn(200).png().toBuffer();
    const people: string[] = [];
    for (let i = 0; i < 3; i += 1) {
      people.push((await post({ image: [photo] }, path, {}, user)).json<Face>().id);
    }
    const settings = '/secure-api/settings/update_system_settings/';
    await admin.send('PATCH', settings, { recognition: { photosPerAccount: 7 } });
    const add = async (id: string) =>
      post({ uploaded_images: [photo, photo, photo] }, `${path}${id}/add_images/`, {}, user);
    const replies = await Promise.all(people.map(add));
    const refused = replies.filter(({ statusCode }) => statusCode === 409);
    assert.equal(refused.length, 2);
    for (const { payload } of refused) assert.match(payload, /at most 7 photos/);
    await admin.send('PATCH', settings, { recognition: { photosPerAccount: 5_000 } });
  },
);

const sets = labelledFaces === undefined ? null : join(labelledFaces, 'lfw10');
const skip =
  sets !== null && existsSync(sets) ? false : 'NAZAR_TEST_FACES names no labelled photos';

test(
  'APF-003 one real photo makes a person who can be recognised',
  { ...limit, skip },
  async () => {
    const photo = globSync('*/*.jpg', { cwd: sets! }).sort()[0]!;
    const reply = await post({ uploaded_images: [readFileSync(join(sets!, photo))] });
    const face = reply.json<Face>();
    assert.deepEqual([face.images[0]?.fault, face.usable_images], [null, 1]);
  },
);
