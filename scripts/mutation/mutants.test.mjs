import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mutantsOf, planted } from './mutants.mjs';

const file = 'server/src/sample.ts';
const all = (text) => new Set(text.split('\n').map((_, at) => at + 1));

/** Each fault of a source: its line, what stands there and what is planted. */
const faultsOf = (text, lines = all(text), name = file) =>
  mutantsOf({ [name]: text }, new Map([[name, lines]])).map(({ line, from, to }) => [
    line,
    from,
    to,
  ]);

test('comparisons, operators, conditions and values get the faults that fit them', () => {
  assert.deepEqual(faultsOf("if (a < 3 && b !== 'ə') c = a + 1;"), [
    [1, "a < 3 && b !== 'ə'", "!(a < 3 && b !== 'ə')"],
    [1, '<', '<='],
    [1, '&&', '||'],
    [1, '!==', '==='],
    [1, "'ə'", "''"],
    [1, '+', '-'],
  ]);
  assert.deepEqual(faultsOf('const x = y === z ? [1, 2] : `${y}`;\nconst on = true;'), [
    [1, '===', '!=='],
    [1, '[1, 2]', '[]'],
    [1, '`${y}`', '``'],
    [2, 'true', 'false'],
  ]);
});

test('calls are left out, functions return at once, and what is only called for its value stays', () => {
  const text = 'async function f() {\n  await go();\n  const x = look();\n}\nconst g = () => x;';
  assert.deepEqual(faultsOf(text), [
    [1, '{', '{ return;'],
    [2, 'await go();', ';'],
    [5, 'x', 'undefined'],
  ]);
});

test('types, imports, names, looks and empty values get none', () => {
  for (const text of [
    "import { a } from './a.ts';\nexport { b } from './b.ts';",
    "type Kind = 'one' | 'two';\ninterface Named { name: 'x' }\nlet kind: Kind | true;",
    "const empty = { 'a-b': '', list: [] };\n[x, y] = z;\nfunction f(): void {}",
    'class A extends B { constructor() { super(); } }',
  ])
    assert.deepEqual(faultsOf(text), [], text);
  const jsx = 'const a = <p className="wide" title="Open" />;';
  assert.deepEqual(faultsOf(jsx, all(jsx), 'web/src/a.tsx'), [[1, '"Open"', '""']]);
});

test('only what was changed gets faults, and a function for a change anywhere in it', () => {
  const text = 'function f(a) {\n  if (a > 1) go();\n  return a;\n}\nconst on = true;';
  assert.deepEqual(faultsOf(text, new Set([3])), [[1, '{', '{ return;']]);
  assert.deepEqual(faultsOf(text, new Set([5])), [[5, 'true', 'false']]);
  assert.deepEqual(mutantsOf({ [file]: text }, new Map()), []);
});

test('a fault is planted at its place and nowhere else', () => {
  const text = '// ə < 2\nconst x = a < 2 && a < 2;';
  const [first, , second] = mutantsOf({ [file]: text }, new Map([[file, all(text)]]));
  assert.equal(planted(text, first), '// ə < 2\nconst x = a <= 2 && a < 2;');
  assert.equal(planted(text, second), '// ə < 2\nconst x = a < 2 && a <= 2;');
});
