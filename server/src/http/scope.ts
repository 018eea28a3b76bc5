/**
 * On whose behalf something is read or written. Every store method that touches what users own takes a Scope,
 * so that list, detail, media, statistics and live views agree by construction.
 * `identify` makes it once per request, from the database, never from what a client claims.
 */
import type { Capability } from '@nazar/contract/capabilities.ts';
import { administrators, type KeyScope, type Standing } from '@nazar/contract/route.ts';

export type { Capability } from '@nazar/contract/capabilities.ts';

/** A user's rights to one camera, over all the grants that reach them. */
export interface Grant {
  readonly capabilities: ReadonlySet<Capability>;
  /** Categories of people whose names this user may read there; `people` among the capabilities means all. */
  readonly categories: ReadonlySet<string>;
}

export interface Scope {
  readonly userId: string;
  readonly email: string;
  readonly sessionId: string;
  /** Where the request came from, for the activity log; '' where there was no request. */
  readonly ip: string;
  readonly userAgent: string;
  readonly standing: Standing;
  /** The user must set up a second factor first. */
  readonly mustEnrol?: boolean;
  /** The scopes of an API key, whose id is then `sessionId`; absent: a user's own session. */
  readonly keyScopes?: ReadonlySet<KeyScope>;
  /** Administrators see all cameras and people. */
  readonly seesAll: boolean;
  /** Cameras granted by an administrator, by id, beside the ones this user made. */
  readonly grants: ReadonlyMap<string, Grant>;
  /** The administrator who sees as this user and whose actions these are. Null: only the user. */
  readonly seenBy: string | null;
}

/** A session and the user it sees as: a scope can be made from it again. */
export interface Asker {
  readonly sessionId: string;
  readonly seeAs: string | null;
}

/** The current rights of an asker at that address; null when the session has ended. */
export type ScopeOf = (asker: Asker, ip: string) => Promise<Scope | null>;

/** An asker, and the address of its requests. */
export interface Asked {
  readonly asker: Asker;
  readonly ip: string;
}

/** The same for many, at one moment and in their order: they are read together. */
export type ScopesOf = (asked: readonly Asked[]) => Promise<readonly (Scope | null)[]>;

const askedOf = (scope: Scope): Asked => ({ asker: askerOf(scope), ip: scope.ip });

/** Askers with the same key share one query for their rights. */
export const askedKey = ({ asker: { sessionId, seeAs }, ip }: Asked): string =>
  `${sessionId} ${seeAs ?? ''} ${ip}`;

export const askerOf = ({ sessionId, userId, seenBy }: Scope): Asker => ({
  sessionId,
  seeAs: seenBy === null ? null : userId,
});

/** What goes on under a scope, with its current rights; those with the same key are asked once. */
export async function withCurrentScopes<T extends { readonly scope: Scope }>(
  running: Iterable<T>,
  scopesOf: ScopesOf,
): Promise<(readonly [T, Scope | null])[]> {
  const groups = [...Map.groupBy(running, ({ scope }) => askedKey(askedOf(scope))).values()];
  const scopes = await scopesOf(groups.map(([first]) => askedOf(first!.scope)));
  return groups.flatMap((group, nth) => group.map((one) => [one, scopes[nth] ?? null] as const));
}

/** The account whose limits apply: what an administrator does as a user counts nothing against that user. */
export const accountOf = ({ seenBy, userId }: Pick<Scope, 'seenBy' | 'userId'>): string =>
  seenBy ?? userId;

/**
 * The caller's rights as text: code that reads with nothing but a scope answers two callers with the same text
 * alike. Callers who see everything are alike if they have the same standing; every other account is a
 * caller of its own, with its grants.
 */
export function rightsOf({ seesAll, userId, standing, keyScopes, grants }: Scope): string {
  const held = [...grants]
    .map(([id, { capabilities, categories }]) => [id, sorted(capabilities), sorted(categories)])
    .toSorted(([one], [other]) => (one! < other! ? -1 : 1));
  return JSON.stringify([
    seesAll ? null : userId,
    standing,
    keyScopes ? sorted(keyScopes) : null,
    held,
  ]);
}

const sorted = (words: ReadonlySet<string>): string[] => [...words].toSorted();

const nowhere = { ip: '', userAgent: '' };

/** No grants: the user sees only what they made themselves. */
export const noGrants: Scope['grants'] = new Map();

export function createScope(
  actor: Pick<Scope, 'userId' | 'email' | 'sessionId' | 'standing' | 'keyScopes'>,
  grants: Scope['grants'],
  { ip, userAgent }: Pick<Scope, 'ip' | 'userAgent'> = nowhere,
): Scope {
  const seesAll = seesEverything(actor.standing);
  return { ...actor, ip, userAgent, seesAll, grants, seenBy: null };
}

/** Administrators need no grants. */
export const seesEverything = (standing: Standing): boolean => administrators.includes(standing);

/** Ids of the cameras granted with this capability. */
export function granted(scope: Scope, capability: Capability): string[] {
  return [...scope.grants]
    .filter(([, { capabilities }]) => capabilities.has(capability))
    .map(([id]) => id);
}

/** The facts about one camera that a decision needs. */
export interface OwnedCamera {
  readonly id: string;
  readonly created_by: string | null;
}

/** Administrators, the user who made the camera, and users with that grant. */
export function holds(scope: Scope, camera: OwnedCamera, capability: Capability): boolean {
  if (scope.seesAll || camera.created_by === scope.userId) return true;
  return scope.grants.get(camera.id)?.capabilities.has(capability) ?? false;
}

/** The person who bears a name. */
export interface NamedPerson {
  readonly addedBy: string | null;
  readonly categoryId: string | null;
}

/** Administrators may open every person, other users the people they added. */
export const mayOpenPerson = (scope: Scope, addedBy: string | null): boolean =>
  scope.seesAll || addedBy === scope.userId;

/** This reader may read the name of every person who was seen at this camera. */
export const mayNameEverybody = (scope: Scope, cameraId: string): boolean =>
  scope.seesAll || granted(scope, 'people').includes(cameraId);

/** Whether this reader may read who was seen at a camera. `mayName` in SQL is the same rule. */
export function mayReadName(scope: Scope, cameraId: string, person: NamedPerson): boolean {
  if (mayOpenPerson(scope, person.addedBy)) return true;
  const grant = scope.grants.get(cameraId);
  if (!grant) return false;
  if (grant.capabilities.has('people')) return true;
  return person.categoryId !== null && grant.categories.has(person.categoryId);
}

/** Pairs of camera and category whose people's names may be read, for a query. */
export function namedCategories(scope: Scope): { cameraIds: string[]; categoryIds: string[] } {
  const pairs = [...scope.grants].flatMap(([cameraId, { categories }]) =>
    [...categories].map((categoryId) => ({ cameraId, categoryId })),
  );
  return {
    cameraIds: pairs.map(({ cameraId }) => cameraId),
    categoryIds: pairs.map(({ categoryId }) => categoryId),
  };
}
