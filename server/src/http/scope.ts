/**
 * On whose behalf something is read or written. Every store method that touches something of somebody
 * takes a Scope, so that list, detail, media, statistics and live views agree by construction (C-304,
 * C-305). It is made once per request by `identify`, from the database, never from what a client claims.
 */
import type { Standing } from '@nazar/contract/route.ts';

/** What may be done with a camera by somebody who neither made it nor administers all (CFL-004). */
export const capabilities = ['live', 'recordings', 'detect', 'manage', 'people'] as const;
export type Capability = (typeof capabilities)[number];

export interface Scope {
  readonly userId: string;
  readonly email: string;
  readonly sessionId: string;
  /** Where the request came from, for the record (C-120); '' where none did. */
  readonly ip: string;
  readonly userAgent: string;
  readonly standing: Standing;
  /** ROL-005: administrators see all cameras and people. */
  readonly seesAll: boolean;
  /** Cameras granted by an administrator, beside the ones this user made. */
  readonly grants: ReadonlyMap<string, ReadonlySet<Capability>>;
}

const administrators: readonly Standing[] = ['staff', 'admin', 'superadmin'];

const nowhere = { ip: '', userAgent: '' };

/** Nobody was granted anything beside what they made themselves. */
export const noGrants: Scope['grants'] = new Map();

export function createScope(
  actor: Pick<Scope, 'userId' | 'email' | 'sessionId' | 'standing'>,
  grants: Scope['grants'],
  { ip, userAgent }: Pick<Scope, 'ip' | 'userAgent'> = nowhere,
): Scope {
  const seesAll = administrators.includes(actor.standing);
  return { ...actor, ip, userAgent, seesAll, grants };
}

/** Ids of the cameras granted with this capability. */
export function granted(scope: Scope, capability: Capability): string[] {
  return [...scope.grants].filter(([, held]) => held.has(capability)).map(([id]) => id);
}
