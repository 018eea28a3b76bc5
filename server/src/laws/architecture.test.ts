/**
 * The laws of the house (docs/design/pipeline.md, docs/decisions/0001): who may import whom, and what a
 * host process may never reach. They read the source as text, so that they also see type imports.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { test } from 'node:test';
import {
  files,
  importsIn,
  importsOf,
  isTest,
  sources,
  src,
  target,
  targetsOf,
  testing,
} from '#testing/imports.ts';

/** Each folder may import itself and the ones before it. This list is the architecture. */
const order = [
  'lib',
  'db',
  'http',
  'feed',
  'activity',
  'settings',
  'cluster',
  'mail',
  'groups',
  'accounts',
  'cameras',
  'media',
  'vision',
  'faces',
  'visits',
  'recordings',
  'system',
  'alerts',
  'notifications',
  'mqtt',
  'analytics',
  'privacy',
  'search',
  'assistant',
  'live',
  'config',
  'app',
  'commands',
];
/** Places in the order that are kept for rooms to come. A room that is built is no longer planned. */
const planned = ['cluster', 'search', 'assistant'];
/** They put the modules together, so they may enter them by any file, as the root files do. */
const composing = ['app', 'commands'];
/** They speak HTTP beside `http` and the modules' `routes.ts`: WebSockets, and what builds the server. */
const speakingHttp = ['http', 'live', 'app'];
/** Foundations are entered by any of their files; a module only by the file that bears its name. */
const foundations = ['lib', 'db', 'http'];
/** Pure tools within rooms: a room that may know theirs enters them by file, so that front doors repeat none of them. */
const tools = [
  'media/mask/',
  'media/mp4/',
  'media/protocol/',
  'media/sources/dial/',
  'vision/packs/confidence.ts',
  'vision/packs/pack.ts',
  'vision/picture.ts',
  'vision/tracking/',
];
const isTool = (file: string): boolean => tools.some((tool) => file.startsWith(tool));
/** What is wrong with one import, if anything. Exported shape kept plain so the law can be tested itself. */
function fault(file: string, to: string): string | null {
  const [fromFolder = '', ...rest] = file.split(sep);
  const [toFolder = '', ...inner] = to.split('/');
  if (toFolder === testing) return isTest(file) ? null : `${file}: only tests may use ${testing}`;
  if (rest.length === 0 || isTest(file)) return null;
  if (inner.length === 0) return `${file}: nothing imports the root file ${to}`;
  if (toFolder === fromFolder) return null;
  if (!order.includes(fromFolder)) return `${file}: ${fromFolder} has no place in the order`;
  if (order.indexOf(toFolder) > order.indexOf(fromFolder)) {
    return `${file}: ${fromFolder} may not know ${toFolder}`;
  }
  const isFree =
    foundations.includes(toFolder) ||
    composing.includes(fromFolder) ||
    isTool(to.replaceAll(sep, '/'));
  if (!isFree && inner.join('/') !== `${toFolder}.ts`) {
    return `${file}: enter ${toFolder} by ${toFolder}/${toFolder}.ts, not ${inner.join('/')}`;
  }
  return null;
}

test('imports follow the order and enter other modules by their front door', () => {
  const faults = files.flatMap((file) =>
    importsOf(file)
      .map((specifier) => target(file, specifier))
      .map((to) => (to === null ? null : fault(file, to)))
      .filter((found) => found !== null),
  );
  assert.deepEqual(faults, []);
});

test('a front door repeats no tool, and a tool knows no front door', () => {
  const doors = order.map((folder) => join(folder, `${folder}.ts`));
  const exported = doors
    .filter((door) => files.includes(door))
    .flatMap((door) =>
      [...readFileSync(join(src, door), 'utf8').matchAll(/^export [^;]*? from '([^']+)';/gm)].map(
        ([, specifier = '']) => `${door}: ${target(door, specifier)}`,
      ),
    );
  assert.ok(exported.length > 50, `${exported.length} re-exports`);
  assert.deepEqual(
    exported.filter((line) => isTool(line.split(': ')[1]!.replaceAll(sep, '/'))),
    [],
  );
  const knowing = sources
    .filter((file) => isTool(file.replaceAll(sep, '/')))
    .flatMap((file) => targetsOf(file).map((to) => ({ file, to })))
    .filter(({ to }) => doors.includes(to) || to.endsWith('store.ts'));
  assert.deepEqual(knowing, []);
});

test('every place in the order is a folder, but those that are planned', () => {
  const missing = order.filter((folder) => !existsSync(join(src, folder)));
  assert.deepEqual(missing, planned);
});

