/** Some tests in processes of their own, which are ended when they take too long: a fault can be a loop without end. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { bin, environment, node24, root } from '../steps.mjs';

/**
 * @typedef {{ end: 'passed' | 'failed' | 'timeout', tookMs: number, said: string }} Ended
 */

/**
 * @param {readonly string[]} files from the root of the project
 * @param {{ env?: NodeJS.ProcessEnv, timeoutMs: number }} options
 * @returns {Promise<Ended>}
 */
export async function runTests(files, options) {
  const startedAt = performance.now();
  const tookMs = () => performance.now() - startedAt;
  const ofWeb = files.filter((file) => file.startsWith('web/'));
  const others = files.filter((file) => !file.startsWith('web/'));
  const vitest = ['run', '--bail=1', ...ofWeb.map((file) => join(root, file))];
  let said = '';
  for (const [command, words, cwd, wanted] of [
    [node24(), ['--test', '--test-concurrency=2', ...others], root, others],
    [join(bin, 'vitest'), vitest, join(root, 'web'), ofWeb],
  ]) {
    if (wanted.length === 0) continue;
    const { code, text } = await ended(command, words, { ...options, cwd });
    said += text;
    if (code !== 0) return { end: code === null ? 'timeout' : 'failed', tookMs: tookMs(), said };
  }
  return { end: 'passed', tookMs: tookMs(), said };
}

/** The exit code; null: it took too long. Its whole group is ended, with what it started. */
function ended(command, words, { cwd, env = {}, timeoutMs }) {
  return new Promise((resolve) => {
    const child = spawn(command, words, {
      cwd,
      env: environment(env),
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    const parts = [];
    let isLate = false;
    const stop = () => {
      try {
        process.kill(-Number(child.pid), 'SIGKILL');
      } catch {
        // It is over.
      }
    };
    const late = setTimeout(() => {
      isLate = true;
      stop();
    }, timeoutMs);
    process.once('exit', stop);
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (part) => parts.push(part));
    child.on('close', (code) => {
      clearTimeout(late);
      process.off('exit', stop);
      resolve({ code: isLate ? null : (code ?? 1), text: Buffer.concat(parts).toString() });
    });
  });
}
