/**
 * `npm run check`: everything that needs no database, camera, model or browser, in under a minute on two
 * cores. Two lanes side by side; what failed is printed whole, what passed in one line.
 */
import {
  apiDescription,
  format,
  hasWeb,
  hasWebTypes,
  lint,
  nodeTests,
  serverTests,
  types,
  webTests,
  webTypes,
} from './levels.mjs';
import { timed } from './steps.mjs';

let failures = 0;

async function step(title, work) {
  const { said, code, failed = code === 0 ? 0 : 1, passed } = await timed(title, work);
  if (passed !== undefined) console.log(`  ${passed} passed, ${failed} failed`);
  if (failed === 0 && passed !== 0) return;
  failures += 1;
  console.error(`${said}\n${title} failed`);
}

async function lane(steps) {
  for (const [title, work] of steps) await step(title, work);
}

await Promise.all([
  lane([
    ['lint', lint],
    ['types', types],
    ['description of the API', apiDescription],
    ...(hasWebTypes ? [['web types', webTypes]] : []),
    ['laws and pure tests', () => nodeTests(serverTests({ pure: true }))],
  ]),
  lane([['format', format], ...(hasWeb ? [['web tests', () => webTests()]] : [])]),
]);
process.exitCode = failures === 0 ? 0 : 1;
