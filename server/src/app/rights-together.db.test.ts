/** The rights of all who are connected, asked together: each is what it is alone, and what a model of a few lines says. */
import assert from 'node:assert/strict';
import { after, before, mock, test } from 'node:test';
import * as fc from 'fast-check';
import { sql, type RawBuilder } from 'kysely';
import { Client } from 'pg';
import { askedKey, createScope, noGrants, type Asked, type Scope } from '#http/scope.ts';
import { uuidv7 } from '#lib/ids.ts';
import {
  addresses,
  cameraCount,
  expected,
  personCount,
  rightsPlans,
  seenAs,
  type AskerPlan,
  type RightsPlan,
  type Seen,
} from '#testing/rights-world.ts';
import { testServer, type TestServer } from '#testing/server.ts';
import { aCameraForm } from '#testing/world.ts';
import { Rights } from './rights.ts';

const worlds = Number(process.env['NAZAR_TEST_WORLDS'] ?? 60);
const newIds = (count: number): string[] => Array.from({ length: count }, () => uuidv7(Date.now()));
let world: TestServer;
let rights: Rights;
let nowMs: number;
let cameras: string[];
let category: string;
const people = newIds(personCount);
const sessions = newIds(8);
const keys = newIds(2);
const [userGroup, cameraGroup] = newIds(2) as [string, string];

before(async () => {
  world = await testServer();
  const { server, clock } = world;
  nowMs = clock.now();
  rights = new Rights(server.accounts, server.cameras);
  for (const [nth, id] of people.entries()) {
    await run(sql`insert into app_user (id, email, first_name, last_name, role, is_staff, is_superuser,
      password_hash, created_at) values (${id}, ${`${nth}@example.org`}, 'Person', ${String(nth)}, 'user', false,
      false, '!', now())`);
  }
  const maker = {
    userId: people[0]!,
    email: '',
    sessionId: people[0]!,
    standing: 'superadmin',
  } as const;
  cameras = [];
  for (let nth = 0; nth < cameraCount; nth += 1) {
    cameras.push((await server.cameras.add(createScope(maker, noGrants), aCameraForm())).id);
  }
  category = (await server.faces.categories.list())[0]!.id;
});
after(() => world[Symbol.asyncDispose]());

const run = (statement: RawBuilder<unknown>): Promise<unknown> =>
  statement.execute(world.database.db.write());
const at = (beforeS: number): Date => new Date(nowMs - beforeS * 1_000);

async function make(plan: RightsPlan): Promise<void> {
  for (const table of ['camera_grant', 'camera_group', 'user_group', 'session', 'api_key']) {
    await run(sql`delete from ${sql.table(table)}`);
  }
  for (const table of ['account_security', 'user_totp', 'passkey', 'setting']) {
    await run(sql`delete from ${sql.table(table)}`);
  }
  const twoFactorFor = plan.demanded === 'all' ? 'all' : 'administrators';
  const twoFactorAuth = plan.demanded !== 'nobody';
  const security = JSON.stringify({ twoFactorAuth, twoFactorFor, apiAccessEnabled: true });
  await run(sql`insert into setting values ('security', ${security}::jsonb, now())`);
  await run(sql`insert into user_group values (${userGroup}, 'Guards', '', now())`);
  await run(sql`insert into camera_group (id, name, description, created_at)
    values (${cameraGroup}, 'Gates', '', now())`);
  for (const [nth, person] of plan.people.entries()) await makePerson(people[nth]!, person);
  for (const [nth, session] of plan.sessions.entries()) await makeSession(sessions[nth]!, session);
  for (const [nth, { of, isRevoked }] of plan.keys.entries()) {
    await run(sql`insert into api_key (id, user_id, name, hash, scopes, created_at, expires_at, revoked_at)
      values (${keys[nth]}, ${people[of]}, 'Key', ${Buffer.alloc(32, nth)}, '{read}', ${at(60)}, ${at(-60)},
              ${isRevoked ? at(1) : null})`);
  }
  for (const camera of plan.cameraGroup) {
    await run(
      sql`insert into camera_group_member (group_id, camera_id) values (${cameraGroup}, ${cameras[camera]})`,
    );
  }
  for (const grant of plan.grants) await makeGrant(grant);
}

async function makePerson(id: string, person: RightsPlan['people'][number]): Promise<void> {
  const { role, isDisabled, isBound, opensApi, factor, isInGroup } = person;
  const isStaff = person.isStaff || role === 'admin' || role === 'superadmin';
  await run(sql`update app_user set role = ${role}, is_staff = ${isStaff},
    is_superuser = ${role === 'superadmin'}, is_active = ${!isDisabled} where id = ${id}`);
  await run(sql`insert into account_security (user_id, allowed_ips, api_access)
    values (${id}, ${isBound ? addresses[0] : 'All'}, ${opensApi})`);
  if (isInGroup)
    await run(sql`insert into user_group_member (group_id, user_id) values (${userGroup}, ${id})`);
  if (factor === 'totp' || factor === 'unconfirmed') {
    await run(sql`insert into user_totp (user_id, secret, created_at, confirmed_at)
      values (${id}, 'sealed', now(), ${factor === 'totp' ? at(1) : null})`);
  }
  if (factor === 'passkey') {
    await run(sql`insert into passkey (id, user_id, name, host, credential_id, public_key, counter, transports,
      is_synced, created_at) values (${id}, ${id}, 'Key', 'localhost', ${Buffer.from(id)}, '', 0, '{}', false, now())`);
  }
}

