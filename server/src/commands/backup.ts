/**
 * `npm run backup`: a copy of everything in the database, made while Nazar runs or not.
 *
 *   npm run backup -- --to FOLDER        writes FOLDER/nazar-<time> and reads it again
 *   npm run backup -- --check BACKUP     proves that one is whole
 */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { identityKeyColumn } from '#faces/faces.ts';
import { reachDatabase } from '#db/open.ts';
import { systemClock as clock } from '#lib/clock.ts';
import { Refusal } from '#lib/refusal.ts';
import { SecretKey } from '#lib/secrets.ts';
import { complain, print } from '#lib/terminal/output.ts';
import { shown } from '#lib/terminal/terminal-text.ts';
import { erasedIdentities, mergeErased } from '#privacy/privacy.ts';
import { checkBackup, writeBackup } from '#system/backup.ts';
import type { Manifest } from '#system/backup-manifest.ts';
import { readConfig, type Config } from '#config/config.ts';
import { keyFileOf, prepareDataFolder } from '#config/data-folder.ts';
import { borrowed, hasDatabase } from '#config/own-database.ts';
import { exitCodeOf } from './exit-code.ts';

const usage = shown`Usage:
  npm run backup -- --to FOLDER
  npm run backup -- --check BACKUP [--key FILE]
`;

process.exitCode = await main();

async function main(): Promise<number> {
  const words = readWords();
  if (!words || (words.to === undefined) === (words.check === undefined)) {
    complain(usage);
    return 1;
  }
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  const sentence = shown`Stopped; nothing was kept.\n`;
  return exitCodeOf(
    async () => {
      const config = readConfig(process.env);
      if (words.check === undefined) await backUp(config, resolve(words.to!), stop.signal);
      else await check(config, resolve(words.check), words.key);
      return 0;
    },
    { signal: stop.signal, sentence },
  );
}

function readWords(): { to?: string; check?: string; key?: string } | null {
  try {
    const text = { type: 'string' } as const;
    return parseArgs({ options: { to: text, check: text, key: text } }).values;
  } catch {
    return null;
  }
}

async function backUp(config: Config, to: string, signal: AbortSignal): Promise<void> {
  const { version } = JSON.parse(
    readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8'),
  ) as { version: string };
  const data = prepareDataFolder(config);
  const keyFile = keyFileOf(config, data);
  if (!hasDatabase(config, data.path) || !existsSync(keyFile)) {
    throw new Refusal(`There is nothing to back up in ${data.path}.`);
  }
  await using database = await reachDatabase(borrowed(config, data.path));
  const privacyDir = join(data.path, 'privacy');
  const { folder, manifest } = await writeBackup({
    target: database.target,
    master: SecretKey.readFrom(keyFile),
    to,
    version,
    auditDir: join(data.path, 'audit'),
    identityKeys: identityKeyColumn,
    erased: await erasedIdentities(privacyDir),
    clock,
    onTable: (name) => complain(shown`${name}\n`),
    signal,
  });
  await mergeErased(privacyDir, to);
  print(
    shown`${folder}: ${inWords(manifest)}, read again and whole.\nIt opens with ${keyFile}, which is not in it: keep a copy of that file elsewhere.\n`,
  );
}

async function check(config: Config, folder: string, key: string | undefined): Promise<void> {
  const keyFile = key ?? keyFileOf(config, prepareDataFolder(config));
  if (!existsSync(keyFile)) {
    throw new Refusal(`The master key ${keyFile} is not there; name it with --key FILE.`);
  }
  const manifest = await checkBackup(folder, SecretKey.readFrom(keyFile));
  print(
    shown`${folder} is whole: ${inWords(manifest)}, written ${manifest.created_at} by version ${manifest.version}.\n`,
  );
}

function inWords({ tables }: Manifest): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const bytes = tables.reduce((sum, table) => sum + table.bytes, 0);
  return `${rows} rows of ${tables.length} tables, ${(bytes / 1_000_000).toFixed(1)} MB`;
}
