/**
 * `npm run test:security`: the tests that are instruments, in their long forms, one after another, each with
 * its figures. `npm test` runs the same files with fewer cases. Takes about an hour; a figure set in the
 * environment wins, and words after `--` choose by file: `npm run test:security -- fuzz chain`.
 */
import { withDatabase } from './levels.mjs';
import { node24, run, timed } from './steps.mjs';

/** File, the variable of its size, the size of the long form. */
const instruments = [
  ['server/src/integration/routes.db.test.ts'],
  ['server/src/integration/crawl.db.test.ts'],
  ['server/src/integration/corpora.db.test.ts', 'NAZAR_TEST_CORPORA', 'whole'],
  ['server/src/integration/canaries.db.test.ts'],
  ['server/src/integration/fuzz.db.test.ts', 'NAZAR_TEST_REQUESTS', '200000'],
  ['server/src/integration/parity.db.test.ts', 'NAZAR_TEST_WORLDS', '500'],
  ['server/src/integration/cross-talk.db.test.ts', 'NAZAR_TEST_REQUESTS', '20000'],
  ['server/src/db/root-key.db.test.ts', 'NAZAR_TEST_KILLS', '30'],
  ['server/src/activity/chain.db.test.ts', 'NAZAR_TEST_ATTACKS', '1000'],
  ['server/src/integration/kill.db.test.ts', 'NAZAR_TEST_KILLS', '100'],
  ['server/src/integration/vision-kill.db.test.ts', 'NAZAR_TEST_KILLS', '100'],
  ['server/src/accounts/sessions/session-model.db.test.ts', 'NAZAR_TEST_SEQUENCES', '10000'],
  ['server/src/vision/uploads/bombs.test.ts', 'NAZAR_TEST_IMAGES', '5000'],
  ['server/src/media/sources/dial/ssrf.test.ts'],
  ['server/src/media/mutations.test.ts', 'NAZAR_TEST_INPUTS', '100000'],
  ['server/src/media/mutations.media.test.ts', 'NAZAR_TEST_INPUTS', '10000'],
  ['server/src/recordings/retention/retention-worlds.db.test.ts', 'NAZAR_TEST_WORLDS', '10000'],
  ['server/src/lib/log.test.ts'],
  ['server/src/laws/gates.test.ts'],
  ['server/src/laws/controls.test.ts'],
];

const chosen = process.argv.slice(2);
const wanted = instruments.filter(
  ([file]) => chosen.length === 0 || chosen.some((word) => file.includes(word)),
);
const failures = [];
/** The longest, 200,000 requests, takes 40 minutes on two cores. */
const words = ['--test', '--test-reporter=spec', `--test-timeout=${3 * 60 * 60_000}`];

await withDatabase(async (env) => {
  for (const [file, variable, size] of wanted) {
    const sized = variable ? { [variable]: process.env[variable] ?? size } : {};
    const { code } = await timed(`${file} ${Object.values(sized).join('')}`, () =>
      run(node24(), [...words, file], { show: true, env: { ...env, ...sized } }),
    );
    if (code !== 0) failures.push(file);
  }
});

process.exitCode = failures.length === 0 && wanted.length > 0 ? 0 : 1;
console.log(
  `${wanted.length - failures.length} passed, ${failures.length} failed: ${failures.join(' ')}`,
);
