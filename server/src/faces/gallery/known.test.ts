import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { createLog } from '#lib/log.ts';
import { noOtherPack } from '#db/pack-columns.ts';
import { SecretKey } from '#lib/secrets.ts';
import { vectorBytes } from '#lib/vectors.ts';
import { aClock } from '#testing/clock.ts';
import { vectorPlace } from '../photos/enrolment.ts';
import type { SealedReference } from '../identity-store.ts';
import { Known } from './known.ts';

const idOf = (n: number): string => `id-${String(n).padStart(6, '0')}`;
const key = SecretKey.random();

/** Different appearances are further apart than any limit. */
function aVector(look: number): Float32Array {
  return Float32Array.of(look, 0, 0, 0);
}

function aReference(identityId: string, look: number): SealedReference {
  return {
    identity_id: identityId,
    embedding_id: `embedding-${identityId}`,
    image_id: `image-${identityId}`,
    added_at: new Date(0),
    quality: 0.9,
    pack_id: 'test-pack',
    pack_version: '1',
    ...noOtherPack,
    vector: key.seal(vectorBytes(aVector(look)), vectorPlace(`embedding-${identityId}`)),
    data_key: Buffer.alloc(0),
    person_id: `person-${identityId}`,
    first_name: identityId,
    last_name: 'Example',
    created_by: null,
    category_id: 'visitor',
  };
}

/** What a database would hold, and a node that knows it. */
function aNode() {
  const rows = new Map<string, SealedReference>();
  const withheld = new Set<string>();
  const clock = aClock();
  /** Awaited before each page is answered. */
  const store = {
    beforePage: async (_after: string | null): Promise<void> => undefined,
    async namedAfter(after: string | null, limit: number) {
      await store.beforePage(after);
      const ids = [...rows.keys()].toSorted();
      return ids.filter((id) => after === null || id > after).slice(0, limit);
    },
    references: async (ids: readonly string[]) =>
      [...rows.values()].filter((row) => ids.includes(row.identity_id)),
  };
  let hear: (identityId: string | null) => void = () => undefined;
  const known = new Known({
    db: {
      listen(_channel, read) {
        hear = read;
        return { [Symbol.dispose]: () => undefined };
      },
    },
    store,
    identities: { openKey: () => key, forget: () => undefined },
    negatives: { of: async () => new Map() },
    enrollers: { learn: async () => undefined },
    withheld: async () => withheld,
    clock,
    log: createLog('silent'),
  });
  const finds = (look: number): string[] =>
    known
      .nearest(aVector(look), 'test-pack@1', 1)
      .filter(({ distance }) => distance < 0.1)
      .map(({ identityId }) => identityId);
  return {
    known,
    rows,
    withheld,
    clock,
    store,
    finds,
    hear: (identityId: string | null) => hear(identityId),
    add: (n: number, look = n) => rows.set(idOf(n), aReference(idOf(n), look)),
  };
}

test('all people are read in pages, and a person who was removed since is forgotten', async () => {
  const node = aNode();
  using known = node.known;
  for (let n = 0; n < 1_001; n += 1) node.add(n, n < 1_000 ? 1 : 2);
  await known.reloadAll();
  assert.deepEqual([known.size, node.finds(2)], [1_001, [idOf(1_000)]]);
  node.rows.delete(idOf(1_000));
  await known.reloadAll();
  assert.deepEqual([known.size, node.finds(2)], [1_000, []]);
  assert.equal(known.personOf(idOf(1_000)), null);
});

test('a person who changes while all are read is up to date at once, and stays so', async () => {
  const node = aNode();
  using known = node.known;
  for (let n = 1; n <= 600; n += 1) node.add(n, 1);
  await known.reloadAll();
  const seen: string[][] = [];
  node.store.beforePage = async (after) => {
    if (after === null) return;
    // The first page was read: an identity before its end is new, one in it has gone.
    node.add(0, 3);
    node.rows.delete(idOf(7));
    node.add(7_000, 4);
    node.store.beforePage = async () => undefined;
    void known.reload([idOf(0), idOf(7)]).then(() => seen.push(node.finds(3)));
  };
  await known.reloadAll();
  await known.reload([idOf(1)]);
  assert.deepEqual(seen, [[idOf(0)]]);
  assert.deepEqual([node.finds(3), node.finds(4)], [[idOf(0)], [idOf(7_000)]]);
  assert.equal(known.personOf(idOf(7)), null);
  assert.equal(known.size, 601);
});

test('many notices at once are read together, and no person is missed', async () => {
  const node = aNode();
  using known = node.known;
  let reads = 0;
  const { references } = node.store;
  node.store.references = (ids) => {
    reads += 1;
    return references(ids);
  };
  for (let n = 0; n < 100; n += 1) {
    node.add(n);
    node.hear(idOf(n));
  }
  await known.reload([idOf(100)]);
  assert.deepEqual([known.size, reads], [100, 1]);
});

test('news before, and a lost connection after, leave every node with what the database says', async () => {
  const node = aNode();
  using known = node.known;
  node.add(1);
  node.hear(idOf(1));
  node.rows.delete(idOf(1));
  node.add(2);
  node.hear(null);
  await known.reloadAll();
  assert.deepEqual([node.finds(1), node.finds(2)], [[], [idOf(2)]]);
});

test('C-1006 a withheld person is removed before other people are read', async () => {
  const node = aNode();
  using known = node.known;
  node.add(1);
  node.add(2);
  await known.reloadAll();
  node.withheld.add(`person-${idOf(1)}`);
  let atFirstPage: string[] | null = null;
  node.store.beforePage = async () => {
    atFirstPage ??= node.finds(1);
  };
  await known.reloadAll();
  assert.deepEqual([atFirstPage, node.finds(1), node.finds(2)], [[], [], [idOf(2)]]);
  await known.reload([idOf(1)]);
  assert.deepEqual(node.finds(1), [], 'news of them changes nothing');
});

test('a vector that cannot be opened matches no one, and hides no one', async () => {
  const node = aNode();
  using known = node.known;
  for (const n of [1, 2, 3]) node.add(n);
  node.rows.set(idOf(2), { ...aReference(idOf(2), 2), vector: Buffer.from('damaged') });
  await known.reloadAll();
  assert.deepEqual([node.finds(1), node.finds(2), node.finds(3)], [[idOf(1)], [], [idOf(3)]]);
});

test('an answer that a failing database could not give is asked again, and the old answer does not stay', async () => {
  const node = aNode();
  using known = node.known;
  node.add(1);
  await known.reloadAll();
  const { references } = node.store;
  node.store.references = () => Promise.reject(new Error('away'));
  node.rows.delete(idOf(1));
  await known.reload([idOf(1)]);
  assert.deepEqual(node.finds(1), [idOf(1)]);
  node.store.references = references;
  const changed = new EventTarget();
  using _ = known.changed.on(() => changed.dispatchEvent(new Event('changed')));
  const arrived = once(changed, 'changed');
  node.clock.advance(1_000);
  await arrived;
  assert.deepEqual(node.finds(1), []);
});

test('a first reading that fails is reported: with no people to compare, everyone would be a stranger', async () => {
  const node = aNode();
  using known = node.known;
  node.add(1);
  const { references } = node.store;
  node.store.references = () => Promise.reject(new Error('away'));
  await assert.rejects(known.load(), /could not be read/);
  node.store.references = references;
  await known.load();
  assert.deepEqual(node.finds(1), [idOf(1)]);
});
