/** Values that a JSON Schema allows, preferably at its edges: what a stranger's tool would send. */
import * as fc from 'fast-check';

export interface Schema {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly propertyNames?: Schema;
  readonly items?: Schema;
  readonly prefixItems?: readonly Schema[];
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
}

export function valuesOf(schema: Schema): fc.Arbitrary<unknown> {
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return fc.oneof(...choices.map(valuesOf));
  const { type } = schema;
  if (Array.isArray(type))
    return fc.oneof(...type.map((one) => valuesOf({ ...schema, type: one })));
  switch (type) {
    case 'object':
      return objects(schema);
    case 'array':
      return arrays(schema);
    case 'string':
      return texts(schema);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'integer':
    case 'number':
      return numbers(schema);
    default:
      return fc.jsonValue();
  }
}

function objects({ properties = {}, required = [], propertyNames }: Schema): fc.Arbitrary<unknown> {
  if (propertyNames) return fc.dictionary(texts(propertyNames), fc.jsonValue(), { maxKeys: 3 });
  const fields = Object.entries(properties).map(([name, one]) => [name, valuesOf(one)] as const);
  return fc.record(Object.fromEntries(fields), { requiredKeys: [...required] });
}

function arrays(schema: Schema): fc.Arbitrary<unknown> {
  const { items = {}, prefixItems, minItems = 0, maxItems = 3, uniqueItems = false } = schema;
  if (prefixItems) return fc.tuple(...prefixItems.map(valuesOf));
  const bounds = { minLength: minItems, maxLength: Math.max(minItems, Math.min(maxItems, 40)) };
  return uniqueItems
    ? fc.uniqueArray(valuesOf(items), bounds)
    : fc.array(valuesOf(items), { ...bounds, size: 'max' });
}

function numbers({ type, minimum = -1e9, maximum = 1e9 }: Schema): fc.Arbitrary<number> {
  const between =
    type === 'integer'
      ? fc.integer({ min: minimum, max: Math.min(maximum, 2 ** 31) })
      : fc.double({ min: minimum, max: maximum, noNaN: true });
  return fc.oneof(fc.constantFrom(minimum, maximum), between);
}

/** JSON Schema counts characters, not the units of UTF-16. */
const characters = (text: string): number => Array.from(text).length;

function texts(schema: Schema): fc.Arbitrary<string> {
  const { minLength = 0, maxLength = 300, pattern, allOf = [] } = schema;
  const patterns = [pattern, ...allOf.map((one) => one.pattern)]
    .filter((source) => source !== undefined)
    .map((source) => new RegExp(source, 'u'));
  const fits = (text: string): boolean =>
    characters(text) >= minLength &&
    characters(text) <= maxLength &&
    patterns.every((one) => one.test(text));
  const edges = ['a', '0', ' ', '\n', '\0', '😀', 'İ', '\u{10FFFF}']
    .flatMap((one) => [one.repeat(maxLength), one.repeat(minLength), ` ${one}`])
    .filter(fits);
  const [first] = patterns;
  const made = fc.oneof(
    fc.string({ unit: 'binary', minLength, maxLength: Math.min(maxLength, 300) }),
    ...(first ? [fc.stringMatching(first, { maxLength: Math.min(maxLength, 300) })] : []),
  );
  const fitting = made.filter(fits);
  return edges.length === 0 ? fitting : fc.oneof(fc.constantFrom(...edges), fitting);
}
