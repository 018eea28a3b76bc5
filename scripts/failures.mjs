/**
 * What failed, by name and with the beginning of what it said, so that the end of a long log shows it:
 * from the reports of the runners of tests.
 */
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { root } from './steps.mjs';

/** @typedef {{ file: string, name: string, error: string }} Failure */

const errorLines = 12;

/** @param {Failure} failure */
export function failureText({ file, name, error }) {
  const lines = stripVTControlCharacters(error)
    .split('\n')
    .filter((line) => line.trim() !== '');
  const shown = lines.slice(0, errorLines).map((line) => `\n    ${line}`);
  return `failed: ${file ? `${relative(root, file)} > ` : ''}${name}${shown.join('')}`;
}

/**
 * @param {{ testResults?: any[] }} report
 * @param {{ file: string, name: string | null, error: string }[]} unhandled of scripts/unhandled.mjs
 * @returns {Failure[]}
 */
export function vitestFailures({ testResults = [] }, unhandled = []) {
  const outside = unhandled.map(({ file, name, error }) => ({
    file,
    // Whichever test ran then is not always the one that began it.
    name: name === null ? 'outside of a test' : `outside of a test, during "${name}"`,
    error,
  }));
  const tests = testResults.flatMap(({ name: file, status, message = '', assertionResults }) => {
    const failed = assertionResults.filter((one) => one.status === 'failed');
    // A file that did not load has no test.
    if (failed.length === 0 && status === 'failed')
      return [{ file, name: 'the file', error: message }];
    return failed.map(({ ancestorTitles, title, failureMessages }) => ({
      file,
      name: [...ancestorTitles, title].join(' > '),
      error: failureMessages.join('\n'),
    }));
  });
  return [...tests, ...outside];
}

/** @returns {Failure[]} */
export function playwrightFailures({ config, suites = [], errors = [] }) {
  const file = (name) => `${config.rootDir}/${name}`;
  const walk = ({ specs = [], suites: within = [] }, above) => [
    ...specs.flatMap((spec) => specFailures(spec, file(spec.file), above)),
    ...within.flatMap((suite) => walk(suite, [...above, suite.title])),
  ];
  const outside = errors.map(({ message = '', location }) => ({
    file: location?.file ?? '',
    name: 'outside of a test',
    error: message,
  }));
  // The outermost suites are the files.
  return [...suites.flatMap((suite) => walk(suite, [])), ...outside];
}

/** One that passed only when repeated has failed once. */
function specFailures({ title, tests }, file, above) {
  return tests
    .filter(({ status }) => status === 'unexpected' || status === 'flaky')
    .map(({ results }) => ({
      file,
      name: [...above, title].join(' > '),
      error: results.flatMap(({ errors }) => errors.map(({ message = '' }) => message)).join('\n'),
    }));
}
