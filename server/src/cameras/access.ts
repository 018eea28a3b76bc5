/**
 * Which users may see which camera besides its maker and the administrators: grants to users and groups, by
 * capability. Gives each request the grants that reach its caller; the route table says
 * which standings a route admits at all, and `cameras.ts` keeps the cameras.
 */
import type {
  CameraViewer,
  GiveGrant,
  Grant as GrantAnswer,
  GrantQuery,
} from '@nazar/contract/access.ts';
import { capabilities as allCapabilities, type Capability } from '@nazar/contract/capabilities.ts';
import type { ProblemCode } from '@nazar/contract/problem.ts';
import type { Standing } from '@nazar/contract/route.ts';
import type { Clock } from '#lib/clock.ts';
import { uuidv7 } from '#lib/ids.ts';
import { idsPerEntry } from '#lib/membership.ts';
import { Problem } from '#lib/problem.ts';
import type { Tx } from '#db/database.ts';
import { missingTarget } from '#db/refused.ts';
import type { Activity, Details } from '#activity/activity.ts';
import { noGrants, seesEverything, type Grant, type Scope } from '#http/scope.ts';
import type { AccessStore, GrantPair, HeldRow, ListedGrant, ViewerRow } from './access-store.ts';

/** The problem when one end of a grant does not exist, by the foreign key that refuses it. */
const missing: Record<string, ProblemCode> = {
  camera_grant_user_id_fkey: 'user_not_found',
  camera_grant_user_group_id_fkey: 'group_not_found',
  camera_grant_camera_id_fkey: 'camera_not_found',
  camera_grant_camera_group_id_fkey: 'group_not_found',
  camera_grant_category_category_id_fkey: 'category_not_found',
};

interface Who {
  readonly userId: string;
  readonly standing: Standing;
}

export interface AccessOptions {
  readonly store: AccessStore;
  readonly activity: Activity;
  readonly clock: Clock;
  /** Throws camera_not_found. */
  readonly cameraOf: (
    scope: Scope,
    id: string,
  ) => Promise<{ readonly id: string; readonly created_by: string | null }>;
}

export class Access {
  readonly #options: AccessOptions;

  constructor(options: AccessOptions) {
    this.#options = options;
  }

  /** The grants that reach a user, for their scope. They are read each time and never cached. */
  async visibleTo(who: Who): Promise<Scope['grants']> {
    return (await this.visibleToEach([who])).get(who.userId) ?? noGrants;
  }

  /** The same for several users, by user; absent users hold no grants. */
  async visibleToEach(all: readonly Who[]): Promise<ReadonlyMap<string, Scope['grants']>> {
    const ordinary = all.filter(({ standing }) => !seesEverything(standing));
    if (ordinary.length === 0) return new Map();
    const held = await this.#options.store.heldBy(ordinary.map(({ userId }) => userId));
    return new Map([...held].map(([userId, rows]) => [userId, united(rows)]));
  }

  /** Ids of the cameras that each of these users made or was granted; not meaningful for administrators. */
  camerasOf(userIds: readonly string[]): Promise<Map<string, Set<string>>> {
    return this.#options.store.camerasOf(userIds);
  }