test('no folder holds over 30 sources, but those of tests and of migrations', () => {
  const counts = Map.groupBy(sources, (file) => dirname(file));
  const crowded = [...counts].filter(([folder, { length }]) => !isLong(folder) && length > 30);
  assert.deepEqual(
    crowded.map(([folder, { length }]) => `${folder}: ${length}`),
    [],
  );
  assert.equal(counts.get('.')?.length, 10, 'sources in the root');
});
/** A migration stays where it is for ever, and each has a number. */
const isLong = (folder: string): boolean => folder === join('db', 'migrations');

test('main.ts loads no FFmpeg: node-av belongs to hosts and workers', () => {
  const loaded = new Set(['main.ts']);
  for (const file of loaded) {
    for (const { specifier, isType } of importsIn(file)) {
      const to = isType ? null : target(file, specifier);
      if (to !== null) loaded.add(to);
      if (!isType) assert.ok(!specifier.startsWith('node-av'), `${file} loads ${specifier}`);
    }
  }
  assert.ok(loaded.size > 300, `${loaded.size} files`);
});

test('the law itself finds what it forbids', () => {
  const bad = [
    fault(join('cameras', 'cameras.ts'), 'faces/faces.ts'),
    fault(join('faces', 'faces.ts'), 'cameras/store.ts'),
    fault(join('faces', 'faces.ts'), 'media/server/hosts.ts'),
    fault(join('faces', 'faces.ts'), 'vision/packs/add-pack.ts'),
    fault(join('cameras', 'zones.ts'), 'media/mp4/boxes.ts'),
    fault(join('faces', 'faces.ts'), 'main.ts'),
    fault(join('faces', 'faces.ts'), 'testing/database.ts'),
  ];
  assert.ok(bad.every((found) => found !== null));
  assert.equal(fault(join('faces', 'faces.ts'), 'cameras/cameras.ts'), null);
  assert.equal(fault(join('faces', 'faces.ts'), 'media/mp4/boxes.ts'), null);
});

test('only routes.ts, http/, live/, app/ and root files know Fastify; only store.ts and db/ know SQL', () => {
  const wrong = files
    .filter((file) => !isTest(file) && file.includes(sep))
    .flatMap((file) => {
      const [folder = ''] = file.split(sep);
      const packages = importsOf(file).filter((name) => !/^[#.]/.test(name));
      const knowsHttp = packages.some(
        (name) => name.startsWith('fastify') || name.startsWith('@fastify'),
      );
      const knowsSql = packages.some((name) => name.startsWith('kysely') || name === 'pg');
      const isRoutes = file.endsWith(`${sep}routes.ts`);
      const isStore = file.endsWith('store.ts');
      return [
        ...(knowsHttp && !speakingHttp.includes(folder) && !isRoutes
          ? [`${file} knows Fastify`]
          : []),
        ...(knowsSql && folder !== 'db' && !isStore ? [`${file} knows SQL`] : []),
      ];
    });
  assert.deepEqual(wrong, []);
});

test('C-516 a host process never reaches db, http or a store', () => {
  const hosts = [
    'media-host.ts',
    'media-worker.ts',
    'vision-host.ts',
    'image-host.ts',
    'chip-host.ts',
    'folder-host.ts',
  ].filter((file) => existsSync(join(src, file)));
  for (const host of hosts) {
    const reached = new Set([host]);
    for (const file of reached) {
      for (const specifier of importsOf(file)) {
        const to = target(file, specifier);
        if (to !== null) reached.add(to);
      }
    }
    const forbidden = [...reached].filter(
      (file) => /^(db|http)\//.test(file) || file.endsWith('store.ts'),
    );
    assert.deepEqual(forbidden, [], host);
    // host-version.ts distinguishes running hosts from ours by the sources in these folders.
    const elsewhere = [...reached].filter((file) => !/^((lib|media|vision)\/|[^/]+$)/.test(file));
    assert.deepEqual(elsewhere, [], host);
  }
});

test('C-601 host processes are never handed keys: no host imports the key store', () => {
  const hosts = files.filter((file) =>
    /^(media|vision|image|chip|folder)-(host|worker)\.ts$/.test(file),
  );
  for (const host of hosts) {
    assert.ok(!importsOf(host).some((name) => name.includes('secrets')), host);
  }
});

test('C-1011 the server calls no one by itself: no address of another host stands in its code', () => {
  // What an administrator configures is written down as an example only, in names that are reserved (RFC 2606).
  const address =
    /\b(?:https?|wss?|rtsp):\/\/(?!\$|127\.|localhost|(?:[\w-]+\.)*example\.)[a-z0-9-]+\.[a-z0-9.-]+/gi;
  const found = files
    .filter((file) => !isTest(file))
    .flatMap((file) =>
      [...readFileSync(join(src, file), 'utf8').matchAll(address)].map(([at]) => `${file} ${at}`),
    );
  assert.deepEqual(found, []);
  assert.match('get("https://telemetry.vendor.com/v1")', address);
});
