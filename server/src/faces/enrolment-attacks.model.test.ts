/**
 * An account that registered by itself enrols faces of people whom an administrator enrolled, so that cameras stop
 * naming them or name them differently. Real photos, the real models, the routes of the product.
 */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { after, before, test } from 'node:test';
import sharp from 'sharp';
import type { Face } from '@nazar/contract/faces.ts';
import { systemClock } from '#lib/clock.ts';
import { ownWork } from '#lib/limits/turns.ts';
import { testServer, type SignedIn, type TestServer } from '#testing/server.ts';
import { until } from '#testing/until.ts';
import { labelledFaces, needModels } from '#testing/vision.ts';
import { Votes, type Outcome } from '#vision/tracking/votes.ts';

const path = '/secure-api/faces/';
const without = labelledFaces === undefined && 'NAZAR_TEST_FACES is not set';
/** The people attacked: one photo enrols each, cameras then see the others. */
const victims = 5;
const probesEach = 4;
/** Photos in one request. */
const atOnce = 10;

let world: TestServer;
let admin: SignedIn;
let attacker: SignedIn;
let cameraId: string;
let category: string;

before(async () => {
  needModels();
  world = await testServer({ visionHosts: 1, clock: systemClock });
  admin = await world.signIn('admin');
  attacker = await world.signIn('user');
  const categories = (await admin.get(`${path}categories/`)).json<{ results: { id: string }[] }>();
  category = categories.results[0]!.id;
  const camera = { name: 'Gate', location: 'Yard', type: 'rtsp', status: 'inactive' };
  const added = await admin.send('POST', '/secure-api/cameras/', camera);
  assert.equal(added.status, 201, added.text);
  cameraId = added.json<{ id: string }>().id;
});
after(() => world[Symbol.asyncDispose]());

interface Victim {
  readonly name: string;
  readonly enrolled: Buffer;
  readonly seen: readonly Buffer[];
}

function labelledVictims(): Victim[] {
  return globSync(join(labelledFaces!, 'lfw10', '*'))
    .toSorted()
    .slice(0, victims)
    .map((folder) => {
      const photos = globSync(join(folder, '*.jpg')).toSorted();
      const [enrolled, ...seen] = photos.map((file) => readFileSync(file));
      return { name: basename(folder), enrolled: enrolled!, seen };
    });
}

/** Adds a person with photos, as the form of the pages does. */
async function enrol(who: SignedIn, name: string, photos: readonly Buffer[]): Promise<Face> {
  return sendPhotos(who, path, photos, { first_name: name, last_name: 'Example', category }, 201);
}

async function sendPhotos(
  who: SignedIn,
  url: string,
  photos: readonly Buffer[],
  fields: Record<string, string> = {},
  status = 200,
): Promise<Face> {
  const form = new FormData();
  for (const [key, value] of Object.entries(fields)) form.append(key, value);
  for (const photo of photos) {
    form.append('uploaded_images', new Blob([new Uint8Array(photo)]), 'photo.jpg');
  }
  const request = new Request('http://localhost/', { method: 'POST', body: form });
  const reply = await world.app.inject({
    method: 'POST',
    url,
    headers: {
      host: 'localhost',
      authorization: `Bearer ${who.access}`,
      'content-type': request.headers.get('content-type')!,
    },
    payload: Buffer.from(await request.arrayBuffer()),
  });
  assert.equal(reply.statusCode, status, reply.payload);
  return reply.json<Face>();
}

/** A face as the camera's pipeline votes on it: the same picture twice. */
interface Probe {
  readonly vote: Omit<Parameters<Votes['add']>[0], 'tiers'>;
  readonly vector: Float32Array;
  readonly pack: string;
}

async function probeOf(photo: Buffer): Promise<Probe | null> {
  const { vision } = world.server;
  const { chosen } = await vision.readPhoto(photo, { purpose: 'recognise', account: ownWork });
  if (!chosen || chosen.view.fault !== null) return null;
  const { vectors } = await vision.embed(chosen.chip, 1, chosen.view.pack);
  const { quality, iod, sharpness, fault, pack } = chosen.view;
  return { vote: { quality, iod, sharpness, fault, coarse: false }, vector: vectors[0]!, pack };
}

function nameOf({ vote, vector, pack }: Probe): Outcome {
  const { faces, vision } = world.server;
  const votes = new Votes();
  const tiers = faces.candidates(cameraId, vector, pack);
  for (let i = 0; i < 2; i++) votes.add({ ...vote, tiers });
  return votes.outcome({ calibration: vision.calibrationOf(pack)! }, true);
}

/** The mean of all photos of a face, each cropped to its middle: what a morphing tool would begin with. */
async function averageFace(photos: readonly Buffer[]): Promise<Buffer> {
  const side = 250;
  const sum = new Float64Array(side * side * 3);
  for (const photo of photos) {
    const { data } = await sharp(photo)
      .resize(side, side)
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    data.forEach((value, i) => (sum[i]! += value / photos.length));
  }
  const raw = Buffer.from(sum.map((value) => Math.round(value)));
  return sharp(raw, { raw: { width: side, height: side, channels: 3 } })
    .jpeg()
    .toBuffer();
}

