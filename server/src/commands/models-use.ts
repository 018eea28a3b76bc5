/**
 * `npm run models -- use` and `-- cancel`: asks a running installation to change its models, and reports progress.
 * The servers do the work: ending this command stops nothing.
 */
import type { ModelChange, ModelsReply } from '@nazar/contract/models.ts';
import { Activity, consoleActor } from '#activity/activity.ts';
import { openDatabase } from '#db/open.ts';
import { systemClock as clock, type Clock } from '#lib/clock.ts';
import { lockFolder } from '#lib/folder-lock.ts';
import { Problem } from '#lib/problem.ts';
import { Refusal } from '#lib/refusal.ts';
import { print } from '#lib/terminal/output.ts';
import { shown, type TerminalText } from '#lib/terminal/terminal-text.ts';
import { Models, servingPack, type ModelsOptions } from '#system/models.ts';
import { damagedFiles } from '#vision/packs/installed-packs.ts';
import { addedModelsDir, installedPacks, modelsDir } from '#vision/vision.ts';
import { readConfig, type Config } from '#config/config.ts';
import { prepareDataFolder } from '#config/data-folder.ts';
import { borrowed, hasDatabase } from '#config/own-database.ts';

export const useUsage = shown`  npm run models -- use ID [--accept-losses N]   prepares installed models, and makes them serve
  npm run models -- cancel                       what serves goes on serving
`;

const notStarted = 'Nazar was not started yet, so there are no models to change: npm start';
const lookEveryMs = 500;
const say = (text: TerminalText): unknown => print(shown`${text}\n`);

/** Its exit code: 0 when the pack serves, or will without further words. Throws Problems and Refusals. */
export async function changeModels(
  packId: string,
  acceptLosses: number,
  signal: AbortSignal,
): Promise<number> {
  return withModels(async (models, { isRunning }) => {
    await models.use(consoleActor, packId, acceptLosses);
    if (isRunning) return follow(models, packId, { clock, say, signal });
    say(shown`Nazar is not running. When it runs it prepares ${packId}, and then changes to it.`);
    return 0;
  });
}

export async function cancelModels(): Promise<void> {
  await withModels((models) => models.cancel(consoleActor));
  print(shown`The change was cancelled; what served goes on serving.\n`);
}

export interface Watching {
  readonly clock: Pick<Clock, 'wait'>;
  readonly say: (text: TerminalText) => unknown;
  readonly signal: AbortSignal;
}

/** Watches until the pack serves, a decision is needed, or the command is stopped. */
export async function follow(
  models: Pick<Models, 'read'>,
  packId: string,
  { clock: ticking, say: tell, signal }: Watching,
): Promise<number> {
  let said = '';
  for (;;) {
    const { serving, change } = await models.read();
    const isDone = change === null || change.losses !== null;
    const text = change === null ? ended(packId, serving) : progress(change);
    if (text.text !== said) tell(text);
    said = text.text;
    if (isDone) return change === null && serving.id === packId ? 0 : 1;
    await ticking.wait(lookEveryMs, signal).catch(() => undefined);
    if (!signal.aborted) continue;
    tell(shown`The change goes on without you. To see how far it is, ask for it once more.`);
    return 0;
  }
}

function ended(packId: string, serving: ModelsReply['serving']): TerminalText {
  return serving.id === packId
    ? shown`${serving.id} ${serving.version} serves. For a week you can go back at once.`
    : shown`The change was cancelled; ${serving.id} ${serving.version} serves.`;
}

function progress({ to, total, done, failed, losses }: ModelChange): TerminalText {
  if (losses) return lossesInWords(to.id, losses);
  if (total === 0) return shown`Photos and visits are being counted.`;
  const percent = Math.floor((100 * (done + failed)) / total);
  return shown`${percent} % of ${total} photos and visits, ${failed} without a face for ${to.id}`;
}

function lossesInWords(packId: string, losses: NonNullable<ModelChange['losses']>): TerminalText {
  const { photos, people } = losses;
  const names = people.map(({ name }) => shown`  ${name}`);
  const left =
    people.length > 0 ? shown` These people would have none left:\n${names}\n` : shown`\n`;
  return shown`Photos that serve now and would not with ${packId}: ${photos}.${left}Agree with: npm run models -- use ${packId} --accept-losses ${photos}\nOr cancel with: npm run models -- cancel`;
}

interface Place {
  /** A server uses this installation, as far as this command can see. */
  readonly isRunning: boolean;
}

async function withModels<R>(work: (models: Models, place: Place) => Promise<R>): Promise<R> {
  const config = readConfig(process.env);
  const folder = prepareDataFolder(config);
  if (!hasDatabase(config, folder.path)) throw new Refusal(notStarted);
  await using database = await openDatabase(borrowed(config, folder.path));
  const { db } = database;
  if ((await servingPack(db)) === null) throw new Refusal(notStarted);
  const vision = await packsIn(folder.path);
  const models = new Models({ db, activity: new Activity({ db, clock }), vision, clock });
  // Awaited here: the database is closed at the end of this function.
  return await work(models, { isRunning: isServed(config, folder.path) });
}

/** The packs of this machine, as far as changing to one goes. */
async function packsIn(folder: string): Promise<ModelsOptions['vision']> {
  const packs = await installedPacks(modelsDir, addedModelsDir(folder));
  return {
    packs,
    readPacks: () => Promise.resolve(),
    mustBeWhole: async (packId) => {
      const pack = packs.find(({ id }) => id === packId);
      const [file] = pack ? await damagedFiles(pack) : [];
      if (file !== undefined) throw new Problem('model_pack_damaged', { file });
    },
  };
}

/** Whether a server may be running: with a served database it may, on another machine. */
function isServed(config: Config, folder: string): boolean {
  if (config.databaseUrl !== null) return true;
  using lock = lockFolder(folder);
  return lock === null;
}
