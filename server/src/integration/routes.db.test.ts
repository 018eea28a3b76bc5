/** What is true of every route of the contract, asked of each of them. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sample, type Arbitrary } from 'fast-check';
import type { Role } from '@nazar/contract/accounts.ts';
import { standings } from '@nazar/contract/route.ts';
import { jsonSchemaOf } from '#http/json-schema.ts';
import { casesOf, namesInMatrix, type Case } from '#testing/matrix-cases.ts';
import { MatrixWalk } from '#testing/matrix-walk.ts';
import { addressOf, named, routes } from '#testing/routes.ts';
import { valuesOf } from '#testing/schema-values.ts';
import { call, signInEach, testServer, type SignedIn, type TestServer } from '#testing/server.ts';

let world: TestServer;
let actors: Record<Role, SignedIn>;

before(async () => {
  world = await testServer();
  actors = await signInEach(world);
});
after(() => world[Symbol.asyncDispose]());

/** Set-up is over in this world, so its one route answers 410 to everybody. */
const signedInRoutes = routes.filter((route) => typeof route.callers !== 'string');

test('C-301 every route of the contract is served, and nothing else of the API', () => {
  const served = new Set(world.server.routes.map(named));
  assert.deepEqual(
    routes.map(named).filter((name) => !served.has(name)),
    [],
  );
  assert.equal(served.size, routes.length);
});

test('C-301 a caller without a session gets 401 from every route but the open ones', async () => {
  for (const route of signedInRoutes) {
    const reply = await call(world.app, route.method, addressOf(route.path));
    assert.equal(reply.status, 401, named(route));
    assert.equal(reply.json()['code'], 'not_signed_in', named(route));
  }
});

test('C-208 tokens of another kind, and rubbish, open nothing', async () => {
  const { refresh } = actors.admin;
  for (const access of [refresh, 'nza_', `nza_${'A'.repeat(43)}`, refresh.replace('nzr', 'nza')]) {
    const reply = await call(world.app, 'GET', '/secure-api/cameras/', { access });
    assert.equal(reply.status, 401);
  }
});

test('C-302 every route has its line in the matrix of rights (testing/rights)', () => {
  const listed = new Set(namesInMatrix());
  assert.deepEqual(
    routes.map(named).filter((name) => !listed.has(name)),
    [],
  );
});

test('C-302, C-303, C-308, C-401, C-118, ROL-001, ~ROL-014, ROL-015, ROL-018, ~ROL-019 every route answers everyone, and every key, as the matrix says, about one’s own, others’ and nothing', async (t) => {
  const startedAt = performance.now();
  const { people, keys } = casesOf();
  const faults = await Promise.all([people, keys].map(faultsOf));
  assert.deepEqual(faults.flat(), []);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const counts = `${people.length} cases of people and ${keys.length} of keys`;
  t.diagnostic(`${counts}, of ${routes.length} routes, in ${seconds} s`);
});

test('C-302, C-118 the matrix asks every route as each of the seven principals, about what is theirs, another’s and missing', () => {
  const { people, keys } = casesOf();
  const everybody = ['anonymous', ...standings, ...standings.map((owner) => `a key of ${owner}`)];
  for (const route of routes) {
    const mine = [...people, ...keys].filter((one) => one.route === route);
    const asking = mine.map(({ principal }) =>
      typeof principal === 'string' ? principal : `a key of ${principal.owner}`,
    );
    assert.deepEqual([...new Set(asking)].toSorted(), everybody.toSorted(), named(route));
    if (!route.path.includes(':')) continue;
    const about = new Set<string>(mine.map(({ relation }) => relation));
    const missing = ['own', "other's", 'missing'].filter((relation) => !about.has(relation));
    assert.deepEqual(missing, [], named(route));
  }
});

/**
 * Cases of one world. Each leaves a camera or more behind, and whatever happens to a camera is work for all of them:
 * of 4,225 cases in one world the last take ten times as long as the first.
 */
const casesOfWorld = 400;

