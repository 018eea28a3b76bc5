import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import sharp from 'sharp';
import { FaceFields, type Face } from '@nazar/contract/faces.ts';
import type {
  CheckedPhoto,
  RecognizedFace,
  RecognizedPicture,
} from '@nazar/contract/recognition.ts';
import { createScope, noGrants } from '#http/scope.ts';
import { systemClock } from '#lib/clock.ts';
import { bombs } from '#testing/bombs.ts';
import { processesNaming } from '#testing/installation.ts';
import { recorded } from '#testing/activity-chain.ts';
import { testServer, type SignedIn, type TestServer } from '#testing/server.ts';
import { needModels, pictureOf, samplePhoto } from '#testing/vision.ts';
import { aSeenFace } from '#testing/world.ts';

const limit = { timeout: 60_000 };
/** The folder of its hosts. */
const runDir = mkdtempSync(join(tmpdir(), 'nazar-recognition-'));
let world: TestServer;
let admin: SignedIn;
let user: SignedIn;
let operator: SignedIn;
const blankPixels = {
  create: { width: 300, height: 300, channels: 3, background: '#3366aa' },
} as const;
/** Several people. */
const group = samplePhoto(1);

before(async () => {
  needModels();
  world = await testServer({ visionHosts: 1, clock: systemClock, runDir });
  [admin, user] = [await world.signIn('admin'), await world.signIn('user')];
  operator = await world.signIn('operator');
});
after(async () => {
  await world[Symbol.asyncDispose]();
  rmSync(runDir, { recursive: true, force: true });
});

async function post(
  { access }: SignedIn,
  url: string,
  files: Record<string, Buffer>,
  fields: Record<string, string> = {},
) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  for (const [name, bytes] of Object.entries(files)) {
    form.append(name, new Blob([new Uint8Array(bytes)]), 'photo.jpg');
  }
  const request = new Request('http://localhost/', { method: 'POST', body: form });
  const reply = await world.app.inject({
    method: 'POST',
    url: `/secure-api/${url}`,
    headers: {
      host: 'localhost',
      authorization: `Bearer ${access}`,
      'content-type': request.headers.get('content-type')!,
    },
    payload: Buffer.from(await request.arrayBuffer()),
  });
  return { status: reply.statusCode, text: reply.payload, json: <T>() => reply.json<T>() };
}

async function recognize(who: SignedIn, image = group, query = ''): Promise<RecognizedPicture> {
  const reply = await post(who, `faces/recognize/${query}`, { image });
  assert.equal(reply.status, 200, reply.text);
  return reply.json<RecognizedPicture>();
}

/** A portrait of one face of the group. */
async function portrait({ x, y, width, height }: RecognizedFace): Promise<Buffer> {
  const full = await pictureOf(group);
  const side = Math.round(1.6 * Math.max(width * full.width, height * full.height));
  const left = Math.max(0, Math.round((x + width / 2) * full.width - side / 2));
  const top = Math.max(0, Math.round((y + height / 2) * full.height - side / 2));
  return sharp(full.rgb, { raw: { width: full.width, height: full.height, channels: 3 } })
    .extract({
      left,
      top,
      width: Math.min(side, full.width - left),
      height: Math.min(side, full.height - top),
    })
    .jpeg({ quality: 95 })
    .toBuffer();
}

const usable = ({ faces }: RecognizedPicture): RecognizedFace[] =>
  faces.filter(({ outcome }) => outcome !== 'unusable');
const known = (picture: RecognizedPicture) =>
  picture.faces.filter(({ outcome }) => outcome === 'known').map(({ name }) => name);

