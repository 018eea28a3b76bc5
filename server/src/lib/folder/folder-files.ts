/**
 * Operations on a folder whose disk can hang: every call is asynchronous, and ends. Paths are absolute. A missing
 * file is an answer; every other fault of the disk (EIO, ESTALE, EACCES) is an error, so that
 * no file is believed to be gone because it could not be read.
 */
export interface FolderFiles {
  /** Reads the file that marks the folder. */
  probe(): Promise<Probe>;
  /** Null: there is no such file. */
  size(path: string): Promise<number | null>;
  /** Null: there is no such folder. */
  list(path: string): Promise<readonly Entry[] | null>;
  /** Returns fewer bytes where the file ends before; at most `maxReadBytes`. */
  read(path: string, from: number, until: number): Promise<Buffer>;
  /**
   * Runs a function that the folder's process knows by that name (`FileFunctions`) on a file, and returns its
   * result. One runs at a time. Throws the file system's error, or `unavailable` when that takes too long.
   */
  run(name: string, path: string, params: readonly number[]): Promise<Buffer>;
  /** The path of the folder, or of the lowest existing one above it, with every link followed. */
  realFolder(path: string): Promise<string>;
  makeFolder(path: string): Promise<void>;
  /** Makes or replaces a file that outlasts a power cut. */
  write(path: string, bytes: Buffer): Promise<void>;
  /** Adds to the end of a file, and makes it outlast a power cut. */
  append(path: string, bytes: Buffer): Promise<void>;
  /** Truncates the file to so many bytes, and makes the rest outlast a power cut. */
  cut(path: string, bytes: number): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  /** A file that is not there is removed already. */
  remove(path: string): Promise<void>;
  /** False: it is not empty, or not there. */
  removeEmptyFolder(path: string): Promise<boolean>;
  /** Makes what was created, renamed or removed in the folder outlast a power cut. */
  syncFolder(path: string): Promise<void>;
}

/** A file that is open, and reads as Node's do. */
export interface ReadableFile {
  read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ readonly buffer: Buffer; readonly bytesRead: number }>;
}

/** Functions that run on files where they are read, so that the server computes nothing and gets only the result. */
export type FileFunctions = Readonly<
  Record<string, (file: ReadableFile, params: readonly number[]) => Promise<Buffer>>
>;

/** A folder's files, and whether its disk answers. */
export interface Folder extends FolderFiles, AsyncDisposable {
  /** Aborted while the disk does not answer; another one once it answers again. */
  readonly hung: AbortSignal;
}

export interface Entry {
  readonly name: string;
  readonly kind: 'file' | 'folder' | 'other';
}

export interface Probe {
  /** Null: there is no such file, or it can't be read. */
  readonly mark: string | null;
  readonly totalBytes: number;
  readonly freeBytes: number;
}

/** Long enough that asking costs little beside reading, short enough for 50 players at once. */
export const maxReadBytes = 512 * 1024;

/** Ends early where the file does. */
export async function* piecesOf(
  files: Pick<FolderFiles, 'read'>,
  path: string,
  from: number,
  until: number,
): AsyncGenerator<Buffer> {
  for (let at = from; at < until;) {
    const piece = await files.read(path, at, Math.min(until, at + maxReadBytes));
    if (piece.length === 0) return;
    yield piece;
    at += piece.length;
  }
}
