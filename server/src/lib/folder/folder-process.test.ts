import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pino } from 'pino';
import { until } from '#testing/until.ts';
import { maxReadBytes, piecesOf } from './folder-files.ts';
import { FolderProcess, FolderUnreachable } from './folder-process.ts';

interface Opened extends AsyncDisposable {
  readonly path: string;
  readonly files: FolderProcess;
  /** Whether it hung, each time that changed. */
  readonly changes: readonly boolean[];
}

async function aFolder(runMs = 60_000): Promise<Opened> {
  const path = mkdtempSync(join(tmpdir(), 'nazar-folder-'));
  const changes: boolean[] = [];
  const files = new FolderProcess({
    folder: path,
    markFile: join(path, 'mark'),
    log: pino({ level: 'silent' }),
    changed: (isHung) => void changes.push(isHung),
    limits: { callMs: 15_000, probeMs: 1_000, lateMs: 500, runMs },
  });
  writeFileSync(join(path, 'mark'), 'one');
  return {
    path,
    files,
    changes,
    [Symbol.asyncDispose]: async () => {
      await files[Symbol.asyncDispose]();
      rmSync(path, { recursive: true, force: true });
    },
  };
}

/** Every read of the mark waits until what is returned is closed. */
function hang({ path }: Opened): number {
  rmSync(join(path, 'mark'));
  execFileSync('mkfifo', [join(path, 'mark')]);
  // A folder others may write to: so it opens, and nothing comes.
  return openSync(join(path, 'mark'), 'r+');
}

test('files written, read, listed, cut and removed by the process of a folder are on its disk', async () => {
  await using it = await aFolder();
  const { files, path } = it;
  const [folder, file] = [join(path, 'a/b'), join(path, 'a/b/film.mp4')];
  assert.deepEqual(await files.list(folder), null);
  await files.makeFolder(folder);
  await files.write(file, Buffer.alloc(maxReadBytes + 5, 'x'));
  await files.append(file, Buffer.from('the end'));
  await files.syncFolder(folder);
  assert.equal(await files.size(file), maxReadBytes + 12);
  const pieces: number[] = [];
  for await (const { length } of piecesOf(files, file, 1, maxReadBytes + 99)) pieces.push(length);
  assert.deepEqual(pieces, [maxReadBytes, 11], 'no further than the file goes');
  const whole: Buffer[] = [];
  for await (const piece of piecesOf(files, file, 0, maxReadBytes + 12)) whole.push(piece);
  assert.ok(Buffer.concat(whole).equals(readFileSync(file)));
  await files.cut(file, 3);
  assert.equal(readFileSync(file, 'latin1'), 'xxx');
  await files.rename(file, join(folder, 'other.mp4'));
  assert.deepEqual(await files.list(folder), [{ name: 'other.mp4', kind: 'file' }]);
  assert.equal(await files.removeEmptyFolder(folder), false);
  await files.remove(join(folder, 'other.mp4'));
  await files.remove(join(folder, 'other.mp4'));
  assert.equal(await files.removeEmptyFolder(folder), true);
  assert.ok(!existsSync(folder));
  const { mark, totalBytes, freeBytes } = await files.probe();
  assert.equal(mark, 'one');
  assert.ok(totalBytes > freeBytes && freeBytes > 0);
});

test('a function of the process that fails is an error of the caller, and the folder goes on', async () => {
  await using it = await aFolder();
  await it.files.probe();
  const { pid } = it.files;
  await assert.rejects(it.files.run('none', join(it.path, 'mark'), []), /no function on files/);
  await assert.rejects(it.files.run('closing', join(it.path, 'none'), []), { code: 'ENOENT' });
  // A file without pictures is left as it is.
  assert.equal((await it.files.run('closing', join(it.path, 'mark'), [0, 3])).length, 0);
  assert.deepEqual([it.files.pid, it.changes], [pid, []]);
});

test('a function that takes too long is not a disk that hangs', async () => {
  await using it = await aFolder(200);
  await it.files.probe();
  const { pid } = it.files;
  const endless = join(it.path, 'endless');
  execFileSync('mkfifo', [endless]);
  // Opening it waits for a writer.
  await assert.rejects(it.files.run('closing', endless, [0, 99]), { code: 'unavailable' });
  assert.equal((await it.files.probe()).mark, 'one');
  assert.deepEqual([it.files.pid, it.changes], [pid, []]);
});

test('a missing file is an answer; a refusal of the disk is an error with its code', async () => {
  await using it = await aFolder();
  const { files, path } = it;
  assert.equal(await files.size(join(path, 'none')), null);
  assert.equal(await files.size(join(path, 'mark/none')), null);
  symlinkSync('loop', join(path, 'loop'));
  for (const asked of [files.size(join(path, 'loop/x')), files.list(join(path, 'loop'))]) {
    await assert.rejects(asked, { code: 'ELOOP' });
  }
  await assert.rejects(files.read(join(path, 'none'), 0, 1), { code: 'ENOENT' });
});

test('a folder that hangs refuses every call at once, is reported, and is used again when it answers', async () => {
  await using it = await aFolder();
  await using other = await aFolder();
  assert.equal((await it.files.probe()).mark, 'one');
  const { hung, pid } = it.files;
  const writer = hang(it);
  await assert.rejects(it.files.probe(), FolderUnreachable);
  assert.ok(hung.aborted);
  await assert.rejects(it.files.size(join(it.path, 'mark')), FolderUnreachable);
  assert.equal((await other.files.probe()).mark, 'one', 'another folder has a process of its own');
  // The process that waits for the disk is ended, and another tries.
  await until(() => it.files.pid !== pid);
  rmSync(join(it.path, 'mark'));
  writeFileSync(join(it.path, 'mark'), 'one');
  closeSync(writer);
  await until(() => !it.files.hung.aborted);
  assert.equal((await it.files.probe()).mark, 'one');
  assert.deepEqual([it.changes, other.changes], [[true, false], []]);
});

test('a process that ends by itself is started again with the next call', async () => {
  await using it = await aFolder();
  await it.files.probe();
  process.kill(it.files.pid!, 'SIGKILL');
  await until(() => it.files.probe().then(Boolean, () => false));
  assert.deepEqual(it.changes, [], 'its disk is not said to hang');
});

test('a folder that hangs keeps nothing from ending, and leaves no process behind', async () => {
  const it = await aFolder();
  await it.files.probe();
  const writer = hang(it);
  const asked = assert.rejects(it.files.probe(), FolderUnreachable);
  const { pid } = it.files;
  await it[Symbol.asyncDispose]();
  await asked;
  assert.throws(() => process.kill(pid!, 0), { code: 'ESRCH' });
  closeSync(writer);
});
