/**
 * `npm run audit -- verify`: whether the record of who did what is as it was written, on a running or a
 * stopped installation. Exit code 0: it is; 1: it is not, or could not be looked at.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { verifyChain, type Fault, type Verdict } from '#activity/activity.ts';
import { openDatabase } from '#db/open.ts';
import { systemClock as clock } from '#lib/clock.ts';
import { createLog } from '#lib/log.ts';
import { Refusal } from '#lib/refusal.ts';
import { openMasterKey } from '#lib/secrets.ts';
import { readConfig } from './config.ts';
import { prepareDataFolder } from './data-folder.ts';

const usage = `Usage:
  npm run audit -- verify
`;

process.exitCode = await main();

async function main(): Promise<number> {
  if (process.argv.slice(2).join(' ') !== 'verify') {
    process.stderr.write(usage);
    return 1;
  }
  try {
    const verdict = await look();
    process.stdout.write(report(verdict));
    return verdict.fault ? 1 : 0;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 1;
  }
}

async function look(): Promise<Verdict> {
  const config = readConfig(process.env);
  const folder = prepareDataFolder(config);
  const keyFile = config.masterKeyFile ?? join(folder.path, 'master.key');
  // A new key would call every entry forged.
  if (!existsSync(keyFile)) {
    throw new Refusal(`The key of the record, ${keyFile}, is not there; nothing can be verified.`);
  }
  const options = { url: config.databaseUrl, dataFolder: folder.path, clock, borrow: true };
  await using database = await openDatabase({ ...options, log: createLog('error') });
  const master = openMasterKey(keyFile);
  // Awaited here: the database is closed at the end of this function.
  return await verifyChain({ db: database.db, master, folder: join(folder.path, 'audit') });
}

function report({ entries, anchors, unsealed, fault }: Verdict): string {
  const right = `${entries} entries and ${anchors} anchors`;
  const waiting = unsealed > 0 ? ` ${unsealed} entries are not in the chain yet.` : '';
  if (!fault) return `The record is as it was written: ${right}.${waiting}\n`;
  return `THE RECORD WAS CHANGED: ${sentence(fault)}\nUp to there ${entries} entries are as they were written.${waiting}\n`;
}

function sentence(fault: Fault): string {
  if (fault.kind === 'anchor') {
    return `line ${fault.line} of the file of anchors was not written by Nazar.`;
  }
  const entry = `entry ${fault.sequence}`;
  if (fault.kind === 'missing') return `${entry} is missing; entry ${fault.found} follows.`;
  if (fault.kind === 'duplicate') return `${entry} is there twice (${fault.id}).`;
  if (fault.kind === 'changed') {
    return `${entry} (${fault.id}) or its signature is not as it was written.`;
  }
  const { at, sequence } = fault.anchor;
  return fault.kind === 'cut'
    ? `${entry} and all after it are missing; at ${at} there were ${sequence}.`
    : `${entry} is another one than at ${at}, when it was anchored; an entry up to there was replaced.`;
}
