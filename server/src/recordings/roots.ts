/**
 * The folders recordings lie in. Each is known by a file of its own, so that a disk that is not mounted is noticed
 * and nothing is recorded into the empty folder it is usually mounted on. A disk that hangs is another thing: it is
 * not known whether it is there, so nothing is begun or given up because of it.
 */
import { dirname, join, resolve, sep } from 'node:path';
import type { Clock } from '#lib/clock.ts';
import type { Folder, FolderFiles } from '#lib/folder/folder-files.ts';
import { FolderUnreachable } from '#lib/folder/folder-process.ts';
import { LocalFiles } from '#lib/folder/local-files.ts';
import { uuidv7 } from '#lib/ids.ts';
import { Refusal } from '#lib/refusal.ts';

export interface RootRow {
  readonly id: string;
  readonly path: string;
}

export interface Space {
  readonly totalBytes: number;
  readonly freeBytes: number;
}

/** `hung`: its disk does not answer. */
export type RootState =
  { readonly kind: 'present'; readonly space: Space } | { readonly kind: 'away' | 'hung' };

const markFile = 'nazar-root.json';
export const markFileOf = (folder: string): string => join(folder, markFile);

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

/** Returns the id in the mark of a folder; null when it is none of ours. */
function idIn(mark: string | null): string | null {
  try {
    const { id } = JSON.parse(mark ?? '') as { id?: unknown };
    return typeof id === 'string' ? id : null;
  } catch {
    return null;
  }
}

/** Makes the folder, unless other files are in it, and marks it. False: it is not ours to take. */
export async function markRoot(files: FolderFiles, path: string, id: string): Promise<boolean> {
  await files.makeFolder(path);
  const isEmpty = ((await files.list(path)) ?? []).every(({ name }) => name === 'lost+found');
  if (!isEmpty) return false;
  await files.write(markFileOf(path), Buffer.from(`${JSON.stringify({ id })}\n`));
  await files.syncFolder(path);
  return true;
}

/**
 * Below this nothing more is recorded there, even when nothing may be removed: other programs on that disk, the
 * database perhaps, must not fail because of it.
 */
export function floorBytes(totalBytes: number): number {
  return Math.min(totalBytes / 10, 512 * 1024 * 1024);
}

/** `a/b`: letters, digits, `.`, `_`, `-`; nothing that begins with a dot. */
const folderPattern = /^[A-Za-z0-9_-][A-Za-z0-9._-]*(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*){0,4}$/;
/** The folder of each root that holds exports. */
export const exportsFolder = 'exports';
const reserved = ['quarantine', exportsFolder, 'lost+found', markFile];

async function leadsBelow(files: FolderFiles, root: RootRow, folder: string): Promise<boolean> {
  const [real, below] = [await files.realFolder(root.path), await files.realFolder(folder)];
  return `${below}${sep}`.startsWith(`${real}${sep}`);
}

/** For commands, which wait for a disk that hangs, and delay no other work by it. */
export const localFolder = (folder: string, file: string): Folder => new LocalFiles(folder, file);

interface RootBook {
  roots(): Promise<RootRow[]>;
  addRoot(row: RootRow & { readonly created_at: Date }): Promise<void>;
  moveRoot(id: string, path: string): Promise<void>;
}

export interface RootsOptions {
  /** Opens a folder by its path and the file that marks it. */
  readonly open: (folder: string, markFile: string) => Folder;
  /** Tests set the sizes of disks. */
  readonly sized?: (space: Space, root: RootRow) => Space;
}

/** The roots an administrator named, in that order; former ones that are still there come after them. */
export class Roots implements AsyncDisposable {
  readonly #options: RootsOptions;
  readonly #folders = new Map<string, Folder>();
  #all: readonly RootRow[] = [];
  #named = 0;

  private constructor(options: RootsOptions) {
    this.#options = options;
  }

  /** Throws a Refusal for a folder that cannot be used. */
  static async open(
    folders: readonly RecordingFolder[],
    book: RootBook,
    clock: Clock,
    options: RootsOptions,
  ): Promise<Roots> {
    const roots = new Roots(options);
    const known = await book.roots();
    const named: RootRow[] = [];
    for (const folder of folders) {
      const files = roots.#open(folder.path);
      named.push(await rootAt(folder, files, known, book, clock));
    }
    const ids = new Set(named.map(({ id }) => id));
    const former = known.filter(({ id }) => !ids.has(id));
    roots.#all = [...named, ...former];
    roots.#named = named.length;
    return roots;
  }

  /** All roots there ever were, for callers that write nothing there. */
  static async known(book: Pick<RootBook, 'roots'>, options: RootsOptions): Promise<Roots> {
    const roots = new Roots(options);
    roots.#all = await book.roots();
    return roots;
  }

  get all(): readonly RootRow[] {
    return this.#all;
  }

