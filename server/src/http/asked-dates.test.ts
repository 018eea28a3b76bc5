/** Dates that callers send and the database could not keep, or could not compute with. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Route } from '@nazar/contract/route.ts';
import type { z } from 'zod/mini';
import { named, routes } from '#testing/routes.ts';
import { fieldSentence } from './sentences.ts';

/** Stored as they are, or compared only: `Day` of a life or a contract, and the version of a camera's form. */
const kept = new Set(['birthdate', 'obtained_at', 'expires_at', 'updated_at', 'timestamp']);

interface DateField {
  readonly name: string;
  readonly schema: z.ZodMiniType;
  readonly form: (year: string) => string;
}

/** The fields of a query or a body that take a day, an instant, or both. */
function dateFieldsOf(route: Route, part: 'query' | 'body'): DateField[] {
  const shape = (route[part] as { shape?: Record<string, z.ZodMiniType> } | undefined)?.shape ?? {};
  return Object.entries(shape).flatMap(([name, schema]) => {
    const takes = (value: string): boolean => schema.safeParse(value).success;
    if (takes('no date') || takes('no-date') || kept.has(name)) return [];
    return [(year: string) => `${year}-06-01`, (year: string) => `${year}-06-01T00:00:00.000Z`]
      .filter((form) => takes(form('2026')))
      .map((form) => ({ name: `${named(route)} ${part}.${name}`, schema, form }));
  });
}

test('every date that is asked about has a year that can be computed with, and a sentence says which', () => {
  const fields = routes.flatMap((route) => [
    ...dateFieldsOf(route, 'query'),
    ...dateFieldsOf(route, 'body'),
  ]);
  assert.ok(fields.length > 60, `${fields.length} forms of fields`);
  assert.ok(fields.some(({ name }) => name.endsWith('recordings/ query.date')));
  for (const { name, schema, form } of fields) {
    for (const year of ['1000', '9989']) assert.ok(schema.safeParse(form(year)).success, name);
    for (const year of ['0000', '0001', '0999', '9990', '9999']) {
      const issues = schema.safeParse(form(year), { reportInput: true }).error?.issues ?? [];
      const said = issues.map((issue) => fieldSentence('en', issue));
      assert.deepEqual(said, ['Enter a date between the years 1000 and 9989.'], `${name} ${year}`);
    }
  }
});

test('an invalid date is called so, also where a day or an instant may stand', () => {
  const route = routes.find((one) => named(one) === 'GET /secure-api/activity-log/face-logs/')!;
  const field = (route.query as unknown as { shape: Record<string, z.ZodMiniType> }).shape;
  const { error } = field['start_date']!.safeParse('soon', { reportInput: true });
  assert.equal(fieldSentence('en', error!.issues[0]!), 'Enter a valid date.');
});
