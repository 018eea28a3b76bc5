/** Commands, and what starts the server, print by `lib/terminal` only, which escapes what others wrote. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { sources, src } from '#testing/imports.ts';

const direct = /\bconsole\.\w+\(|\bprocess\.std(?:out|err)\.write\(|\bwriteSync\(\s*[12]\b/;

test('C-805 nothing but lib/terminal writes to a terminal', () => {
  assert.match('process.stdout.write(name)', direct);
  assert.match("console.error('x')", direct);
  const writers = sources.filter((file) => direct.test(readFileSync(join(src, file), 'utf8')));
  assert.deepEqual(writers, [join('lib', 'terminal', 'output.ts')]);
});
