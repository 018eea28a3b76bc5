/** The answers of a route in OpenAPI. */
import { STATUS_CODES } from 'node:http';
import { problems, type ProblemCode } from '@nazar/contract/problem.ts';
import type { Route } from '@nazar/contract/route.ts';
import type { RouteAnswers } from './answers.ts';
import { jsonSchemaOf } from './json-schema.ts';

export type Responses = Record<string, object>;

const text = { schema: { type: 'string' } };
const reference = (kind: 'schemas' | 'responses', name: string) => ({
  $ref: `#/components/${kind}/${name}`,
});

export function successOf(route: Route, { successes }: RouteAnswers): Responses {
  const [usual] = successes;
  const ranged = route.ranges ? { headers: { 'Accept-Ranges': text } } : {};
  const tagged = route.conditional ? { headers: { ETag: text } } : {};
  const responses: Responses = { [String(usual)]: { ...bodyOf(route), ...ranged, ...tagged } };
  if (usual === 303) responses['303'] = { ...phrase(303), headers: { Location: text } };
  if (route.ranges) {
    const headers = { 'Content-Range': text };
    responses['206'] = { ...bodyOf(route), ...phrase(206), headers };
  }
  if (route.conditional) responses['304'] = { ...phrase(304), ...tagged };
  return responses;
}

function bodyOf(route: Route): object {
  if (route.produces) return { description: 'OK', content: { [route.produces]: {} } };
  if (!route.reply) return { description: 'Nothing to say' };
  const schema = jsonSchemaOf(route.reply, 'output');
  return { description: 'OK', content: { 'application/json': { schema } } };
}

const phrase = (status: number) => ({ description: STATUS_CODES[status] ?? String(status) });

/**
 * Many routes refuse alike, so each kind of refusal is described once: it is added to `components`, named by its
 * codes.
 */
export function refusalsOf(answers: RouteAnswers, components: Responses): Responses {
  const codes = Map.groupBy(answers.problems, (code) => problems[code]);
  const fields = Map.groupBy(answers.fieldProblems, (code) => problems[code]);
  if (answers.refusesFields && !fields.has(400)) fields.set(400, []);
  const statuses = [...new Set([...codes.keys(), ...fields.keys()])];
  return Object.fromEntries(
    statuses.map((status) => {
      const refusal = {
        status,
        codes: codes.get(status) ?? [],
        fields: fields.get(status) ?? null,
      };
      const name = nameOf(refusal);
      components[name] ??= asResponse(refusal);
      return [String(status), reference('responses', name)];
    }),
  );
}

interface Refusal {
  readonly status: number;
  /** Answered as a Problem. */
  readonly codes: readonly ProblemCode[];
  /** Problems described by a sentence for a field, without the code; null: no field is at fault. */
  readonly fields: readonly ProblemCode[] | null;
}

const nameOf = ({ codes, fields }: Refusal): string =>
  [...codes.toSorted(), ...(fields === null ? [] : ['fields', ...fields.toSorted()])].join('.');

function asResponse({ status, codes, fields }: Refusal): object {
  const schemas = [
    ...(fields === null ? [] : [reference('schemas', 'FieldErrors')]),
    ...(codes.length === 0 ? [] : [withCodes(codes)]),
  ];
  const named = [...codes, ...(fields ?? [])].map((code) => `\`${code}\``).join(', ');
  // The server says when to try again wherever it knows.
  const waits = status === 429 || status === 503;
  return {
    description: phrase(status).description + (named === '' ? '' : `: ${named}`),
    ...(waits ? { headers: { 'Retry-After': { schema: { type: 'integer' } } } } : {}),
    content: {
      'application/json': { schema: schemas.length === 1 ? schemas[0] : { anyOf: schemas } },
    },
  };
}

const withCodes = (codes: readonly ProblemCode[]) => ({
  allOf: [reference('schemas', 'Problem')],
  properties: { code: { enum: codes } },
});
