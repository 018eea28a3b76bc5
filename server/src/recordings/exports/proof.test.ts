/** C-408: every change to an export is noticed. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { SecretKey } from '#lib/secrets.ts';
import { box } from '#testing/segments.ts';
import { proofBox, publicKeyText, verifyExport, type Manifest } from './proof.ts';

const folder = mkdtempSync(join(tmpdir(), 'nazar-proof-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const path = join(folder, 'film.mp4');
const { privateKey, publicKey } = SecretKey.random().derive('recordings').signingPair();

/** An export of a few boxes, with its proof. */
function anExport(more: Partial<Manifest> = {}): Buffer {
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

test('an export that nobody changed is what its manifest says', async () => {
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

test('C-408 what is cut off, added, or signed by somebody else is noticed', async () => {
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
