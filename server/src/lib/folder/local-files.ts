/** The same operations within the calling process: for commands, and inside a folder's own process. */
import { appendFile, mkdir, open, readdir, readFile, realpath, rename } from 'node:fs/promises';
import { rm, rmdir, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Entry, FileFunctions, Folder, Probe } from './folder-files.ts';

/** The file that marks a folder is short; a longer one is not ours. */
const maxMarkBytes = 64 * 1024;

/** Functions on files run one after another: other calls wait for one step of one function at most. */
let running: Promise<unknown> = Promise.resolve();

export class LocalFiles implements Folder {
  /** A call that hangs holds up its caller here. */
  readonly hung = new AbortController().signal;
  readonly #folder: string;
  readonly #markFile: string;
  readonly #functions: FileFunctions;

  /** `markFile`: the file that says which folder this is. `functions`: the ones that `run` can call. */
  constructor(folder: string, markFile: string, functions: FileFunctions = {}) {
    this.#folder = folder;
    this.#markFile = markFile;
    this.#functions = functions;
  }

  async probe(): Promise<Probe> {
    const mark = await markIn(this.#markFile).catch(() => null);
    const space = await statfs(this.#folder).catch(() => null);
    const { bavail = 0, blocks = 0, bsize = 0 } = space ?? {};
    return { mark: space && mark, totalBytes: blocks * bsize, freeBytes: bavail * bsize };
  }

  async size(path: string): Promise<number | null> {
    return (await unlessMissing(stat(path)))?.size ?? null;
  }

  async list(path: string): Promise<readonly Entry[] | null> {
    const entries = await unlessMissing(readdir(path, { withFileTypes: true }));
    if (!entries) return null;
    return entries.map((entry) => ({
      name: entry.name,
      kind: entry.isFile() ? 'file' : entry.isDirectory() ? 'folder' : 'other',
    }));
  }

  async read(path: string, from: number, until: number): Promise<Buffer> {
    await using file = await open(path, 'r');
    const bytes = until - from;
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(bytes), 0, bytes, from);
    return buffer.subarray(0, bytesRead);
  }

  run(name: string, path: string, params: readonly number[]): Promise<Buffer> {
    const made = running.then(async () => {
      const known = this.#functions[name];
      if (!known) throw new Error(`no function on files is called ${name}`);
      await using file = await open(path, 'r');
      return await known(file, params);
    });
    running = made.catch(() => undefined);
    return made;
  }

  async realFolder(path: string): Promise<string> {
    for (let lowest = path; ; lowest = dirname(lowest)) {
      const real = await unlessMissing(realpath(lowest));
      if (real !== null || lowest === dirname(lowest)) return real ?? lowest;
    }
  }

  async makeFolder(path: string): Promise<void> {
    await mkdir(path, { recursive: true, mode: 0o700 });
  }

  async write(path: string, bytes: Buffer): Promise<void> {
    await using file = await open(path, 'w', 0o600);
    await file.writeFile(bytes);
    await file.sync();
  }

  async append(path: string, bytes: Buffer): Promise<void> {
    await appendFile(path, bytes, { mode: 0o600, flush: true });
  }

  async cut(path: string, bytes: number): Promise<void> {
    await using file = await open(path, 'r+');
    const { size } = await file.stat();
    if (size > bytes) await file.truncate(bytes);
    await file.sync();
  }

  async rename(from: string, to: string): Promise<void> {
    await rename(from, to);
  }

  async remove(path: string): Promise<void> {
    await rm(path, { force: true });
  }

  async removeEmptyFolder(path: string): Promise<boolean> {
    return rmdir(path).then(
      () => true,
      () => false,
    );
  }

  async syncFolder(path: string): Promise<void> {
    await using folder = await open(path, 'r');
    await folder.sync();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Nothing is open between calls.
  }
}

async function markIn(path: string): Promise<string | null> {
  const { size } = await stat(path);
  return size > maxMarkBytes ? null : await readFile(path, 'utf8');
}

/** Null: the file does not exist. A disk that fails has not lost what is on it. */
async function unlessMissing<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw error;
  }
}
