/**
 * Builds the service worker as one classic script beside the pages: browsers take a worker from the root of what it
 * serves, under a name that stays. Its only sentence is put in here, in every language.
 */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build, type Plugin } from 'vite';
import { contract } from './contract.ts';

const languages = ['en', 'az', 'ru', 'tr'];
const words = resolve(import.meta.dirname, '../../i18n');
const entry = resolve(import.meta.dirname, '../src/push-worker/main.ts');
const name = 'virtual:push-sentences';

function sentencesIn(language: string) {
  const text = readFileSync(join(words, language, 'app.json'), 'utf8');
  const { actionFailed } = (JSON.parse(text) as { push: { actionFailed: string } }).push;
  return { 'push.actionFailed': actionFailed };
}

/** What the worker says where it reached no server, by language. */
export function pushSentences(): Plugin {
  return {
    name: 'nazar-push-sentences',
    resolveId: (id) => (id === name ? `\0${name}` : null),
    load(id) {
      if (id !== `\0${name}`) return null;
      const table = Object.fromEntries(
        languages.map((language) => [language, sentencesIn(language)]),
      );
      return { code: `export default ${JSON.stringify(table)};`, moduleType: 'js' };
    },
  };
}

export function pushWorker(): Plugin {
  let folder = '';
  return {
    name: 'nazar-push-worker',
    apply: 'build',
    configResolved: ({ root, build: { outDir } }) => {
      folder = join(root, outDir);
    },
    async closeBundle() {
      await build({
        configFile: false,
        logLevel: 'warn',
        publicDir: false,
        plugins: [contract(), pushSentences()],
        build: {
          outDir: folder,
          emptyOutDir: false,
          target: 'baseline-widely-available',
          rolldownOptions: {
            input: entry,
            output: { format: 'iife', entryFileNames: 'push-worker.js' },
          },
        },
      });
    },
  };
}