test(
  '~NSH-024, ~NSH-026, C-1009 an enrolled person is recognized on another picture, by users who may open them',
  limit,
  async () => {
    const strangers = await recognize(admin);
    const candidates = usable(strangers);
    assert.ok(candidates.length >= 2, 'the sample shows several people');
    assert.deepEqual(known(strangers), []);
    const { verdict, nearest } = candidates[0]!.explanation!;
    assert.deepEqual([verdict, nearest], ['nobody', []]);
    const chosen = candidates[0]!;
    const registered = await post(
      user,
      'faces/register_face/',
      { image: await portrait(chosen) },
      { first_name: 'Ayla', last_name: 'Example' },
    );
    assert.equal(registered.status, 201, registered.text);
    const face = registered.json<Face>();
    assert.deepEqual([face.usable_images, face.images[0]?.fault], [1, null]);
    for (const who of [user, admin]) {
      const picture = await recognize(who);
      assert.deepEqual(known(picture), ['Ayla Example']);
      const named = picture.faces.find(({ outcome }) => outcome === 'known')!;
      assert.ok(
        Math.abs(named.x - chosen.x) < 0.02,
        'it is the face the portrait was cropped from',
      );
      assert.ok(named.confidence! >= 0.75);
      const [best] = named.explanation!.nearest;
      assert.deepEqual([best?.person_id, named.face], [face.id, face.id]);
      assert.equal(best?.photos[0]?.image_id, face.images[0]!.id);
      assert.ok(best.probability >= named.explanation!.limit);
      assert.equal(named.explanation!.verdict, 'match');
    }
    const unknowing = await recognize(operator);
    assert.deepEqual(known(unknowing), []);
    assert.ok(usable(unknowing).every(({ explanation }) => explanation?.verdict === 'nobody'));
  },
);

test('C-806 a search for people on a picture is recorded, and whom they found', limit, async () => {
  const entriesOf = async (action: string): Promise<number> =>
    (await recorded(world.database.db)).filter(
      (row) => row.user_id === admin.id && row.action === action,
    ).length;
  const before = await entriesOf('face.recognized');
  const picture = await recognize(admin);
  assert.equal(known(picture).length, 1);
  assert.equal(await entriesOf('face.recognized'), before + 1, 'each picture is a search');
  assert.equal(await entriesOf('face.viewed'), 1, 'whom they found is told once in ten minutes');
});

test(
  'APD-005, ~NSH-024 a face is registered by name; an unusable photo is refused and nothing is stored',
  limit,
  async () => {
    const [first, second] = usable(await recognize(admin));
    const detector = 'face_detector/face/recognition/';
    const form = { action: 'register_face', name: 'Leyla', use_camera: 'false' };
    const good = await post(user, detector, { face_image: await portrait(second!) }, form);
    assert.equal(good.status, 200, good.text);
    const { success, face } = good.json<{ success: boolean; face: Face }>();
    assert.deepEqual([success, face.first_name, face.last_name], [true, 'Leyla', '']);
    assert.ok(
      known(await recognize(user)).includes('Leyla'),
      'one name, without a space behind it',
    );
    const blank = await sharp(blankPixels).jpeg().toBuffer();
    const names = { first_name: 'Nobody', last_name: 'Example' };
    for (const [image, sentence] of [
      [blank, /No face/],
      [
        await sharp(await portrait(first!))
          .resize(40)
          .jpeg()
          .toBuffer(),
        /small|No face/,
      ],
    ] as const) {
      const refused = await post(user, 'faces/register_face/', { image }, names);
      assert.deepEqual([refused.status, Object.keys(refused.json<object>())], [400, ['image']]);
      assert.match(refused.text, sentence);
    }
    const all = await user.get('/secure-api/faces/?search=Nobody');
    assert.equal(all.json<{ count: number }>().count, 0);
  },
);

const turnedBy = (photo: Buffer, degrees: number): Promise<Buffer> =>
  sharp(photo).rotate(degrees).jpeg({ quality: 95 }).toBuffer();

