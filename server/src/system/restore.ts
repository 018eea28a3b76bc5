/**
 * Bringing a backup back into an empty database. Nothing is written before all of the backup was found whole;
 * what comes back without a key belongs to a person who was erased since, and stays unreadable.
 */
import { createReadStream } from 'node:fs';
import { dirname, join } from 'node:path';
import { createZstdDecompress } from 'node:zlib';
import type { Target } from '#db/connection.ts';
import { load } from '#db/load.ts';
import type { SecretKey } from '#lib/secrets.ts';
import { checkBackup } from './backup.ts';
import { identityKeys, type KeyColumn } from './backup-keys.ts';
import type { Manifest } from './backup-manifest.ts';

export interface RestoreOptions {
  readonly target: Target;
  /** A backup; the keys of identities lie beside it. */
  readonly folder: string;
  readonly master: SecretKey;
  readonly identityKeys: KeyColumn;
  /** Identities whose keys do not come back. */
  readonly erased: ReadonlySet<string>;
  readonly onTable: (name: string) => void;
}

/** Throws a Refusal when the backup is not whole or not ours, or the database is not empty. */
export async function restoreBackup(options: RestoreOptions): Promise<Manifest> {
  const { target, folder, master, onTable } = options;
  const manifest = await checkBackup(folder, master);
  const files = new Map(manifest.tables.map(({ name, file }) => [name, join(folder, file)]));
  await load(
    target,
    {
      ...manifest,
      rows: ({ name }) => createReadStream(files.get(name)!).pipe(createZstdDecompress()),
      pairs: { ...options.identityKeys, rows: readable(dirname(folder), options.erased) },
    },
    onTable,
  );
  return manifest;
}

async function* readable(
  folder: string,
  erased: ReadonlySet<string>,
): AsyncGenerator<[string, Buffer]> {
  for await (const [id, key] of identityKeys(folder)) if (!erased.has(id)) yield [id, key];
}
