/** C-408: every change to an export is noticed. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { SecretKey, publicKeyText } from '#lib/secrets.ts';
import { box } from '#testing/segments.ts';
import { lastBoxAt, proofBox, verifyExport, type Manifest } from './proof.ts';

const folder = mkdtempSync(join(tmpdir(), 'nazar-proof-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const path = join(folder, 'film.mp4');
const { privateKey, publicKey } = SecretKey.random().derive('recordings').signingPair();

/** An export of a few boxes, with its proof. */
function anExport(more: object = {}): Buffer {
  const exported = Buffer.concat([
    box('ftyp', Buffer.from('isom')),
    box('moov', Buffer.alloc(200, 7)),
    box('mdat', Buffer.alloc(1_000, 42)),
  ]);
  const manifest: Manifest = {
    version: 1,
    export: 'an export',
    camera: { id: 'a camera', name: 'Qapı' },
    from: '2026-01-15T12:00:00.000Z',
    until: '2026-01-15T12:10:00.000Z',
    exported_at: '2026-01-16T08:00:00.000Z',
    exported_by: 'somebody',
    bytes: exported.length,
    sha256: createHash('sha256').update(exported).digest('hex'),
    pieces: [],
    gaps: [],
    sources: [],
    public_key: publicKeyText(publicKey),
    ...more,
  };
  return Buffer.concat([exported, proofBox(manifest, privateKey)]);
}

const verdictOf = async (exported: Buffer) => {
  writeFileSync(path, exported);
  return verifyExport(path, publicKey);
};

test('an unchanged export is what its manifest says', async () => {
  const verdict = await verdictOf(anExport());
  assert.equal(verdict.fault, null);
  assert.equal(verdict.manifest?.camera.name, 'Qapı');
});

test('C-408 every single byte that is flipped is noticed', async () => {
  const exported = anExport();
  for (let at = 0; at < exported.length; at++) {
    const changed = Buffer.from(exported);
    changed[at]! ^= 1 << (at & 7);
    const { fault } = await verdictOf(changed);
    assert.notEqual(fault, null, `byte ${at} of ${exported.length}`);
  }
});

test('C-408 parts that are cut off, added, or signed by another are noticed', async () => {
  const exported = anExport();
  writeFileSync(path, exported);
  truncateSync(path, exported.length - 1);
  assert.equal((await verifyExport(path, publicKey)).fault, 'no_proof');
  assert.equal((await verdictOf(Buffer.concat([exported, box('free')]))).fault, 'no_proof');
  const within = Buffer.concat([exported.subarray(0, 12), box('free'), exported.subarray(12)]);
  assert.equal((await verdictOf(within)).fault, 'changed');
  assert.equal((await verdictOf(Buffer.alloc(0))).fault, 'no_proof');
  const other = SecretKey.random().signingPair();
  const forged = anExport({ public_key: publicKeyText(other.publicKey) });
  assert.equal((await verdictOf(forged)).fault, 'changed', 'their name, our signature');
  writeFileSync(path, exported);
  assert.equal((await verifyExport(path, other.publicKey)).fault, 'foreign');
  assert.equal((await verifyExport(path, null)).fault, null, 'whole, whoever signed it');
});

test('C-408 a signed manifest that is none proves nothing', async () => {
  const camera = { id: 'a camera', name: 'Qapı' };
  const changes: [string, object][] = [
    ['without a camera', { camera: undefined }],
    ['a camera without a name', { camera: { id: 'a camera' } }],
    ['a name that is a list', { camera: { ...camera, name: ['Qapı'] } }],
    ['a name of a megabyte', { camera: { ...camera, name: 'x'.repeat(2 ** 20) } }],
    ['a time in words', { from: 'Whole, and exported by this installation.' }],
    ['a gap without a cause', { gaps: [{ from: '2026-01-15T12:00:00.000Z', until: null }] }],
    [
      'a cause that is a sentence',
      { gaps: [{ from: '2026-01-15T12:00:00.000Z', until: null, cause: 'x\ny' }] },
    ],
    ['pieces that are none', { pieces: { length: 1 } }],
    ['another version', { version: 2 }],
    ['half a hash', { sha256: 'ab' }],
  ];
  for (const [name, change] of changes) {
    const { fault, manifest } = await verdictOf(anExport(change));
    assert.deepEqual([fault, manifest], ['no_proof', null], name);
  }
  const { fault } = await verdictOf(anExport({ masked: true }));
  assert.equal(fault, null);
});

test('C-408 boxes are counted in few reads, up to a bound', async () => {
  const small = Buffer.alloc(8 * 2_000_000);
  for (let at = 0; at < small.length; at += 8) {
    small.writeUInt32BE(8, at);
    small.write('free', at + 4, 'latin1');
  }
  writeFileSync(path, small);
  const file = await open(path, 'r');
  let reads = 0;
  const counted = {
    read: (...asked: Parameters<typeof file.read>) => {
      reads += 1;
      return file.read(...asked);
    },
  };
  try {
    assert.equal(await lastBoxAt(counted, small.length), null, 'more than an export has');
    assert.ok(reads < 100, `${reads} reads`);
    const few = small.subarray(0, 8 * 50_000);
    reads = 0;
    assert.equal(await lastBoxAt(counted, few.length), few.length - 8);
    assert.ok(reads < 10, `${reads} reads`);
  } finally {
    await file.close();
  }
});
