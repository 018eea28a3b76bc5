/**
 * `npm run restore`: brings a backup back while Nazar is stopped. It is built beside what is there and takes
 * its place when it is complete and its record was verified; what was there is kept.
 *
 *   npm run restore -- --from BACKUP [--key FILE] [--replace]
 */
import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Activity, consoleActor, verifyChain, type Details } from '#activity/activity.ts';
import { usualPatienceMs } from '#db/connection.ts';
import { Database } from '#db/database.ts';
import { reachDatabase } from '#db/open.ts';
import { openRootKey } from '#db/root-key.ts';
import { ServerLock } from '#db/server-lock.ts';
import { discardWaiting, swapIn, waiting } from '#db/swap.ts';
import { identityKeyColumn } from '#faces/faces.ts';
import { systemClock as clock } from '#lib/clock.ts';
import { createLog } from '#lib/log.ts';
import { Refusal } from '#lib/refusal.ts';
import { SecretKey } from '#lib/secrets.ts';
import { complain, print } from '#lib/terminal/output.ts';
import { shown } from '#lib/terminal/terminal-text.ts';
import { erasedIdentities, mergeErased, replayErasures } from '#privacy/privacy.ts';
import { servingPack } from '#system/models.ts';
import { restoreBackup } from '#system/restore.ts';
import { addedModelsDir, installedPacks, modelsDir } from '#vision/vision.ts';
import { packKey } from '#vision/packs/pack.ts';
import { readConfig, type Config } from '#config/config.ts';
import { keyFileOf, openDataFolder } from '#config/data-folder.ts';
import { exitCodeOf } from './exit-code.ts';

const usage = shown`Usage:
  npm run restore -- --from BACKUP [--key FILE] [--replace]
`;

const log = createLog('error');

process.exitCode = await main();

async function main(): Promise<number> {
  const words = readWords();
  if (words?.from === undefined) {
    complain(usage);
    return 1;
  }
  const asked = { ...words, from: resolve(words.from) };
  return exitCodeOf(() => restore(readConfig(process.env), asked).then(() => 0));
}

interface Words {
  readonly from: string;
  readonly key?: string;
  readonly replace?: boolean;
}

function readWords(): Partial<Words> | null {
  try {
    const text = { type: 'string' } as const;
    return parseArgs({ options: { from: text, key: text, replace: { type: 'boolean' } } }).values;
  } catch {
    return null;
  }
}

async function restore(config: Config, { from, key, replace = false }: Words): Promise<void> {
  using data = openDataFolder(config);
  const keyFile = prepareKey(config, data.path, key);
  const isThere = config.databaseUrl === null && existsSync(join(data.path, 'postgres/data'));
  if (isThere && !replace) {
    throw new Refusal(
      `There is a database in ${data.path}; add --replace to put the backup in its place. It is kept beside it.`,
    );
  }
  const privacyDir = join(data.path, 'privacy');
  await mergeErased(dirname(from), privacyDir);
  const options = { url: config.databaseUrl, dataFolder: data.path, clock, log };
  let serving: string | null = null;
  // A server that was killed leaves its database running.
  if (isThere) await (await reachDatabase(options))[Symbol.asyncDispose]();
  {
    await using database = await reachDatabase({ ...options, folderName: waiting('postgres') });
    const { target } = database;
    await using lock = await ServerLock.take(target, { clock, log, refused });
    const manifest = await restoreBackup({
      target,
      folder: from,
      master: SecretKey.readFrom(keyFile),
      identityKeys: identityKeyColumn,
      erased: await erasedIdentities(privacyDir),
      onTable: (name) => complain(shown`${name}\n`),
    });
    const auditDir = join(data.path, waiting('audit'));
    mkdirSync(auditDir, { mode: 0o700 });
    if (manifest.anchors) copyFileSync(join(from, 'anchors'), join(auditDir, 'anchors'));
    await using db = new Database(target, clock, log, usualPatienceMs, lock);
    const erased = await replayErasures({ db, folder: privacyDir, clock });
    serving = await servingPack(db);
    await finish(db, keyFile, auditDir, { backup_of: manifest.created_at, erased_again: erased });
  }
  const suffix = `before-${new Date(clock.now()).toISOString().replaceAll(':', '')}`;
  swapIn(data.path, suffix);
  const kept = isThere
    ? ` What was there is kept in ${join(data.path, `postgres.${suffix}`)}.`
    : '';
  print(shown`Restored ${from}. Everybody signs in again.${kept}\n`);
  await sayWhatIsMissing(serving, data.path);
}

function refused(who: string): string {
  return `Nazar uses the database of DATABASE_URL: ${who}. Stop it first; nothing was restored.`;
}

/** Faces are compared by vectors of one pack: without it no one would be recognised, without any explanation. */
async function sayWhatIsMissing(serving: string | null, folder: string): Promise<void> {
  const packs = await installedPacks(modelsDir, addedModelsDir(folder));
  if (serving === null || packs.some((pack) => packKey(pack) === serving)) return;
  print(
    shown`The people in it were enrolled with the models ${serving}, which are not on this machine: nobody is recognised until you add them (npm run models -- add FOLDER) or change to others (npm run models -- use ID).\n`,
  );
}

/** The restored chain is whole, and has an entry of the restore with how many people were erased again. */
async function finish(db: Database, path: string, folder: string, details: Details): Promise<void> {
  const master = await openRootKey({ db, clock, path });
  const { fault } = await verifyChain({ db, master, folder });
  if (fault) {
    throw new Refusal(
      `The record of who did what was changed before this backup was made (${fault.kind}); nothing was restored.`,
    );
  }
  await new Activity({ db, clock }).recordAlone({
    actor: consoleActor,
    action: 'system.restored',
    object: null,
    details,
  });
}

/** The file the backup opens with: the installation's own, or one that is to become it. */
function prepareKey(config: Config, folder: string, key: string | undefined): string {
  discardWaiting(folder);
  const own = keyFileOf(config, { path: folder });
  if (key === undefined || resolve(key) === resolve(own)) {
    if (existsSync(own)) return own;
    throw new Refusal(`The master key ${own} is not there; name the backup's with --key FILE.`);
  }
  if (!existsSync(key)) throw new Refusal(`The master key ${key} is not there.`);
  if (config.masterKeyFile !== null) {
    throw new Refusal(`Put ${key} in the place of ${own} (NAZAR_MASTER_KEY_FILE) first.`);
  }
  const path = join(folder, waiting('master.key'));
  copyFileSync(key, path);
  return path;
}