test(
  'a person enrolled by a photo upside down is recognized, the photo is kept upright, and a picture on its side is understood',
  limit,
  async () => {
    const someone = usable(await recognize(operator))[0]!;
    const upright = await portrait(someone);
    const image = await turnedBy(upright, 180);
    const { turned, fault } = (
      await post(operator, 'faces/check_photo/', { image })
    ).json<CheckedPhoto>();
    assert.deepEqual([turned, fault], [180, null]);
    const names = { first_name: 'Aysel', last_name: 'Example' };
    const face = (await post(operator, 'faces/register_face/', { image }, names)).json<Face>();
    assert.equal(face.usable_images, 1);
    const kept = await pictureOf(await photoOf(operator, face));
    const asItWas = await pictureOf(upright);
    assert.deepEqual([kept.width, kept.height], [asItWas.width, asItWas.height]);
    const picture = await recognize(operator, await turnedBy(group, 90));
    assert.equal(picture.turned, 270);
    assert.ok(known(picture).includes('Aysel Example'));
    const named = picture.faces.find(({ name }) => name === 'Aysel Example')!;
    assert.ok(Math.abs(named.x - someone.x) < 0.02, 'places are those of the turned picture');
  },
);

test(
  'a photo that was kept upside down before photos were turned is put upright in the background, and its vector is made anew',
  limit,
  async () => {
    const { db } = world.database;
    const upright = await portrait(usable(await recognize(operator))[1]!);
    const names = { first_name: 'Nigar', last_name: 'Example' };
    const face = (
      await post(operator, 'faces/register_face/', { image: upright }, names)
    ).json<Face>();
    const [image] = face.images;
    const read = db.read<{
      face_image: { id: string; identity_id: string; is_turn_checked: boolean; photo: Buffer };
      face_embedding: { id: string; image_id: string };
    }>();
    const row = read.selectFrom('face_image').selectAll().where('id', '=', image!.id);
    const { identity_id: identityId } = await row.executeTakeFirstOrThrow();
    const vector = () =>
      read.selectFrom('face_embedding').select('id').where('image_id', '=', image!.id).execute();
    const key = await world.server.faces.keyOf(identityId);
    const photo = key.seal(await turnedBy(upright, 180), `face_image.photo:${image!.id}`);
    await db
      .write<{ face_image: { id: string; is_turn_checked: boolean; photo: Buffer } }>()
      .updateTable('face_image')
      .set({ photo, is_turn_checked: false })
      .where('id', '=', image!.id)
      .execute();
    const before = await vector();
    while (await world.server.faces.photos.recheck());
    assert.equal((await row.executeTakeFirstOrThrow()).is_turn_checked, true);
    assert.notDeepEqual(await vector(), before);
    const grey = async (bytes: Buffer): Promise<Buffer> =>
      sharp(bytes).greyscale().resize(8, 8, { fit: 'fill' }).raw().toBuffer();
    const [now, was] = [await grey(await photoOf(operator, face)), await grey(upright)];
    assert.ok(now.every((value, i) => Math.abs(value - was[i]!) < 12));
    assert.ok(known(await recognize(operator)).includes('Nigar Example'));
  },
);

async function photoOf({ access }: SignedIn, face: Face): Promise<Buffer> {
  const headers = { host: 'localhost', authorization: `Bearer ${access}` };
  return (await world.app.inject({ url: face.image!, headers })).rawPayload;
}

