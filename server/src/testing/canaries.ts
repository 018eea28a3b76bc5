/** Secrets that nothing else uses, put where secrets go, and the search for them everywhere else (C-602, C-604). */
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '#db/database.ts';
import { encoded, passwordForms } from './passwords.ts';
import { call, type Reply, type SignedIn, type TestServer } from './server.ts';

export class Canaries {
  /** Every form a secret may be found in, and what it is. */
  readonly #forms = new Map<string, string>();

  /** Fits the rules for passwords, and is in no text by chance. */
  static secret(): string {
    return `Canary-${randomBytes(12).toString('hex')}`;
  }

  plant(what: string, secret: string): string {
    if (secret.length < 16) throw new Error(`${what} is too short to be told from chance`);
    const bytes = Buffer.from(secret);
    const forms = [
      secret,
      encodeURIComponent(secret),
      bytes.toString('hex'),
      // Less its end, which depends on what follows.
      bytes.toString('base64').slice(0, -4),
      bytes.toString('base64url').slice(0, -4),
    ];
    for (const form of forms) this.#forms.set(form, what);
    return secret;
  }

  /** What of it can be read in this text. */
  in(text: string): string[] {
    return [
      ...new Set([...this.#forms].flatMap(([form, what]) => (text.includes(form) ? [what] : []))),
    ];
  }
}

/** Plants one of every secret through the routes that take it. */
export async function plantSecrets(world: TestServer, admin: SignedIn): Promise<Canaries> {
  const canaries = new Canaries();
  await plantAccount(world, canaries);
  await plantCameras(admin, canaries);
  await plantImport(admin, canaries);
  await plantForms(admin, canaries);
  return canaries;
}

async function plantAccount({ app, server }: TestServer, canaries: Canaries): Promise<void> {
  const email = `canary-${randomBytes(4).toString('hex')}@example.org`;
  const first = canaries.plant('a password', Canaries.secret());
  const name = { firstName: 'Canary', lastName: 'Example' };
  await server.accounts.createUser({ email, password: first, role: 'user', ...name });
  const login = (password: string, headers: Record<string, string> = {}) =>
    call(app, 'POST', '/secure-api/accounts/login/', { body: { email, password }, headers });
  await login(canaries.plant('a password mistyped', Canaries.secret()));
  const { access } = plantTokens(canaries, await login(first));
  plantTokens(canaries, await login(first, { 'sec-fetch-site': 'same-origin' }));
  const second = canaries.plant('a new password', Canaries.secret());
  await call(app, 'POST', '/secure-api/accounts/change-password/', {
    access,
    body: { old_password: first, new_password: second },
  });
  plantTokens(canaries, await login(second));
}

interface Answer {
  readonly headers: Record<string, unknown>;
  json<T>(): T;
}

function plantTokens(canaries: Canaries, reply: Answer): { access: string } {
  const { access, refresh } = reply.json<{ access: string; refresh: string }>();
  canaries.plant('an access token', access);
  canaries.plant('a refresh token', refresh);
  const cookie = /=(nzc_[\w-]+)/.exec(String(reply.headers['set-cookie']))?.[1];
  if (cookie) canaries.plant('a session cookie', cookie);
  return { access };
}

async function plantCameras(admin: SignedIn, canaries: Canaries): Promise<void> {
  const password = canaries.plant('a camera’s password', Canaries.secret());
  const inAddress = canaries.plant('a password in a camera’s address', Canaries.secret());
  const fields = { location: 'Yard', type: 'rtsp', status: 'inactive' };
  const forms = [
    { name: 'Gate', url: 'rtsp://192.168.1.9/a', username: 'viewer', password, ...fields },
    { name: 'Door', url: `rtsp://viewer:${inAddress}@192.168.1.9/b`, ...fields },
  ];
  for (const form of forms) {
    const { status, text } = await admin.send('POST', '/secure-api/cameras/', form);
    if (status !== 201) throw new Error(text);
  }
}

/** The passwords of a configuration, of cameras that are taken and of those that are not, and one that is typed. */
async function plantImport(admin: SignedIn, canaries: Canaries): Promise<void> {
  const secret = (what: string): string => canaries.plant(`a password ${what}`, Canaries.secret());
  const text = [
    'streams:',
    `  hall: rtsp://viewer:${secret('in an imported file')}@192.168.1.9/hall`,
    `  loft: rtsp://viewer:\${LOFT}@192.168.1.9/loft`,
    `  attic: exec:ffmpeg -i rtsp://viewer:${secret('of a program')}@192.168.1.9/attic`,
    `  cellar: http://192.168.1.9/flv?user=viewer&password=${secret('in a query')}`,
    `  shed: rtsp://viewer:12#${secret('that breaks its address')}@192.168.1.9/shed`,
    `  roof: rtsp://viewer:${secret('of a wrong address')}@[192.168.1.9/roof`,
  ].join('\n');
  const variables = [{ name: 'LOFT', value: secret('typed for a variable') }];
  const cameras = ['hall', 'loft', 'attic', 'cellar', 'shed', 'roof'].map((name) => ({
    key: `streams.${name}`,
    name,
  }));
  const answers = [
    await admin.send('POST', '/secure-api/cameras/import/preview/', { text, variables }),
    await admin.send('POST', '/secure-api/cameras/import/', {
      text,
      variables,
      location: 'House',
      cameras,
    }),
    await admin.send('POST', '/secure-api/cameras/import/preview/', { text: `${text}\n  - [` }),
  ];
  const statuses = answers.map(({ status }) => status);
  const leaked = answers.flatMap((answer) => canaries.in(answer.text));
  if (statuses.join() !== '200,200,400' || leaked.length > 0) {
    throw new Error(`${statuses.join()}, told: ${leaked.join()}`);
  }
}

const placeholder = 'Canary';
const host = '192.168.1.9';

/**
 * Passwords of 40 forms by every way in. Each is taken or refused at its field; which of both, and what a camera is
 * dialled with, is for `cameras/address-forms.test.ts` to prove.
 */
async function plantForms(admin: SignedIn, canaries: Canaries): Promise<void> {
  const word = (what: string): string => canaries.plant(what, randomBytes(12).toString('hex'));
  const words = Object.fromEntries(
    ['url', 'sub_url', 'device_url', 'field', 'query', 'edit', 'describe', 'test'].map((way) => [
      way,
      word(`a password of odd form, by ${way}`),
    ]),
  ) as Record<string, string>;
  const forms = passwordForms(placeholder);
  for (const [n, form] of forms.entries()) {
    const by = (way: string): string => form.replace(placeholder, words[way]!);
    const raw = (way: string, scheme = 'rtsp'): string =>
      `${scheme}://admin:${by(way)}@${host}/${way}${n}`;
    const fields = {
      name: `Odd ${n}`,
      location: 'Yard',
      type: 'rtsp',
      url: `rtsp://${host}/o${n}`,
    };
    const query = `http://${host}/a.cgi?user=a&loginpas=${encoded(by('query'))}&n=${n}`;
    const added = await mayRefuse(admin, 'POST', '', {
      ...fields,
      username: 'admin',
      password: by('field'),
      sub_url: query,
    });
    await mayRefuse(admin, 'POST', '', { ...fields, url: raw('url') });
    await mayRefuse(admin, 'POST', '', { ...fields, sub_url: raw('sub_url') });
    await mayRefuse(admin, 'POST', '', { ...fields, device_url: raw('device_url', 'http') });
    const { id } = added.json<{ id: string }>();
    await mayRefuse(admin, 'PUT', `${id}/`, { ...fields, url: raw('edit') });
    // Both are limited to ten in a minute, and never reach a camera: where they are asked for does not matter.
    if (n >= 8) continue;
    const here = (way: string): string => raw(way, 'http').replace(host, '127.0.0.1');
    await mayRefuse(admin, 'POST', 'describe/', { url: here('describe') });
    await mayRefuse(admin, 'POST', 'test_connection/', { url: here('test'), timeout: 1 });
  }
}

async function mayRefuse(
  admin: SignedIn,
  method: 'POST' | 'PUT',
  path: string,
  body: object,
): Promise<Reply> {
  const reply = await admin.send(method, `/secure-api/cameras/${path}`, body);
  if (![200, 201, 400].includes(reply.status)) throw new Error(`${reply.status} ${reply.text}`);
  return reply;
}

/** Every row of every table, as text; bytes in hexadecimal. */
export async function dumpOf(db: Database): Promise<string> {
  const { rows: tables } = await sql<{ name: string }>`
    select quote_ident(relname) as name from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace`.execute(db.read());
  const parts = await Promise.all(
    tables.map(async ({ name }) => {
      const { rows } = await sql<{ row: string }>`
        select t::text as row from ${sql.raw(name)} t`.execute(db.read());
      return rows.map(({ row }) => row).join('\n');
    }),
  );
  return parts.join('\n');
}
