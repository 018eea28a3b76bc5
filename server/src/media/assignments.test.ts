import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Roster } from './assignments.ts';

function four(): Roster {
  const roster = new Roster({ camerasPerHost: 4 });
  for (const id of ['a', 'b', 'c', 'd']) roster.place(id);
  return roster;
}

test('four cameras share a host, the fifth opens another', () => {
  const roster = four();
  assert.equal(roster.place('e'), 'media-2');
  assert.equal(roster.place('a'), 'media-1', 'a camera keeps its host');
  assert.deepEqual(roster.camerasOf('media-1'), ['a', 'b', 'c', 'd']);
});

test('R-06 the second crash within a minute isolates the cameras, a later one does not', () => {
  const roster = four();
  assert.deepEqual(roster.crashed('media-1', 0), []);
  assert.deepEqual(roster.crashed('media-1', 61_000), []);
  assert.deepEqual(roster.crashed('media-1', 62_000), ['b', 'c', 'd']);
  const hosts = ['a', 'b', 'c', 'd'].map((id) => roster.hostOf(id));
  assert.equal(new Set(hosts).size, 4);
  assert.ok(!hosts.includes(roster.place('e')), 'nobody joins an isolated camera');
});

test('an empty host is given back, and takes no other camera meanwhile', () => {
  const roster = new Roster({ camerasPerHost: 4 });
  roster.place('a');
  assert.equal(roster.remove('a'), 'media-1');
  assert.equal(roster.place('b'), 'media-2');
  roster.forget('media-1');
  assert.equal(roster.remove('unknown'), null);
});

test('adopted hosts keep their cameras and fill up', () => {
  const roster = new Roster({ camerasPerHost: 2 });
  roster.adopt('media-3', ['x']);
  assert.equal(roster.place('x'), 'media-3');
  assert.equal(roster.place('y'), 'media-3');
  assert.equal(roster.place('z'), 'media-1');
});
