/** The whole server on a database of its own, without port, hosts or web application: what tests of routes need. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import type { Role } from '@nazar/contract/accounts.ts';
import { SecretKey } from '#lib/secrets.ts';
import { testFolder } from './folders.ts';
import { EventStream } from '#notifications/streams/event-stream.ts';
import { createServer, type Server, type ServerOptions } from '../server.ts';
import { aClock, type StoppedClock } from './clock.ts';
import { testDatabase, type TestDatabase } from './database.ts';
import { watchAnswers } from './documented.ts';
import { lightHashes } from './hash-cost.ts';

/** Long enough for an administrator, and not a common password. */
export const testPassword = 'correct-horse-7-staple';
const host = '127.0.0.1';

export interface TestServer extends AsyncDisposable {
  readonly server: Server;
  readonly app: FastifyInstance;
  readonly database: TestDatabase;
  readonly clock: StoppedClock;
  /** Where recordings lie. */
  readonly recordingFolder: string;
  /** Creates a user and signs in as a script would. */
  signIn(role: Role, email?: string): Promise<SignedIn>;
}

export interface Reply {
  readonly status: number;
  readonly headers: Record<string, unknown>;
  readonly text: string;
  /** Parsed body; throws when it is no JSON. */
  json<T = Record<string, unknown>>(): T;
}

export interface SignedIn {
  readonly id: string;
  readonly email: string;
  readonly access: string;
  readonly refresh: string;
  get(url: string): Promise<Reply>;
  send(method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', url: string, body?: object): Promise<Reply>;
}

export async function testServer(more: Partial<ServerOptions> = {}): Promise<TestServer> {
  await using stack = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'nazar-server-'));
  stack.defer(() => rmSync(folder, { recursive: true, force: true }));
  const runDir = join(folder, 'run');
  const logsDir = join(folder, 'logs');
  const recordingFolder = join(folder, 'recordings');
  for (const path of [runDir, logsDir]) mkdirSync(path, { mode: 0o700 });
  const database = stack.use(await testDatabase());
  const clock = aClock();
  const server = stack.use(
    await createServer({
      version: 'test',
      hostVersion: 'test',
      db: database.db,
      master: SecretKey.random(),
      clock,
      log: pino({ level: 'silent' }),
      runDir,
      logsDir,
      auditDays: 365,
      systemLogDays: 30,
      auditDir: join(folder, 'audit'),
      recordingFolders: [{ path: recordingFolder, isOwn: true }],
      openRecordingFolder: testFolder,
      privacyDir: join(folder, 'privacy'),
      webDir: null,
      demo: null,
      // Nothing listens there: no test asks the network that it runs in.
      discovery: { to: { address: '127.0.0.1', port: 9 }, waitMs: 1 },
      fileRoots: [],
      hosts: [host, 'localhost'],
      trustProxy: [],
      registration: null,
      hashCost: lightHashes,
      development: false,
      visionHosts: 0,
      peerPorts: { address: '127.0.0.1', first: 49_200, last: 49_455 },
      allowLoopbackCameras: true,
      cameraNetworks: [],
      pushNetworks: [],
      ownPorts: [],
      ...more,
    }),
  );
  const { app } = server;
  watchAnswers(app);
  endInjectedEvents(app);
  const built = stack.move();
  return {
    server,
    app,
    database,
    clock,
    recordingFolder,
    signIn: (role, email = `${role}@example.org`) => signIn(server, role, email),
    [Symbol.asyncDispose]: () => built.disposeAsync(),
  };
}

/** What is injected is read to its end, and events have none: they end with those that are there at once. */
function endInjectedEvents(app: FastifyInstance): void {
  app.addHook('onSend', async (_request, { raw }, payload) => {
    if (payload instanceof EventStream && 'isLightMyRequest' in raw) payload.finish();
    return payload;
  });
}

/** A user of every role. */
export async function signInEach(world: TestServer): Promise<Record<Role, SignedIn>> {
  return {
    // No user signs in until there is an administrator.
    superadmin: await world.signIn('superadmin'),
    admin: await world.signIn('admin'),
    operator: await world.signIn('operator'),
    user: await world.signIn('user'),
  };
}

async function signIn(server: Server, role: Role, email: string): Promise<SignedIn> {
  const { app, accounts } = server;
  const name = { firstName: 'Test', lastName: role };
  const { id } = await accounts.createUser({ email, password: testPassword, role, ...name });
  const login = await call(app, 'POST', '/secure-api/accounts/login/', {
    body: { email, password: testPassword },
  });
  if (login.status !== 200) throw new Error(`${email} is not signed in: ${login.text}`);
  const { access, refresh } = login.json<{ access: string; refresh: string }>();
  return {
    id,
    email,
    access,
    refresh,
    get: (url) => call(app, 'GET', url, { access }),
    send: (method, url, body) => call(app, method, url, { access, ...(body ? { body } : {}) }),
  };
}

/** One request as a user's script makes it. */
export async function call(
  app: FastifyInstance,
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  url: string,
  {
    access,
    body,
    headers = {},
  }: { access?: string; body?: object | string; headers?: Record<string, string> } = {},
): Promise<Reply> {
  const answer = await app.inject({
    method,
    url,
    headers: {
      host,
      ...(access === undefined ? {} : { authorization: `Bearer ${access}` }),
      ...headers,
    },
    ...(body === undefined ? {} : { payload: body }),
  });
  return {
    status: answer.statusCode,
    headers: answer.headers,
    text: answer.payload,
    json: <T>() => JSON.parse(answer.payload) as T,
  };
}
