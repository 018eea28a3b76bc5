/**
 * The folders of media say in which process their code runs (docs/decisions/0021): in all, in media hosts, in media
 * workers, or in the server.
 */
import assert from 'node:assert/strict';
import { sep } from 'node:path';
import { test } from 'node:test';
import { importsIn, sources, target, targetsOf } from '#testing/imports.ts';

/** Folders of media, each of which imports earlier ones only; `server` and the front door are the server's half. */
const mediaOrder = ['protocol', 'mask', 'codec', 'mp4', 'export', 'sources', 'host', 'worker'];
/** What the server shares with the processes it starts. */
const serverShares = ['protocol', 'mask', 'mp4'];

/** What is wrong with an import between two parts of media, if anything. */
function mediaFault(file: string, to: string): string | null {
  const [from, into] = [partOfMedia(file), partOfMedia(to)];
  if (from === into || from === null || into === null) return null;
  const isShared = from === 'server' && serverShares.includes(into);
  const isEarlier = from !== 'server' && mediaOrder.indexOf(into) < mediaOrder.indexOf(from);
  // A host has cameras, a worker answers one question: neither is a part of the other.
  const meet = from === 'worker' && into === 'host';
  const isAllowed = isShared || (isEarlier && into !== 'server' && !meet);
  return isAllowed ? null : `${file}: ${from} may not know ${into} (${to})`;
}

function partOfMedia(file: string): string | null {
  const [room, folder = ''] = file.split('/');
  if (room !== 'media') return null;
  return mediaOrder.includes(folder) ? folder : 'server';
}

test('folders of media import earlier ones only, and the server’s half only what it shares', () => {
  const faults = sources.flatMap((file) =>
    targetsOf(file)
      .map((to) => mediaFault(file.replaceAll(sep, '/'), to))
      .filter((found) => found !== null),
  );
  assert.deepEqual(faults, []);
  assert.notEqual(mediaFault('media/codec/decoder.ts', 'media/sources/source.ts'), null);
  assert.notEqual(mediaFault('media/worker/answer.ts', 'media/host/feed.ts'), null);
  assert.notEqual(mediaFault('media/host/feed.ts', 'media/media.ts'), null);
  assert.notEqual(mediaFault('media/server/hosts.ts', 'media/codec/decoder.ts'), null);
  assert.equal(mediaFault('media/worker/answer.ts', 'media/sources/source.ts'), null);
  assert.equal(mediaFault('media/media.ts', 'media/mp4/segment-file.ts'), null);
});

test('media holds its front door and folders that say in which process they run', () => {
  const parts = sources
    .map((file) => file.replaceAll(sep, '/').split('/'))
    .flatMap(([room, part = '']) => (room === 'media' ? [part] : []));
  assert.deepEqual(new Set(parts), new Set(['media.ts', 'server', ...mediaOrder]));
});

test('the server loads nothing that reads or writes coded pictures: no turn of its thread is that long', () => {
  const loaded = new Set(['main.ts']);
  for (const file of loaded) {
    for (const { specifier, isType } of importsIn(file)) {
      const to = isType ? null : target(file, specifier);
      if (to !== null) loaded.add(to.replaceAll(sep, '/'));
    }
  }
  const coding = [...loaded].filter((file) => file.startsWith('media/codec/'));
  assert.deepEqual(coding, ['media/codec/ticks.ts'], 'the unit of its times');
  assert.ok(!loaded.has('media/mp4/closed-file.ts') && loaded.has('media/mp4/closed-files.ts'));
});
