/**
 * The folders recordings lie in. Each is known by a file of its own, so that a disk that is not mounted is noticed
 * and nothing is recorded into the empty folder it is usually mounted on.
 */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import type { Clock } from '#lib/clock.ts';
import { uuidv7 } from '#lib/ids.ts';
import { Refusal } from '#lib/refusal.ts';
import { syncFolder } from '#lib/sync-folder.ts';

export interface RootRow {
  readonly id: string;
  readonly path: string;
}

export interface Space {
  readonly totalBytes: number;
  readonly freeBytes: number;
}

const markFile = 'nazar-root.json';

/** A folder an administrator named, or the default one. */
export interface RecordingFolder {
  readonly path: string;
  /** It lies in the data folder, so on no disk of its own: when it is gone it is made again. */
  readonly isOwn: boolean;
}

/** A file, given by its root. */
export interface Place {
  readonly rootId: string;
  /** The path from the root. */
  readonly path: string;
}

/** Returns the id in the folder; null when there is none. */
export function markOf(path: string): string | null {
  try {
    const { id } = JSON.parse(readFileSync(join(path, markFile), 'utf8')) as { id?: unknown };
    return typeof id === 'string' ? id : null;
  } catch {
    return null;
  }
}

/** Makes the folder, unless other files are in it, and marks it. False: it is not ours to take. */
export function markRoot(path: string, id: string): boolean {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const isEmpty = readdirSync(path).every((name) => name === 'lost+found');
  if (!isEmpty) return false;
  writeFileSync(join(path, markFile), `${JSON.stringify({ id })}\n`, { mode: 0o600, flush: true });
  syncFolder(path);
  return true;
}

/** Whether the disk with this root is there. */
export const isPresent = ({ id, path }: RootRow): boolean => markOf(path) === id;

/**
 * Below this nothing more is recorded there, even when nothing may be removed: other programs on that disk, the
 * database perhaps, must not fail because of it.
 */
export function floorBytes(totalBytes: number): number {
  return Math.min(totalBytes / 10, 512 * 1024 * 1024);
}

/** Null: the disk is not there. */
export function spaceOf(root: RootRow): Space | null {
  if (!isPresent(root)) return null;
  const { bavail, blocks, bsize } = statfsSync(root.path);
  return { totalBytes: blocks * bsize, freeBytes: bavail * bsize };
}

/** `a/b`: letters, digits, `.`, `_`, `-`; nothing that begins with a dot. */
const folderPattern = /^[A-Za-z0-9_-][A-Za-z0-9._-]*(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*){0,4}$/;
/** The folder of each root that holds exports. */
export const exportsFolder = 'exports';
const reserved = ['quarantine', exportsFolder, 'lost+found', markFile];

/** H-10: whether recordings may lie there: below the root, by its name and by every link on the way. */
export function isInside(root: RootRow, folder: string): boolean {
  const [first = ''] = folder.split('/');
  if (folder.length > 200 || !folderPattern.test(folder) || reserved.includes(first)) return false;
  return leadsBelow(root, join(root.path, folder));
}

/** Whether a file of that path lies below the root, by its name and by every link on the way. */
export function holds(root: RootRow, path: string): boolean {
  const file = resolve(root.path, path);
  return file.startsWith(`${resolve(root.path)}${sep}`) && leadsBelow(root, dirname(file));
}

function leadsBelow(root: RootRow, folder: string): boolean {
  const real = realpathSync(root.path);
  let lowest = folder;
  while (!existsSync(lowest)) lowest = dirname(lowest);
  return `${realpathSync(lowest)}${sep}`.startsWith(`${real}${sep}`);
}

interface RootBook {
  roots(): Promise<RootRow[]>;
  addRoot(row: RootRow & { readonly created_at: Date }): Promise<void>;
  moveRoot(id: string, path: string): Promise<void>;
}

/** The roots an administrator named, in that order; former ones that are still there come after them. */
export class Roots {
  readonly #all: readonly RootRow[];
  readonly #named: number;

  private constructor(all: readonly RootRow[], named: number) {
    this.#all = all;
    this.#named = named;
  }

  /** Throws a Refusal for a folder that cannot be used. */
  static async open(
    folders: readonly RecordingFolder[],
    book: RootBook,
    clock: Clock,
  ): Promise<Roots> {
    const known = await book.roots();
    const named: RootRow[] = [];
    for (const folder of folders) named.push(await rootAt(folder, known, book, clock));
    const ids = new Set(named.map(({ id }) => id));
    const former = known.filter(({ id }) => !ids.has(id));
    return new Roots([...named, ...former], named.length);
  }

  /** All roots there ever were, for callers that write nothing there. */
  static async known(book: Pick<RootBook, 'roots'>): Promise<Roots> {
    return new Roots(await book.roots(), 0);
  }

  get all(): readonly RootRow[] {
    return this.#all;
  }

  /** The roots for new recordings. */
  get named(): readonly RootRow[] {
    return this.#all.slice(0, this.#named);
  }

  /** Null while its disk is away. */
  pathOf(rootId: string): string | null {
    const root = this.#all.find(({ id }) => id === rootId);
    return root && isPresent(root) ? root.path : null;
  }

  placeOf(file: string): Place | null {
    const root = this.#all.find(({ path }) => file.startsWith(`${path}${sep}`));
    return root ? { rootId: root.id, path: file.slice(root.path.length + 1) } : null;
  }
}

async function rootAt(
  { path, isOwn }: RecordingFolder,
  known: readonly RootRow[],
  book: RootBook,
  clock: Clock,
): Promise<RootRow> {
  const mark = existsSync(path) ? markOf(path) : null;
  const before = known.find((root) => (mark === null ? root.path === path : root.id === mark));
  if (before) {
    if (before.path !== path) await book.moveRoot(before.id, path);
    // A restored installation has none of its files. Elsewhere its disk may come later: nothing is recorded before.
    if (isOwn && !existsSync(path)) markRoot(path, before.id);
    return { id: before.id, path };
  }
  const id = mark ?? uuidv7(clock.now());
  if (mark === null && !markRoot(path, id)) {
    throw new Refusal(
      `${path} is not empty and holds no recordings of Nazar; name an empty folder in NAZAR_RECORDINGS.`,
    );
  }
  await book.addRoot({ id, path, created_at: new Date(clock.now()) });
  return { id, path };
}
