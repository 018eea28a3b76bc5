/**
 * The sentences of `i18n/`, cut at build time: each page gets only those that its own modules name.
 * `virtual:sentences` lists the parts; `virtual:sentences/PART/LANGUAGE` holds one. What a module names is found in
 * its text, as the laws of the web find it: `'group.key'`, or a key that begins with `` `group. `` and goes on.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import type { Plugin } from 'vite';

const languages = ['en', 'az', 'ru', 'tr'];
const src = resolve(import.meta.dirname, '../src');
const words = resolve(import.meta.dirname, '../../i18n');

/** The part that every page needs, before it is known who is signed in. */
const START = 'start';
/** What stands round every page behind the sign-in. */
const SIGNED_IN = 'signed-in';

/** What opens above a page, or as its second tab: its sentences come with its code (`needSentences`). */
const ON_DEMAND = [
  'features/activity/panels/analytics.tsx',
  'features/alerts/rules/alert-rules.tsx',
  'features/cameras/camera-modals.tsx',
  'features/cameras/live-screen.tsx',
  'features/cameras/several/selection-bar.tsx',
  'features/dashboard/last-cards.tsx',
  'features/dashboard/warning-list.tsx',
  'features/notifications/panel/notification-panel.tsx',
  'features/recordings/archive-state.tsx',
  'features/recordings/motion-search/motion-search.tsx',
];

/** Modules of the contract that name sentences, because the server looks through the same ones. */
const contract = '@nazar/contract/';
const CONTRACT_MODULES = ['activity-fields.ts'];

/** All sentences, for tests of components that stand alone, without the page that would bring theirs. */
const EVERY = 'every';
const isTest = process.env['VITEST'] !== undefined;

type Tree = { readonly [key: string]: string | Tree };
type Sentences = { readonly app: Tree; readonly problem: Tree };

/** The module each part begins with, by the name of the part. */
function partEntries(): Map<string, string> {
  const pages = globSync('features/*/*-page.tsx', { cwd: src });
  // A dialog that several pages open would weigh on each of them.
  const dialogs = globSync('parts/*/*-dialog.tsx', { cwd: src });
  const named = [...pages, ...dialogs, ...ON_DEMAND.map((file) => join(file))].map(
    (file) => [basename(file, '.tsx'), file] as const,
  );
  return new Map([[START, 'main.tsx'], [SIGNED_IN, join('app', 'signed-in.tsx')], ...named]);
}

const imports =
  /(?:import|export)\s(?!type\s)[^'"]*?from\s*['"]([^'"]+)['"]|import\(?\s*['"]([^'"]+)['"]/g;

function importsOf(file: string, text: string): string[] {
  return [...text.matchAll(imports)]
    .map(([, from, plain]) => from ?? plain ?? '')
    .filter((name) => /^[#.]/.test(name) || CONTRACT_MODULES.includes(name.replace(contract, '')))
    .map((name) => {
      if (name.startsWith(contract)) return join('../../contract/src', name.slice(contract.length));
      return name.startsWith('#') ? name.slice(1) : join(dirname(file), name);
    })
    .filter((target) => /\.tsx?$/.test(target) && existsSync(join(src, target)));
}

/** The modules of a part: everything below its entry that is not another part. */
function modulesOf(entry: string, entries: ReadonlySet<string>): string[] {
  const found = new Set([entry]);
  for (const file of found) {
    for (const target of importsOf(file, readFileSync(join(src, file), 'utf8'))) {
      const path = target.split('/').join(sep);
      if (!entries.has(path)) found.add(path);
    }
  }
  return [...found];
}

/** Keys as they stand in the code: whole, or the beginning of a computed one (`group.${name}`). */
interface Named {
  readonly whole: ReadonlySet<string>;
  readonly beginnings: readonly string[];
}

function namedIn(files: readonly string[]): Named {
  const all = files.map((file) => readFileSync(join(src, file), 'utf8')).join('\n');
  const literal = /['"`]((?:problem:)?[a-z]\w*(?:\.\w+)*)['"`]/gi;
  const computed = /`((?:problem:)?[a-z]\w*(?:\.\w+)*\.)\$\{/gi;
  return {
    whole: new Set([...all.matchAll(literal)].map(([, key = '']) => key)),
    beginnings: [...new Set([...all.matchAll(computed)].map(([, start = '']) => start))],
  };
}

const plural = /_(zero|one|two|few|many|other)$/;

const names = ({ whole, beginnings }: Named, key: string): boolean =>
  whole.has(key) ||
  whole.has(key.replace(plural, '')) ||
  beginnings.some((start) => key.startsWith(start));

/** The leaves of a tree that `keeps` says yes to; undefined: none. */
function cut(tree: Tree, keeps: (key: string) => boolean, prefix: string): Tree | undefined {
  const kept = Object.entries(tree).flatMap(([name, below]): [string, string | Tree][] => {
    const key = prefix + name;
    if (typeof below === 'string') return keeps(key) ? [[name, below]] : [];
    const rest = cut(below, keeps, `${key}.`);
    return rest === undefined ? [] : [[name, rest]];
  });
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

function readSentences(language: string): Sentences {
  const read = (name: string): Tree =>
    JSON.parse(readFileSync(join(words, language, `${name}.json`), 'utf8')) as Tree;
  return { app: read('app'), problem: read('problem') };
}

/** What one part says in one language, without what the start says. */
function sentencesOf(part: string, language: string): Sentences {
  if (part === EVERY) return readSentences(language);
  const entries = partEntries();
  const files = new Set(entries.values());
  const own = namedIn(modulesOf(entries.get(part) ?? '', files));
  const before = part === START ? null : namedIn(modulesOf(entries.get(START) ?? '', files));
  const keeps = (key: string): boolean =>
    names(own, key) && (before === null || !names(before, key));
  const { app, problem } = readSentences(language);
  return { app: cut(app, keeps, '') ?? {}, problem: cut(problem, keeps, 'problem:') ?? {} };
}

const NAME = 'virtual:sentences';
const mark = (id: string): string => `\0${id}`;

export function sentences(): Plugin {
  return {
    name: 'nazar-sentences',
    resolveId: (id) => (id === NAME || id.startsWith(`${NAME}/`) ? mark(id) : null),
    load(id) {
      if (id === mark(NAME)) return { code: listOfParts(), moduleType: 'js' };
      if (!id.startsWith(mark(`${NAME}/`))) return null;
      const [part = '', language = ''] = id.slice(mark(`${NAME}/`).length).split('/');
      for (const name of ['app', 'problem']) {
        this.addWatchFile(join(words, language, `${name}.json`));
      }
      const text = JSON.stringify(JSON.stringify(sentencesOf(part, language)));
      // A text that is parsed as JSON is read faster than the same as a literal.
      return { code: `export default JSON.parse(${text});`, moduleType: 'js' };
    },
  };
}

function listOfParts(): string {
  const names = [...partEntries().keys(), ...(isTest ? [EVERY] : [])];
  const lines = names.map((part) => {
    const loaders = languages.map((to) => `${to}: () => import('${NAME}/${part}/${to}')`);
    return `${JSON.stringify(part)}: { ${loaders.join(', ')} }`;
  });
  return `export default { ${lines.join(',\n')} };`;
}
