import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Assignments } from './assignments.ts';

function four(): Assignments {
  const assignments = new Assignments({ camerasPerHost: 4 });
  for (const id of ['a', 'b', 'c', 'd']) assignments.place(id);
  return assignments;
}

test('four cameras share a host, the fifth opens another', () => {
  const assignments = four();
  assert.equal(assignments.place('e'), 'media-2');
  assert.equal(assignments.place('a'), 'media-1', 'a camera keeps its host');
  assert.deepEqual(assignments.camerasOf('media-1'), ['a', 'b', 'c', 'd']);
});

test('R-06 the second crash within a minute isolates the cameras, a later one does not', () => {
  const assignments = four();
  assert.deepEqual(assignments.crashed('media-1', 0), []);
  assert.deepEqual(assignments.crashed('media-1', 61_000), []);
  assert.deepEqual(assignments.crashed('media-1', 62_000), ['b', 'c', 'd']);
  const hosts = ['a', 'b', 'c', 'd'].map((id) => assignments.hostOf(id));
  assert.equal(new Set(hosts).size, 4);
  assert.ok(!hosts.includes(assignments.place('e')), 'nobody joins an isolated camera');
});

test('an empty host is returned to be closed, and takes no other camera meanwhile', () => {
  const assignments = new Assignments({ camerasPerHost: 4 });
  assignments.place('a');
  assert.equal(assignments.remove('a'), 'media-1');
  assert.equal(assignments.place('b'), 'media-2');
  assignments.forget('media-1');
  assert.equal(assignments.remove('unknown'), null);
});

test('adopted hosts keep their cameras and fill up', () => {
  const assignments = new Assignments({ camerasPerHost: 2 });
  assignments.adopt('media-3', ['x']);
  assert.equal(assignments.place('x'), 'media-3');
  assert.equal(assignments.place('y'), 'media-3');
  assert.equal(assignments.place('z'), 'media-1');
});
