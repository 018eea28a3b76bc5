/**
 * What the logs cost at the size of years. `--shape even` (or nothing): all come equally often, and lists, counts,
 * writing, an export and a deletion of everything are measured (`rig/even-logs.ts`). `--shape uneven`: people come as
 * they do to places, and every list, page, filter and order is asked for by three readers (`rig/uneven-logs.ts`).
 */
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: { shape: { type: 'string', default: 'even' } },
  strict: false,
});
const shapes: Readonly<Record<string, () => Promise<unknown>>> = {
  even: () => import('./rig/even-logs.ts'),
  uneven: () => import('./rig/uneven-logs.ts'),
};
const measure = shapes[String(values.shape)];
if (!measure) throw new Error(`--shape ${Object.keys(shapes).join(' | ')}`);
await measure();
