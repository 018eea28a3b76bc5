import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  settingsSections,
  type RecognitionSettings,
  type SectionName,
} from '@nazar/contract/settings.ts';
import type { Scope } from '#http/scope.ts';
import { Topic } from '#lib/topic.ts';
import { until } from '#testing/until.ts';
import { aWorld, quietLog, type World } from '#testing/world.ts';
import { RecognitionPolicy } from './recognition-policy.ts';

let world: World;
let admin: Scope;
before(async () => {
  world = await aWorld();
  admin = await world.actor('admin');
});
after(() => world[Symbol.asyncDispose]());

const confirmed = { confirmed: false };

test('SET-016, ~SET-012, ~SET-015 a new setting applies at once, here and on another node', async () => {
  const { settings } = world;
  using here = await RecognitionPolicy.open(settings, quietLog);
  const read = () => [
    here.minProbability,
    here.minFaceWidth,
    here.picturesPerSecond,
    here.mostPicturesPerSecond,
  ];
  assert.deepEqual(read(), [0.75, 50, 5, Infinity], 'as the documents have it');
  let changes = 0;
  using _ = here.changed.on(() => void (changes += 1));
  const recognition = { threshold: 90, minFaceSize: 20, processingMode: 'accuracy' } as const;
  await settings.change(admin, { recognition }, confirmed);
  await until(() => changes > 0);
  assert.deepEqual(read(), [0.9, 20, 8, Infinity]);
  await settings.change(admin, { recognition: { processingMode: 'speed' } }, confirmed);
  await until(() => here.picturesPerSecond === 3);
  assert.equal(here.mostPicturesPerSecond, 3, 'speed is chosen for what it saves');
  await settings.change(admin, { privacy: { unknownFaceDays: 31 } }, confirmed);
  using later = await RecognitionPolicy.open(settings, quietLog);
  assert.deepEqual([later.minProbability, changes], [0.9, 2], 'another section changes nothing');
  await settings.change(admin, { recognition: { threshold: 100 } }, confirmed);
  await until(() => here.minProbability === 0.995);
});

test('=SET-014 nothing is inferred of faces until it is switched on; a mask never is', async () => {
  const { settings } = world;
  using policy = await RecognitionPolicy.open(settings, quietLog);
  assert.deepEqual(policy.attributes, []);
  const known = { confirmed: false, attributes: true };
  const wanted: RecognitionSettings['enabledFeatures'] = ['mask', 'emotion', 'age'];
  await settings.change(admin, { recognition: { enabledFeatures: wanted } }, known);
  await until(() => policy.attributes.length > 0);
  assert.deepEqual(policy.attributes, ['age', 'emotion']);
  await settings.change(admin, { recognition: { enabledFeatures: ['mask'] } }, confirmed);
  await until(() => policy.attributes.length === 0);
});

test('SET-011, ~SET-014 a value out of range is no setting, and a feature is named once', () => {
  const { schema, defaults } = settingsSections.recognition;
  for (const wrong of [
    { threshold: 49 },
    { threshold: 101 },
    { minFaceSize: 19 },
    { minFaceSize: 101 },
    { minFaceSize: 20.5 },
    { processingMode: 'fast' },
    { enabledFeatures: ['age', 'age'] },
    { enabledFeatures: ['iris'] },
  ]) {
    assert.equal(schema.safeParse({ ...defaults, ...wrong }).success, false, JSON.stringify(wrong));
  }
});

test('~R-16 while settings cannot be read, what was known before goes on', async () => {
  const { settings } = world;
  let isAway = false;
  const changed = new Topic<{ readonly section: SectionName }>((error) => {
    throw error;
  });
  const flaky = {
    changed,
    get: ((name: 'recognition') =>
      isAway ? Promise.reject(new Error('away')) : settings.get(name)) as typeof settings.get,
  };
  using policy = await RecognitionPolicy.open(flaky, quietLog);
  const before = policy.minProbability;
  isAway = true;
  changed.publish({ section: 'recognition' });
  await new Promise((next) => setImmediate(next));
  assert.equal(policy.minProbability, before);
});
