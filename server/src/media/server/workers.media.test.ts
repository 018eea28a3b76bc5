/** Media workers that read from a disk that stops answering, made by a FIFO, which waits in every open and read. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { systemClock as clock } from '#lib/clock.ts';
import { until } from '#testing/until.ts';
import { quietLog } from '#testing/world.ts';
import { Workers, WorkerLost } from './workers.ts';

const timeoutMs = 120_000;

function aFolder() {
  const path = mkdtempSync(join(tmpdir(), 'nazar-workers-'));
  const hanging = [0, 1, 2, 3, 4].map((index) => join(path, `hanging-${index}.mp4`));
  execFileSync('mkfifo', hanging);
  const answering = join(path, 'answering.mp4');
  writeFileSync(answering, 'abc');
  const dispose = (): void => rmSync(path, { recursive: true });
  return { path, hanging, answering, [Symbol.dispose]: dispose };
}

/** Opens the other end of a FIFO once a worker has it open, whose read waits from then on. */
async function heldBy(fifo: string): Promise<number> {
  const held = { file: -1 };
  await until(() => {
    try {
      held.file = openSync(fifo, constants.O_WRONLY | constants.O_NONBLOCK);
      return true;
    } catch {
      return false;
    }
  });
  return held.file;
}

test('workers in the middle of what a disk that hangs holds are ended, and the next questions are answered', async () => {
  using folder = aFolder();
  await using workers = new Workers({ clock, log: quietLog });
  const [hung, there] = [new AbortController(), new AbortController()];
  const sourceOf = (file: string) => ({
    id: 'a',
    file,
    headBytes: 1,
    startedAtMs: 0,
    endedAtMs: 1_000,
    stream: 'a',
    sha256: '',
    parts: null,
    turns: [0],
  });
  const film = { kind: 'export', fromMs: 0, untilMs: 1_000, masks: null } as const;
  const films = folder.hanging.slice(0, 2).map((file) =>
    workers.ask({ ...film, target: `${file}.part` }, timeoutMs, {
      body: Buffer.from(JSON.stringify([sourceOf(file)])),
      hung: hung.signal,
    }),
  );
  // As many as there may be, and one that waits for its turn.
  const hashes = folder.hanging
    .slice(2)
    .map((file) => workers.ask({ kind: 'hash', file }, timeoutMs, { hung: hung.signal }));
  const other = workers.ask<{ readonly sha256: string }>(
    { kind: 'hash', file: folder.answering },
    timeoutMs,
    { hung: there.signal },
  );
  const waiting = Promise.allSettled([...films, ...hashes]);
  const held = await Promise.all(folder.hanging.slice(0, 4).map(heldBy));
  hung.abort();
  for (const one of await waiting) {
    assert.ok(one.status === 'rejected' && one.reason instanceof WorkerLost);
  }
  assert.match((await other).head.sha256, /^ba7816bf/, 'the file of another disk');
  assert.equal(workers.processes, 1, 'those that waited are gone');
  held.forEach(closeSync);
});
