/**
 * How well strangers are distinguished on labelled photos: each photo is a visit, in many orders, because the first
 * visits decide what the others are compared with.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { chipBytes, labelledFaces, needModels, pictureOf } from '#testing/vision.ts';
import { Engine } from '#vision/engine.ts';
import { shippedPack } from '#vision/packs/shipped-pack.ts';
import { GroupedGallery } from '../gallery/grouped-gallery.ts';
import { joining } from './joining.ts';
import { isSame, likeness } from './likeness.ts';
import { withReference, type StrangerReference } from './stranger-references.ts';

before(needModels);

const { calibration } = shippedPack.embedder;
const orders = 60;
const sets = ['lfw10', 'deepface', 'bbt', 'msfam', 'openface', 'agfr'];
const without = labelledFaces === undefined && 'NAZAR_TEST_FACES is not set';

interface Photo extends StrangerReference {
  readonly person: string;
}

/** The photographed face; photos whose face does not pass the gate begin nothing in the product. */
async function photos(engine: Engine): Promise<Photo[]> {
  const found: Photo[] = [];
  const rows = readFileSync(join(labelledFaces!, 'labels.csv'), 'utf8').trim().split('\n').slice(1);
  for (const row of rows) {
    const [set = '', person = '', path = ''] = row.split(',');
    if (!sets.includes(set)) continue;
    const picture = await pictureOf(readFileSync(join(labelledFaces!, path)));
    const { faces, chips } = await engine.detect(picture, []);
    const [view] = faces.filter(({ fault }) => fault === null).toSorted((a, b) => b.iod - a.iod);
    if (!view) continue;
    const chip = chips.subarray(view.chip! * chipBytes, (view.chip! + 1) * chipBytes);
    const [vector] = await engine.embed(chip, 1);
    found.push({ visitId: path, person, vector: vector!, quality: view.quality });
  }
  return found;
}

/** Photos by the stranger they were taken for; `null`: no one in particular. */
function visited(all: readonly Photo[]): Map<string | null, Photo[]> {
  const gallery = new GroupedGallery();
  const kept = new Map<string, readonly StrangerReference[]>();
  const strangers = new Map<string | null, Photo[]>();
  for (const photo of all) {
    const nearest = gallery
      .nearest(photo.vector, 'pack', 2)
      .map(({ groupId, ...near }) => ({ strangerId: groupId, ...near }));
    const seen = {
      ...photo,
      nearest,
      beside: new Set<string>(),
      compared: gallery.references('pack'),
    };
    const outcome = joining(seen, calibration);
    const begun = outcome.kind === 'begin' ? photo.visitId : null;
    const stranger = outcome.kind === 'join' ? outcome.identityId : begun;
    strangers.set(stranger, [...(strangers.get(stranger) ?? []), photo]);
    if (stranger === null) continue;
    const references = withReference(kept.get(stranger) ?? [], photo, 0.4 * calibration.strict);
    kept.set(stranger, references);
    gallery.replace(
      stranger,
      stranger,
      references.map(({ vector }) => ({ pack: 'pack', vector })),
    );
  }
  return strangers;
}

/** The same orders each time. */
function shuffled<T>(all: readonly T[], seed: number): T[] {
  let state = seed;
  const keyed = all.map((item) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return { item, key: state };
  });
  return keyed.toSorted((a, b) => a.key - b.key).map(({ item }) => item);
}

const largest = (groups: Iterable<readonly unknown[]>): number =>
  Math.max(0, ...[...groups].map((group) => group.length));

/**
 * Purity: the share of photos that belong to the person whom most photos of their stranger show. Coverage: the share
 * of photos that are with most of their person's.
 */
function measured(all: readonly Photo[]) {
  const strangers = visited(all);
  const apart = strangers.get(null)?.length ?? 0;
  strangers.delete(null);
  const groups = [...strangers.values()];
  const pure = groups.map((group) => largest(Map.groupBy(group, ({ person }) => person).values()));
  const people = Map.groupBy(all, ({ person }) => person);
  const covered = [...people].map(([person]) =>
    Math.max(0, ...groups.map((group) => group.filter((photo) => photo.person === person).length)),
  );
  const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);
  return {
    purity: sum(pure) / (all.length - apart),
    coverage: sum(covered) / all.length,
    strangersPerPerson: groups.length / people.size,
    apart: apart / all.length,
  };
}

