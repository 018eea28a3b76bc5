/**
 * The proof inside an export: a box at its end with a manifest (which camera, when, what is missing, the hash
 * of everything before it) and a signature of this installation over the manifest. Any changed byte makes one of the
 * two wrong. Anyone with the public key can check it, without this installation.
 *
 *   uuid box: kind (16) . length of the manifest (u32) . manifest (UTF-8 JSON) . Ed25519 signature (64)
 */
import { createPublicKey, sign, verify, type KeyObject } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import * as z from 'zod/mini';
import { hashFile } from '#lib/hash-file.ts';
import { publicKeyText } from '#lib/secrets.ts';

const Time = z.iso.datetime();
const Sha256 = z.string().check(z.regex(/^[\da-f]{64}$/));
const Name = z.string().check(z.maxLength(1_000));
/** A day of motion has some thousands; no valid export has so many. */
const few = z.maxLength(100_000);

const Spans = z
  .array(z.object({ from: Time, until: Time, pictures: z.number().check(z.int()) }))
  .check(few);

/** Parses what an uploaded file says about itself, even if its signature is valid: anyone can sign. */
const Manifest = z.object({
  version: z.literal(1),
  export: Name,
  camera: z.object({ id: Name, name: Name }),
  /** The requested time, UTC. */
  from: Time,
  until: Time,
  exported_at: Time,
  /** Id of the account. */
  exported_by: Name,
  /** The length of everything before this box. */
  bytes: z.number(),
  sha256: Sha256,
  /** What the export contains, and at which of its seconds each piece begins. */
  pieces: z.array(z.object({ from: Time, until: Time, at_seconds: z.number() })).check(few),
  /** What is missing, and why: a `GapCause` of the version that made it. */
  gaps: z
    .array(
      z.object({
        from: Time,
        until: z.nullable(Time),
        cause: z.string().check(z.regex(/^[a-z_]{1,40}$/)),
      }),
    )
    .check(few),
  /** Privacy masks are burnt in: the pictures were encoded again. Absent in exports from before this field existed. */
  masked: z.optional(z.boolean()),
  /**
   * What was encoded again, because its pictures cannot be shown without others that lie outside the requested time: up
   * to the first key frame, and the last few pictures. Everything else is copied. With `masked` everything is encoded.
   * Absent in exports from before this field existed, which hold what comes before the first second and do not show it.
   */
  encoded: z.optional(Spans),
  /** What was recorded and could not be encoded again: it is not in the export. */
  left_out: z.optional(Spans),
  /**
   * Copied with other headers of slices, so that players can begin at an open group of pictures; what was coded is, bit
   * for bit, what was recorded. Absent in exports from before this field existed.
   */
  rewritten: z.optional(Spans),
  /** The recorded files it was made from. */
  sources: z.array(z.object({ id: Name, from: Time, until: Time, sha256: Sha256 })).check(few),
  /** The public key of this installation, base64 of SPKI. */
  public_key: Name,
});
export type Manifest = z.infer<typeof Manifest>;

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
    const manifest = Manifest.parse(JSON.parse(text.toString()));
    const der = Buffer.from(manifest.public_key, 'base64');
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
    return { manifest, isSigned: verify(null, text, key, box.subarray(28 + length)) };
  } catch {
    return null;
  }
}

/** An export has four boxes (`media/export/export-plan.ts`) and its proof. */
const maxBoxes = 100_000;
/** Boxes that lie in one piece of a file cost one read. */
const pieceBytes = 1024 * 1024;
const maxHeadBytes = 16;

/**
 * Returns where the last of the file's own boxes begins; null when they do not add up to the file, or are more than an
 * export has.
 */
export async function lastBoxAt(
  file: Pick<FileHandle, 'read'>,
  size: number,
): Promise<number | null> {
  let last: number | null = null;
  let piece: { at: number; bytes: Buffer } = { at: 0, bytes: Buffer.alloc(0) };
  for (let at = 0, boxes = 0; at < size; boxes += 1) {
    if (at + 8 > size || boxes >= maxBoxes) return null;
    const wanted = Math.min(size, at + maxHeadBytes);
    if (wanted > piece.at + piece.bytes.length) {
      piece = { at, bytes: await bytesAt(file, at, Math.min(size, at + pieceBytes)) };
    }
    const head = piece.bytes.subarray(at - piece.at, wanted - piece.at);
    if (head.length < 8) return null; // It was cut off meanwhile.
    const short = head.readUInt32BE(0);
    const length = short === 1 && head.length === 16 ? Number(head.readBigUInt64BE(8)) : short;
    if (length < 8 || at + length > size) return null;
    last = at;
    at += length;
  }
  return last;
}

async function bytesAt(
  file: Pick<FileHandle, 'read'>,
  from: number,
  until: number,
): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(until - from), 0, until - from, from);
  return buffer.subarray(0, bytesRead);
}

async function isHashOf(path: string, until: number, expected: string): Promise<boolean> {
  const { sha256 } = await hashFile(path, { until });
  return sha256.toString('hex') === expected;
}
