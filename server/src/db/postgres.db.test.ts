import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { sql } from 'kysely';
import { pino } from 'pino';
import { systemClock } from '#lib/clock.ts';
import type { Database } from './database.ts';
import { openDatabase, type OpenDatabase } from './open.ts';
import { processesCalled, processState } from './processes.ts';
import { clusterName } from './folders.ts';

let dataFolder: string;

before(() => {
  dataFolder = mkdtempSync(join(tmpdir(), 'nazar-postgres-'));
  makeDataFolder(dataFolder);
});
after(() => rmSync(dataFolder, { recursive: true }));

function makeDataFolder(folder: string): void {
  mkdirSync(join(folder, 'logs'), { recursive: true, mode: 0o700 });
  // The temporary folder of a test is closed to `nobody`; the product's own is made passable by openDataFolder.
  if (process.getuid?.() === 0) chmodSync(folder, 0o711);
}

function open(borrow = false, folder = dataFolder): Promise<OpenDatabase> {
  const log = pino({ level: 'silent' });
  return openDatabase({ url: null, dataFolder: folder, clock: systemClock, log, borrow });
}

interface Tables {
  written: { n: number };
}

async function makeTable(db: Database): Promise<void> {
  await sql`drop table if exists written`.execute(db.write());
  await sql`create table written (n int primary key)`.execute(db.write());
}

async function rows(db: Database): Promise<Set<number>> {
  const found = await db.read<Tables>().selectFrom('written').select('n').execute();
  return new Set(found.map(({ n }) => n));
}

function lifetime(pid: number | null): string {
  return pid === null ? 'gone' : processState(pid);
}

test('R-01 killed three times while it writes, it comes back and has every acknowledged row', async () => {
  await using opened = await open();
  const { db } = opened;
  await makeTable(db);
  const acknowledged: number[] = [];
  let next = 0;
  for (let kill = 0; kill < 3; kill += 1) {
    const target = acknowledged.length + 200;
    let killed = false;
    // Eight writers; the server dies under them, and each goes on with its next row when it can.
    const writer = async (): Promise<void> => {
      while (acknowledged.length < target + 200) {
        const n = next++;
        try {
          await db.write<Tables>().insertInto('written').values({ n }).execute();
          acknowledged.push(n);
        } catch {
          // Not acknowledged: it may be there or not.
        }
        if (acknowledged.length < target || killed) continue;
        killed = true;
        process.kill(opened.pid() ?? 0, 'SIGKILL');
      }
    };
    await Promise.all(Array.from({ length: 8 }, writer));
  }
  const there = await rows(db);
  assert.deepEqual(
    acknowledged.filter((n) => !there.has(n)),
    [],
  );
});

function sourceUrl(file: string): string {
  return pathToFileURL(join(import.meta.dirname, file)).href;
}

/** Another process that opens the same database, writes one row and is then killed without warning. */
async function openElsewhereAndKill(): Promise<number> {
  const program = `
    import { openDatabase } from '${sourceUrl('open.ts')}';
    import { systemClock } from '${sourceUrl('../lib/clock.ts')}';
    import { createLog } from '${sourceUrl('../lib/log.ts')}';
    import { sql } from 'kysely';
    const { db, pid } = await openDatabase({
      url: null, dataFolder: ${JSON.stringify(dataFolder)}, clock: systemClock, log: createLog('silent'),
    });
    await sql\`insert into written values (-1)\`.execute(db.write());
    process.stdout.write(String(pid()));`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
    cwd: import.meta.dirname,
  });
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  child.kill('SIGKILL');
  await once(child, 'exit');
  return Number(said.toString());
}

test('R-01 a database whose server process was killed is adopted by the next one', async () => {
  {
    await using opened = await open();
    await makeTable(opened.db);
  }
  const pid = await openElsewhereAndKill();
  assert.equal(processState(pid), 'running');
  {
    await using opened = await open();
    assert.equal(opened.pid(), pid);
    assert.deepEqual(await rows(opened.db), new Set([-1]));
  }
  assert.notEqual(processState(pid), 'running', 'a clean stop stops it');
});

test('R-01 after everything was killed at once it starts, whatever its lock file says', async () => {
  const before = await open();
  await makeTable(before.db);
  const everything = processesCalled(clusterName(join(dataFolder, 'postgres')));
  assert.ok(everything.length > 1);
  for (const one of everything) kill(one);
  assert.ok((await before.db.ping()) >= 0, 'the supervisor started another');
  await before[Symbol.asyncDispose]();

  // A reboot: the number in the file belongs to some other program, here this one.
  writeFileSync(join(dataFolder, 'postgres', 'data', 'postmaster.pid'), `${process.pid}\n`);
  await using opened = await open();
  assert.deepEqual(await rows(opened.db), new Set());
});

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // A child of one that was killed before.
  }
}

test('a program beside the server starts and stops the database, or leaves it running', async () => {
  const alone = await open(true);
  const started = alone.pid();
  await alone[Symbol.asyncDispose]();
  assert.notEqual(lifetime(started), 'running', 'it had started it');

  await using server = await open();
  const guest = await open(true);
  assert.equal(guest.pid(), server.pid());
  await guest[Symbol.asyncDispose]();
  assert.equal(lifetime(server.pid()), 'running', 'it was there before');

  const early = await open(true);
  await early[Symbol.asyncDispose]();
  assert.ok((await server.db.ping()) >= 0);
});

test('a data folder whose path is too long for a socket works', async () => {
  const folder = join(dataFolder, 'a'.repeat(60), 'b'.repeat(60));
  mkdirSync(folder, { recursive: true, mode: 0o711 });
  makeDataFolder(folder);
  await using opened = await open(false, folder);
  assert.ok((await opened.db.ping()) >= 0);
});
