/**
 * Random worlds of accounts, sessions and grants, who asks in them, and what each of those may see, said a second time
 * in the simplest words there are. The model reads the plan alone: nothing of it is shared with the product.
 */
import * as fc from 'fast-check';
import { capabilities } from '@nazar/contract/capabilities.ts';
import type { Role } from '@nazar/contract/accounts.ts';
import { standings, type Standing } from '@nazar/contract/route.ts';

export const personCount = 6;
export const cameraCount = 4;
/** Accounts that are bound may be used from the first only. */
export const addresses = ['192.0.2.1', '198.51.100.7'] as const;

const factors = ['none', 'unconfirmed', 'totp', 'passkey'] as const;
const anyPerson = fc.nat({ max: personCount - 1 });
const seldom = fc.nat({ max: 7 }).map((n) => n === 0);
const roles: readonly Role[] = ['superadmin', 'admin', 'operator', 'user', 'user', 'user'];

const plan = fc.record({
  /** The users who must have a second factor. */
  demanded: fc.constantFrom(
    'nobody' as const,
    'nobody' as const,
    'administrators' as const,
    'all' as const,
  ),
  people: list(
    personCount,
    fc.record({
      role: fc.constantFrom(...roles),
      isStaff: seldom,
      isDisabled: seldom,
      isBound: seldom,
      opensApi: fc.boolean(),
      factor: fc.constantFrom(...factors),
      isInGroup: fc.boolean(),
    }),
  ),
  sessions: list(
    8,
    fc.record({
      of: anyPerson,
      is: fc.constantFrom('alive', 'alive', 'alive', 'ended', 'expired', 'idle'),
      /** Sees as that person, for longer than one may or not. */
      sees: fc.option(fc.record({ whom: anyPerson, isOver: seldom }), { freq: 2 }),
    }),
  ),
  keys: list(2, fc.record({ of: anyPerson, isRevoked: seldom })),
  cameraGroup: fc.subarray([0, 1, 2, 3]),
  grants: fc.uniqueArray(
    fc.record({
      to: fc.option(anyPerson),
      of: fc.option(fc.nat({ max: cameraCount - 1 })),
      may: fc.subarray([...capabilities]).map((more) => [...new Set(['live' as const, ...more])]),
      hasCategory: fc.boolean(),
    }),
    { maxLength: 8, selector: ({ to, of }) => `${to} ${of}` },
  ),
  askers: fc.array(
    fc.record({
      by: fc.oneof(
        { weight: 8, arbitrary: fc.record({ session: fc.nat({ max: 7 }) }) },
        { weight: 1, arbitrary: fc.record({ key: fc.nat({ max: 1 }) }) },
        { weight: 1, arbitrary: fc.constant('nobody' as const) },
      ),
      /** Null: as themselves. Otherwise as the user whom their session sees as, or as another user. */
      as: fc.option(fc.option(anyPerson, { nil: 'seen' as const, freq: 1 }), { freq: 2 }),
      from: fc.constantFrom(...addresses),
    }),
    { maxLength: 14 },
  ),
});

function list<T>(length: number, of: fc.Arbitrary<T>): fc.Arbitrary<T[]> {
  return fc.array(of, { minLength: length, maxLength: length });
}

export const rightsPlans = plan;
/** `to` and `of` null: the group of people, the group of cameras. */
export type RightsPlan = typeof plan extends fc.Arbitrary<infer Plan> ? Plan : never;
export type AskerPlan = RightsPlan['askers'][number];

/** What a user may see, by places in the plan. */
export interface Seen {
  readonly eyes: number;
  readonly seenBy: number | null;
  readonly standing: Standing;
  /** By camera; nothing for those who see all. */
  readonly may: Readonly<Record<number, { capabilities: string[]; isNamed: boolean }>>;
}

const mayAsk: readonly Standing[] = ['admin', 'superadmin'];
const seesAll = (standing: Standing): boolean => standing === 'staff' || mayAsk.includes(standing);

/** Whom an asker asks to see as. */
export function seenAs({ sessions }: RightsPlan, { by, as }: AskerPlan): number | null {
  if (as !== 'seen') return as;
  if (by === 'nobody' || 'key' in by) return 0;
  return sessions[by.session]!.sees?.whom ?? null;
}

export function expected(world: RightsPlan, asker: AskerPlan): Seen | null {
  const who = callerOf(world, asker);
  if (who === null) return null;
  const { factor } = world.people[who]!;
  const standing = standingOf(world, who);
  const isDemanded =
    world.demanded === 'all' || (world.demanded === 'administrators' && seesAll(standing));
  if (isDemanded && factor !== 'totp' && factor !== 'passkey') return null;
  const whom = seenAs(world, asker);
  if (whom === null) return { eyes: who, seenBy: null, standing, may: mayOf(world, who) };
  if (!seesAs(world, asker, who, whom)) return null;
  return { eyes: whom, seenBy: who, standing: standingOf(world, whom), may: mayOf(world, whom) };
}

/** Whose session or key it is, while it opens anything from there. */
function callerOf({ people, sessions, keys }: RightsPlan, { by, from }: AskerPlan): number | null {
  if (by === 'nobody') return null;
  const who = 'key' in by ? keys[by.key]!.of : sessions[by.session]!.of;
  const { isDisabled, isBound, opensApi } = people[who]!;
  const lives =
    'key' in by ? opensApi && !keys[by.key]!.isRevoked : sessions[by.session]!.is === 'alive';
  return lives && !isDisabled && (!isBound || from === addresses[0]) ? who : null;
}

function seesAs(world: RightsPlan, { by }: AskerPlan, who: number, whom: number): boolean {
  if (by === 'nobody' || 'key' in by || who === whom || world.people[whom]!.isDisabled)
    return false;
  const { sees } = world.sessions[by.session]!;
  if (sees?.whom !== whom || sees.isOver) return false;
  const [above, below] = [standingOf(world, who), standingOf(world, whom)];
  return mayAsk.includes(above) && standings.indexOf(below) <= standings.indexOf(above);
}

function standingOf({ people }: RightsPlan, who: number): Standing {
  const { role, isStaff } = people[who]!;
  return isStaff && !mayAsk.includes(role) ? 'staff' : role;
}

function mayOf(world: RightsPlan, who: number): Seen['may'] {
  const may: Record<number, { capabilities: string[]; isNamed: boolean }> = {};
  if (seesAll(standingOf(world, who))) return may;
  for (let camera = 0; camera < cameraCount; camera += 1) {
    const reaching = world.grants.filter(
      ({ to, of }) =>
        (to === null ? world.people[who]!.isInGroup : to === who) &&
        (of === null ? world.cameraGroup.includes(camera) : of === camera),
    );
    if (reaching.length === 0) continue;
    const held = new Set(reaching.flatMap((grant) => grant.may));
    const isNamed = reaching.some(({ hasCategory }) => hasCategory);
    may[camera] = { capabilities: [...held].toSorted(), isNamed };
  }
  return may;
}
