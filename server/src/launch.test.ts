import assert from 'node:assert/strict';
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { after, before, test } from 'node:test';
import { processState } from '#db/processes.ts';
import { refusalExitCode } from '#lib/refusal.ts';

let folder: string;

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'nazar-launch-'));
});
after(() => rmSync(folder, { recursive: true }));

interface Launched extends AsyncDisposable {
  readonly launcher: ChildProcessByStdio<null, Readable, null>;
  /** What the stand-in says, line by line: its process number first. */
  line(): Promise<string>;
  readonly exit: Promise<number | null>;
}

/** The launcher over a stand-in for the server, whose program is `body`. */
function launch(body: string): Launched {
  const entry = join(folder, 'stand-in.mjs');
  writeFileSync(entry, `console.log(process.pid);\n${body}`);
  const words = [join(import.meta.dirname, 'launch.ts'), `--entry=${entry}`, '--demo'];
  const launcher = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'ignore'] });
  const lines = createInterface(launcher.stdout)[Symbol.asyncIterator]();
  const exit = once(launcher, 'exit').then(([code]) => code as number | null);
  return {
    launcher,
    exit,
    async line() {
      const { value } = await lines.next();
      return value ?? '';
    },
    async [Symbol.asyncDispose]() {
      launcher.kill('SIGKILL');
      await exit;
    },
  };
}

const stay = 'setInterval(() => {}, 1000);';

test('R-01 a server that is killed is started again, with the same arguments', async () => {
  await using run = launch(`console.log(process.argv.slice(2).join()); ${stay}
    process.on('disconnect', () => process.exit()); `);
  const first = Number(await run.line());
  assert.equal(await run.line(), '--demo');
  process.kill(first, 'SIGKILL');
  const second = Number(await run.line());
  assert.notEqual(second, first);
  assert.equal(processState(second), 'running');
});

test('a server finds its sources compiled by the one before', async () => {
  await using run = launch(
    `console.log(process.env.NODE_COMPILE_CACHE); process.on('disconnect', () => process.exit()); ${stay}`,
  );
  await run.line();
  const inherited = process.env['NODE_COMPILE_CACHE'];
  const own = join(import.meta.dirname, '../../node_modules/.cache/node');
  assert.equal(await run.line(), inherited ?? own);
});

test('a server that refuses to start is not started again', async () => {
  await using run = launch(`process.exit(${refusalExitCode});`);
  assert.equal(await run.exit, refusalExitCode);
});

test('R-19 the first signal asks, and the server decides when it is done', async () => {
  await using run = launch(
    `process.on('SIGTERM', () => process.exit(0)); ${stay} console.log('up')`,
  );
  await run.line();
  await run.line();
  run.launcher.kill('SIGTERM');
  assert.equal(await run.exit, 0);
});

test('R-19 the second signal forces', async () => {
  await using run = launch(
    `process.on('SIGINT', () => console.log('asked')); ${stay} console.log('up')`,
  );
  const pid = Number(await run.line());
  await run.line();
  run.launcher.kill('SIGINT');
  assert.equal(await run.line(), 'asked');
  run.launcher.kill('SIGINT');
  assert.equal(await run.exit, 137);
  assert.notEqual(processState(pid), 'running');
});

test('a server whose launcher was killed learns of it', async () => {
  await using run = launch(
    `process.on('disconnect', () => { console.log('alone'); process.exit(); }); ${stay} console.log('up')`,
  );
  await run.line();
  await run.line();
  run.launcher.kill('SIGKILL');
  assert.equal(await run.line(), 'alone');
});

const onLinux = {
  skip: process.platform !== 'linux' && 'only Linux tells the limits of a process',
};

test(
  'C-606, C-710 no core dump, no inspector by a signal, no way to a prototype by name',
  onLinux,
  async () => {
    await using run = launch(`import { readFileSync } from 'node:fs';
    process.kill(process.pid, 'SIGUSR1');
    const { url } = await import('node:inspector');
    const core = /Max core file size +(\\d+|unlimited) +(\\d+|unlimited)/.exec(readFileSync('/proc/self/limits', 'utf8'));
    console.log(core[1], core[2], url() ?? 'closed', process.execArgv.join(' '));
    try { ({}).__proto__; console.log('open'); } catch (error) { console.log(error.code); }
    process.on('disconnect', () => process.exit());
    ${stay}`);
    await run.line();
    assert.equal(await run.line(), '0 0 closed --disable-proto=throw --disable-sigusr1');
    assert.equal(await run.line(), 'ERR_PROTO_ACCESS');
  },
);