test(
  'labelled photos: no stranger is two people, and few people are two strangers',
  { skip: without, timeout: 300_000 },
  async (t) => {
    await using engine = await Engine.load();
    const all = await photos(engine);
    const people = new Set(all.map(({ person }) => person)).size;
    const runs = Array.from({ length: orders }, (_, seed) => measured(shuffled(all, seed + 1)));
    const mean = (of: keyof (typeof runs)[number]): number =>
      runs.reduce((sum, run) => sum + run[of], 0) / runs.length;
    const worst = {
      purity: Math.min(...runs.map(({ purity }) => purity)),
      coverage: Math.min(...runs.map(({ coverage }) => coverage)),
    };
    t.diagnostic(
      `${all.length} photos of ${people} people, ${orders} orders: purity ${mean('purity').toFixed(4)} ` +
        `(worst ${worst.purity.toFixed(3)}), coverage ${mean('coverage').toFixed(3)} ` +
        `(worst ${worst.coverage.toFixed(3)}), strangers per person ` +
        `${mean('strangersPerPerson').toFixed(2)}, apart ${mean('apart').toFixed(3)}`,
    );
    assert.ok(all.length >= 80 && people >= 15, `${all.length} photos of ${people}`);
    assert.ok(mean('purity') >= 0.998 && worst.purity >= 0.98);
    assert.ok(mean('coverage') >= 0.92 && worst.coverage >= 0.85);
    assert.ok(mean('strangersPerPerson') <= 1.15);
  },
);

/** Which strangers are selected and offered for each person, all enrolled with one photo each, one after the other. */
function foundBy(all: readonly Photo[]) {
  const found = { own: 0, selected: 0, offered: 0, others: 0, wrongSelected: 0, wrongOffered: 0 };
  for (const enrolled of all) {
    const strangers = visited(all.filter((photo) => photo !== enrolled));
    const apart = (strangers.get(null) ?? []).map((photo) => [photo]);
    strangers.delete(null);
    const among = strangers.size;
    for (const group of [...strangers.values(), ...apart]) {
      const references = group.reduce(
        (kept: readonly StrangerReference[], photo) =>
          withReference(kept, photo, 0.4 * calibration.strict),
        [],
      );
      const like = likeness({
        person: [{ pack: 'pack', vector: enrolled.vector }],
        seen: references.map(({ vector }) => ({ pack: 'pack', vector })),
        among,
        calibrationOf: () => calibration,
      });
      const best = Math.max(...group.map(({ quality }) => quality));
      const isSelected = like !== null && isSame(like, best);
      const own = group.filter(({ person }) => person === enrolled.person).length;
      const others = group.length - own;
      found.own += own;
      found.others += others;
      found.selected += isSelected ? own : 0;
      found.offered += like ? own : 0;
      found.wrongSelected += isSelected ? others : 0;
      found.wrongOffered += like ? others : 0;
    }
  }
  return found;
}

test(
  'C-1003 labelled photos: one photo of a person finds their unknown visits, and selects no one else’s',
  { skip: without, timeout: 300_000 },
  async (t) => {
    await using engine = await Engine.load();
    const all = shuffled(await photos(engine), 7);
    const { own, selected, offered, others, wrongSelected, wrongOffered } = foundBy(all);
    t.diagnostic(
      `${all.length} photos, each enrolled alone: of ${own} visits of the same person ${selected} selected, ` +
        `${offered} offered or selected; of ${others} of others ${wrongSelected} and ${wrongOffered}`,
    );
    assert.ok(selected / own >= 0.9, `${selected} of ${own} selected`);
    assert.ok(offered / own >= 0.95, `${offered} of ${own} offered`);
    assert.ok(wrongSelected / others <= 0.001, `${wrongSelected} of ${others} wrongly selected`);
  },
);
