/**
 * A reporter for `node --test`: at the end one line of JSON, how many tests there were of each kind, how long each
 * file took and, of each test that failed, its file, its name and what it said. A test that failed only because
 * one within it did is not reported twice.
 */

/** How much is kept of the end of a file's standard error: all there is of a file that did not even load. */
const bound = 2000;

/** @param {AsyncIterable<{ type: string, data: any }>} events */
export default async function* report(events) {
  const failures = [];
  const written = new Map();
  const tookMs = {};
  const above = [];
  let counts = {};
  for await (const { type, data } of events) {
    if (type === 'test:start') above.splice(data.nesting, Infinity, data.name);
    if (type === 'test:stderr') {
      written.set(data.file, ((written.get(data.file) ?? '') + data.message).slice(-bound));
    }
    if (type === 'test:fail' && isOwn(data)) {
      const name = above.slice(0, data.nesting).concat(data.name).join(' > ');
      // A file that failed as a whole bears the name under which it wrote.
      failures.push({ file: data.file, name, error: written.get(data.name) ?? errorOf(data) });
    }
    if ((type === 'test:pass' || type === 'test:fail') && data.nesting === 0) {
      tookMs[data.file] = (tookMs[data.file] ?? 0) + (data.details.duration_ms ?? 0);
    }
    // The last one sums up all files.
    if (type === 'test:summary') ({ counts } = data);
  }
  yield JSON.stringify({ counts, failures, tookMs });
}

const isOwn = ({ details, todo }) =>
  details.error?.failureType !== 'subtestsFailed' && todo === undefined;

function errorOf({ details }) {
  const { cause, message } = details.error;
  return cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause ?? message);
}
