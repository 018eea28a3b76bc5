/** What a caller without an account gets who knows every address. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { InjectOptions } from 'fastify';
import { liveSocketPath, newsSocketPath } from '@nazar/contract/sockets.ts';
import { openToAll } from '#testing/matrix-cases.ts';
import { registeredRoutes } from '#testing/registered.ts';
import { addressOf, named, routes } from '#testing/routes.ts';
import { testServer, type SignedIn, type TestServer } from '#testing/server.ts';
import { openSocket } from '#testing/sockets.ts';

let world: TestServer;
let admin: SignedIn;
const webDir = mkdtempSync(join(tmpdir(), 'nazar-crawl-'));
const page = '<!doctype html><title>Nazar</title>';
const files = ['/index.html', '/robots.txt', '/assets/app-1a2b3c.js'];

before(async () => {
  mkdirSync(join(webDir, 'assets'));
  for (const file of files) writeFileSync(join(webDir, file), file === files[0] ? page : 'x');
  world = await testServer({ webDir, registration: 'open' });
  admin = await world.signIn('superadmin');
});
after(async () => {
  await world[Symbol.asyncDispose]();
  rmSync(webDir, { recursive: true, force: true });
});

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
/** What products of this kind left open, and where frameworks keep their api. */
const notorious =
  `/metrics /debug /debug/pprof/ /debug/vars /actuator /actuator/env /status /server-status
  /admin /admin/ /api /api/ /api/config /api/version /api/events /api/streams /api/users /graphql /swagger
  /swagger.json /openapi.json /docs /schema /secure-api /secure-api/ /secure-api/config/
  /secure-api/debug/ /secure-api/metrics/ /secure-api/logs/ /secure-api/backup/ /secure-api/admin/
  /secure-api/users/ /token /token/ /token/verify/ /.env /.git/config /.git/HEAD /.well-known/security.txt
  /.well-known/openid-configuration /package.json /server/src/main.ts /data/secret /data/master.key
  /config.json /backup.zip /nazar.log /logs/server.log /phpinfo.php /wp-login.php /cgi-bin/ /shell /exec
  /snapshot.jpg /stream /live /ws /hls/index.m3u8 /video.mjpeg /onvif/device_service /rest/users
  /SDK/webLanguage /System/configurationFile /device.rsp /trace /heapdump /__inspect /json/version
  /index.html.map /assets/app-1a2b3c.js.map /assets/ /assets`
    .trim()
    .split(/\s+/);

interface Answer {
  readonly name: string;
  readonly status: number;
  readonly text: string;
}

/** Every method on every path there is, without `name`s of those that anyone may call. */
async function crawl(more: Pick<InjectOptions, 'headers' | 'query'> = {}): Promise<Answer[]> {
  const registered = registeredRoutes(world.app).map(({ path }) => path);
  const paths = new Set([...registered, ...world.server.routes.map(({ path }) => path)]);
  const wanted = [...paths, ...notorious].flatMap((path) =>
    methods.map((method) => ({ path, method })),
  );
  const answers: Answer[] = [];
  for (const { path, method } of wanted) {
    const reply = await world.app.inject({
      method,
      url: addressOf(path),
      ...more,
      headers: { host: 'localhost', ...more.headers },
    });
    const answer = { status: reply.statusCode, text: reply.payload };
    answers.push({ name: named({ method, path }), ...answer });
  }
  return answers;
}

/** The pages and files of the application, which hold nothing of any user. */
function isAsset({ name, status, text }: Answer): boolean {
  const [method = '', path = ''] = name.split(' ');
  if (status !== 200 || !['GET', 'HEAD'].includes(method)) return false;
  if (files.includes(path)) return true;
  const isPage = !/^\/(secure-api|token|healthz)(\/|$)/.test(path) && !path.includes('.');
  return isPage && (method === 'HEAD' || text === page);
}

test('C-301 without an account, only the allow-list answers: every method, path, file and notorious path', async (t) => {
  const open = openToAll();
  assert.ok(open.has('POST /secure-api/accounts/login/') && !open.has('GET /secure-api/cameras/'));
  const answers = await crawl();
  const others = answers.filter((answer) => {
    const asked = answer.name.replace('HEAD ', 'GET ');
    return ![401, 404].includes(answer.status) && !open.has(asked) && !isAsset(answer);
  });
  assert.deepEqual(others, []);
  assert.ok(answers.length > 700);
  t.diagnostic(`${answers.length} requests, ${open.size} routes open to anybody`);
});

