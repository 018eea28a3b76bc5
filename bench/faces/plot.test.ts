import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plot } from './plot.ts';

const svg = plot('a < b', [
  {
    name: 'ours & theirs',
    points: [
      { far: 0.0001, tar: 0.5 },
      { far: 1, tar: 1 },
    ],
  },
]);

test('a curve begins and ends in the corners it should', () => {
  // FAR 0.01 % is the left edge and 50 % the floor; 100 % of both is the upper right corner.
  assert.match(svg, /points="64\.0,360\.0 560\.0,24\.0"/);
});

test('axes are labelled in per cent, and names cannot break the markup', () => {
  for (const label of ['0.01 %', '100 %', '50 %', '60 %']) assert.ok(svg.includes(`>${label}<`));
  assert.ok(svg.includes('a &lt; b') && svg.includes('ours &amp; theirs'));
});

test('it follows the light theme or dark theme of the reader', () => {
  assert.match(svg, /prefers-color-scheme: dark/);
});