async function makeSession(
  id: string,
  { of, is, sees }: RightsPlan['sessions'][number],
): Promise<void> {
  const expires = at(is === 'expired' ? 1 : -3_600);
  await run(sql`insert into session (id, user_id, is_browser, is_remembered, ip, user_agent, created_at, last_active_at,
    expires_at, absolute_expires_at, ended_at, ended_reason) values (${id}, ${people[of]}, false, false, '', '',
    ${at(86_400)}, ${at(is === 'idle' ? 1_800 : 5)}, ${expires}, ${at(-3_600)}, ${is === 'ended' ? at(1) : null},
    ${is === 'ended' ? 'password' : null})`);
  if (!sees) return;
  const begun = at(sees.isOver ? 8 * 3_600 : 60);
  await run(sql`insert into see_as values (${id}, ${people[sees.whom]}, ${begun})`);
}

async function makeGrant({
  to,
  of,
  may,
  hasCategory,
}: RightsPlan['grants'][number]): Promise<void> {
  const [user, group] = to === null ? [null, userGroup] : [people[to], null];
  const [camera, gates] = of === null ? [null, cameraGroup] : [cameras[of], null];
  const [id] = newIds(1);
  await run(sql`insert into camera_grant (id, user_id, user_group_id, camera_id, camera_group_id, capabilities, granted_at)
    values (${id}, ${user}, ${group}, ${camera}, ${gates}, ${may}, now())`);
  if (hasCategory) await run(sql`insert into camera_grant_category values (${id}, ${category})`);
}

function askedBy(plan: RightsPlan, asker: AskerPlan): Asked {
  const { by, from } = asker;
  const whom = seenAs(plan, asker);
  const sessionId =
    by === 'nobody' ? people[0]! : 'key' in by ? keys[by.key]! : sessions[by.session]!;
  return { asker: { sessionId, seeAs: whom === null ? null : people[whom]! }, ip: from };
}

/** A scope by places in the plan. */
function seenOf(scope: Scope | null): Seen | null {
  if (!scope) return null;
  const placeOf = (id: string): number => people.indexOf(id);
  const may: Record<number, Seen['may'][number]> = {};
  for (const [id, { capabilities, categories }] of scope.grants) {
    may[cameras.indexOf(id)] = {
      capabilities: [...capabilities].toSorted(),
      isNamed: categories.has(category),
    };
  }
  const seenBy = scope.seenBy === null ? null : placeOf(scope.seenBy);
  return { eyes: placeOf(scope.userId), seenBy, standing: scope.standing, may };
}

test('C-207, C-304 rights asked together are those asked one by one, and those that they should be', async () => {
  let may = 0;
  let mayNot = 0;
  const holds = fc.asyncProperty(rightsPlans, async (plan) => {
    await make(plan);
    const asked = plan.askers.map((asker) => askedBy(plan, asker));
    const together = await rights.ofAskers(asked);
    const alone = [];
    for (const { asker, ip } of asked) alone.push(await rights.ofAsker(asker, ip));
    assert.deepEqual(together, alone);
    assert.deepEqual(
      together.map(seenOf),
      plan.askers.map((asker) => expected(plan, asker)),
    );
    for (const [nth, scope] of together.entries()) {
      if (!scope) mayNot += 1;
      else may += 1;
      if (scope)
        assert.equal(
          `${scope.sessionId} ${scope.ip}`,
          `${asked[nth]!.asker.sessionId} ${asked[nth]!.ip}`,
        );
    }
  });
  await fc.assert(holds, { numRuns: worlds, endOnFailure: true });
  // About one asker of five may; so few worlds in which hardly any may are not to be expected.
  assert.ok(Math.min(may, mayNot) > worlds / 10, `${may} may, ${mayNot} may not`);
});

test('C-207 however many ask, the database is asked as often as for one', async () => {
  const [plan] = fc.sample(rightsPlans, { seed: 1, numRuns: 1 });
  const alive = plan!.sessions.map((_, of) => ({
    of: of % personCount,
    is: 'alive' as const,
    sees: null,
  }));
  const fit = plan!.people.map((person) => ({
    ...person,
    ...({ role: 'user', isStaff: false, isDisabled: false, isBound: false } as const),
    ...({ factor: 'totp' } as const),
  }));
  await make({ ...plan!, demanded: 'all', people: fit, sessions: alive });
  const asked = sessions.map((sessionId) => ({
    asker: { sessionId, seeAs: null },
    ip: addresses[0],
  }));
  // The time that was last used is kept once in ten seconds.
  await rights.ofAskers(asked);
  const alone = await questionsOf(() => rights.ofAskers(asked.slice(0, 1)));
  const together = await questionsOf(async () => {
    assert.ok((await rights.ofAskers(asked)).every((scope) => scope !== null));
  });
  assert.ok(alone > 0);
  assert.equal(together, alone);
});

/** How often the database is asked meanwhile. */
async function questionsOf(work: () => Promise<unknown>): Promise<number> {
  const query = mock.method(Client.prototype, 'query');
  try {
    await work();
    return query.mock.callCount();
  } finally {
    query.mock.restore();
  }
}

test('C-207 askers that differ in anything are asked for apart', () => {
  const asked = (sessionId: string, seeAs: string | null, ip: string): Asked => ({
    asker: { sessionId, seeAs },
    ip,
  });
  const [one, other] = newIds(2) as [string, string];
  const all = [one, other].flatMap((session) =>
    [null, one, other].flatMap((seeAs) => addresses.map((ip) => asked(session, seeAs, ip))),
  );
  assert.equal(new Set(all.map(askedKey)).size, all.length);
});
