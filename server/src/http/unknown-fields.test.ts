/** A field that nothing is done with is refused by its name; an object is taken as it was answered. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { cameraRoutes } from '@nazar/contract/cameras.ts';
import { passkeyRoutes } from '@nazar/contract/passkeys.ts';
import type { Route } from '@nazar/contract/route.ts';
import { named, routes } from '#testing/routes.ts';
import { valuesOf } from '#testing/schema-values.ts';
import { jsonSchemaOf, type JsonSchema } from './json-schema.ts';
import { unknownFieldsOf } from '@nazar/contract/unknown-fields.ts';

const seed = Number(process.env['NAZAR_TEST_SEED'] ?? Date.now() % 2 ** 31);
const numRuns = 5;
const withBody = routes.filter(({ body }) => body);

const finders = new Map(routes.map((route) => [route, unknownFieldsOf(route, routes)]));
const pathsIn = (route: Route, value: unknown): string[] =>
  finders.get(route)!(value).map(({ path }) => path.join('.'));

type Plain = Record<string, unknown>;
const isPlain = (value: unknown): value is Plain =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The objects of a value whose fields are listed one by one, each with where it is. */
function objectsOf(schema: JsonSchema, value: unknown, path: string[] = []): [string[], Plain][] {
  const options = (schema['anyOf'] ?? schema['oneOf'] ?? []) as JsonSchema[];
  if (options.length > 0) return options.flatMap((option) => objectsOf(option, value, path));
  if (Array.isArray(value)) {
    const items = (schema['items'] ?? {}) as JsonSchema;
    return value.flatMap((one, index) => objectsOf(items, one, [...path, String(index)]));
  }
  const fields = schema['properties'] as Readonly<Record<string, JsonSchema>> | undefined;
  if (!isPlain(value) || !fields) return [];
  const inner = Object.entries(value).flatMap(([name, one]) =>
    Object.hasOwn(fields, name) ? objectsOf(fields[name]!, one, [...path, name]) : [],
  );
  return [[path, value], ...inner];
}

test('every field that a route takes is taken, and any other is named, however deep it lies', (t) => {
  t.diagnostic(`NAZAR_TEST_SEED=${seed}`);
  const wrong: string[] = [];
  let deep = 0;
  for (const route of withBody) {
    const schema = jsonSchemaOf(route.body!, 'input');
    for (const value of fc.sample(valuesOf(schema), { seed, numRuns })) {
      const known = pathsIn(route, value);
      if (known.length > 0) wrong.push(`${named(route)} refuses ${known.join()}`);
      for (const [path, object] of objectsOf(schema, value)) {
        // Browsers make it, and their next version adds to it.
        if (path[0] === 'passkey') continue;
        object['stream_urll'] = 'rtsp://192.168.0.9/a';
        const found = pathsIn(route, value);
        delete object['stream_urll'];
        const expected = [...path, 'stream_urll'].join('.');
        deep += path.length > 0 ? 1 : 0;
        if (found.join() !== expected)
          wrong.push(`${named(route)}: ${found.join()}, not ${expected}`);
      }
    }
  }
  assert.deepEqual([...new Set(wrong)], []);
  assert.ok(withBody.length > 50, String(withBody.length));
  assert.ok(deep > 0);
});

test('~CFL-006 an object that was read is taken as it came, with one of its fields changed', () => {
  const wrong: string[] = [];
  let objects = 0;
  for (const route of withBody.filter(({ method }) => method === 'PUT' || method === 'PATCH')) {
    const read = routes.find(({ method, path }) => method === 'GET' && path === route.path);
    const reply = read?.reply ?? route.reply;
    if (!reply) continue;
    for (const value of fc.sample(valuesOf(jsonSchemaOf(reply, 'output')), { seed, numRuns })) {
      if (!isPlain(value) || 'results' in value) continue;
      objects += 1;
      const refused = pathsIn(route, value);
      if (refused.length > 0) wrong.push(`${named(route)} refuses ${refused.join()}`);
    }
  }
  assert.deepEqual([...new Set(wrong)], []);
  assert.ok(objects > 25, String(objects));
});

test('C-105 additions of the browser to a passkey are left out, and no others', () => {
  const made = { id: 'a', rawId: 'a', type: 'public-key', authenticatorAttachment: 'platform' };
  const response = { clientDataJSON: 'a', publicKeyAlgorithm: -7 };
  const passkey = { ...made, clientExtensionResults: { credProps: { rk: true } }, response };
  assert.deepEqual(pathsIn(passkeyRoutes.add, { name: 'Phone', passkey }), []);
  assert.deepEqual(pathsIn(passkeyRoutes.add, { nam: 'Phone', passkey }), ['nam']);
});

test('names that every object has are no fields, and the stated cache buster is one everywhere', () => {
  const asked = (more: object) =>
    pathsIn(cameraRoutes.add, { name: 'Gate', location: 'Yard', ...more });
  assert.deepEqual(asked({ constructor: 1, toString: 2 }), ['constructor', 'toString']);
  assert.deepEqual(pathsIn(cameraRoutes.add, JSON.parse('{"__proto__": 1}')), ['__proto__']);
  assert.deepEqual(asked({ _t: 1_700_000_000_000 }), []);
  assert.deepEqual(asked({ health: {}, stream_url: '' }), ['stream_url']);
});
