/**
 * What is in a backup, and the signature that says who wrote it: nothing of it is believed before both
 * hold. Signed by the master key, which is not in the backup: a restore needs it anyway.
 */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { Refusal } from '#lib/refusal.ts';
import type { SecretKey } from '#lib/secrets.ts';

const Name = z.string().regex(/^[a-z][a-z0-9_]{0,62}$/);
const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const Moment = z.string().regex(/^[-0-9:.+ ]{10,40}$/);

const File = z.object({ file: z.string().regex(/^[a-z0-9_.]+$/), bytes: z.int(), sha256: Sha256 });

export const Manifest = z.object({
  format: z.literal(1),
  version: z.string(),
  created_at: z.string(),
  /** Which master key opens it. */
  key: z.string(),
  migrations: z.array(z.string()),
  tables: z.array(File.extend({ name: Name, columns: z.array(Name), rows: z.int() })),
  ranges: z.array(z.object({ table: Name, partition: Name, from: Moment, until: Moment })),
  sequences: z.array(z.object({ name: Name, last: z.string().regex(/^\d+$/) })),
  /** The anchors of the chain; null when there were none yet. */
  anchors: z.nullable(File),
});
export type Manifest = z.infer<typeof Manifest>;
export type BackupTable = Manifest['tables'][number];

const manifestFile = 'manifest.json';
const signatureFile = 'manifest.sig';
const purpose = 'backup';
/** A manifest names a few dozen tables, with 200 bytes each. Read whole, before its signature is known to be right. */
const maxManifestBytes = 1024 * 1024;

/** Distinguishes master keys, and reveals nothing about them. */
export function keyMark(master: SecretKey): string {
  return master.derive('backup mark').sign('').toString('hex').slice(0, 16);
}

export function writeManifest(folder: string, manifest: Manifest, master: SecretKey): void {
  const text = `${JSON.stringify(manifest, null, 2)}\n`;
  const signature = master.derive(purpose).sign(text).toString('hex');
  const options = { mode: 0o600, flush: true, flag: 'wx' } as const;
  writeFileSync(join(folder, manifestFile), text, options);
  writeFileSync(join(folder, signatureFile), `${signature}\n`, options);
}

/** Throws a Refusal: not a backup, of another key, changed, or of a format this version does not read. */
export function readManifest(folder: string, master: SecretKey): Manifest {
  const text = read(folder, manifestFile);
  const signature = Buffer.from(read(folder, signatureFile).trim(), 'hex');
  if (!master.derive(purpose).verify(text, signature)) throw notSigned(folder, text, master);
  const manifest = Manifest.safeParse(JSON.parse(text));
  if (manifest.success) return manifest.data;
  throw new Refusal(`${folder} was written by another version of Nazar; restore it with that one.`);
}

function read(folder: string, file: string): string {
  const path = join(folder, file);
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > maxManifestBytes) {
    throw new Refusal(`${folder} is not a backup: ${file} is larger than 1 MB.`);
  }
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new Refusal(`${folder} is not a backup: ${file} cannot be read there.`, { cause });
  }
}

function notSigned(folder: string, text: string, master: SecretKey): Refusal {
  const key = /"key": "([0-9a-f]{16})"/.exec(text)?.[1];
  return key !== undefined && key !== keyMark(master)
    ? new Refusal(
        `${folder} belongs to another master key; name the one of that time with --key FILE.`,
      )
    : new Refusal(`${folder} was changed after it was written (manifest); it is not restored.`);
}
