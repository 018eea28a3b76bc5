/**
 * `npm run recordings -- check`: whether every row of the index has its file, every file its row, and each file the
 * hash that was written down when it was complete. While Nazar runs or not. Exit code 0: all of it is so; 1: it is
 * not, or could not be checked. `-- repair` makes the index agree with the files first. `-- verify-export FILE`:
 * whether an exported file is what this installation made.
 */
import { statSync } from 'node:fs';
import type { Database } from '#db/database.ts';
import { openDatabase, type DatabaseOptions } from '#db/open.ts';
import { openRootKey } from '#db/root-key.ts';
import { systemClock as clock } from '#lib/clock.ts';
import { lockFolder } from '#lib/folder-lock.ts';
import { createLog } from '#lib/log.ts';
import { Refusal } from '#lib/refusal.ts';
import { signingPairOf } from '#lib/secrets.ts';
import { complain, print } from '#lib/terminal/output.ts';
import { shown, type TerminalText } from '#lib/terminal/terminal-text.ts';
import {
  checkRecordings,
  repairIndex,
  verifyExport,
  type CheckFault,
  type ExportVerdict,
  type RecoveryReport,
} from '#recordings/recordings.ts';
import { readConfig, type Config } from '#config/config.ts';
import { keyFileOf, prepareDataFolder } from '#config/data-folder.ts';
import { borrowed, hasDatabase } from '#config/own-database.ts';
import { exitCodeOf } from './exit-code.ts';

const usage = shown`Usage:
  npm run recordings -- check    says whether index and files agree
  npm run recordings -- repair   makes the index agree with the files, while Nazar is stopped
  npm run recordings -- verify-export FILE   says whether an export is what this installation made
`;

const words: Readonly<Record<CheckFault['kind'], string>> = {
  no_row: 'NOT IN THE INDEX',
  no_file: 'MISSING',
  size: 'OF ANOTHER SIZE',
  hash: 'CHANGED',
  root_away: 'NOT THERE, and its files not looked at',
};

const verdicts = {
  no_proof: 'NO PROOF: this is no export, or its end was cut off or changed.',
  changed: 'CHANGED: this export or its manifest is not what was made.',
  foreign: 'ANOTHER INSTALLATION signed this export. What it says of itself:',
} as const;

/** As long as a camera's name may be. */
const maxNameChars = 200;
const maxListed = 200;

process.exitCode = await main();

async function main(): Promise<number> {
  const [command, file, ...rest] = process.argv.slice(2);
  const isKnown =
    command === 'verify-export'
      ? file !== undefined && rest.length === 0
      : (command === 'check' || command === 'repair') && file === undefined;
  if (!isKnown) {
    complain(usage);
    return 1;
  }
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  return exitCodeOf(
    async () => {
      const config = readConfig(process.env);
      if (file !== undefined) return verify(config, file);
      return command === 'check' ? check(config, stop.signal) : repair(config, stop.signal);
    },
    { signal: stop.signal, sentence: shown`Stopped.\n` },
  );
}

async function check(config: Config, signal: AbortSignal): Promise<number> {
  const folder = prepareDataFolder(config);
  return withDatabase(config, folder.path, {}, (db) => look(db, signal));
}

function runsElsewhere(who: string): string {
  return `Nazar is running (${who}), and repairs its index itself; stop it first.`;
}

/** No server may run: what it writes at the same time would seem to be left behind. */
async function repair(config: Config, signal: AbortSignal): Promise<number> {
  const folder = prepareDataFolder(config);
  using lock = lockFolder(folder.path);
  if (!lock) throw new Refusal('Nazar is running, and repairs its index itself; stop it first.');
  const alone = { exclusive: true, refused: runsElsewhere };
  return await withDatabase(config, folder.path, alone, async (db) => {
    const log = createLog('error');
    const report = await repairIndex({ db, clock, log, signal });
    print(shown`${sentenceOf(report)}\n`);
    return look(db, signal);
  });
}

async function verify(config: Config, file: string): Promise<number> {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) {
    throw new Refusal(`There is no file ${file}.`);
  }
  const folder = prepareDataFolder(config);
  return withDatabase(config, folder.path, {}, async (db) => {
    const master = await openRootKey({ db, clock, path: keyFileOf(config, folder) });
    const { publicKey } = signingPairOf(master);
    const verdict = await verifyExport(file, publicKey);
    print(shown`${reportOf(verdict)}\n`);
    return verdict.fault === null ? 0 : 1;
  });
}

/** The verdict comes first; what the export says of itself is escaped and indented, so that it cannot pass for one. */
function reportOf({ fault, manifest }: ExportVerdict): TerminalText {
  if (fault === 'no_proof' || fault === 'changed' || !manifest)
    return shown`${verdicts[fault ?? 'no_proof']}`;
  const { camera, pieces, gaps, sources } = manifest;
  const { encoded = [], left_out: leftOut = [], rewritten = [] } = manifest;
  const first = fault === null ? 'Whole, and exported by this installation.' : verdicts[fault];
  const [name, id] = [camera.name, camera.id].map((text) => text.slice(0, maxNameChars));
  return shown`${[
    shown`${first}`,
    shown`  camera "${name!}" (${id!}), ${manifest.from} to ${manifest.until}, of ${sources.length} files, exported ${manifest.exported_at}.`,
    ...listed(
      pieces.map(({ from, until, at_seconds }) => shown`  ${from} to ${until}, at ${at_seconds} s`),
    ),
    ...listed(encoded.map(({ from, until }) => shown`  ${from} to ${until} was encoded again`)),
    ...listed(
      rewritten.map(
        ({ from, until, pictures }) =>
          shown`  ${from} to ${until}: headers of ${pictures} pictures were adapted, what they show was copied`,
      ),
    ),
    ...listed(
      leftOut.map(
        ({ from, until }) => shown`  ${from} to ${until} was recorded and could not be included`,
      ),
    ),
    ...listed(
      gaps.map(
        ({ from, until, cause }) => shown`  ${from} to ${until ?? 'now'} is missing: ${cause}`,
      ),
    ),
  ]}`;
}

/** A file from an untrusted source may have so many lines that the verdict scrolls away. */
function listed(lines: readonly TerminalText[]): TerminalText[] {
  const more = lines.length - maxListed;
  return more > 0 ? [...lines.slice(0, maxListed), shown`  and ${more} more`] : [...lines];
}

async function withDatabase(
  config: Config,
  dataFolder: string,
  how: Pick<DatabaseOptions, 'exclusive' | 'refused'>,
  work: (db: Database) => Promise<number>,
): Promise<number> {
  if (!hasDatabase(config, dataFolder)) throw new Refusal(`There is nothing in ${dataFolder}.`);
  await using database = await openDatabase({ ...borrowed(config, dataFolder), ...how });
  return await work(database.db);
}

async function look(db: Database, signal: AbortSignal): Promise<number> {
  const { files, bytes, open, faults } = await checkRecordings(db, name, signal);
  const gigabytes = (bytes / 1e9).toFixed(2);
  const rest = open > 0 ? `, ${open} of them not complete yet` : '';
  print(
    shown`${files} files, ${gigabytes} GB${rest}; ${faults === 0 ? 'index and files agree' : `${faults} FAULTS`}.\n`,
  );
  return faults === 0 ? 0 : 1;
}

function name({ kind, path }: CheckFault): void {
  print(shown`${words[kind]}: ${path}\n`);
}

function sentenceOf({ added, repaired, lost }: RecoveryReport): TerminalText {
  return shown`${added} files were taken up, ${repaired} completed, ${lost} rows without a file removed.`;
}