async function faultsOf(cases: readonly Case[]): Promise<string[]> {
  const faults: string[] = [];
  for (let from = 0; from < cases.length; from += casesOfWorld) {
    faults.push(...(await faultsInWorld(cases.slice(from, from + casesOfWorld))));
  }
  return faults;
}

async function faultsInWorld(cases: readonly Case[]): Promise<string[]> {
  await using walked = await testServer({ registration: 'open' });
  const walk = await MatrixWalk.begin(walked);
  const faults: (string | null)[] = [];
  for (const one of cases) faults.push(await walk.fault(one), await walk.difference(one));
  return faults.filter((fault) => fault !== null);
}

test('ERR-060 a body that does not fit is refused with sentences by field, before anything happens', async () => {
  const withRequired = signedInRoutes.filter(
    ({ body, consumes = ['json'] }) =>
      body && consumes.includes('json') && !body.safeParse({}).success,
  );
  assert.ok(withRequired.length >= 4);
  for (const route of withRequired) {
    const reply = await call(world.app, route.method, addressOf(route.path), {
      access: actors.superadmin.access,
      body: {},
    });
    assert.equal(reply.status, 400, named(route));
    const refusalOf = reply.json<Record<string, string[]>>();
    const { error } = route.body!.safeParse({});
    const missing = new Set(error!.issues.map(({ path }) => path.join('.') || 'non_field_errors'));
    assert.deepEqual(new Set(Object.keys(refusalOf)), missing, named(route));
    for (const sentences of Object.values(refusalOf)) {
      assert.match(sentences[0] ?? '', /^[A-Z].*\w+.*\.$/, named(route));
    }
  }
});

test('ERR-060 wrong types, options, ranges, sizes and duplicates are reported beside their fields', async () => {
  const { superadmin } = actors;
  const refusalOf = async (path: string, body: object): Promise<unknown> => {
    const reply = await superadmin.send('POST', path, body);
    assert.equal(reply.status, 400, reply.text);
    return reply.json();
  };
  const wrong = {
    name: 'x'.repeat(151),
    location: ' ',
    status: 'asleep',
    fps: 61,
    enable_audio: 'loud',
  };
  assert.deepEqual(await refusalOf('/secure-api/cameras/', wrong), {
    name: ['Too long. Maximum number of characters: 150.'],
    location: ['This field is required.'],
    status: ['Choose one of the options.'],
    fps: ['The highest value is 60.'],
    enable_audio: ["This value isn't valid."],
  });
  assert.deepEqual(
    await refusalOf('/secure-api/cameras/', { name: 'a', location: 'b', fps: '30' }),
    {
      fps: ['Enter a number.'],
    },
  );
  const cameras = (await superadmin.get('/secure-api/cameras/')).json<{ count: number }>();
  assert.equal(cameras.count, 0, 'nothing happened');
  const taken = { email: actors.user.email, first_name: 'A', last_name: 'B', role: 'user' };
  assert.deepEqual(await refusalOf('/secure-api/accounts/users/', taken), {
    email: ['An account with this email already exists.'],
  });
});

test('C-708 a body of another media type is refused unread', async () => {
  const types = [
    'text/plain',
    'application/json; charset=utf-16',
    'application/jsonx',
    ' application/json',
    'application/json\t',
  ];
  for (const route of signedInRoutes.filter(({ body }) => body)) {
    for (const type of types) {
      const reply = await world.app.inject({
        method: route.method,
        url: addressOf(route.path),
        headers: {
          host: 'localhost',
          authorization: `Bearer ${actors.superadmin.access}`,
          'content-type': type,
        },
        payload: '{}',
      });
      assert.ok([400, 415].includes(reply.statusCode), `${named(route)} ${type}`);
    }
  }
});

test('C-308 a missing object is 404, for users who might see it', async () => {
  const one = signedInRoutes.filter(
    (route) => route.path.includes(':id') && route.method === 'GET',
  );
  for (const route of one) {
    const reply = await call(world.app, 'GET', addressOf(route.path), {
      access: actors.superadmin.access,
    });
    assert.equal(reply.status, 404, named(route));
  }
});

