/** Schemas of the contract as JSON Schema, as narrow as the values they accept. */
import { published } from '@nazar/contract/fields.ts';
import { toJSONSchema, type $ZodType } from 'zod/v4/core';

export type JsonSchema = Readonly<Record<string, unknown>>;

export function jsonSchemaOf(schema: $ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...described } = toJSONSchema(schema, {
    io,
    // Transforms have no JSON schema of their own; their input does.
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const instead = io === 'input' && published.get(zodSchema as never);
      if (!instead) return;
      for (const key of Object.keys(jsonSchema)) delete jsonSchema[key];
      Object.assign(jsonSchema, instead);
    },
  });
  return described;
}