test(
  'on a photo of several people the face is meant that fits the person, or that was chosen, in every call that takes a photo',
  limit,
  async () => {
    const who = await world.signIn('user', 'groups@example.org');
    const check = async (query: string): Promise<CheckedPhoto> =>
      (await post(who, `faces/check_photo/${query}`, { image: group })).json<CheckedPhoto>();
    const unclear = await check('');
    const [one, two] = unclear.faces
      .map((face, index) => ({ ...face, index }))
      .filter(({ fault }) => fault === null);
    assert.ok(one && two);
    assert.equal(unclear.fault, 'several_faces');
    const meant = ({ faces }: CheckedPhoto): number => faces.findIndex(({ chosen }) => chosen);
    const chosen = await check(`?face_index=${two.index}`);
    assert.deepEqual([chosen.fault, meant(chosen)], [null, two.index]);
    assert.deepEqual(
      chosen.faces.map(({ x, y }) => [x, y]),
      unclear.faces.map(({ x, y }) => [x, y]),
      'the same faces in the same order',
    );
    const names = { first_name: 'Group', last_name: 'Example' };
    const register = (fields: Record<string, string>) =>
      post(who, 'faces/register_face/', { image: group }, { ...names, ...fields });
    const refused = await register({});
    assert.deepEqual([refused.status, Object.keys(refused.json<object>())], [400, ['image']]);
    for (const [url, fields] of [
      ['faces/register_face/', { ...names, face_index: '40' }],
      ['faces/check_photo/?face_index=40', {}],
    ] as const) {
      const { status, text } = await post(who, url, { image: group }, fields);
      assert.equal(status, 400);
      assert.match(text, /^{"face_index":\["No face with this number/);
    }
    const first = (await register({ face_index: String(one.index) })).json<Face>();
    assert.equal(first.usable_images, 1);
    // The person's photo shows who is meant now.
    assert.equal(meant(await check(`?face=${first.id}`)), one.index);
    const more = { uploaded_images: group };
    const again = (await post(who, `faces/${first.id}/add_images/`, more)).json<Face>();
    assert.equal(again.usable_images, 2);
    const detector = { action: 'register_face', name: 'Second', use_camera: 'false' };
    const second = await post(
      who,
      'face_detector/face/recognition/',
      { face_image: group },
      { ...detector, face_index: String(two.index) },
    );
    assert.equal(second.status, 200, second.text);
    assert.deepEqual(new Set(known(await recognize(who))), new Set(['Group Example', 'Second']));
  },
);

test(
  'photos sent together show which face is meant on each, and for a kept photo the number of the face decides',
  limit,
  async () => {
    const who = await world.signIn('user', 'together@example.org');
    const [person, other] = usable(await recognize(who));
    const category = await world.server.faces.categories.ofVisitors();
    const fields = { first_name: 'Together', last_name: 'Example', category };
    const files = { uploaded_images: group, image: await portrait(person!) };
    const together = (await post(who, 'faces/', files, fields)).json<Face>();
    assert.deepEqual(
      together.images.map(({ fault }) => fault),
      [null, null],
    );
    const tooMany = await post(who, 'faces/', { image: group }, { ...fields, face_index: ',1' });
    assert.deepEqual([tooMany.status, Object.keys(tooMany.json<object>())], [400, ['face_index']]);
    const alone = (await post(who, 'faces/', { image: group }, fields)).json<Face>();
    const [image] = alone.images;
    assert.deepEqual([image!.fault, alone.usable_images], ['several_faces', 0]);
    const { faces } = (
      await post(who, 'faces/check_photo/', { image: await photoOf(who, alone) })
    ).json<CheckedPhoto>();
    const index = faces.findIndex(({ x }) => Math.abs(x - other!.x) < 0.02);
    const settle = (face_index?: number) =>
      who.send('POST', '/secure-api/faces/process_for_recognition/', {
        faces: [{ id: alone.id, images: [{ id: image!.id, face_index }] }],
      });
    const success = async (face_index?: number): Promise<boolean> =>
      (await settle(face_index)).json<{ success: boolean }[]>()[0]!.success;
    assert.deepEqual(
      [await success(), await success(40), await success(index)],
      [false, false, true],
    );
    const now = (await who.get(`/secure-api/faces/${alone.id}/`)).json<Face>();
    assert.deepEqual([now.usable_images, now.images[0]!.fault], [1, null]);
    // Checked again by itself, the face stays the one that was chosen.
    assert.equal(await success(), true);
    assert.equal(known(await recognize(who)).length, 2);
  },
);

const hostileNames = { first_name: 'Hostile', last_name: 'Example' };
/** Every call that takes a picture to recognise, with the name of its file and its other fields. */
const pictureCalls = [
  ['faces/recognize/', 'image', {}],
  ['faces/check_photo/', 'image', {}],
  ['faces/register_face/', 'image', hostileNames],
  [
    'face_detector/face/recognition/',
    'face_image',
    { action: 'register_face', name: 'Hostile', use_camera: 'false' },
  ],
] as const;

test(
  'C-520, C-521, C-522, C-523, R-14 no picture that is sent for recognition harms the process: bombs, halves, what is none',
  { timeout: 300_000 },
  async (t) => {
    const hostile = [
      ['a text', Buffer.from('not a picture')],
      ['nothing', Buffer.alloc(0)],
      ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
      ['a GIF', Buffer.from('GIF89a\x01\0\x01\0\0\0\0;', 'latin1')],
      ['the start of a good picture', group.subarray(0, 2_000)],
      ['half of a good picture', group.subarray(0, group.length >> 1)],
      ...(await bombs()),
    ] as const;
    const host = processesNaming(runDir);
    assert.ok(host === null || host.length === 1);
    const enrolledBefore = (await admin.get('/secure-api/faces/')).json<{ count: number }>();
    const counts = new Map<number, number>();
    for (const [name, bytes] of hostile) {
      for (const [url, file, fields] of pictureCalls) {
        const { status, text } = await post(admin, url, { [file]: bytes }, fields);
        counts.set(status, (counts.get(status) ?? 0) + 1);
        const isChecked = status === 200 && file === 'image';
        assert.ok(isChecked || [400, 413, 415].includes(status), `${url} ${name}: ${text}`);
      }
    }
    assert.ok((await recognize(admin)).faces.length >= 3, 'recognition goes on');
    assert.deepEqual(processesNaming(runDir), host, 'the vision host is the same process');
    const enrolledAfter = (await admin.get('/secure-api/faces/')).json<{ count: number }>();
    assert.equal(enrolledAfter.count, enrolledBefore.count, 'nothing was kept');
    t.diagnostic([...counts].map(([status, count]) => `${status}: ${count}`).join(', '));
  },
);

test('C-520 a file that is not a picture is refused with its reason', limit, async () => {
  const wrong: [Buffer, number][] = [
    [Buffer.from('not a picture'), 415],
    [group.subarray(0, 2_000), 400],
  ];
  for (const [url, file, fields] of pictureCalls) {
    for (const [image, status] of wrong) {
      const reply = await post(admin, url, { [file]: image }, fields);
      assert.equal(reply.status, status, reply.text);
    }
    const none = await post(admin, url, {}, { _t: 'y', ...fields });
    assert.equal(none.status, 400, none.text);
    assert.ok(Object.keys(none.json<object>()).includes(file), none.text);
  }
});

test(
  'NSH-025, ~ROL-012 photos are checked again, one person after another, and no failure stops the next',
  limit,
  async () => {
    // Two entries of one person cannot be distinguished.
    const before = (await admin.get('/secure-api/faces/')).json<{ results: Face[] }>();
    for (const one of before.results) await admin.send('DELETE', `/secure-api/faces/${one.id}/`);
    const [face] = usable(await recognize(admin));
    const names = { first_name: 'Nigar', last_name: 'Example' };
    const image = await portrait(face!);
    const { id, images } = (
      await post(user, 'faces/register_face/', { image }, names)
    ).json<Face>();
    const [category] = (await user.get('/secure-api/faces/categories/')).json<{
      results: { id: string }[];
    }>().results;
    const blank = await sharp(blankPixels).png().toBuffer();
    const fields = { first_name: 'Blank', last_name: 'Example', category: category!.id };
    const useless = (await post(user, 'faces/', { image: blank }, fields)).json<Face>();
    // As if another pack had made it: it is compared with no one until it is made again.
    const db = world.database.db;
    await sql`update face_embedding set pack_version = '0' where image_id = ${images[0]!.id}`.execute(
      db.write(),
    );
    await world.server.faces.refresh();
    assert.ok(!known(await recognize(user)).includes('Nigar Example'));
    const process = (who: SignedIn, faces: object[]) =>
      who.send('POST', '/secure-api/faces/process_for_recognition/', { faces });
    const gone = '00000000-0000-7000-8000-000000000000';
    const reply = await process(user, [
      { id: useless.id, name: 'Blank' },
      { id: gone },
      { id, name: 'Nigar', images: [{ id: images[0]!.id }] },
      { id, images: [gone] },
    ]);
    assert.equal(reply.status, 200, reply.text);
    const said =
      reply.json<
        { id: string; name: string; success: boolean; error: { error: string } | null }[]
      >();
    assert.deepEqual(
      said.map((one) => [one.id, one.name, one.success]),
      [
        [useless.id, 'Blank', false],
        [gone, '', false],
        [id, 'Nigar', true],
        [id, '', false],
      ],
    );
    assert.match(said[0]!.error!.error, /No face/);
    assert.equal(said[2]!.error, null);
    assert.ok(known(await recognize(user)).includes('Nigar Example'));
    const other = await world.signIn('user', 'other@example.org');
    const [refused] = (await process(other, [{ id }])).json<{ success: boolean }[]>();
    assert.equal(refused?.success, false);
    const { total } = (
      await sql<{ total: number }>`
        select count(*)::int as total from face_embedding where image_id = ${images[0]!.id}`.execute(
        db.read(),
      )
    ).rows[0]!;
    assert.equal(total, 1, 'in place of the old one');
  },
);

test('NSH-025 a usable photo is never lost to a new check', limit, async () => {
  // A camera's picture of a face is the aligned face alone, in which the detector need not find one.
  const seen = aSeenFace(3);
  const { server } = world;
  const scope = createScope(
    { userId: user.id, email: user.email, sessionId: '', standing: 'user' },
    noGrants,
  );
  const category = await server.faces.categories.ofVisitors();
  const fields = FaceFields.parse({ first_name: 'Seen', last_name: 'Example', category });
  const photo = { ...seen.photo, photo: await sharp(blankPixels).png().toBuffer() };
  const { id } = await server.faces.add(scope, fields, [], { ...seen, photo });
  await server.faces.photos.reprocess(scope, id, null);
  const face = await server.faces.read(scope, id);
  assert.deepEqual([face.usable_images, face.images[0]?.fault], [1, null]);
});

test(
  '~NSH-024 a photo is checked before it is kept: who is meant, what it is worth, whom it may be',
  limit,
  async () => {
    const kept = (await admin.get('/secure-api/faces/')).json<{ results: Face[] }>();
    for (const one of kept.results) await admin.send('DELETE', `/secure-api/faces/${one.id}/`);
    const check = async (who: SignedIn, image: Buffer, query = ''): Promise<CheckedPhoto> => {
      const reply = await post(who, `faces/check_photo/${query}`, { image });
      assert.equal(reply.status, 200, reply.text);
      return reply.json<CheckedPhoto>();
    };
    const several = await check(user, group);
    assert.ok(several.faces.length >= 2);
    assert.deepEqual(
      [several.fault, several.faces.some(({ chosen }) => chosen), several.similar],
      ['several_faces', false, []],
    );
    const [face] = usable(await recognize(admin));
    const image = await portrait(face!);
    const small = await check(user, await sharp(image).resize(60).jpeg().toBuffer());
    assert.ok(['too_small', 'no_face'].includes(small.fault!));
    const good = await check(user, image);
    const [chosen] = good.faces.filter((one) => one.chosen);
    assert.deepEqual([good.fault, chosen?.fault, good.duplicate_of], [null, null, null]);
    assert.ok(chosen!.quality > 0.5 && chosen!.width > 0 && chosen!.width < 1);
    const names = { first_name: 'Sara', last_name: 'Example' };
    const { id, images } = (
      await post(user, 'faces/register_face/', { image }, names)
    ).json<Face>();
    const again = await check(user, image, `?face=${id}`);
    assert.deepEqual([again.duplicate_of, again.similar], [images[0]!.id, []]);
    const another = await check(user, image);
    assert.deepEqual(
      another.similar.map((one) => [one.face, one.name]),
      [[id, 'Sara Example']],
    );
    assert.equal(another.duplicate_of, null);
    const stranger = await world.signIn('user', 'third@example.org');
    assert.deepEqual((await check(stranger, image)).similar, [], 'somebody else`s are nobody');
    const refused = await post(stranger, `faces/check_photo/?face=${id}`, { image });
    assert.equal(refused.status, 404);
    const listed = (await user.get('/secure-api/faces/')).json<{ count: number }>();
    assert.equal(listed.count, 1, 'nothing is kept of what is checked');
  },
);
