/**
 * Random worlds of people who may see different things, as plain data; how one is made of a test server; and
 * who may see what in it, said a second time in the simplest words there are (C-304). The model reads the
 * data alone: nothing of it is shared with the product.
 */
import * as fc from 'fast-check';
import { capabilities } from '@nazar/contract/capabilities.ts';
import { FaceFields } from '@nazar/contract/faces.ts';
import type { Standing } from '@nazar/contract/route.ts';
import { sql } from 'kysely';
import { createScope, noGrants, type Capability, type Scope } from '#http/scope.ts';
import type { SignedIn, TestServer } from './server.ts';
import { aCameraForm, aPicture, aSeenFace, aVisit } from './world.ts';

export interface Principal extends SignedIn {
  readonly standing: Standing;
}

/** Everything by its place in a list. */
export interface Plan {
  readonly cameras: readonly { readonly maker: number }[];
  readonly userGroups: readonly (readonly number[])[];
  readonly cameraGroups: readonly (readonly number[])[];
  readonly grants: readonly {
    readonly toGroup: boolean;
    readonly to: number;
    readonly ofGroup: boolean;
    readonly of: number;
    readonly capabilities: readonly Capability[];
    readonly categories: readonly number[];
  }[];
  readonly people: readonly {
    readonly maker: number;
    readonly category: number;
    readonly active: boolean;
  }[];
  /** `person` beyond the people: an unknown person. */
  readonly visits: readonly { readonly camera: number; readonly person: number }[];
}

const categoryCount = 3;
/** The looks of visits; those of people begin at 1. */
let lastFace = 100;

export function plans(principals: number): fc.Arbitrary<Plan> {
  const upTo = (n: number) => fc.nat({ max: n - 1 });
  const some = (n: number) => fc.uniqueArray(upTo(n), { maxLength: n });
  const cameraCount = 5;
  return fc.record({
    cameras: fc.array(fc.record({ maker: upTo(principals) }), {
      minLength: cameraCount,
      maxLength: cameraCount,
    }),
    userGroups: fc.array(some(principals), { minLength: 2, maxLength: 2 }),
    cameraGroups: fc.array(some(cameraCount), { minLength: 2, maxLength: 2 }),
    grants: fc.array(
      fc.record({
        toGroup: fc.boolean(),
        to: upTo(principals),
        ofGroup: fc.boolean(),
        of: upTo(cameraCount),
        capabilities: fc.subarray([...capabilities]),
        categories: some(categoryCount),
      }),
      { maxLength: 6 },
    ),
    people: fc.array(
      fc.record({ maker: upTo(principals), category: upTo(categoryCount), active: fc.boolean() }),
      { maxLength: 4 },
    ),
    visits: fc.array(fc.record({ camera: upTo(cameraCount), person: upTo(6) }), { maxLength: 8 }),
  });
}

/** What a plan became: ids, in the plan's order. */
export interface Made {
  readonly cameras: readonly string[];
  readonly cameraGroups: readonly string[];
  readonly people: readonly {
    readonly id: string;
    readonly name: string;
    readonly image: string;
  }[];
  readonly visits: readonly string[];
  /** When each of these began. */
  readonly startedAtMs: readonly number[];
}

/** Everything of the last world goes, but the users and their sessions. */
export async function emptied({ database }: TestServer): Promise<void> {
  // In the order in which rules are evaluated: the feed is locked before what its changes are about.
  await sql`truncate feed_change, mqtt_settings, mqtt_retained, notification, notification_settings, notification_address, notification_delivery, push_device, push_message, webhook, webhook_delivery, notification_camera, notification_muted_person, notification_snooze, alert, alert_visit, alert_note, alert_assignment, house_mode, camera_grant, camera_group, user_group, visit,
    visit_picture, visit_hour, visit_hour_total, visit_camera_day, visit_day, face_image, face_embedding, person,
    identity, camera cascade`.execute(database.db.write());
}

export async function made(
  world: TestServer,
  principals: readonly Principal[],
  plan: Plan,
): Promise<Made> {
  const { server, clock } = world;
  const cameras: string[] = [];
  for (const { maker } of plan.cameras) {
    const form = aCameraForm({ status: 'active', username: 'viewer', ip_address: '192.168.1.9' });
    cameras.push((await server.cameras.add(scopeOf(principals[maker]!), form)).id);
  }
  const categories = (await server.faces.categories.list()).map(({ id }) => id);
  const cameraGroups = await grantAll(world, principals, plan, cameras, categories);
  const people = [];
  for (const [index, { maker, category, active }] of plan.people.entries()) {
    const name = { first_name: `P${index}`, last_name: 'Example' };
    const form = { ...name, category: categories[category]!, is_active: active };
    const fields = FaceFields.parse(form);
    const seen = aSeenFace(index + 1);
    const { id, images } = await server.faces.add(scopeOf(principals[maker]!), fields, [], seen);
    people.push({ id, name: `P${index} Example`, image: images[0]!.id });
  }
  const visits: string[] = [];
  const startsMs: number[] = [];
  for (const [index, { camera, person }] of plan.visits.entries()) {
    const known = people[person];
    const identityId = known ? await identityOf(world, known.id) : null;
    // Each stranger is another one, in every world: they are counted.
    const attributes = { age: 30, man: null, emotion: null };
    const picture = { ...aPicture((lastFace += 1)), attributes };
    const startedAtMs = clock.now() - 60_000 + index;
    const visit = aVisit(cameras[camera]!, startedAtMs, { identityId, picture });
    await server.visits.write(visit);
    visits.push(visit.id);
    startsMs.push(startedAtMs);
  }
  return { cameras, cameraGroups, people, visits, startedAtMs: startsMs };
}

