/** A server to throw requests at, and what must be true of each answer. */
import { tmpdir } from 'node:os';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { problems } from '@nazar/contract/problem.ts';
import type { Route } from '@nazar/contract/route.ts';
import { plantSecrets, type Canaries } from './canaries.ts';
import { makers } from './matrix-objects.ts';
import { signInAs } from './matrix-callers.ts';
import { openToAll } from './matrix-cases.ts';
import { matrix } from './rights-matrix.ts';
import { requesters, type FuzzRequest } from './requests.ts';
import { named } from './routes.ts';
import { testServer, type SignedIn, type TestServer } from './server.ts';
import type { ObjectKind } from './rights/row.ts';

export interface FuzzAnswer {
  readonly status: number;
  readonly text: string;
}

/** Bounds a hang; an answer takes milliseconds. */
const patienceMs = 20_000;

const asks = matrix.flatMap(({ routes }) =>
  Object.entries(routes).flatMap(([name, asked]) => [asked].flat().map((ask) => ({ name, ask }))),
);
const spending = new Set(asks.filter(({ ask }) => ask.spends).map(({ name }) => name));
/** Whether a route ends its caller's session or hashes passwords. */
export const isRare = (route: Route): boolean =>
  spending.has(named(route)) || /login|register/.test(route.path);
const kindOf = new Map<string, ObjectKind>(
  asks.flatMap(({ name, ask }) => (ask.of ? [[name, ask.of] as const] : [])),
);

export class FuzzTarget implements AsyncDisposable {
  readonly #world: TestServer;
  readonly #superadmin: SignedIn;
  readonly #canaries: Canaries;
  readonly #callers = new Map<string, SignedIn>();
  /** The ids of what exists. */
  readonly #ids = new Map<ObjectKind, string[]>();

  private constructor(world: TestServer, superadmin: SignedIn, canaries: Canaries) {
    this.#world = world;
    this.#superadmin = superadmin;
    this.#canaries = canaries;
  }

