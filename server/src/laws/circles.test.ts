/**
 * No circle of imports: of two files that need each other neither can be understood first. The linter sees circles of
 * values (`import/no-cycle`); here types count, too.
 */
import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { importsAt, sources, src, targetsOf } from '#testing/imports.ts';

const contractFolder = join(src, '../../contract/src');
/** The contract is flat: each file imports its neighbours by `./`. */
const contract = new Map(
  globSync('*.ts', { cwd: contractFolder }).map((file) => [
    file,
    importsAt(join(contractFolder, file))
      .map(({ specifier }) => specifier)
      .filter((specifier) => specifier.startsWith('./'))
      .map((specifier) => specifier.slice(2)),
  ]),
);

test('no source of the server, and none of the contract, imports itself in a circle, types included', () => {
  assert.deepEqual(circlesIn(new Map(sources.map((file) => [file, targetsOf(file)]))), []);
  assert.deepEqual(circlesIn(contract), []);
  assert.ok(contract.size > 40, 'files of the contract');
  const planted = new Map([
    ['a.ts', ['b.ts']],
    ['b.ts', ['c.ts']],
    ['c.ts', ['b.ts', 'a.ts']],
    ['d.ts', ['a.ts']],
  ]);
  assert.deepEqual(circlesIn(planted), [['a.ts', 'b.ts', 'c.ts']]);
});

/** Groups of files that reach one another (strongly connected components; Tarjan, 1972). */
function circlesIn(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const [order, lowest] = [new Map<string, number>(), new Map<string, number>()];
  const [open, circles]: [string[], string[][]] = [[], []];
  const visit = (file: string): number => {
    const at = order.size;
    order.set(file, at);
    lowest.set(file, at);
    open.push(file);
    for (const to of graph.get(file) ?? []) {
      if (!order.has(to)) lowest.set(file, Math.min(lowest.get(file)!, visit(to)));
      else if (open.includes(to)) lowest.set(file, Math.min(lowest.get(file)!, order.get(to)!));
    }
    if (lowest.get(file) === at) {
      const circle = open.splice(open.indexOf(file));
      if (circle.length > 1) circles.push(circle.toSorted());
    }
    return lowest.get(file)!;
  };
  for (const file of graph.keys()) if (!order.has(file)) visit(file);
  return circles;
}