test('C-701, C-707 every answer carries the security headers', async () => {
  for (const url of ['/healthz', '/secure-api/cameras/', '/no-such-path']) {
    const { headers } = await call(world.app, 'GET', url);
    assert.match(String(headers['content-security-policy']), /default-src 'none'/);
    assert.doesNotMatch(String(headers['content-security-policy']), /script-src[^;]*unsafe/);
    assert.equal(headers['x-content-type-options'], 'nosniff');
    assert.equal(headers['referrer-policy'], 'no-referrer');
  }
});

test('C-704 a request for another host name is refused', async () => {
  for (const host of ['evil.example', 'localhost.evil.example', '192.168.1.20']) {
    const reply = await world.app.inject({ url: '/healthz', headers: { host } });
    assert.equal(reply.statusCode, 421, host);
  }
});

test('C-705 a change asked for by another site is refused', async () => {
  const foreign: Record<string, string>[] = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ];
  for (const headers of foreign) {
    const reply = await call(world.app, 'POST', '/secure-api/accounts/logout/', {
      access: actors.user.access,
      headers,
    });
    assert.equal(reply.status, 403, JSON.stringify(headers));
    assert.equal(reply.json()['code'], 'foreign_origin');
  }
  assert.equal((await actors.user.get('/secure-api/accounts/users/me/')).status, 200);
});

test('C-710 a body that reaches for prototypes is refused', async () => {
  for (const payload of ['{"__proto__":{"role":"admin"}}', '{"constructor":{"prototype":{}}}']) {
    const reply = await world.app.inject({
      method: 'POST',
      url: '/secure-api/accounts/login/',
      headers: { host: 'localhost', 'content-type': 'application/json' },
      payload,
    });
    assert.equal(reply.statusCode, 400);
  }
  assert.equal(({} as Record<string, unknown>)['role'], undefined);
});

test('the API describes itself as OpenAPI 3.1, every route with who may call it', async () => {
  const reply = await call(world.app, 'GET', '/secure-api/schema/');
  const document = reply.json<{
    openapi: string;
    paths: Record<string, Record<string, unknown>>;
  }>();
  assert.equal(document.openapi, '3.1.0');
  for (const route of world.server.routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    assert.ok(document.paths[path]?.[route.method.toLowerCase()], named(route));
  }
});

/** No JSON Schema can say how two dates lie (C-712), which time zones the machine knows, or how many pages there are. */
const notOfForm =
  /Choose at most 366 days|The end is before the start|This time zone isn't known|There are fewer pages/;

test('a query that fits the published schema is refused by no route for its form', async () => {
  for (const route of signedInRoutes.filter(({ method, query }) => method === 'GET' && query)) {
    const queries = valuesOf(jsonSchemaOf(route.query!, 'input')) as Arbitrary<object>;
    for (const query of sample(queries, 5)) {
      const fields = Object.entries(query).map(([name, value]) => [name, String(value)]);
      const words = new URLSearchParams(fields).toString();
      const reply = await actors.superadmin.get(`${addressOf(route.path)}?${words}`);
      if (notOfForm.test(reply.text)) continue;
      assert.notEqual(reply.status, 400, `${named(route)} ${words} ${reply.text}`);
      assert.ok(reply.status < 500 || reply.status === 503, `${named(route)} ${words}`);
    }
  }
});

test('refusals are written in the language of the reader', async () => {
  const refusalOf = async (language: string): Promise<unknown> => {
    const headers = { 'accept-language': language };
    return (await call(world.app, 'GET', '/secure-api/cameras/', { headers })).json()['detail'];
  };
  const sentences = await Promise.all(['en', 'az', 'ru', 'tr'].map(refusalOf));
  assert.equal(new Set(sentences).size, 4);
  assert.equal(await refusalOf('fr, tr;q=0.8, ru;q=0.9'), sentences[2]);
});