  static async open(): Promise<FuzzTarget> {
    const world = await testServer({ registration: 'open' });
    const superadmin = await world.signIn('superadmin');
    const canaries = await plantSecrets(world, superadmin);
    const target = new FuzzTarget(world, superadmin, canaries);
    for (const as of requesters) await target.#signIn(as);
    const kinds = [...new Set(kindOf.values())].filter((kind) => kind !== 'session');
    for (const kind of kinds) {
      for (const caller of target.#callers.values()) await target.#add(kind, caller);
    }
    return target;
  }

  /** Secrets in an answer, of users who asked for none of this. */
  secretsIn({ text }: FuzzAnswer): string[] {
    return this.#canaries.in(text);
  }

  async ask(request: FuzzRequest): Promise<FuzzAnswer> {
    const { route, as } = request;
    const access = this.#callers.get(as)?.access;
    const answer = await withinPatience(
      this.#world.app.inject({
        method: route.method,
        url: this.#fill(request.url, route),
        headers: {
          host: 'localhost',
          ...(access === undefined ? {} : { authorization: `Bearer ${access}` }),
          ...request.headers,
        },
        ...(request.payload === undefined ? {} : { payload: this.#fill(request.payload, route) }),
      }),
    );
    if (answer === null) return { status: 0, text: 'no answer' };
    const status = answer.statusCode;
    const kind = kindOf.get(named(route));
    // Sessions end and things are deleted: the next request finds new ones.
    if (status === 401 && !request.headers['authorization']) await this.#signIn(as);
    if (status < 300 && route.method === 'DELETE' && kind) await this.#add(kind, this.#superadmin);
    return { status, text: textOf(answer) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#world[Symbol.asyncDispose]();
  }

  async #signIn(as: FuzzRequest['as']): Promise<void> {
    if (as === 'anonymous') return;
    const email = `${as}-${crypto.randomUUID()}@example.org`;
    this.#callers.set(as, await signInAs(this.#world, this.#superadmin, as, email));
  }

  async #add(kind: ObjectKind, caller: SignedIn): Promise<void> {
    const made = await makers[kind](this.#world, caller, caller);
    this.#ids.set(kind, [...(this.#ids.get(kind) ?? []), ...Object.values(made)]);
  }

  /** Puts in ids of what the route is about, and every third time of anything. */
  #fill(text: string, route: Route): string {
    const fitting = this.#ids.get(kindOf.get(named(route)) ?? 'camera') ?? [];
    const any = [...this.#ids.values()].flat();
    return text.replace(/@id:(\d+)@/g, (_all, digits: string) => {
      const n = Number(digits);
      const list = n % 3 === 0 || fitting.length === 0 ? any : fitting;
      return list[n % list.length]!;
    });
  }
}

async function withinPatience<T>(work: Promise<T>): Promise<T | null> {
  const gaveUp = Promise.withResolvers<null>();
  const timer = setTimeout(() => gaveUp.resolve(null), patienceMs);
  try {
    return await Promise.race([work, gaveUp.promise]);
  } finally {
    clearTimeout(timer);
  }
}

const unavailable = new Set(
  Object.entries(problems).flatMap(([code, status]) => (status === 503 ? [code] : [])),
);
/** The words of an answer, however it was sent. */
function textOf({
  headers,
  rawPayload,
}: {
  readonly headers: Record<string, unknown>;
  readonly rawPayload: Buffer;
}): string {
  const encoding = headers['content-encoding'];
  if (encoding === 'gzip') return gunzipSync(rawPayload).toString();
  if (encoding === 'zstd') return zstdDecompressSync(rawPayload).toString();
  return rawPayload.toString();
}

/** What a stack, a statement, the driver or a folder of ours looks like; no hostile text does. */
const insides = [
  /node_modules/,
  /\n\s+at [\w.<>]+ /,
  /\.ts:\d/,
  /relation "|violates |invalid input syntax|duplicate key|SQLSTATE|kysely/i,
  /ECONNREFUSED|ENOENT|EACCES/,
];
const folders = [process.cwd(), import.meta.dirname, `${tmpdir()}/nazar-`];

/** What is wrong with an answer; null when nothing is. */
export function faultOf(request: FuzzRequest, answer: FuzzAnswer): string | null {
  const { route, as } = request;
  const exchange = `${as} ${route.method} ${request.url.slice(0, 300)}: ${answer.status} ${answer.text.slice(0, 300)}`;
  if (({} as { polluted?: unknown }).polluted !== undefined) return `polluted by ${exchange}`;
  if (answer.status === 0) return `hangs: ${exchange}`;
  if (answer.status >= 500 && !isUnavailable(answer)) return `fails: ${exchange}`;
  const isOpen = openToAll().has(named(route));
  if (as === 'anonymous' && !isOpen && answer.status < 300) return `open: ${exchange}`;
  if (answer.status >= 400) {
    const fault = leak(answer.text) ?? misshapen(answer);
    return fault === null ? null : `${fault} in ${exchange}`;
  }
  if (!route.reply || answer.status === 204 || isAnother(request)) return null;
  return route.reply.safeParse(JSON.parse(answer.text)).success
    ? null
    : `not as promised: ${exchange}`;
}

/** A made-up id may lead to another route: `users/me/` is not the user `me`, and `%2e%2e` is a way up. */
function isAnother({ route, url }: FuzzRequest): boolean {
  const { pathname } = URL.parse(url, 'http://localhost') ?? { pathname: '' };
  const own = new RegExp(`^${route.path.replace(/:\w+/g, '[^/]+')}$`);
  const asked = `${route.method} ${pathname}`;
  return !own.test(pathname) || (asked !== named(route) && asks.some(({ name }) => name === asked));
}

function isUnavailable({ status, text }: FuzzAnswer): boolean {
  return status === 503 && unavailable.has(codeOf(text) ?? '');
}

function leak(text: string): string | null {
  const found = insides.find((pattern) => pattern.test(text)) ?? null;
  return found ? String(found) : (folders.find((folder) => text.includes(folder)) ?? null);
}

/** A refusal is `{ detail, code }` with a known code, or sentences by field. */
function misshapen({ text }: FuzzAnswer): string | null {
  if (text === '') return null; // HEAD
  const body = JSON.parse(text) as Record<string, unknown>;
  if (typeof body['code'] === 'string') return body['code'] in problems ? null : 'unknown code';
  const sentences = Object.values(body).every(
    (each) => Array.isArray(each) && each.every((one) => typeof one === 'string' && one !== ''),
  );
  return sentences ? null : 'neither sentences nor a code';
}

function codeOf(text: string): string | null {
  try {
    return (JSON.parse(text) as { code?: string }).code ?? null;
  } catch {
    return null;
  }
}
