/**
 * `npm run audit -- verify`: whether the activity log is as it was written, on a running or a
 * stopped installation; `-- prune`: lets go what is older than the policy; `-- verify-file FILE`: whether a file that was
 * saved of a verification is what this installation signed, and the activity log still has what it says. Exit code 0: it is
 * so; 1: it is not, or could not be checked.
 */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import {
  compareReport,
  pruneChain,
  verifyChain,
  type Comparison,
  type Fault,
  type Report,
  type Verdict,
} from '#activity/activity.ts';
import { openDatabase } from '#db/open.ts';
import { openRootKey } from '#db/root-key.ts';
import { Refusal } from '#lib/refusal.ts';
import { systemClock as clock } from '#lib/clock.ts';
import { complain, print } from '#lib/terminal/output.ts';
import { shown, type TerminalText } from '#lib/terminal/terminal-text.ts';
import { readConfig } from '#config/config.ts';
import { keyFileOf, prepareDataFolder } from '#config/data-folder.ts';
import { borrowed } from '#config/own-database.ts';
import { exitCodeOf } from './exit-code.ts';

const usage = shown`Usage:
  npm run audit -- verify   says whether the activity log is as it was written
  npm run audit -- prune    removes entries older than NAZAR_AUDIT_DAYS
  npm run audit -- verify-file FILE   says whether a saved verification is unchanged, and the activity log still has what it says
`;

const verdicts: Readonly<Record<Comparison['verdict'], string>> = {
  kept: 'Signed by this installation, and the activity log still has the last entry it names, unchanged.',
  pruned: 'Signed by this installation. The entries it names were removed for their age since.',
  replaced:
    'THE RECORD WAS CHANGED since: the last entry that this file names is gone or another one.',
  no_report: 'NO VERIFICATION: this is no file that was saved of one, or it was cut off.',
  changed: 'CHANGED: this file is not what was saved.',
  foreign: 'ANOTHER INSTALLATION signed this file. What it says of itself:',
};

/** A file of ours has two kilobytes. */
const maxFileBytes = 64 * 1024;

process.exitCode = await main();

async function main(): Promise<number> {
  const [command, file, ...rest] = process.argv.slice(2);
  if (command === 'verify-file' && file !== undefined && rest.length === 0) {
    return exitCodeOf(() => compare(file));
  }
  if ((command !== 'verify' && command !== 'prune') || file !== undefined) {
    complain(usage);
    return 1;
  }
  return exitCodeOf(command === 'verify' ? look : letGo);
}

async function compare(path: string): Promise<number> {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found?.isFile()) throw new Refusal(`There is no file ${path}.`);
  const text = found.size > maxFileBytes ? '' : readFileSync(path, 'utf8');
  const { verdict, report } = await withChain((chain) => compareReport(chain, text));
  print(shown`${verdicts[verdict]}\n${report ? summaryOf(report) : shown``}`);
  return verdict === 'kept' || verdict === 'pruned' ? 0 : 1;
}

/** The verdict comes first; what the file says of itself is escaped and indented, so that it cannot pass for one. */
function summaryOf({ whole, entries, first, last, ended_at, fault }: Report): TerminalText {
  const from = first ? `, from entry ${first.sequence} of ${first.recorded_at}` : '';
  const until = last ? ` to entry ${last.sequence} of ${last.recorded_at}` : '';
  const state = whole ? 'whole' : `broken (${fault?.kind ?? 'unknown'})`;
  return shown`  verified ${ended_at}: ${state}, ${entries} entries as they were written${from}${until}.\n`;
}

async function look(): Promise<number> {
  const verdict = await withChain((chain) => verifyChain(chain));
  print(report(verdict));
  return verdict.fault ? 1 : 0;
}

async function letGo(): Promise<number> {
  const { auditDays: days } = readConfig(process.env);
  const { removed, fault } = await withChain((chain) => pruneChain({ ...chain, clock, days }));
  print(shown`${removed} entries older than ${days} days were removed.\n`);
  if (!fault) return 0;
  print(shown`THE RECORD WAS CHANGED: ${sentence(fault)} What follows stays.\n`);
  return 1;
}

type Chain = Parameters<typeof verifyChain>[0];

async function withChain<R>(work: (chain: Chain) => Promise<R>): Promise<R> {
  const config = readConfig(process.env);
  const folder = prepareDataFolder(config);
  await using database = await openDatabase(borrowed(config, folder.path));
  const { db } = database;
  const master = await openRootKey({ db, clock, path: keyFileOf(config, folder) });
  // Awaited here: the database is closed at the end of this function.
  return await work({ db, master, folder: join(folder.path, 'audit') });
}

function report({ entries, pruned, anchors, unsealed, fault }: Verdict): TerminalText {
  const older = pruned > 0 ? ` after ${pruned} that were removed for their age` : '';
  const right = `${entries} entries${older} and ${anchors} anchors`;
  const waiting = unsealed > 0 ? ` ${unsealed} entries are not in the chain yet.` : '';
  if (!fault) return shown`The record is as it was written: ${right}.${waiting}\n`;
  return shown`THE RECORD WAS CHANGED: ${sentence(fault)}\nUp to there ${entries} entries are as they were written.${waiting}\n`;
}

function sentence(fault: Fault): string {
  if (fault.kind === 'anchor') {
    return `line ${fault.line} of the file of anchors was not written by Nazar.`;
  }
  const entry = `entry ${fault.sequence}`;
  if (fault.kind === 'missing') return `${entry} is missing; entry ${fault.found} follows.`;
  if (fault.kind === 'duplicate') return `${entry} is there twice (${fault.id}).`;
  if (fault.kind === 'returned') {
    return `${entry} (${fault.id}) was removed for its age and is there again.`;
  }
  if (fault.kind === 'checkpoint') {
    return `the checkpoint at ${entry}, where the activity log begins, was not made by Nazar.`;
  }
  if (fault.kind === 'changed') {
    return `${entry} (${fault.id}) or its signature is not as it was written.`;
  }
  const { at, sequence } = fault.anchor;
  return fault.kind === 'cut'
    ? `${entry} and all after it are missing; at ${at} there were ${sequence}.`
    : `${entry} is another one than at ${at}, when it was anchored; an entry up to there was replaced.`;
}
