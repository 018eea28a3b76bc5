/** A law: each dialog and menu of the source is named in the list that `dialogs.spec.ts` opens. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { elsewhere, overlays } from './overlays.ts';

const src = join(import.meta.dirname, '../../web/src');

/** The others are made of these. */
const components = /^ui\/(dialog-window|alert-dialog-window|menu-parts|full-screen|tabs)\.tsx$/;
const imported = /import \{[^}]*\b(Dialog|AlertDialog|Menu|FullScreen|Popover)\b[^}]*\} from/g;
const drawn = /<(Dialog|AlertDialog|Menu|FullScreen|Primitive\.Content)\b/g;

/** What of a file is a window: `a.tsx`, and `a.tsx#2` for a second one. */
function overlaysOf(file: string, text: string): string[] {
  if (components.test(file)) return [];
  const code = text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
  const known = new Set([...code.matchAll(imported)].map((match) => match[1]));
  if (known.has('Dialog') || known.has('Popover')) known.add('Primitive.Content');
  const found = [...code.matchAll(drawn)].filter(([, name]) => known.has(name));
  return found.map((_one, index) => (index === 0 ? file : `${file}#${index + 1}`));
}

test('every dialog and every menu of the source is opened by a spec, and nothing else is named', () => {
  const files = globSync('**/*.tsx', { cwd: src }).filter((file) => !file.includes('.test.'));
  const inSource = files.flatMap((file) => overlaysOf(file, readFileSync(join(src, file), 'utf8')));
  const named = new Set([...overlays.map(({ source }) => source), ...Object.keys(elsewhere)]);
  assert.deepEqual(
    inSource.filter((one) => !named.has(one)),
    [],
  );
  assert.deepEqual(
    [...named].filter((one) => !inSource.includes(one)),
    [],
  );
  // The search finds what it is for.
  assert.ok(inSource.length > 70, `${inSource.length}`);
});

test('a second window of a file and one over Radix itself are seen; a component of that name is not', () => {
  const two = "import { Dialog } from '#ui/dialog.tsx';\nconst a = [<Dialog open />, <Dialog />];";
  assert.deepEqual(overlaysOf('a.tsx', two), ['a.tsx', 'a.tsx#2']);
  const own = "import { Dialog as Primitive } from 'radix-ui';\nconst a = <Primitive.Content />;";
  assert.deepEqual(overlaysOf('app/a.tsx', own), ['app/a.tsx']);
  assert.deepEqual(overlaysOf('a.tsx', 'const Menu = () => null;\nconst a = <Menu />;'), []);
});
