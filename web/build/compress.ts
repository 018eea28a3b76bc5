/**
 * Compresses what the build wrote, once, as well as it can be done: `x.js` gets `x.js.br` and `x.js.gz` beside it, and
 * the server sends what the browser unpacks (server/src/http/assets.ts). 62 files take 3 s; while a user waits that
 * would be too long. Fonts and pictures are compressed by their own formats.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

const compressible = '**/*.{js,css,html,svg,json,webmanifest}';
/** What fits into one packet of a network arrives no sooner when it is smaller. */
const minBytes = 1_024;

export function compress(): Plugin {
  let folder = '';
  return {
    name: 'nazar-compress',
    apply: 'build',
    configResolved: ({ root, build }) => {
      folder = join(root, build.outDir);
    },
    closeBundle: () => {
      for (const file of globSync(compressible, { cwd: folder })) writeForms(join(folder, file));
    },
  };
}

function writeForms(path: string): void {
  const data = readFileSync(path);
  if (data.length < minBytes) return;
  const params = {
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_SIZE_HINT]: data.length,
  };
  writeFileSync(`${path}.br`, brotliCompressSync(data, { params }));
  writeFileSync(`${path}.gz`, gzipSync(data, { level: constants.Z_BEST_COMPRESSION }));
}