  async list(query: GrantQuery): Promise<GrantAnswer[]> {
    return (await this.#options.store.list(query)).map(asGrant);
  }

  /** Throws user_not_found, group_not_found, camera_not_found, category_not_found. */
  async give(scope: Scope, { to, of, capabilities, categories }: GiveGrant): Promise<GrantAnswer> {
    const { store, clock, cameraOf } = this.#options;
    // A deleted camera is still a row.
    if (of.type === 'camera') await cameraOf(scope, of.id);
    const pair: GrantPair = {
      user_id: to.type === 'user' ? to.id : null,
      user_group_id: to.type === 'user_group' ? to.id : null,
      camera_id: of.type === 'camera' ? of.id : null,
      camera_group_id: of.type === 'camera_group' ? of.id : null,
    };
    const wanted = new Set<Capability>([...capabilities, 'live']);
    const nowMs = this.#options.clock.now();
    const row = {
      ...pair,
      id: uuidv7(nowMs),
      capabilities: allCapabilities.filter((capability) => wanted.has(capability)),
      granted_by: scope.userId,
      granted_at: new Date(clock.now()),
    };
    // A user who may read all names needs no list.
    const listed = wanted.has('people') ? [] : [...new Set(categories)];
    return store
      .transaction(async (tx) => {
        const id = await store.put(tx, row, listed);
        const given = { capabilities: row.capabilities, ...recordedCategories(listed) };
        await this.#record(tx, scope, 'camera.granted', row, given);
        const [grant] = await store.list({ id }, tx);
        return asGrant(grant!);
      })
      .catch((error: unknown) => {
        const code = missing[missingTarget(error) ?? ''];
        throw code ? new Problem(code, {}, error) : error;
      });
  }

  /** Throws grant_not_found. */
  async take(scope: Scope, id: string): Promise<void> {
    const { store } = this.#options;
    await store.transaction(async (tx) => {
      const row = await store.remove(tx, id);
      if (!row) throw new Problem('grant_not_found');
      await this.#record(tx, scope, 'camera.grant_taken', row, {});
    });
  }

  /** Throws camera_not_found. */
  async viewers(scope: Scope, cameraId: string): Promise<CameraViewer[]> {
    const camera = await this.#options.cameraOf(scope, cameraId);
    return byUser(await this.#options.store.viewers(camera));
  }

  /** Part of the transaction that deletes a camera. */
  forget(tx: Tx, cameraId: string): Promise<void> {
    return this.#options.store.removeCamera(tx, cameraId);
  }

  #record(
    tx: Tx,
    actor: Scope,
    action: 'camera.granted' | 'camera.grant_taken',
    { user_id, user_group_id, camera_id, camera_group_id }: GrantPair,
    given: Details,
  ): Promise<void> {
    const object =
      camera_id === null
        ? ({ type: 'camera_group', id: camera_group_id ?? '' } as const)
        : ({ type: 'camera', id: camera_id } as const);
    const details = { ...(user_id ? { user: user_id } : { user_group: user_group_id }), ...given };
    return this.#options.activity.record(tx, { actor, action, object, details });
  }
}

/** As many as fit into one entry of the activity log, and how many more there are. */
function recordedCategories(ids: readonly string[]): Details {
  const more = ids.length - idsPerEntry;
  return { categories: ids.slice(0, idsPerEntry), ...(more > 0 && { more_categories: more }) };
}

/** All grants for a camera add up: none withdraws anything. */
function united(rows: readonly HeldRow[]): Map<string, Grant> {
  const held = new Map<string, { capabilities: Set<Capability>; categories: Set<string> }>();
  for (const { camera_ids, capabilities, categories } of rows) {
    for (const id of camera_ids) {
      const known = held.get(id) ?? { capabilities: new Set(), categories: new Set() };
      for (const capability of capabilities) known.capabilities.add(capability);
      for (const category of categories) known.categories.add(category);
      held.set(id, known);
    }
  }
  return held;
}

function asGrant(row: ListedGrant): GrantAnswer {
  const { id, user_id, user_group_id, camera_id, camera_group_id } = row;
  return {
    id,
    to:
      user_id === null
        ? { type: 'user_group', id: user_group_id ?? '', name: row.to_name }
        : { type: 'user', id: user_id, name: row.to_name },
    of:
      camera_id === null
        ? { type: 'camera_group', id: camera_group_id ?? '', name: row.of_name }
        : { type: 'camera', id: camera_id, name: row.of_name },
    capabilities: row.capabilities,
    categories: row.categories,
    granted_at: row.granted_at.toISOString(),
  };
}

/** One line for each user: the strongest reason, and everything that was granted. */
function byUser(rows: readonly ViewerRow[]): CameraViewer[] {
  const viewers = new Map<string, ViewerRow[]>();
  for (const row of rows) viewers.set(row.id, [...(viewers.get(row.id) ?? []), row]);
  return [...viewers.values()].map((grants) => {
    const { id, name, email, role, is_staff, made } = grants[0]!;
    const isAdministrator = is_staff || role === 'admin' || role === 'superadmin';
    const mayAll = isAdministrator || made;
    const held = new Set(grants.flatMap(({ capabilities }) => capabilities));
    const isNamed = mayAll || held.has('people');
    const categories = new Set(isNamed ? [] : grants.flatMap((grant) => grant.categories));
    return {
      user: { id, name, email, role },
      reason: isAdministrator ? 'administrator' : made ? 'made' : 'granted',
      capabilities: allCapabilities.filter((capability) => mayAll || held.has(capability)),
      categories: [...categories],
      groups: mayAll ? [] : grants.flatMap(({ via }) => via ?? []),
    };
  });
}
