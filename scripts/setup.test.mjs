import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { root } from './steps.mjs';

const modelMaker = 'server/src/vision/setup/make-models.ts';
const demoMaker = 'server/src/commands/make-demo.ts';

/** A clone whose dependencies are there and that has no pages; its makers note in `made` that they ran. */
function clone() {
  const folder = mkdtempSync(join(tmpdir(), 'nazar-setup-'));
  const write = (name, text) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  };
  for (const name of ['setup.mjs', 'steps.mjs']) {
    cpSync(join(root, 'scripts', name), join(folder, 'scripts', name));
  }
  write('package-lock.json', '{}');
  const lock = createHash('sha256').update('package-lock.json\n').update('{}').digest('hex');
  write('node_modules/.nazar-setup.json', JSON.stringify({ lock }));
  const maker = (name, more = '') =>
    `import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
     mkdirSync('models', { recursive: true });
     writeFileSync('models/${name}', '${name}');
     appendFileSync('made', '${name} ');
     ${more}`;
  write(modelMaker, maker('model'));
  write(demoMaker, maker('film'));
  write('made', '');
  return {
    write,
    maker,
    /** Runs the set-up; resolves with who made something. */
    async setUp() {
      writeFileSync(join(folder, 'made'), '');
      await promisify(execFile)(process.execPath, [join(folder, 'scripts/setup.mjs')]);
      return readFileSync(join(folder, 'made'), 'utf8').trim();
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  };
}

test('models and demo film are made once, and anew where they or what makes them changed', async () => {
  using here = clone();
  assert.equal(await here.setUp(), 'model film');
  assert.equal(await here.setUp(), '');
  here.write('models/model', 'damaged');
  assert.equal(await here.setUp(), 'model film');
  assert.equal(await here.setUp(), '');
  here.write(demoMaker, here.maker('film', '// in another way'));
  assert.equal(await here.setUp(), 'model film');
  assert.equal(await here.setUp(), '');
});

test('models that could not be had are tried for again', async () => {
  using here = clone();
  here.write(modelMaker, here.maker('model', "console.error('left out')"));
  assert.equal(await here.setUp(), 'model film');
  assert.equal(await here.setUp(), 'model film');
  here.write(modelMaker, here.maker('model'));
  assert.equal(await here.setUp(), 'model film');
  assert.equal(await here.setUp(), '');
});

test('a demo film that could not be made is tried for again', async () => {
  using here = clone();
  here.write(demoMaker, here.maker('film', 'process.exit(1)'));
  assert.equal(await here.setUp(), 'model film');
  assert.equal(await here.setUp(), 'model film');
});