test('C-112, C-119 no header, cookie or query signs a caller in, not even with a good token', async () => {
  const { access, email, refresh } = admin;
  const claims: Pick<InjectOptions, 'headers' | 'query'>[] = [
    { query: { token: access, access, access_token: access, api_key: access, ticket: access } },
    { headers: { 'x-api-key': access, 'x-auth-token': access, authorization: access } },
    { headers: { cookie: `nazar-session=${access}; access=${access}; auth-token=${access}` } },
    { headers: { authorization: `Basic ${btoa(`${email}:correct-horse-7-staple`)}` } },
    { headers: { authorization: `Bearer ${refresh}` } },
    {
      headers: {
        'remote-user': email,
        'x-forwarded-user': email,
        'x-remote-user': email,
        'x-webauth-user': email,
        'x-forwarded-email': email,
        'x-real-ip': '127.0.0.1',
        'x-forwarded-for': '127.0.0.1',
        'x-original-url': '/healthz',
        'x-rewrite-url': '/healthz',
        'x-http-method-override': 'GET',
        'x-user-role': 'superadmin',
      },
    },
  ];
  const bare = new Map((await crawl()).map(({ name, status }) => [name, status]));
  const guarded = new Set([...bare].filter(([, status]) => status === 401).map(([name]) => name));
  assert.ok(guarded.size > 30);
  // There a ticket that is none is said to be none.
  const byTicket = new Set(routes.filter(({ ticketFor }) => ticketFor).map(({ path }) => path));
  const isRefused = ({ name, status }: Answer): boolean =>
    status === 401 || (status === 403 && byTicket.has(name.replace(/^\w+ /, '') as `/${string}`));
  for (const claim of claims) {
    const admitted = (await crawl(claim)).filter(
      (answer) => guarded.has(answer.name) && !isRefused(answer),
    );
    assert.deepEqual(admitted, [], JSON.stringify(claim));
  }
  const { status } = await admin.get('/secure-api/accounts/users/me/');
  assert.equal(status, 200, 'the token was good all the while');
});

test('C-301, C-706 every socket closes on who does not say who they are', async () => {
  const sockets = registeredRoutes(world.app).filter(
    ({ method, path }) => method === 'GET' && path.endsWith('/ws/'),
  );
  assert.deepEqual(sockets.map(({ path }) => path).toSorted(), [liveSocketPath, newsSocketPath]);
  for (const { path } of sockets) {
    const address = addressOf(path);
    const silent = await openSocket(world.app, address);
    const rubbish = await openSocket(world.app, `${address}?ticket=x&access=${admin.access}`);
    rubbish.socket.send('{"access":"nza_x"}');
    const refused = [1008, 4403]; // RFC 6455's, and our own where a browser must tell it apart
    assert.ok(refused.includes(await rubbish.closed), path);
    world.clock.advance(5_000);
    assert.ok(refused.includes(await silent.closed), path);
    assert.deepEqual([...silent.received, ...rubbish.received], []);
  }
});

test('C-301, C-101 before set-up is done, nothing but the set-up answers', async () => {
  await using empty = await testServer();
  const allowed = new Set(['GET /healthz', 'GET /secure-api/setup/', 'GET /secure-api/schema/']);
  for (const { method, path } of empty.server.routes) {
    if (allowed.has(named({ method, path }))) continue;
    const reply = await empty.app.inject({
      method,
      url: addressOf(path),
      headers: { host: 'localhost', authorization: `Bearer ${admin.access}` },
      ...(method === 'GET' ? {} : { payload: {} }),
    });
    const name = named({ method, path });
    // An open route reads the body first, which does not fit here; without a provider there is no way back from it.
    const wanted = openToAll().has(name) ? [400, 404, 503] : [503];
    assert.ok(wanted.includes(reply.statusCode), `${name} ${reply.statusCode} ${reply.payload}`);
    if (reply.statusCode === 503) {
      assert.equal(reply.json<{ code: string }>().code, 'setup_required', name);
    }
  }
});
