/** The cases of the matrix of rights: every row, as every caller, about an own, another user's and a missing object. */
import {
  keyScopes,
  standings,
  type KeyScope,
  type Route,
  type Standing,
} from '@nazar/contract/route.ts';
import { matrix } from './rights-matrix.ts';
import type { Ask, ObjectKind } from './rights/row.ts';
import { named, routes } from './routes.ts';

/** In the order of the cells. */
const people = ['anonymous', ...standings] as const;
type Person = (typeof people)[number];
/** An API key, whose owner may do what the standing says. */
export interface Key {
  readonly owner: Standing;
  readonly scopes: readonly KeyScope[];
}
export type Principal = Person | Key;
export type Cell = '-' | 'own' | 'vis' | 'all' | `${number}`;
type Relation = 'own' | 'granted' | "other's" | 'missing' | 'list' | 'none';

export interface Case {
  readonly route: Route;
  readonly ask: Ask;
  readonly principal: Principal;
  readonly cell: Cell;
  readonly relation: Relation;
}

const byName = new Map(routes.map((route) => [named(route), route]));

/** What people ask, and what keys ask, which may be walked beside each other. A row about no route is an error. */
export function casesOf(): { people: Case[]; keys: Case[] } {
  const cases = matrix.flatMap(({ resource, cells, key, routes: asks }) => {
    const row = cellsOf(cells, resource);
    const asking = [
      ...people.map((person, column) => [person, row[column]!] as const),
      ...keysAt(row, key),
    ];
    return Object.entries(asks).flatMap(([name, asked]) => {
      const route = byName.get(name);
      if (!route) throw new Error(`${name}: no such route`);
      return [asked].flat().flatMap((ask) =>
        asking.flatMap(([principal, cell]) =>
          relationsOf(route, ask, principal).map((relation) => ({
            route,
            ask,
            principal,
            cell,
            relation,
          })),
        ),
      );
    });
  });
  return {
    people: cases.filter(({ principal }) => typeof principal === 'string'),
    keys: cases.filter(({ principal }) => typeof principal !== 'string'),
  };
}

/**
 * The keys that ask at a row, each with its cell: one with every scope where the row names none; else one
 * with that scope alone and one with all the others. What is open to anonymous callers is open to any key.
 */
function keysAt(row: readonly Cell[], scope: KeyScope | undefined): (readonly [Key, Cell])[] {
  return standings.flatMap((owner): (readonly [Key, Cell])[] => {
    const cell = row[people.indexOf(owner)]!;
    if (scope === undefined) return [[{ owner, scopes: keyScopes }, row[0] === '-' ? '-' : cell]];
    const others = keyScopes.filter((other) => other !== scope);
    return [
      [{ owner, scopes: [scope] }, cell],
      [{ owner, scopes: others }, '-'],
    ];
  });
}

export function nameOf(principal: Principal): string {
  if (typeof principal === 'string') return principal;
  return `${principal.owner} by a key for ${principal.scopes.join(', ')}`;
}

/** Names of the routes that the matrix has a line for. */
export const namesInMatrix = (): string[] => matrix.flatMap(({ routes }) => Object.keys(routes));

/** Names of the routes that the matrix opens to callers without an account. */
export const openToAll = (): Set<string> =>
  new Set(
    matrix
      .filter(({ cells }) => !cells.startsWith('-'))
      .flatMap(({ routes }) => Object.keys(routes)),
  );

function cellsOf(cells: string, resource: string): Cell[] {
  const row = cells.trim().split(/\s+/);
  if (row.length !== people.length) throw new Error(`${resource}: ${cells} is not six cells`);
  return row as Cell[];
}

function relationsOf(route: Route, ask: Ask, principal: Principal): Relation[] {
  if (!ask.of) return ['none'];
  if (isList(route, ask)) return principal === 'anonymous' ? ['none'] : ['list'];
  if (principal === 'anonymous') return ["other's", 'missing'];
  const granted = grantable.includes(ask.of) ? (['granted'] as const) : [];
  return ['own', ...granted, "other's", 'missing'];
}

const isList = ({ path }: Route, { query = '', body }: Ask): boolean =>
  !path.includes(':') && !query.includes(':') && body === undefined;

/** What a grant of a camera reaches. */
export const grantable: readonly ObjectKind[] = [
  'camera',
  'camera group',
  'recording',
  'segment',
  'visit',
  'unknown face',
  'unknown faces',
];

/** The status that is tabled, or the code of the problem. */
export function expected({ route, ask, principal, cell, relation }: Case): number | string {
  const admitted = ask.ok ?? route.status ?? (route.reply || route.produces ? 200 : 204);
  if (cell === '-') return principal === 'anonymous' ? 401 : 403;
  if (relation === 'missing') return 404;
  if (/^\d+$/.test(cell)) return Number(cell);
  const isOthers = relation === "other's" || (relation === 'granted' && cell !== 'vis');
  const isForeign = isOthers && cell !== 'all';
  return isForeign ? (ask.foreign ?? 404) : admitted;
}
