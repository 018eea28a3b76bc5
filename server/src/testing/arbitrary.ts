/** Values for the schemas of the contract: mostly what fits, now and then what no schema means. */
import * as fc from 'fast-check';
import { z } from 'zod/mini';
import { hostileValues } from './hostile.ts';

/** As JSON Schema states it: the one form in which all schemas can be read. */
interface Shape {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Shape[];
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly items?: Shape;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly format?: string;
}

/** Stands for the id of something that exists when it is sent; `filled` where it is known what exists. */
export const anId: fc.Arbitrary<string> = fc.nat(30).map((n) => `@id:${n}@`);

const uuid = fc.oneof({ weight: 4, arbitrary: anId }, fc.uuid());
const passwords = ['correct-horse-7-staple', 'another-horse-8-staple', 'password', 'x'];

export function shapeOf(schema: z.ZodMiniType): Shape {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Shape;
}

export function arbitraryOf(schema: z.ZodMiniType): fc.Arbitrary<unknown> {
  return spoiled(fitting(shapeOf(schema), ''));
}

const hostile = fc.constantFrom(...hostileValues);
const spoiled = (good: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 12, arbitrary: good }, hostile);

/** `name`: of the field, which says more than its schema where that is any text. */
function fitting(shape: Shape, name: string): fc.Arbitrary<unknown> {
  if (shape.const !== undefined) return fc.constant(shape.const);
  if (shape.enum) return fc.constantFrom(...shape.enum);
  if (shape.anyOf) return fc.oneof(...shape.anyOf.map((each) => fitting(each, name)));
  switch (shape.type) {
    case 'object':
      return fittingObject(shape);
    case 'array': {
      const { minItems = 0, maxItems = 5 } = shape;
      const item = spoiled(fitting(shape.items ?? {}, name));
      return fc.array(item, { minLength: minItems, maxLength: Math.min(maxItems, 20) });
    }
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'integer':
    case 'number': {
      const { minimum = -1_000, maximum = 1_000 } = shape;
      const edges = fc.constantFrom(minimum, maximum, minimum - 1, maximum + 1);
      const whole = { min: Math.ceil(minimum), max: Math.min(Math.floor(maximum), 2 ** 31) };
      const figures = whole.min <= whole.max ? [fc.integer(whole)] : [];
      if (shape.type === 'number') figures.push(fc.double({ min: minimum, max: maximum }));
      return fc.oneof(edges, ...figures);
    }
    case 'string':
      return fittingText(shape, name);
    default:
      return fc.jsonValue();
  }
}

function fittingObject({ properties = {}, required = [] }: Shape): fc.Arbitrary<unknown> {
  const fields = Object.entries(properties).map(
    ([name, shape]) => [name, spoiled(fitting(shape, name))] as const,
  );
  const known = fc.record(Object.fromEntries(fields), { requiredKeys: [...required] });
  const surplus = fc.dictionary(fc.constantFrom('role', 'id', 'created_by', 'x'), hostile, {
    maxKeys: 1,
  });
  return fc.tuple(known, surplus).map(([fitted, more]) => ({ ...more, ...fitted }));
}

function fittingText(shape: Shape, name: string): fc.Arbitrary<string> {
  const { minLength = 0, maxLength = 50, format, pattern } = shape;
  if (format === 'uuid') return uuid;
  if (/password/.test(name)) return fc.constantFrom(...passwords);
  if (name === 'email' || format === 'email') {
    return fc.oneof(
      fc.emailAddress(),
      fc.constantFrom('superadmin@example.org', 'user@example.org', 'ÄÖ@example.org'),
    );
  }
  if (format === 'date' || format === 'date-time') return fittingTime(format);
  const matching = pattern === undefined ? [] : [fc.stringMatching(new RegExp(pattern))];
  const bounds = { minLength, maxLength: Math.min(maxLength, 300) };
  return fc.oneof(
    ...matching,
    fc.string({ ...bounds, unit: 'binary' }),
    fc.string(bounds),
    fc.lorem({ maxCount: 3 }).map((words) => words.slice(0, maxLength)),
  );
}

function fittingTime(format: string): fc.Arbitrary<string> {
  const range = { min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true };
  const text = fc.date(range).map((date) => date.toISOString());
  return format === 'date' ? text.map((instant) => instant.slice(0, 10)) : text;
}
