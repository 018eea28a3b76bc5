/**
 * What naming a face costs: the search over all vectors, beside a plain loop in JavaScript over the same vectors, in
 * turn. Promises, on one thread, for vectors of 128 numbers: 0.5 ms for 10,000, 6 ms for 100,000, 60 ms for 1,000,000;
 * for vectors of 512: 2, 12 and 150 ms.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { spreadOf } from './rig/numbers.ts';
import { Machine } from './rig/processes.ts';
import { measureSearch } from './rig/search.ts';
import { table } from './table.ts';

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: { json: { type: 'string' }, sizes: { type: 'string' }, dimensions: { type: 'string' } },
});
const sizes = (values.sizes ?? '1000,10000,100000,1000000').split(',').map(Number);
const widths = (values.dimensions ?? '128,512').split(',').map(Number);

const machine = new Machine();
const results = widths.flatMap((width) => sizes.map((size) => measureSearch(size, width)));
const { load, busy } = machine.conditions();
const ms = (value: number): string => value.toFixed(value < 1 ? 3 : 1);
const rows = results.map(({ size, dimensions, ours, loop, replaced, bytes }) => [
  `${dimensions}`,
  `${size}`,
  ...[spreadOf(ours.wallMs).min, spreadOf(ours.wallMs).p50, ours.cpuMs].map(ms),
  ...[spreadOf(loop.wallMs).p50, loop.cpuMs].map(ms),
  (loop.cpuMs / ours.cpuMs).toFixed(1),
  ms(replaced.cpuMs),
  bytes.toFixed(0),
]);
const head = [
  'numbers',
  'vectors',
  'ms min',
  'p50',
  'CPU',
  'loop p50',
  'CPU',
  'times',
  'replace',
  'bytes',
];
console.log(table(head, rows));
console.log(`load ${load.toFixed(1)}, cores busy ${(busy * 100).toFixed(0)} %`);
if (values.json) {
  const searchMs = Object.fromEntries(
    results.map(({ size, dimensions, ours }) => [
      `${dimensions}x${size}`,
      spreadOf(ours.wallMs).p50,
    ]),
  );
  writeFileSync(values.json, JSON.stringify({ searchMs, results }, null, 2));
}
