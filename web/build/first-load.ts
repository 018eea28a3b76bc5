/**
 * What a page's first load takes, read from the files of a build: scripts and styles that the page needs before it can
 * be used, in the form in which the server sends them (brotli, web/build/compress.ts). What comes when the reader opens
 * a menu, a dialog or a form is not of the first load; neither are fonts and pictures.
 */
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';

export interface FirstLoad {
  readonly page: string;
  /** How many files are asked for. */
  readonly files: number;
  /** Bytes of scripts, sentences among them. */
  readonly script: number;
  readonly style: number;
  /** Bytes of the sentences alone, in the language that takes most. */
  readonly sentences: number;
  readonly total: number;
}

/** The pages that open without the shell. */
export const signedOutPages = ['login', 'register', 'forgot', 'reset', 'setup'];

const languages = ['en', 'az', 'ru', 'tr'];
const hash = /-[\w-]{7}\.(?:js|css)$/;

class Build {
  readonly #folder: string;
  readonly #files: ReadonlyMap<string, string>;

  constructor(folder: string) {
    this.#folder = folder;
    const names = globSync('assets/*.{js,css}', { cwd: folder });
    this.#files = new Map(names.map((name) => [basename(name).replace(hash, ''), name]));
  }

  get pages(): string[] {
    return [...this.#files.keys()].filter((name) => name.endsWith('-page'));
  }

  file(name: string): string {
    const found = this.#files.get(name);
    if (found === undefined) throw new Error(`the build has no file for ${name}`);
    return found;
  }

  has(name: string): boolean {
    return this.#files.has(name);
  }

  /** What index.html names: the first script and the style. */
  entries(): string[] {
    const html = readFileSync(join(this.#folder, 'index.html'), 'utf8');
    const named = [...html.matchAll(/(?:src|href)="\/(assets\/[^"]+\.(?:js|css))"/g)];
    return named.map(([, name = '']) => name);
  }

  /** The files and everything that they import before they run. */
  closure(files: readonly string[]): Set<string> {
    const found = new Set(files);
    for (const name of found) {
      if (!name.endsWith('.js')) continue;
      const text = readFileSync(join(this.#folder, name), 'utf8');
      for (const [, below = ''] of text.matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g)) {
        found.add(`assets/${below}`);
      }
    }
    return found;
  }

  /** As it is sent: the server has no compressed form of what fits into one packet anyway. */
  bytes(name: string): number {
    const path = join(this.#folder, name);
    return statSync(existsSync(`${path}.br`) ? `${path}.br` : path).size;
  }
}

const sum = (figures: readonly number[]): number => figures.reduce((all, one) => all + one, 0);

function measure(
  build: Build,
  page: string,
  roots: readonly string[],
  parts: readonly string[],
): FirstLoad {
  const files = [...build.closure([...build.entries(), ...roots])];
  const bytes = (ending: string): number =>
    sum(files.filter((name) => name.endsWith(ending)).map((name) => build.bytes(name)));
  const inLanguage = (to: string): number =>
    sum(parts.map((part) => build.bytes(build.file(`sentences-${part}-${to}`))));
  const sentences = Math.max(...languages.map(inLanguage));
  const script = bytes('.js') + sentences;
  const style = bytes('.css');
  return {
    page,
    files: files.length + parts.length,
    script,
    style,
    sentences,
    total: script + style,
  };
}

/** `shell` first, which is what every page behind the sign-in has; then the pages by name. */
export function firstLoads(folder: string): FirstLoad[] {
  const build = new Build(folder);
  const shell = build.file('shell');
  const behind = ['start', 'signed-in'];
  const pages = build.pages.toSorted().map((name) => {
    const page = name.replace(/-page$/, '');
    const file = build.file(name);
    return signedOutPages.includes(page)
      ? measure(build, page, [file], ['start', name])
      : measure(build, page, [shell, file], [...behind, name]);
  });
  return [measure(build, 'shell', [shell], behind), ...pages];
}

/** Whether a page loads a file before it can be used. */
export function loads(folder: string, page: string, name: string): boolean {
  const build = new Build(folder);
  const files = build.closure([...build.entries(), build.file(`${page}-page`)]);
  return files.has(build.file(name));
}
