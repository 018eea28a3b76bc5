/**
 * The proof inside an export (C-408): a box at its end with a manifest (which camera, when, what is missing, the hash
 * of everything before it) and a signature of this installation over the manifest. Any changed byte makes one of the
 * two wrong. Anyone with the public key can check it, without this installation.
 *
 *   uuid box: kind (16) . length of the manifest (u32) . manifest (UTF-8 JSON) . Ed25519 signature (64)
 */
import { createPublicKey, sign, verify, type KeyObject } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import type { GapCause } from '@nazar/contract/recordings.ts';
import { hashFile } from '#lib/hash-file.ts';

export interface Manifest {
  readonly version: 1;
  readonly export: string;
  readonly camera: { readonly id: string; readonly name: string };
  /** The requested time. ISO 8601, UTC. */
  readonly from: string;
  readonly until: string;
  readonly exported_at: string;
  /** Id of the account. */
  readonly exported_by: string;
  /** The length of everything before this box. */
  readonly bytes: number;
  readonly sha256: string;
  /** What the export contains, and at which of its seconds each piece begins. */
  readonly pieces: readonly { from: string; until: string; at_seconds: number }[];
  /** What is missing, and why. */
  readonly gaps: readonly { from: string; until: string | null; cause: GapCause }[];
  /** Privacy masks are burnt in: the pictures were encoded again. Absent in exports from before this field existed. */
  readonly masked?: boolean;
  /** The recorded files it was made from. */
  readonly sources: readonly { id: string; from: string; until: string; sha256: string }[];
  /** The public key of this installation, base64 of SPKI. */
  readonly public_key: string;
}

export type Verdict =
  | { readonly fault: null; readonly manifest: Manifest }
  /** `foreign`: whole, and signed by another installation. */
  | { readonly fault: 'no_proof' | 'changed' | 'foreign'; readonly manifest: Manifest | null };

/** Generated once at random. */
const kind = Buffer.from('a3f5b1d6c8424b0f9f5b7f62e0c1d4a8', 'hex');
const signatureBytes = 64;
/** A day of 8,640 files takes 1.5 MB. */
const maxManifestBytes = 64 * 1024 * 1024;

export function proofBox(manifest: Manifest, privateKey: KeyObject): Buffer {
  const text = Buffer.from(JSON.stringify(manifest));
  const head = Buffer.alloc(28);
  head.writeUInt32BE(head.length + text.length + signatureBytes);
  head.write('uuid', 4, 'latin1');
  kind.copy(head, 8);
  head.writeUInt32BE(text.length, 24);
  return Buffer.concat([head, text, sign(null, text, privateKey)]);
}

export const publicKeyText = (key: KeyObject): string =>
  key.export({ format: 'der', type: 'spki' }).toString('base64');

/** `ours`: the public key of this installation; null: any signer is accepted. */
export async function verifyExport(path: string, ours: KeyObject | null): Promise<Verdict> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const at = await lastBoxAt(file, size);
    const box = at === null || size - at > maxManifestBytes ? null : await bytesAt(file, at, size);
    const proof = box && proofIn(box);
    if (at === null || !proof) return { fault: 'no_proof', manifest: null };
    const { manifest, isSigned } = proof;
    const isWhole =
      isSigned && manifest.bytes === at && (await isHashOf(path, at, manifest.sha256));
    if (!isWhole) return { fault: 'changed', manifest };
    const isOurs = ours === null || publicKeyText(ours) === manifest.public_key;
    return isOurs ? { fault: null, manifest } : { fault: 'foreign', manifest };
  } finally {
    await file.close();
  }
}

function proofIn(box: Buffer): { readonly manifest: Manifest; readonly isSigned: boolean } | null {
  if (box.length < 28 + signatureBytes || box.toString('latin1', 4, 8) !== 'uuid') return null;
  if (!box.subarray(8, 24).equals(kind)) return null;
  const length = box.readUInt32BE(24);
  if (28 + length + signatureBytes !== box.length) return null;
  const text = box.subarray(28, 28 + length);
  try {
    const manifest = JSON.parse(text.toString()) as Manifest;
    const der = Buffer.from(manifest.public_key, 'base64');
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
    return { manifest, isSigned: verify(null, text, key, box.subarray(28 + length)) };
  } catch {
    return null;
  }
}

/** Returns where the last of the file's own boxes begins; null when they do not add up to the file. */
async function lastBoxAt(file: FileHandle, size: number): Promise<number | null> {
  let last: number | null = null;
  for (let at = 0; at < size;) {
    if (at + 8 > size) return null;
    const head = await bytesAt(file, at, Math.min(size, at + 16));
    const short = head.readUInt32BE(0);
    const length = short === 1 && head.length === 16 ? Number(head.readBigUInt64BE(8)) : short;
    if (length < 8 || at + length > size) return null;
    last = at;
    at += length;
  }
  return last;
}

async function bytesAt(file: FileHandle, from: number, until: number): Promise<Buffer> {
  const { buffer } = await file.read(Buffer.alloc(until - from), 0, until - from, from);
  return buffer;
}

async function isHashOf(path: string, until: number, expected: string): Promise<boolean> {
  const { sha256 } = await hashFile(path, { until });
  return sha256.toString('hex') === expected;
}
