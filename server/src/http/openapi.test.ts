/** The description of the API, as strangers' tools read it. Its style is linted by `npm run check`. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { api } from '@nazar/contract/api.ts';
import { problems, type ProblemCode } from '@nazar/contract/problem.ts';
import { named, routes } from '#testing/routes.ts';
import { answersOf, statusesOf } from './answers.ts';
import { openApi } from './openapi.ts';

interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly responses: Readonly<Record<string, { readonly $ref?: string }>>;
}
interface Document {
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly responses: Readonly<Record<string, { content: object }>> };
}

const document = openApi(api, 'test') as Document;
const operations = Object.values(document.paths).flatMap((path) => Object.values(path));

const operationOf = ({ method, path }: { method: string; path: string }): Operation =>
  document.paths[path.replace(/:(\w+)/g, '{$1}')]![method.toLowerCase()]!;

test('every operation has a name of its own and stands under a heading that says what it is about', () => {
  const names = operations.map(({ operationId }) => operationId);
  assert.equal(new Set(names).size, routes.length);
  assert.ok(names.includes('cameras.list'));
  const headings = new Map(document.tags.map(({ name, description }) => [name, description]));
  for (const { operationId, tags } of operations) {
    assert.equal(tags.length, 1, operationId);
    assert.match(headings.get(tags[0]!) ?? '', /\.$/, operationId);
  }
});

test('every operation lists each status it answers with, and what is in a refusal', () => {
  for (const route of routes) {
    const { successes, problems: codes, fieldProblems, refusesFields } = answersOf(route);
    const statuses = new Set([
      ...successes,
      ...statusesOf([...codes, ...fieldProblems]),
      ...(refusesFields ? [400] : []),
    ]);
    const { responses } = operationOf(route);
    assert.deepEqual(
      Object.keys(responses).toSorted(),
      [...statuses].map(String).toSorted(),
      named(route),
    );
    for (const [status, { $ref }] of Object.entries(responses)) {
      if (Number(status) < 400) continue;
      const name = $ref?.replace('#/components/responses/', '') ?? '';
      assert.ok(document.components.responses[name]?.content, `${named(route)} ${status}`);
    }
  }
});

test('every problem there is stands with a route that answers it', () => {
  const documented = new Set(
    routes
      .map(answersOf)
      .flatMap(({ problems: codes, fieldProblems }) => [...codes, ...fieldProblems]),
  );
  const missing = (Object.keys(problems) as ProblemCode[]).filter((code) => !documented.has(code));
  assert.deepEqual(missing, []);
});
