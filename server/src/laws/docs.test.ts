/**
 * What the documents must not get wrong: every setting with its default, every route with its callers, and
 * links that lead somewhere. Read as text, with padding of tables ignored.
 */
import assert from 'node:assert/strict';
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { test } from 'node:test';
import { atEachPath, keyScopes, standings, type Callers } from '@nazar/contract/route.ts';
import { liveSocketPath, newsSocketPath } from '@nazar/contract/sockets.ts';
import { readConfig } from '#config/config.ts';
import { listedRoutes, named } from '#testing/routes.ts';

const root = join(import.meta.dirname, '../../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** The cells of every table row, without its padding. */
function tableRows(markdown: string): string[][] {
  const rows = markdown.split('\n').filter((line) => line.startsWith('|'));
  return rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

const configuration = tableRows(read('docs/reference/configuration.md'));
const inCode = (cell: string | undefined): string | null =>
  /^`(.*)`$/.exec(cell ?? '')?.[1] ?? null;

test('docs/reference/configuration.md lists exactly the variables that are read', () => {
  const source = read('server/src/config/config.ts');
  const [, schema = ''] = /const Environment = z\.object\(\{([^]*?)^\}\);/m.exec(source) ?? [];
  const provider = read('server/src/config/provider-config.ts');
  const variables = [...`${schema}${provider}`.matchAll(/^ {2}([A-Z_]+):/gm)].map(
    ([, name]) => name,
  );
  assert.ok(variables.includes('NAZAR_PORT'));
  const listed = configuration.map(([name]) => inCode(name)).filter((name) => name !== null);
  assert.deepEqual(new Set(listed), new Set(variables));
  assert.equal(listed.length, variables.length);
});

test('a default in docs/reference/configuration.md changes nothing when it is set', () => {
  const usual = readConfig({});
  const defaults = configuration.flatMap(([name, value]) => {
    const [variable, text] = [inCode(name), inCode(value)];
    return variable !== null && text !== null ? [[variable, text] as const] : [];
  });
  assert.ok(defaults.length >= 5);
  for (const [name, value] of defaults)
    assert.deepEqual(readConfig({ [name]: value }), usual, name);
});

function callersOf(callers: Callers): string {
  if (callers === 'anyone') return 'anyone';
  if (callers === 'setup') return 'who has the set-up code';
  return callers.length === standings.length ? 'everyone signed in' : callers.join(', ');
}

test('docs/reference/api.md lists exactly the routes of the contract, with who may call them', () => {
  const expected = listedRoutes.flatMap((route) => {
    const [first, ...others] = atEachPath(route).map((one) => `\`${named(one)}\``);
    const row = [first, callersOf(route.callers), route.summary].join(' | ');
    return [row, ...others.map((other) => [other, first].join(' | '))];
  });
  const listed = tableRows(read('docs/reference/api.md'))
    .filter(([first]) => /^`(GET|POST|PUT|PATCH|DELETE) /.test(first ?? ''))
    .map((cells) => cells.join(' | '));
  assert.deepEqual(listed.toSorted(), expected.toSorted());
});

test('C-118 docs/reference/api.md says which routes each scope of an API key opens', () => {
  const expected = keyScopes.map((scope) => [
    scope,
    new Set(listedRoutes.filter(({ keyScope }) => keyScope === scope).map(named)),
  ]);
  const listed = tableRows(read('docs/reference/api.md'))
    .map(([scope, opens = '']) => [inCode(scope), opens] as const)
    .filter(([scope]) => keyScopes.some((known) => known === scope))
    .map(([scope, opens]) => [scope, new Set(opens.split(', ').map(inCode))]);
  assert.deepEqual(listed, expected);
});

test('docs/reference/api.md names both sockets', () => {
  const text = read('docs/reference/api.md');
  for (const path of [liveSocketPath, newsSocketPath])
    assert.ok(text.includes(`\`${path}\``), path);
});

const skipped = new Set(['node_modules', 'data', 'dist', '.git']);
const pages = globSync('**/*.md', { cwd: root, exclude: (name) => skipped.has(name) });
/** GitHub's rule: lower case, punctuation dropped, spaces to hyphens. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

const anchorsOf = (markdown: string): string[] =>
  [...markdown.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));

/** Links of a page that lead nowhere, as they are written. */
function deadLinks(page: string, markdown: string): string[] {
  const links = [...markdown.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
  return links.filter((link) => {
    if (/^[a-z]+:/.test(link)) return false;
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? join(root, page) : resolve(root, dirname(page), path);
    if (!existsSync(target)) return true;
    return anchor !== undefined && !anchorsOf(readFileSync(target, 'utf8')).includes(anchor);
  });
}

test('every relative link in the documents leads to a file, and to a heading where it names one', () => {
  assert.ok(pages.includes('README.md'));
  const dead = pages.flatMap((page) =>
    deadLinks(page, read(page)).map((link) => `${page}: ${link}`),
  );
  assert.deepEqual(dead, []);
  const bad = '[a](no-such-file.md) [b](README.md#no-such-heading) [c](https://example.org)';
  assert.equal(deadLinks('README.md', bad).length, 2);
});

const rooms = ['bench', 'contract/src', 'e2e', 'i18n', 'scripts', 'server/src', 'web/src'];
const code = rooms.flatMap((room) =>
  globSync('**/*.{ts,tsx,mjs}', { cwd: join(root, room) }).map((file) => `/${room}/${file}`),
);

test('files of the code that documents name are there', () => {
  const name = /`((?:[\w.-]+\/)*[\w-]+(?:\.[\w-]+)*\.(?:ts|tsx|mjs))`/g;
  const named = pages
    .filter((page) => page.startsWith('docs/') || page === 'CONTRIBUTING.md')
    .flatMap((page) => [...read(page).matchAll(name)].map(([, file = '']) => ({ page, file })));
  assert.ok(named.length > 50);
  const gone = named.filter(({ file }) => !code.some((path) => path.endsWith(`/${file}`)));
  assert.deepEqual(gone, []);
});

const foldersOf = (path: string): string[] =>
  readdirSync(join(root, path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);

/** The folders that the map of CONTRIBUTING.md has below a heading. */
function mappedBelow(text: string, heading: string): string[] {
  const section = text.split(/^#{2,3} /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
  return tableRows(section)
    .map(([folder]) => inCode(folder)?.replace(/\/$/, ''))
    .filter((folder) => folder !== undefined);
}

test('the map of CONTRIBUTING.md has each folder of the project, the server and the pages once', () => {
  const text = read('CONTRIBUTING.md');
  const { workspaces } = JSON.parse(read('package.json')) as { workspaces: string[] };
  const expected = {
    Map: [...workspaces, 'scripts', 'docs'],
    '`server/src`': foldersOf('server/src'),
    '`web/src`': foldersOf('web/src'),
  };
  for (const [heading, folders] of Object.entries(expected))
    assert.deepEqual(mappedBelow(text, heading).toSorted(), folders.toSorted(), heading);
  const bad = '### `web/src`\n| `app` | a |\n| `old/` | b |\n## Next\n| `ui` | c |';
  assert.deepEqual(mappedBelow(bad, '`web/src`'), ['app', 'old']);
});

test("performance.md is a page of today's figures: what was before belongs to performance-history.md", () => {
  const lines = read('docs/design/performance.md').split('\n');
  assert.ok(lines.length <= 250, `${lines.length} lines`);
  const before = lines.filter((line) => /^\|.*\bbefore\b.*\|/.test(line));
  assert.deepEqual(before, []);
});
