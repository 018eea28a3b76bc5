/** What is published of a route's request is as narrow as what the server takes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import type { Route } from '@nazar/contract/route.ts';
import { named, routes } from '#testing/routes.ts';
import { valuesOf } from '#testing/schema-values.ts';
import { jsonSchemaOf } from './json-schema.ts';

/** What compares fields with each other, or asks the machine, no JSON Schema can say. */
const compared = new Set([
  'POST /secure-api/activity-log/activity-logs/',
  'POST /secure-api/activity-log/activity-logs/sync/',
  'PUT /secure-api/cameras/:id/zones/',
  'PUT /secure-api/cameras/:id/alignment/',
  'PUT /secure-api/privacy/people/:id/consent/',
  'POST /secure-api/faces/unknown/:id/identify/',
  'POST /secure-api/cameras/:id/playback/',
  'POST /secure-api/recordings/exports/',
  'POST /secure-api/recordings/exports/estimate/',
  'POST /secure-api/recordings/holds/',
  'POST /secure-api/cameras/:id/recording_settings/forecast/',
  'PATCH /secure-api/cameras/:id/recording_settings/',
  'POST /secure-api/alerts/rules/',
  'PATCH /secure-api/alerts/rules/:id/',
  'PATCH /secure-api/notifications/settings/update_my_settings/',
  'POST /secure-api/notifications/snoozes/',
]);

/** Nor what asks how two moments lie. */
const ofPeriods: readonly unknown[] = ['period', 'reversed'];

const seed = Number(process.env['NAZAR_TEST_SEED'] ?? Date.now() % 2 ** 31);
const numRuns = 30;

test('whatever the description of the API allows, the server takes: parameters, queries and bodies', (t) => {
  t.diagnostic(`NAZAR_TEST_SEED=${seed}`);
  const refused = routes.flatMap((route) =>
    (['params', 'query', 'body'] as const).flatMap((part) => refusedOf(route, part)),
  );
  assert.deepEqual(refused, []);
});

function refusedOf(route: Route, part: 'params' | 'query' | 'body'): string[] {
  const schema = route[part];
  if (!schema) return [];
  const values = valuesOf(jsonSchemaOf(schema, 'input'));
  return fc.sample(values, { seed, numRuns }).flatMap((value) => {
    const sent = part === 'body' ? value : asQuery(value as object);
    const { error } = schema.safeParse(sent, { reportInput: true });
    const issues = (error?.issues ?? []).filter(
      (issue) =>
        issue.code !== 'custom' ||
        (!ofPeriods.includes(issue.params?.['fault']) && !compared.has(named(route))),
    );
    return issues.map(({ path, message, input }) =>
      `${named(route)} ${part}.${path.join('.')}: ${message} ${JSON.stringify(input)}`.slice(
        0,
        300,
      ),
    );
  });
}

/** Figures and flags travel as text. */
const asQuery = (value: object): Record<string, string> =>
  Object.fromEntries(Object.entries(value).map(([name, one]) => [name, String(one)]));