async function grantAll(
  { server }: TestServer,
  principals: readonly Principal[],
  plan: Plan,
  cameras: readonly string[],
  categories: readonly string[],
): Promise<string[]> {
  const giver = scopeOf(principals.at(-1)!);
  const userGroups: string[] = [];
  for (const [index, members] of plan.userGroups.entries()) {
    const ids = members.map((member) => principals[member]!.id);
    const fields = { name: `Users ${index}`, description: '', members: ids };
    userGroups.push((await server.accounts.groups.add(giver, fields)).id);
  }
  const cameraGroups: string[] = [];
  for (const [index, list] of plan.cameraGroups.entries()) {
    const ids = list.map((camera) => cameras[camera]!);
    const fields = { name: `Cameras ${index}`, description: '', cameras: ids };
    cameraGroups.push((await server.cameras.groups.add(giver, fields)).id);
  }
  for (const grant of plan.grants) {
    const to = grant.toGroup
      ? ({ type: 'user_group', id: userGroups[grant.to % userGroups.length]! } as const)
      : ({ type: 'user', id: principals[grant.to]!.id } as const);
    const of = grant.ofGroup
      ? ({ type: 'camera_group', id: cameraGroups[grant.of % cameraGroups.length]! } as const)
      : ({ type: 'camera', id: cameras[grant.of]! } as const);
    await server.cameras.access.give(giver, {
      to,
      of,
      capabilities: [...grant.capabilities],
      categories: grant.categories.map((category) => categories[category]!),
    });
  }
  return cameraGroups;
}

async function identityOf({ database }: TestServer, personId: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    select id from identity where person_id = ${personId}`.execute(database.db.read());
  return rows[0]!.id;
}

/** Whatever their standing is: what counts is whose the thing is. */
function scopeOf({ id, email }: Principal): Scope {
  return createScope({ userId: id, email, sessionId: id, standing: 'superadmin' }, noGrants);
}

/** Who may see what. A later grant for the same pair replaces the earlier one. */
export class Model {
  readonly #plan: Plan;
  readonly #principals: readonly Principal[];

  constructor(plan: Plan, principals: readonly Principal[]) {
    this.#plan = plan;
    this.#principals = principals;
  }

  seesAll(who: number): boolean {
    return !['user', 'operator'].includes(this.#principals[who]!.standing);
  }

  sees(who: number, camera: number): boolean {
    const isTheirs = this.#plan.cameras[camera]!.maker === who;
    return this.seesAll(who) || isTheirs || this.#reaching(who, camera).length > 0;
  }

  sawAddress(who: number, camera: number): boolean {
    const isTheirs = this.#plan.cameras[camera]!.maker === who;
    const held = this.#reaching(who, camera).flatMap((grant) => grant.capabilities);
    return this.seesAll(who) || isTheirs || held.includes('manage');
  }

  owns(who: number, person: number): boolean {
    return this.seesAll(who) || this.#plan.people[person]!.maker === who;
  }

  reads(who: number, { camera, person }: Plan['visits'][number]): boolean {
    if (this.owns(who, person)) return true;
    const { category } = this.#plan.people[person]!;
    return this.#reaching(who, camera).some(
      (grant) => grant.capabilities.includes('people') || grant.categories.includes(category),
    );
  }

  #reaching(who: number, camera: number): Plan['grants'] {
    const { userGroups, cameraGroups, grants } = this.#plan;
    const pairOf = ({ toGroup, to, ofGroup, of }: Plan['grants'][number]): string =>
      `${toGroup ? `g${to % userGroups.length}` : to}/${ofGroup ? `g${of % cameraGroups.length}` : of}`;
    const last = new Map(grants.map((grant) => [pairOf(grant), grant]));
    return [...last.values()].filter(({ toGroup, to, ofGroup, of }) => {
      const isTo = toGroup ? userGroups[to % userGroups.length]!.includes(who) : to === who;
      const isOf = ofGroup
        ? cameraGroups[of % cameraGroups.length]!.includes(camera)
        : of === camera;
      return isTo && isOf;
    });
  }
}
