/** The API as an OpenAPI 3.1 document, printed from the same route table that is served. */
import { problems } from '@nazar/contract/problem.ts';
import { atEachPath, type BodyKind, type Route } from '@nazar/contract/route.ts';
import { tags } from '@nazar/contract/tags.ts';
import { answersOf } from './answers.ts';
import { jsonSchemaOf, type JsonSchema } from './json-schema.ts';
import { refusalsOf, successOf, type Responses } from './openapi-answers.ts';

const mediaTypes: Record<BodyKind, string> = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data',
};

/**
 * `modules`: the route table (`api`); an operation is named by its place in it, e.g. `cameras.list`, and at a further
 * path by its number, too: `cameras.list_2`.
 */
export function openApi(
  modules: Readonly<Record<string, Readonly<Record<string, Route>>>>,
  version: string,
): object {
  const paths: Record<string, Record<string, object>> = {};
  const responses: Responses = {};
  for (const [module, routes] of Object.entries(modules)) {
    for (const [name, route] of Object.entries(routes)) {
      for (const [index, one] of atEachPath(route).entries()) {
        const operationId = `${module}.${name}${index === 0 ? '' : `_${index + 1}`}`;
        const path = one.path.replace(/:(\w+)/g, '{$1}');
        const described = { operationId, tags: [module], ...operation(one, responses) };
        (paths[path] ??= {})[one.method.toLowerCase()] = described;
      }
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Nazar', version, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: '/' }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: { Problem: problem, FieldErrors: fieldErrors },
      responses,
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        apiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
      },
    },
  };
}

const problem = {
  type: 'object',
  required: ['detail', 'code'],
  properties: {
    detail: { type: 'string', description: "One sentence in the reader's language." },
    code: { enum: Object.keys(problems) },
  },
};

const fieldErrors = {
  type: 'object',
  description: "What is wrong with which field, in the reader's language.",
  additionalProperties: { type: 'array', minItems: 1, items: { type: 'string' } },
};

function operation(route: Route, refusals: Responses): object {
  const isOpen = typeof route.callers === 'string';
  const answers = answersOf(route);
  return {
    summary: route.summary,
    ...(isOpen ? { security: [] } : whoMayCall(route)),
    parameters: [...parameters(route, 'path'), ...parameters(route, 'query')],
    ...(route.body ? { requestBody: requestBody(route) } : {}),
    responses: { ...successOf(route, answers), ...refusalsOf(answers, refusals) },
  };
}

/** A key needs the named scope and the rights of its owner; a route that names no scope accepts no key. */
function whoMayCall({ callers, keyScope }: Route): object {
  const session = { security: [{ bearer: [] }], 'x-callers': callers };
  if (keyScope === undefined) return session;
  return { ...session, security: [{ bearer: [] }, { apiKey: [] }], 'x-key-scope': keyScope };
}

interface ObjectSchema extends JsonSchema {
  readonly properties?: Readonly<Record<string, object>>;
  readonly required?: readonly string[];
}

function parameters(route: Route, place: 'path' | 'query'): object[] {
  const schema = place === 'path' ? route.params : route.query;
  if (!schema) return [];
  const { properties = {}, required = [] } = jsonSchemaOf(schema, 'input') as ObjectSchema;
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: property,
  }));
}

function requestBody(route: Route): object {
  const schema = jsonSchemaOf(route.body!, 'input');
  const kinds = route.consumes ?? ['json'];
  return {
    required: true,
    description:
      'Fields that an answer about the same thing carries may be sent back. Any other is refused by its name.',
    content: Object.fromEntries(kinds.map((kind) => [mediaTypes[kind], { schema }])),
  };
}
