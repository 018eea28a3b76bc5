/**
 * The laws of the web: who may import whom, no sentence outside i18n, no HTML sink, and four languages
 * that say the same. They read the source as text and as a syntax tree.
 */
import { pictureFaults, problems } from '@nazar/contract/problem.ts';
import { fieldFaults } from '@nazar/contract/issue.ts';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { parseSync } from 'vite';
import { expect, test } from 'vitest';

const src = import.meta.dirname;
const words = resolve(src, '../../i18n');
const files = globSync('**/*.{ts,tsx}', { cwd: src });
const isTest = (file: string): boolean => file.includes('.test.') || file.startsWith('testing');
const read = (file: string): string => readFileSync(join(src, file), 'utf8');
const product = files.filter((file) => !isTest(file));

/** What each folder may know besides itself. */
const mayKnow: Record<string, readonly string[]> = {
  app: ['features', 'parts', 'ui', 'api', 'lib'],
  features: ['parts', 'ui', 'api', 'lib'],
  parts: ['ui', 'api', 'lib'],
  ui: ['lib'],
  api: ['lib'],
  lib: [],
};

const imports = /(?:import|export)\s[^'"]*?from\s*['"]([^'"]+)['"]|import\(?\s*['"]([^'"]+)['"]/g;

function targets(file: string): string[] {
  return [...read(file).matchAll(imports)]
    .map((match) => match[1] ?? match[2] ?? '')
    .map((name) => {
      if (name.startsWith('#')) return name.slice(1);
      return name.startsWith('.') ? relative(src, resolve(src, dirname(file), name)) : '';
    })
    .filter((target) => target !== '');
}

/** What each file of the product imports. */
const imported = new Map(product.map((file) => [file, targets(file)]));

/** A feature is a room of its own; elsewhere the top folder is the room. */
const room = (file: string): string => {
  const [top = '', second = ''] = file.split(sep);
  return top === 'features' ? `${top}/${second}` : top;
};

function fault(file: string, target: string): string | null {
  if (room(file) === room(target)) return null;
  const [from = ''] = file.split(sep);
  const [to = ''] = target.split('/');
  return mayKnow[from]?.includes(to) === true ? null : `${file} may not know ${target}`;
}

test('app > features > parts > ui, api and lib below; no feature knows another', () => {
  const rooms = product.filter((file) => file.includes(sep));
  const faults = rooms.flatMap((file) => imported.get(file)!.map((target) => fault(file, target)));
  expect(faults.filter((found) => found !== null)).toEqual([]);
  expect(fault('features/cameras/a.tsx', 'features/faces/b.tsx')).not.toBeNull();
  expect(fault('ui/button.tsx', 'api/call.ts')).not.toBeNull();
  expect(fault('parts/page.tsx', 'features/faces/b.tsx')).not.toBeNull();
});

/** Files and folders of `parts`, each with the features that reach it; the frame counts as one. */
function readersOfParts(): Map<string, Set<string>> {
  const readers = new Map<string, Set<string>>();
  for (const file of product.filter((one) => /^(?:app|features)\b/.test(one))) {
    const found = new Set([file]);
    for (const below of found)
      for (const part of imported.get(below) ?? []) if (part.startsWith('parts/')) found.add(part);
    found.delete(file);
    for (const part of found) {
      const [, name = ''] = part.split('/');
      readers.set(name, (readers.get(name) ?? new Set()).add(room(file)));
    }
  }
  return readers;
}

test('parts holds what several features show: what one alone shows stands in its folder', () => {
  const readers = readersOfParts();
  const all = product
    .filter((file) => room(file) === 'parts')
    .map((file) => file.split(sep)[1] ?? '');
  expect(all.filter((name) => (readers.get(name)?.size ?? 0) < 2)).toEqual([]);
  expect(readers.get('drawing')).toEqual(new Set(['features/cameras', 'features/recordings']));
});

/** Files that reach themselves by what they import: at once, later (`import()`) or as a type. */
function inCircles(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const reachedFrom = (file: string): Set<string> => {
    const found = new Set(graph.get(file));
    for (const below of found) for (const other of graph.get(below) ?? []) found.add(other);
    return found;
  };
  return [...graph.keys()].filter((file) => reachedFrom(file).has(file));
}

test('no file imports itself in a circle, types and what loads later included', () => {
  expect(inCircles(imported)).toEqual([]);
  expect(imported.get('ui/dialog.tsx')).toContain('ui/dialog-window.tsx');
  const planted = new Map([
    ['a.ts', ['b.ts']],
    ['b.ts', ['c.ts']],
    ['c.ts', ['b.ts']],
  ]);
  expect(inCircles(planted)).toEqual(['b.ts', 'c.ts']);
});

interface Node {
  type: string;
  [key: string]: unknown;
}

function* nodes(tree: unknown): Generator<Node> {
  if (Array.isArray(tree)) {
    for (const child of tree) yield* nodes(child);
  } else if (typeof tree === 'object' && tree !== null) {
    const node = tree as Node;
    if (typeof node.type === 'string') yield node;
    for (const [key, child] of Object.entries(node)) if (key !== 'parent') yield* nodes(child);
  }
}

/** The longest function of a page, in lines: whoever reads it sees its beginning and its end. */
const MAX_LINES = 100;

function* functionsIn(file: string, text: string): Generator<{ name: string; lines: number }> {
  for (const node of nodes(parseSync(file, text).program)) {
    const { type, start, end } = node as Node & { start: number; end: number };
    if (!/^(?:Arrow)?Function(?:Declaration|Expression)?$/.test(type)) continue;
    const lines = text.slice(start, end).split('\n').length;
    yield { name: `${file}:${text.slice(0, start).split('\n').length}`, lines };
  }
}

test('no function of the pages has over 100 lines', () => {
  const all = product.flatMap((file) => [...functionsIn(file, read(file))]);
  expect(all.length).toBeGreaterThan(1000);
  expect(all.filter(({ lines }) => lines > MAX_LINES)).toEqual([]);
  const long = `const a = () => {${'\n'.repeat(MAX_LINES)}};`;
  expect([...functionsIn('a.ts', long)]).toEqual([{ name: 'a.ts:1', lines: MAX_LINES + 1 }]);
});

/** Attributes whose text people read or hear. */
const spoken =
  /^(aria-label|aria-description|alt|title|label|text|hint|description|caption|prompt)$/;
const hasLetters = (text: unknown): boolean => typeof text === 'string' && /\p{L}{2}/u.test(text);

function literalTexts(file: string, code: string): string[] {
  const found: string[] = [];
  for (const node of nodes(parseSync(file, code).program)) {
    if (node.type === 'JSXText' && hasLetters(node['value']))
      found.push(String(node['value']).trim());
    if (node.type !== 'JSXAttribute') continue;
    const name = (node['name'] as Node)['name'];
    const value = node['value'] as Node | null;
    if (spoken.test(String(name)) && value?.type === 'Literal' && hasLetters(value['value'])) {
      found.push(`${String(name)}="${String(value['value'])}"`);
    }
  }
  return found.map((text) => `${file}: ${text}`);
}

test('no sentence shown to a person stands in the code', () => {
  const screens = product.filter((file) => file.endsWith('.tsx'));
  expect(screens.flatMap((file) => literalTexts(file, read(file)))).toEqual([]);
  expect(literalTexts('a.tsx', 'const a = <p title="Hello">Save</p>;')).toHaveLength(2);
});

const code = (file: string): string => read(file).replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');

test('a column beside others in a row cuts long names off and does not push them out', () => {
  // The column of a grid is as wide as its longest word unless it says otherwise, whatever min-width the grid has.
  const pushes = /\bgrid min-w-0 flex-1\b(?![^'"]*\bgrid-cols-)/;
  expect(product.filter((file) => pushes.test(read(file)))).toEqual([]);
});

test('a grid with columns on a wide screen has one on a phone that is no wider than the phone', () => {
  const widens =
    /(['"`])(?=[^'"`]*(?<![\w:-])grid(?![\w-]))(?=[^'"`]*\b(?:sm|md|lg|xl):grid-cols-)(?![^'"`]*(?<![\w:-])grid-cols-)/;
  expect(product.filter((file) => widens.test(code(file)))).toEqual([]);
  expect(widens.test('<ul className="grid gap-4 sm:grid-cols-2">')).toBe(true);
  expect(widens.test('<ul className="grid grid-cols-1 gap-4 sm:grid-cols-2">')).toBe(false);
});

/** The tables, by element or by component, that are given a class by which only screen readers have them. */
function hiddenTables(file: string, text: string): string[] {
  const found: string[] = [];
  for (const node of nodes(parseSync(file, text).program)) {
    if (node.type !== 'JSXOpeningElement') continue;
    const { start, end } = node as unknown as { start: number; end: number };
    const element = text.slice(start, end);
    if (/^<(table|\w*Table|DataList)\b/.test(element) && element.includes('sr-only'))
      found.push(file);
  }
  return found;
}

test('a hidden table lies in a hidden box: Firefox shows the caption of a table that is hidden itself', () => {
  const screens = product.filter((file) => file.endsWith('.tsx'));
  expect(screens.flatMap((file) => hiddenTables(file, read(file)))).toEqual([]);
  const box = 'const a = <div className="sr-only"><table className="w-full" /></div>;';
  expect(hiddenTables('a.tsx', box)).toEqual([]);
  const own = "const a = <table id='a' className={cx('sr-only', b)}><caption /></table>;";
  expect(hiddenTables('a.tsx', own)).toHaveLength(1);
});

/** Names of users, by what code calls them. */
const nameLike = /(?:[nN]ame|[cC]amera|[lL]abel|[tT]itle|[eE]mail|\bwho)$|^(?:shownName|nameOf)\(/;

/** Texts in which a name of a user stands bare beside others: one from right to left would move them. */
function bareNames(file: string, text: string): string[] {
  const source = ({ start, end }: Node): string => text.slice(Number(start), Number(end));
  const found: string[] = [];
  for (const node of nodes(parseSync(file, text).program)) {
    if (node.type === 'TemplateLiteral') {
      const [first = '', ...rest] = (node['quasis'] as { value: { raw: string } }[]).map(
        ({ value }) => value.raw,
      );
      if (first === '' && rest.some((between) => between.includes('·'))) found.push(source(node));
    }
    if (node.type !== 'JSXElement' && node.type !== 'JSXFragment') continue;
    const beside = (node['children'] as Node[]).filter((child) =>
      child.type === 'JSXText'
        ? String(child['value']).trim() !== ''
        : child.type === 'JSXExpressionContainer' && !/<\w/.test(source(child)),
    );
    for (const child of beside) {
      if (child.type !== 'JSXExpressionContainer' || beside.length === 1) continue;
      const { type } = child['expression'] as Node;
      const isText = ['Identifier', 'MemberExpression', 'CallExpression'].includes(type);
      if (isText && nameLike.test(source(child).slice(1, -1))) found.push(source(child));
    }
  }
  return found.map((bare) => `${file}: ${bare}`);
}

test('names stand in sentences, in elements of their own or in `joined`: none moves what stands beside it', () => {
  const joins = /\.join\('(?: · |, |: )'\)/;
  const isOwn = (file: string): boolean => /^lib.(?:joined|azerbaijani)\.ts$/.test(file);
  const others = product.filter((file) => !isOwn(file));
  expect(others.filter((file) => joins.test(code(file)))).toEqual([]);
  expect(others.flatMap((file) => bareNames(file, read(file)))).toEqual([]);
  expect(bareNames('a.tsx', 'const a = <p>{time} · {camera.name}</p>;')).toHaveLength(1);
  expect(bareNames('a.tsx', 'const a = <p>{time} · <span>{camera.name}</span></p>;')).toEqual([]);
  expect(bareNames('a.ts', 'const a = `${name} · ${time}`;')).toHaveLength(1);
  expect(read('styles.css')).toMatch(/unicode-bidi: isolate/);
});

test('LNG-001 no date field of the browser: it writes dates in the language of the browser', () => {
  const native = /['"](?:date|datetime-local|time|month|week)['"]/;
  const asType = new RegExp(`\\btype(?:=|: )\\{?${native.source}`);
  expect(product.filter((file) => asType.test(code(file)))).toEqual([]);
  for (const field of ['<input type="date" />', "type={'time'}", "{ type: 'datetime-local' }"]) {
    expect(field).toMatch(asType);
  }
});

test('one thing turns while something is waited for', () => {
  const turns = /animate-spin|\bLoader\w*\b[^;]*from 'lucide-react'/;
  const faults = product.filter((file) => turns.test(read(file)));
  expect(faults).toEqual([join('ui', 'spinner.tsx')]);
  expect('<RefreshCw className="animate-spin" />').toMatch(turns);
});

test('one state of a camera: its sentence and its colour are made and drawn in one place', () => {
  const places = {
    'data-camera-state': 'parts/camera-state/camera-state-line.tsx',
    "t('cameraState.": 'parts/camera-state/camera-state.ts',
    'cameraState(t,': 'parts/camera-state/use-camera-state.ts',
  };
  for (const [text, place] of Object.entries(places)) {
    expect(
      product.filter((file) => read(file).includes(text)),
      text,
    ).toEqual([place]);
  }
});

test('one dialog: the others of the library stand in the components that keep a footer in sight', () => {
  const faults = product.filter((file) =>
    /\b(?:Alert)?Dialog\b[^;]*from 'radix-ui'/.test(read(file)),
  );
  expect(faults.map((file) => file.split(sep).join('/')).toSorted()).toEqual([
    'app/drawer-window.tsx',
    'ui/alert-dialog-window.tsx',
    'ui/dialog-window.tsx',
    'ui/full-screen.tsx',
  ]);
});

test('C-702 no HTML sink and no run-time style element', () => {
  const sinks =
    /dangerouslySetInnerHTML|innerHTML|outerHTML|insertAdjacentHTML|\beval\(|new Function|<style/;
  const kits = /from 'sonner'|Select as|ScrollArea|Overlay\b/;
  const faults = product.filter((file) => sinks.test(code(file)) || kits.test(code(file)));
  expect(faults).toEqual([]);
  expect(readFileSync(resolve(src, '../index.html'), 'utf8')).not.toMatch(
    /<style|style=|<script>|\son\w+=/,
  );
});

test('CFL-051, ~C-1010 one file alone keeps anything in the browser', () => {
  const places =
    /\b(?:localStorage|sessionStorage|indexedDB|caches\.|document\.cookie|cookieStore)\b/;
  expect(product.filter((file) => places.test(code(file)))).toEqual(['lib/storage.ts']);
});

test('CFL-042 nothing is printed in the console', () => {
  expect(product.filter((file) => /\bconsole\b/.test(code(file)))).toEqual([]);
});

test('C-1011 nothing is fetched from third parties: no address of another host stands in the code', () => {
  const address = /\b(?:https?|wss?):\/\/[a-z]/i;
  expect(product.filter((file) => address.test(read(file)))).toEqual([]);
  for (const file of ['styles.css', '../index.html']) {
    expect(readFileSync(resolve(src, file), 'utf8')).not.toMatch(address);
  }
  expect(address.test("fetch('https://fonts.example.com/a')")).toBe(true);
});

const languages = ['en', 'az', 'ru', 'tr'] as const;
const plural = /_(zero|one|two|few|many|other)$/;

function flatten(tree: object, prefix = ''): [string, string][] {
  return Object.entries(tree).flatMap(([key, value]): [string, string][] =>
    typeof value === 'string'
      ? [[prefix + key, value]]
      : flatten(value as object, `${prefix}${key}.`),
  );
}

function sentences(language: string, file: string): Map<string, string> {
  const text = readFileSync(join(words, language, `${file}.json`), 'utf8');
  return new Map(flatten(JSON.parse(text) as object));
}

const stems = (all: Map<string, string>): string[] =>
  [...new Set([...all.keys()].map((key) => key.replace(plural, '')))].sort();
const placeholders = (text: string): string[] =>
  [...text.matchAll(/\{\{(\w+)\}\}/g)].map((match) => match[1] ?? '').sort();

for (const language of languages) {
  for (const file of ['app', 'problem', 'server', 'mail']) {
    test(`LNG-001 ${language}/${file}.json has the keys of English, none empty, placeholders alike`, () => {
      const english = sentences('en', file);
      const own = sentences(language, file);
      expect(stems(own)).toEqual(stems(english));
      for (const [key, text] of own) {
        expect(text.trim(), key).not.toBe('');
        const like = english.get(key) ?? english.get(key.replace(plural, '_other')) ?? '';
        expect(placeholders(text), key).toEqual(placeholders(like));
      }
    });
  }

  // problem.json counts nothing: its keys are closed lists, one of which ends in `_many` by chance.
  test(`${language}/app.json has exactly the plural forms of its language`, () => {
    const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories.toSorted();
    const counted = [...sentences(language, 'app').keys()].filter((key) => plural.test(key));
    expect(counted).not.toEqual([]);
    for (const stem of new Set(counted.map((key) => key.replace(plural, '')))) {
      const has = counted.filter((key) => key.replace(plural, '') === stem);
      expect(has.map((key) => plural.exec(key)?.[1] ?? '').sort(), stem).toEqual(forms);
    }
  });
}

test('every problem, every picture fault and every field fault has its sentence, and no other has one', () => {
  const expected = [
    ...Object.keys(problems).map((code) => `problem.${code}`),
    ...pictureFaults.map((name) => `fault.${name}`),
    ...fieldFaults.map((name) => `field.${name}`),
  ];
  expect([...sentences('en', 'problem').keys()].sort()).toEqual(expected.sort());
});

test('every key of app.json is used, and every key that is used exists', () => {
  const keys = stems(sentences('en', 'app'));
  // Fields of the activity log have their words there, because the server finds entries by them.
  const shared = readFileSync(join(src, '../../contract/src/activity-fields.ts'), 'utf8');
  const all = [...product.map(read), shared].join('\n');
  const literal = new Set([...all.matchAll(/'([a-z]\w*(?:\.\w+)*)'/g)].map((match) => match[1]));
  const computed = [...all.matchAll(/`([a-z]\w*(?:\.\w+)*\.)\$\{/g)].map((match) => match[1] ?? '');
  const used = (key: string): boolean =>
    literal.has(key) || computed.some((start) => key.startsWith(start));
  expect(keys.filter((key) => !used(key))).toEqual([]);
  const asked = [...all.matchAll(/\bt\('([^':]+)'/g)].map((match) => match[1] ?? '');
  expect(asked.filter((key) => !keys.includes(key))).toEqual([]);
  expect(asked.length).toBeGreaterThan(50);
});

test('letters are those of the language: no look-alikes, no Latin in Cyrillic words', () => {
  for (const file of ['app', 'problem', 'server', 'mail']) {
    for (const [key, text] of sentences('ru', file)) {
      expect(text, key).not.toMatch(
        /\p{Script=Cyrillic}\p{Script=Latin}|\p{Script=Latin}\p{Script=Cyrillic}/u,
      );
    }
    for (const language of ['en', 'az', 'tr']) {
      for (const [key, text] of sentences(language, file)) {
        expect(text, `${language} ${key}`).not.toMatch(/\p{Script=Cyrillic}/u);
        expect(text, `${language} ${key}`).toBe(text.normalize('NFC'));
      }
    }
  }
});

/** Their last word is a date without a time: in Russian it ends with the full stop of «г.». */
const endInDate = ['recognition.confirm.since', 'recordings.switched'];

test('in Russian no second full stop follows the one of a date', () => {
  const russian = sentences('ru', 'app');
  for (const key of endInDate) expect(russian.get(key), key).toMatch(/\{\{\w+\}\}$/);
});

/** Words that hide who acts and what happens: the sentence is written anew around them (i18n/terms.md). */
const riddles = /\b(?:nobody|somebody|anybody|serves?|looked at|films?|letters?)\b/i;
/** The longest sentence of a screen, in words; a placeholder counts as one. */
const longest = 20;

test('English says who does what: no riddle, no endless sentence', () => {
  const faultOf = (text: string): string | null => {
    const long = text.split(/[.!?:;](?:\s|$)/).find((one) => one.split(/\s+/).length > longest);
    return riddles.exec(text)?.[0] ?? long ?? null;
  };
  for (const file of ['app', 'problem', 'server', 'mail']) {
    for (const [key, text] of sentences('en', file)) expect(faultOf(text), key).toBeNull();
  }
  expect(faultOf('Nobody is enrolled yet')).toBe('Nobody');
  expect(faultOf('This photo does not serve for recognition.')).toBe('serve');
  expect(faultOf('It could not be looked at yet.')).toBe('looked at');
  expect(faultOf(`${'word '.repeat(21)}.`)).not.toBeNull();
});
