/**
 * Loaded before each file of server tests that has a process of its own. A test that ran out of its time never gets to
 * close what it opened, a camera that listens for example, and its process would wait for that for ever, and the
 * whole run with it. Such a file ends here, with what still held it.
 */
import { after } from 'node:test';

/** A file that has done its work is gone within two seconds, on a busy machine within ten. */
const graceMs = Number(process.env.NAZAR_TEST_GRACE_MS ?? 60_000);

// The process that starts the others has no tests of its own.
if (process.env.NODE_TEST_CONTEXT === 'child-v8') {
  // Not waited for: a file without leftovers ends before.
  after(() => {
    setTimeout(end, graceMs).unref();
  });
}

function end() {
  const held = process.getActiveResourcesInfo().join(', ');
  process.stderr.write(`All tests are over, and this still runs: ${held}\n`);
  process.exit(1);
}
