/**
 * A failed check of a schema as a sentence's key: `field.<kind>` in `i18n/<language>/problem.json`. Server
 * and browser say the same about the same mistake because both ask here.
 */
import type { z } from 'zod/mini';

export const fieldFaults = [
  'required',
  'invalid',
  'email',
  'url',
  'date',
  'year',
  'color',
  'choice',
  'number',
  'whole',
  'too_long',
  'too_short',
  'too_big',
  'too_small',
  'max_items',
  'min_items',
  'period',
  'reversed',
  'characters',
  'unknown',
] as const;
export type FieldFault = (typeof fieldFaults)[number];

export interface FieldIssue {
  readonly fault: FieldFault;
  /** Fill the sentence: `{{max}}`, `{{min}}`. */
  readonly params: Readonly<Record<string, number>>;
}

const formats: Readonly<Record<string, FieldFault>> = {
  email: 'email',
  url: 'url',
  date: 'date',
  datetime: 'date',
};

/** Years of four digits with room before and behind them. */
export const possibleYear = /^(?!0|999)/;

const plain = (fault: FieldFault): FieldIssue => ({ fault, params: {} });

function tooBig(issue: z.core.$ZodIssueTooBig): FieldIssue {
  const params = { max: Number(issue.maximum) };
  if (issue.origin === 'string') return { fault: 'too_long', params };
  return { fault: issue.origin === 'array' ? 'max_items' : 'too_big', params };
}

function tooSmall(issue: z.core.$ZodIssueTooSmall): FieldIssue {
  const params = { min: Number(issue.minimum) };
  if (issue.origin === 'string') {
    return params.min === 1 ? plain('required') : { fault: 'too_short', params };
  }
  return { fault: issue.origin === 'array' ? 'min_items' : 'too_small', params };
}

function badFormat({ format, pattern }: z.core.$ZodIssueInvalidStringFormat): FieldIssue {
  if (pattern === String(possibleYear)) return plain('year');
  // Only the pattern of names contains joiners; it is too large for the first page that shows errors.
  if (pattern?.includes('\\u200c')) return plain('characters');
  return plain(formats[format] ?? 'invalid');
}

/** A day or an instant: it is one, of an impossible year, or it is none. */
function ofUnion({ errors }: z.core.$ZodIssueInvalidUnion): FieldIssue {
  const faults = errors.map((issues) =>
    issues.map((issue) => (issue.code === 'invalid_format' ? badFormat(issue).fault : 'invalid')),
  );
  if (faults.some((found) => found.length === 1 && found[0] === 'year')) return plain('year');
  return plain(faults.every((found) => found.includes('date')) ? 'date' : 'invalid');
}

/** A check of our own that has a sentence says so in its `params`. */
function ofCheck({ params }: z.core.$ZodIssueCustom): FieldIssue {
  if (params?.['fault'] === 'reversed') return plain('reversed');
  return params?.['fault'] === 'period'
    ? { fault: 'period', params: { max: Number(params['max']) } }
    : plain('invalid');
}

/** `input` is what stood in the field: nothing at all is "required", whatever else the schema says of it. */
export function describeIssue(issue: z.core.$ZodIssue, input: unknown): FieldIssue {
  if (issue.code === 'unrecognized_keys') return plain('unknown');
  if (input === undefined || input === null || input === '') return plain('required');
  switch (issue.code) {
    case 'too_big':
      return tooBig(issue);
    case 'too_small':
      return tooSmall(issue);
    case 'invalid_format':
      return badFormat(issue);
    case 'invalid_union':
      return ofUnion(issue);
    case 'invalid_type':
      if (issue.expected === 'int') return plain('whole');
      return plain(issue.expected === 'number' ? 'number' : 'invalid');
    case 'invalid_value':
      return plain('choice');
    case 'custom':
      return ofCheck(issue);
    default:
      return plain('invalid');
  }
}