  /** The roots for new recordings. */
  get named(): readonly RootRow[] {
    return this.#all.slice(0, this.#named);
  }

  /** Every call throws FolderUnreachable at once while the disk hangs. */
  filesOf(root: RootRow): FolderFiles {
    return this.#open(root.path);
  }

  async stateOf(root: RootRow): Promise<RootState> {
    try {
      const { mark, ...real } = await this.#open(root.path).probe();
      if (idIn(mark) !== root.id) return { kind: 'away' };
      return { kind: 'present', space: this.#options.sized?.(real, root) ?? real };
    } catch (error) {
      if (error instanceof FolderUnreachable) return { kind: 'hung' };
      throw error;
    }
  }

  /** Whether the disk with this root is there, and answers. */
  async isPresent(root: RootRow): Promise<boolean> {
    return (await this.stateOf(root)).kind === 'present';
  }

  /** The roots among these whose disk is there, and answers. */
  async present(among: readonly RootRow[]): Promise<readonly RootRow[]> {
    const are = await Promise.all(among.map((root) => this.isPresent(root)));
    return among.filter((_, index) => are[index]);
  }

  /** Null: the disk is not there, or does not answer. */
  async spaceOf(root: RootRow): Promise<Space | null> {
    const state = await this.stateOf(root);
    return state.kind === 'present' ? state.space : null;
  }

  rootOf(rootId: string): RootRow | null {
    return this.#all.find(({ id }) => id === rootId) ?? null;
  }

  /** Null while its disk is away, or does not answer. */
  async presentRoot(rootId: string): Promise<RootRow | null> {
    const root = this.rootOf(rootId);
    return root && (await this.isPresent(root)) ? root : null;
  }

  /** Null while its disk is away, or does not answer. */
  async pathOf(rootId: string): Promise<string | null> {
    return (await this.presentRoot(rootId))?.path ?? null;
  }

  /** Aborted while the disk does not answer: what reads there in another process is to be ended. */
  hungOf(rootId: string): AbortSignal {
    const root = this.rootOf(rootId);
    return root ? this.#open(root.path).hung : AbortSignal.abort();
  }

  placeOf(file: string): Place | null {
    const root = this.#all.find(({ path }) => file.startsWith(`${path}${sep}`));
    return root ? { rootId: root.id, path: file.slice(root.path.length + 1) } : null;
  }

  /** Whether recordings may lie there: below the root, by its name and by every link on the way. */
  async isInside(root: RootRow, folder: string): Promise<boolean> {
    const [first = ''] = folder.split('/');
    if (folder.length > 200 || !folderPattern.test(folder) || reserved.includes(first))
      return false;
    return leadsBelow(this.filesOf(root), root, join(root.path, folder));
  }

  /** Whether a file of that path lies below the root, by its name and by every link on the way. */
  async holds(root: RootRow, path: string): Promise<boolean> {
    const file = resolve(root.path, path);
    if (!file.startsWith(`${resolve(root.path)}${sep}`)) return false;
    return leadsBelow(this.filesOf(root), root, dirname(file));
  }

  /** Whatever still waits for a disk is let go. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#folders.values()].map((one) => one[Symbol.asyncDispose]()));
  }

  #open(path: string): Folder {
    const known = this.#folders.get(path);
    if (known) return known;
    const folder = this.#options.open(path, markFileOf(path));
    this.#folders.set(path, folder);
    return folder;
  }
}

async function rootAt(
  { path, isOwn }: RecordingFolder,
  files: FolderFiles,
  known: readonly RootRow[],
  book: RootBook,
  clock: Clock,
): Promise<RootRow> {
  const answer = await probed(files);
  const there = known.find((root) => root.path === path);
  // What hangs is what lay there: hosts that record into it go on.
  if (answer === null && there) return there;
  if (answer === null) {
    throw new Refusal(`${path} does not answer; check its disk, or name another folder.`);
  }
  const at = answer.id;
  const before = at === null ? there : known.find(({ id }) => id === at);
  if (before) {
    if (before.path !== path) await book.moveRoot(before.id, path);
    // A restored installation has none of its files. Elsewhere its disk may come later: nothing is recorded before.
    if (isOwn && (await files.list(path)) === null) await markRoot(files, path, before.id);
    return { id: before.id, path };
  }
  const id = at ?? uuidv7(clock.now());
  if (at === null && !(await markRoot(files, path, id))) {
    throw new Refusal(
      `${path} is not empty and holds no recordings of Nazar; name an empty folder in NAZAR_RECORDINGS.`,
    );
  }
  await book.addRoot({ id, path, created_at: new Date(clock.now()) });
  return { id, path };
}

/** Null: the disk does not answer. `id`: as its mark says. */
async function probed(files: FolderFiles): Promise<{ readonly id: string | null } | null> {
  try {
    return { id: idIn((await files.probe()).mark) };
  } catch (error) {
    if (error instanceof FolderUnreachable) return null;
    throw error;
  }
}
