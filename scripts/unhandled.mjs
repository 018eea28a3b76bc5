/**
 * A reporter for Vitest: what was thrown outside of every test (by a timer, or a promise not awaited), which its own
 * reporter of JSON leaves out, though it makes the run fail. Writes a list to the file that NAZAR_UNHANDLED names.
 */
import { writeFileSync } from 'node:fs';

export default class Unhandled {
  /**
   * @param {unknown} _modules
   * @param {readonly { message?: string, stack?: string, VITEST_TEST_PATH?: string, VITEST_TEST_NAME?: string }[]} errors
   */
  onTestRunEnd(_modules, errors) {
    const unhandled = errors.map((error) => ({
      file: error.VITEST_TEST_PATH ?? '',
      name: error.VITEST_TEST_NAME ?? null,
      error: error.stack ?? error.message ?? '',
    }));
    writeFileSync(process.env.NAZAR_UNHANDLED, JSON.stringify(unhandled));
  }
}
