/**
 * Fields of a body that nothing is done with. A misspelt one is refused by name: left out in silence, a camera was
 * added without its address. What an answer about the same thing carries may be sent back as it came, so that a
 * client can change one field of an object and return the whole. Pure.
 */
import { madeElsewhere } from './fields.ts';
import type { Route } from './route.ts';
import type { $ZodIssue, $ZodType, $ZodTypes } from 'zod/v4/core';

/** The documents' clients send it beside what they ask, so that no cache answers them. */
const cacheBuster = '_t';

/** So many are named: a body has room for 100,000. */
const mostNamed = 20;

export type UnknownFields = (body: unknown) => $ZodIssue[];

/** `all`: the routes whose answers may be sent back. */
export function unknownFieldsOf(route: Route, all: readonly Route[]): UnknownFields {
  const { body } = route;
  if (!body) return () => [];
  const taken = [body];
  const things = all.filter((other) => isOfSameThing(route, other)).flatMap(sentBack);
  const thingsIn = things.flatMap(objectsIn);
  return (value) => pathsOf(value, taken, things, thingsIn).slice(0, mostNamed).map(issueOf);
}

/** The same address, the one above it, and one of the things of a list. */
function isOfSameThing({ path }: Route, { path: other }: Route): boolean {
  if (other === path || other === path.replace(/[^/]+\/$/, '')) return true;
  return other.startsWith(path) && /^:\w+\/$/.test(other.slice(path.length));
}

/** An answer, and what it lists. */
function sentBack({ reply }: Route): $ZodType[] {
  if (!reply) return [];
  const listed = objectsIn(reply).flatMap(({ shape }) => shape['results'] ?? []);
  return [reply, ...listed.flatMap(elementsOf)];
}

/** `carried`: what answers have in this place; `things`: what they are about, which may lie in a list of another name. */
function pathsOf(
  value: unknown,
  taken: readonly $ZodType[],
  carried: readonly $ZodType[],
  things: readonly ObjectDef[],
): string[][] {
  if (Array.isArray(value)) {
    const [ofTaken, ofCarried] = [taken.flatMap(elementsOf), carried.flatMap(elementsOf)];
    return value.flatMap((one, index) =>
      pathsOf(one, ofTaken, ofCarried, things).map((path) => [String(index), ...path]),
    );
  }
  if (typeof value !== 'object' || value === null) return [];
  const [ofTaken, ofCarried] = [taken.flatMap(objectsIn), carried.flatMap(objectsIn)];
  // Where no object is taken the schema says so, and a record takes any field.
  if (ofTaken.length === 0 || taken.some(isOpen)) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const next = fieldOf(ofTaken, name);
    const known = fieldOf(ofCarried, name);
    if (next.length > 0) return pathsOf(inner, next, known, things).map((path) => [name, ...path]);
    const isKnown = known.length > 0 || fieldOf(things, name).length > 0 || name === cacheBuster;
    return isKnown ? [] : [[name]];
  });
}

interface ObjectDef {
  readonly shape: Readonly<Record<string, $ZodType>>;
  readonly isOpen: boolean;
}

const fieldOf = (objects: readonly ObjectDef[], name: string): $ZodType[] =>
  objects.flatMap(({ shape }) => (Object.hasOwn(shape, name) ? [shape[name]!] : []));

/** The schemas that a value meets, without what wraps them. */
function bare(schema: $ZodType): $ZodTypes[] {
  const { def } = (schema as $ZodTypes)._zod;
  switch (def.type) {
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'nonoptional':
    case 'readonly':
    case 'catch':
      return bare(def.innerType);
    case 'pipe':
      return [...bare(def.in), ...bare(def.out)];
    case 'union':
      return def.options.flatMap(bare);
    case 'intersection':
      return [...bare(def.left), ...bare(def.right)];
    case 'lazy':
      return bare(def.getter());
    default:
      return [schema as $ZodTypes];
  }
}

const objectsIn = (schema: $ZodType): ObjectDef[] =>
  bare(schema).flatMap(({ _zod: { def } }) =>
    def.type === 'object' ? [{ shape: def.shape, isOpen: isLoose(def.catchall) }] : [],
  );

/** z.strictObject has a catchall that takes nothing. */
const isLoose = (catchall: $ZodType | undefined): boolean =>
  catchall !== undefined && (catchall as $ZodTypes)._zod.def.type !== 'never';

const isOpen = (schema: $ZodType): boolean =>
  bare(schema).some(
    (one) => ['record', 'any', 'unknown'].includes(one._zod.def.type) || madeElsewhere.has(one),
  ) || objectsIn(schema).some((one) => one.isOpen);

const elementsOf = (schema: $ZodType): $ZodType[] =>
  bare(schema).flatMap(({ _zod: { def } }): readonly $ZodType[] => {
    if (def.type === 'array') return [def.element];
    return def.type === 'tuple' ? def.items : [];
  });

const issueOf = (path: readonly string[]): $ZodIssue => ({
  code: 'unrecognized_keys',
  keys: [path.at(-1)!],
  path: [...path],
  message: 'unknown field',
});
