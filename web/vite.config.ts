import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { chunkNames } from './build/chunks.ts';
import { compress } from './build/compress.ts';
import { contract } from './build/contract.ts';
import { pushSentences, pushWorker } from './build/push-worker.ts';
import { sentences } from './build/sentences.ts';

/** Tests that render nothing but use what only browsers have. */
const needsDom = 'src/**/*.dom.test.ts';
/** Tests to which it matters that the code of a page has not come yet. */
const lazy = 'src/**/*.lazy.test.tsx';

const pages = {
  environment: 'jsdom',
  // An address of its own, so that relative requests can be answered by the fake server.
  environmentOptions: { jsdom: { url: 'http://localhost:8080/' } },
  setupFiles: ['src/testing/setup.ts'],
};

export default defineConfig({
  plugins: [
    contract(),
    sentences(),
    react(),
    tailwindcss(),
    pushSentences(),
    pushWorker(),
    compress(),
  ],
  build: {
    // A data: address would need img-src and font-src to allow data: (C-701).
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'baseline-widely-available',
    rolldownOptions: {
      output: {
        // The first script names all others: with the usual eight random letters each the sign-in sent too much. Seven
        // are the fewest that the bundler takes for so many files.
        entryFileNames: 'assets/[name]-[hash:7].js',
        chunkFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames: 'assets/[name]-[hash:7][extname]',
        codeSplitting: {
          groups: [
            { debugName: 'pages', name: chunkNames(), includeDependenciesRecursively: false },
          ],
        },
      },
    },
  },
  test: {
    restoreMocks: true,
    // A busy machine may take seconds to render what an idle one renders at once.
    testTimeout: 30_000,
    // A DOM and modules of its own cost each file five seconds of processor: 550 for all pages, which take 146 together.
    projects: [
      {
        extends: true,
        test: { name: 'rules', include: ['src/**/*.test.ts'], exclude: [needsDom], isolate: false },
      },
      {
        extends: true,
        test: {
          ...pages,
          name: 'pages',
          include: ['src/**/*.test.tsx', needsDom],
          exclude: [lazy],
          isolate: false,
        },
      },
      { extends: true, test: { ...pages, name: 'lazy pages', include: [lazy] } },
    ],
  },
});
