/** The API as an OpenAPI 3.1 document, printed from the same route table that is served. */
import type { BodyKind, Route } from '@nazar/contract/route.ts';
import { toJSONSchema, type $ZodType } from 'zod/v4/core';

const mediaTypes: Record<BodyKind, string> = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data',
};

export function openApi(routes: readonly Route[], version: string): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    (paths[path] ??= {})[route.method.toLowerCase()] = operation(route);
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Nazar', version, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        apiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
      },
    },
  };
}

function operation(route: Route): object {
  const isOpen = typeof route.callers === 'string';
  return {
    summary: route.summary,
    ...(isOpen ? { security: [] } : whoMayCall(route)),
    parameters: [...parameters(route, 'path'), ...parameters(route, 'query')],
    ...(route.body ? { requestBody: requestBody(route) } : {}),
    responses: {
      [String(route.status ?? (route.reply || route.produces ? 200 : 204))]: answer(route),
      ...(route.body || route.query ? { 400: { description: '{ field: [messages] }' } } : {}),
      ...(isOpen ? {} : { 401: { description: '{ detail, code }' } }),
    },
  };
}

/** A key needs the scope that is named, beside the rights of its owner; where none is named, it does not help. */
function whoMayCall({ callers, keyScope }: Route): object {
  const session = { security: [{ bearer: [] }], 'x-callers': callers };
  if (keyScope === undefined) return session;
  return { ...session, security: [{ bearer: [] }, { apiKey: [] }], 'x-key-scope': keyScope };
}

function parameters(route: Route, place: 'path' | 'query'): object[] {
  const schema = place === 'path' ? route.params : route.query;
  if (!schema) return [];
  const { properties = {}, required = [] } = schemaOf(schema, 'input');
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: property,
  }));
}

function requestBody(route: Route): object {
  const schema = schemaOf(route.body!, 'input');
  const kinds = route.consumes ?? ['json'];
  return {
    required: true,
    content: Object.fromEntries(kinds.map((kind) => [mediaTypes[kind], { schema }])),
  };
}

function answer(route: Route): object {
  if (route.produces) return { description: 'OK', content: { [route.produces]: {} } };
  if (!route.reply) return { description: 'Nothing to say' };
  const schema = schemaOf(route.reply, 'output');
  return { description: 'OK', content: { 'application/json': { schema } } };
}

interface JsonSchema {
  readonly properties?: Record<string, object>;
  readonly required?: string[];
}

function schemaOf(schema: $ZodType, io: 'input' | 'output'): JsonSchema {
  // Transforms have no JSON schema of their own; what goes into them does.
  return toJSONSchema(schema, { io, unrepresentable: 'any' }) as JsonSchema;
}