test(
  'C-304 whatever an account without rights enrols, changes and deletes: visits of the enrolled stay named, as surely as before',
  { skip: without, timeout: 240_000 },
  async (t) => {
    const people = labelledVictims();
    for (const { name, enrolled } of people) await enrol(admin, name, [enrolled]);
    const probes: Probe[] = [];
    for (const { seen } of people) {
      const found = await Promise.all(seen.slice(0, probesEach).map(probeOf));
      probes.push(...found.filter((one) => one !== null));
    }
    const before = probes.map(nameOf);
    const named = before.filter(({ kind }) => kind === 'known').length;
    t.diagnostic(`${named} of ${probes.length} visits of ${people.length} people are named`);
    assert.ok(named >= 0.8 * probes.length, `${named} of ${probes.length}`);
    const isUnchanged = (deed: string): void => {
      for (const [i, outcome] of probes.map(nameOf).entries()) {
        // A person without a name may be named as the attacker's own entry, on a camera that the attacker may
        // see.
        if (before[i]!.kind === 'known') assert.deepEqual(outcome, before[i], deed);
      }
    };

    for (const round of ['no camera', 'one camera']) {
      const added: Face[] = [];
      for (const { name, enrolled, seen } of people) {
        added.push(await enrol(attacker, `Same ${name}`, [enrolled]));
        isUnchanged(`${round}: the very photo of ${name}`);
        const lookalike = await enrol(attacker, `Like ${name}`, [seen.at(-1)!]);
        isUnchanged(`${round}: another photo of ${name}`);
        added.push(lookalike);
      }
      const [first] = people;
      const fifty = Array.from({ length: 50 }, (_, i) => first!.seen[i % first!.seen.length]!);
      for (let from = 0; from < fifty.length; from += atOnce) {
        added.push(await enrol(attacker, `Fifty ${from}`, fifty.slice(from, from + atOnce)));
      }
      isUnchanged(`${round}: fifty photos of one person`);
      const everybody = people.flatMap(({ enrolled, seen }) => [enrolled, ...seen.slice(0, 2)]);
      added.push(await enrol(attacker, 'Average', [await averageFace(everybody)]));
      for (const { seen, enrolled } of people) {
        added.push(await enrol(attacker, 'Average', [await averageFace([enrolled, ...seen])]));
      }
      isUnchanged(`${round}: average faces`);
      for (const [i, { id }] of added.slice(0, 4).entries()) {
        await sendPhotos(attacker, `${path}${id}/add_images/`, [people[i]!.seen[0]!]);
        isUnchanged(`${round}: a photo more`);
        await attacker.send('PATCH', `${path}${id}/`, { first_name: people[i]!.name });
        await attacker.send('PATCH', `${path}${id}/`, { is_active: false });
        await attacker.send('PATCH', `${path}${id}/`, { is_active: true });
        isUnchanged(`${round}: renamed, off and on`);
      }
      for (const { id } of added) {
        assert.equal((await attacker.send('DELETE', `${path}${id}/`)).status, 204);
        isUnchanged(`${round}: deleted`);
      }
      if (round === 'no camera') await grantCamera();
    }
    const { results } = (await admin.get('/secure-api/system/warnings/')).json<{
      results: { kind: string; subject: string; count: number }[];
    }>();
    const warned = results.filter(({ kind }) => kind === 'person_matched');
    assert.deepEqual(
      warned.map(({ subject }) => subject),
      [attacker.email],
      'administrators are told whose account it is',
    );
  },
);

/** From now on what the attacker enrols counts on the camera. */
async function grantCamera(): Promise<void> {
  const [guest] = labelledGuests();
  const probe = (await probeOf(guest!.seen[0]!))!;
  const { id } = await enrol(attacker, 'Guest', [guest!.enrolled]);
  assert.equal(nameOf(probe).kind, 'unknown', 'on a camera they may not see it names nobody');
  const grant = {
    to: { type: 'user', id: attacker.id },
    of: { type: 'camera', id: cameraId },
    capabilities: ['live'],
  };
  const given = await admin.send('PUT', '/secure-api/cameras/grants/', grant);
  assert.equal(given.status, 200, given.text);
  await until(() => nameOf(probe).kind === 'known');
  assert.equal((await attacker.send('DELETE', `${path}${id}/`)).status, 204);
}

/** People whom no administrator enrolled. */
const labelledGuests = (): Victim[] =>
  globSync(join(labelledFaces!, 'deepface', '*'))
    .toSorted()
    .map((folder) => globSync(join(folder, '*.jpg')).toSorted())
    .filter((photos) => photos.length > 1)
    .map((photos) => {
      const [enrolled, ...seen] = photos.map((file) => readFileSync(file));
      return { name: '', enrolled: enrolled!, seen };
    });
