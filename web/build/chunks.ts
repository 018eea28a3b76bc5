/**
 * Which modules travel together. Left alone, the bundler makes a file of every few modules that the same pages share:
 * 61 files for the dashboard, most of them one icon. What every page loads is one file here, what every page behind
 * the sign-in loads is another; only what some pages share keeps a file of its own.
 */
import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import type { Rolldown } from 'vite';

type Name = Rolldown.CodeSplittingNameFunction;
type Context = Parameters<Name>[1];

const src = resolve(import.meta.dirname, '../src');
const signedOutPages = globSync('features/{login,register,recovery,setup}/*-page.tsx', {
  cwd: src,
});

/** The wall opens from the Cameras page: what it shares with that one is no reason to burden all others. */
const openedByAnother = [join('features', 'cameras', 'wall-page.tsx')];

/** Administrators open them once, to set something up: what they share with others is no reason to burden all, either. */
const openedSeldom = ['mqtt', 'webhooks'].map((name) => join('features', name, `${name}-page.tsx`));

const signedInPages = globSync('features/*/*-page.tsx', { cwd: src }).filter(
  (page) => ![...signedOutPages, ...openedByAnother, ...openedSeldom].includes(page),
);

/** Modules that only hand on others: the bundler takes of them what is used, and these sets must not take more. */
const barrel =
  /\/node_modules\/(?:lucide-react\/dist\/esm\/lucide-react|radix-ui\/dist\/index)\.mjs$/;
const icons = join(
  dirname(createRequire(import.meta.url).resolve('lucide-react/package.json')),
  'dist/esm',
);

/** The module of each icon by the name it is imported by. */
function iconModules(): Map<string, string> {
  const text = readFileSync(join(icons, 'lucide-react.mjs'), 'utf8');
  const lines = [...text.matchAll(/export \{([^}]*)\} from '(\.\/icons\/[^']+)'/g)];
  return new Map(
    lines.flatMap(([, names = '', file = '']) =>
      [...names.matchAll(/default as (\w+)/g)].map(([, name = '']) => [name, join(icons, file)]),
    ),
  );
}

/** The icons that a module of ours names. */
function iconsOf(file: string, modules: ReadonlyMap<string, string>): string[] {
  const [, names = ''] =
    /import \{([^}]*)\} from 'lucide-react'/.exec(readFileSync(file, 'utf8')) ?? [];
  return names
    .split(',')
    .map((name) => modules.get(name.trim().split(' ')[0] ?? ''))
    .filter((module) => module !== undefined);
}

/** Everything that loads with some modules. Schemas don't: what is reached only through them is not followed. */
function closure(context: Context, files: readonly string[]): Set<string> {
  const modules = iconModules();
  const found = new Set(files.map((file) => join(src, file)));
  for (const id of found) {
    if (barrel.test(id)) continue;
    const below = context.getModuleInfo(id)?.importedIds ?? [];
    for (const other of below) if (!other.endsWith('?schemas')) found.add(other);
    if (id.startsWith(src)) for (const icon of iconsOf(id, modules)) found.add(icon);
  }
  return found;
}

const setsOf = (context: Context) => ({
  main: closure(context, ['main.tsx']),
  signIn: closure(context, [join('features', 'login', 'login-page.tsx')]),
  signedOut: closure(context, signedOutPages),
  signedIn: closure(context, [join('app', 'signed-in.tsx')]),
  pages: signedInPages.map((page) => closure(context, [page])),
});

/** What nearly every page behind the sign-in needs belongs to what stands round them: six of the ten. */
const MANY = 6;

/**
 * A file of its own costs a slow telephone more than the bytes of a small module: four milliseconds to ask for it,
 * where a page had thirty. So what is smaller than this, in characters of its source, travels with the shell when two
 * pages need it: above all icons.
 */
const SMALL = 1500;

function isOfShell({ signedIn, pages }: ReturnType<typeof setsOf>, context: Context, id: string) {
  if (signedIn.has(id)) return true;
  const users = pages.filter((page) => page.has(id)).length;
  if (users >= MANY) return true;
  // No page loads what it does not need itself of zod and the contract.
  const isOurs = id.startsWith(src) || id.startsWith(icons);
  return users >= 2 && isOurs && (context.getModuleInfo(id)?.code?.length ?? SMALL) < SMALL;
}

/**
 * What only recordings and system logs ask with. The library hands it on from one module with all else that pages ask
 * with, so it counts as needed by every page.
 */
const seldomAsked =
  /\/@tanstack\/(?:react-query|query-core)\/build\/modern\/(?:useQueries|queriesObserver|useInfiniteQuery|infiniteQueryObserver)\.js$/;

/** What pages read and choose dates with: five modules, of which each would be named on every page. */
const dates = /\/src\/(?:ui\/date\/(?!calendar-window)|lib\/typed-date)/;

function chunkOf(sets: ReturnType<typeof setsOf>, context: Context, id: string): string | null {
  const { main, signIn, signedOut } = sets;
  const words = /virtual:sentences\/([\w-]+)\/(\w+)$/.exec(id);
  if (words !== null) return `sentences-${words[1]}-${words[2]}`;
  if (main.has(id)) return 'main';
  if (dates.test(id)) return 'date';
  if (seldomAsked.test(id)) return null;
  const isShared = isOfShell(sets, context, id);
  if (!isShared) return null;
  // The sign-in is the first that a user loads; what the shell takes of it is there already.
  if (signIn.has(id)) return 'frame';
  // What set-up, registration or recovery need too must not bring them the shell.
  return signedOut.has(id) ? 'shared' : 'shell';
}

/** One build: the sets of another would be those of another graph. */
export function chunkNames(): Name {
  let sets: ReturnType<typeof setsOf> | undefined;
  return (id, context) => {
    sets ??= setsOf(context);
    return chunkOf(sets, context, id);
  };
}
