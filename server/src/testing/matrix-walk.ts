/** Walks the matrix of rights: every row, as everybody, about one's own, somebody else's and nothing at all. */
import type { Route, Standing } from '@nazar/contract/route.ts';
import { grantTo, makers, type ObjectKind } from './matrix-objects.ts';
import { matrix, type Ask, type Made } from './rights-matrix.ts';
import { call, type Reply, type SignedIn, type TestServer } from './server.ts';

const principals = ['anonymous', 'user', 'operator', 'staff', 'admin', 'superadmin'] as const;
type Principal = (typeof principals)[number];
export type Cell = '-' | 'own' | 'vis' | 'all' | `${number}`;
type Relation = 'own' | 'granted' | "other's" | 'missing' | 'list' | 'none';

export interface Case {
  readonly route: Route;
  readonly ask: Ask;
  readonly principal: Principal;
  readonly cell: Cell;
  readonly relation: Relation;
}

/** `served`: routes by `METHOD /path/`. A row about a route that is not there is an error. */
export function casesOf(served: ReadonlyMap<string, Route>): Case[] {
  return matrix.flatMap(({ resource, cells, routes }) => {
    const row = cellsOf(cells, resource);
    return Object.entries(routes).flatMap(([name, asked]) => {
      const route = served.get(name);
      if (!route) throw new Error(`${name}: the matrix names a route that is not served`);
      return [asked].flat().flatMap((ask) =>
        principals.flatMap((principal, column) => {
          const cell = row[column]!;
          return relationsOf(route, ask, principal).map((relation) => ({
            route,
            ask,
            principal,
            cell,
            relation,
          }));
        }),
      );
    });
  });
}

/** Names of the routes that the matrix has a line for. */
export const namesInMatrix = (): string[] => matrix.flatMap(({ routes }) => Object.keys(routes));

/** Names of the routes that the matrix opens to who has no account. */
export const openToAnybody = (): Set<string> =>
  new Set(
    matrix
      .filter(({ cells }) => !cells.startsWith('-'))
      .flatMap(({ routes }) => Object.keys(routes)),
  );

function cellsOf(cells: string, resource: string): Cell[] {
  const row = cells.trim().split(/\s+/);
  if (row.length !== principals.length) throw new Error(`${resource}: ${cells} is not six cells`);
  return row as Cell[];
}

function relationsOf(route: Route, ask: Ask, principal: Principal): Relation[] {
  if (!ask.of) return ['none'];
  if (isList(route, ask)) return principal === 'anonymous' ? ['none'] : ['list'];
  if (principal === 'anonymous') return ["other's", 'missing'];
  const granted = grantable.includes(ask.of) ? (['granted'] as const) : [];
  return ['own', ...granted, "other's", 'missing'];
}

const isList = ({ path }: Route, { query = '', body }: Ask): boolean =>
  !path.includes(':') && !query.includes(':') && body === undefined;

/** What a grant of a camera reaches. */
const grantable: readonly ObjectKind[] = ['camera', 'camera group', 'visit'];

type Callers = Readonly<Record<Standing, SignedIn>>;

export class MatrixWalk {
  readonly #world: TestServer;
  readonly #callers: Callers;
  /** Owns what is somebody else's to every caller. */
  readonly #stranger: SignedIn;
  readonly #heard: (reply: Reply) => void;
  #newcomers = 0;

  private constructor(
    world: TestServer,
    callers: Callers,
    stranger: SignedIn,
    heard: (reply: Reply) => void,
  ) {
    this.#world = world;
    this.#callers = callers;
    this.#stranger = stranger;
    this.#heard = heard;
  }

  /** `heard` is told every answer. */
  static async begin(
    world: TestServer,
    heard: (reply: Reply) => void = () => undefined,
  ): Promise<MatrixWalk> {
    const superadmin = await world.signIn('superadmin', 'matrix-superadmin@example.org');
    const signIn = (standing: Exclude<Standing, 'superadmin'>) =>
      signInAs(world, superadmin, standing, `matrix-${standing}@example.org`);
    const callers = {
      superadmin,
      user: await signIn('user'),
      operator: await signIn('operator'),
      staff: await signIn('staff'),
      admin: await signIn('admin'),
    };
    const stranger = await world.signIn('user', 'stranger@example.org');
    return new MatrixWalk(world, callers, stranger, heard);
  }

  /** What is wrong with the answer of one case; null when it is as tabled. */
  async fault(one: Case): Promise<string | null> {
    const { route, ask, principal, cell, relation } = one;
    const caller = await this.#caller(principal, ask);
    const about = `${route.method} ${route.path} as ${principal}, ${relation}`;
    if (relation === 'list') {
      const wrong = await this.#listFault(one, caller!);
      return wrong && `${about}: ${wrong}`;
    }
    const made = await this.#made(one, caller ?? this.#stranger);
    const reply = await this.#ask(one, caller, made);
    const wanted = expected(route, ask, principal, cell, relation);
    if (fits(reply, wanted)) return null;
    return `${about}: ${wanted} expected, ${reply.status} ${reply.text.slice(0, 200)}`;
  }

  /** What is not one's own is answered as what does not exist is, to the letter (C-308). */
  async difference(one: Case): Promise<string | null> {
    const hides = (one.cell === 'own' || one.cell === 'vis') && !one.ask.foreign;
    if (one.relation !== "other's" || !hides || one.ask.of === 'oneself') return null;
    const caller = await this.#caller(one.principal, one.ask);
    const [foreign, missing] = [one, { ...one, relation: 'missing' } as const].map(async (each) => {
      const made = await this.#made(each, caller!);
      return (await this.#ask(each, caller, made)).text;
    });
    if ((await foreign) === (await missing)) return null;
    return `${one.route.method} ${one.route.path} as ${one.principal}: ${await foreign}, ${await missing}`;
  }

  async #listFault(one: Case, caller: SignedIn): Promise<string | null> {
    const { ask, cell } = one;
    const own = await makers[ask.of!](this.#world, caller, caller);
    const foreign = await makers[ask.of!](this.#world, this.#stranger, caller);
    const reply = await this.#ask(one, caller, own);
    if (cell === '-') return reply.status === 403 ? null : `403 expected, ${reply.status}`;
    if (reply.status !== (one.route.status ?? 200)) return `${reply.status} ${reply.text}`;
    if (!reply.text.includes(own['id']!)) return 'one’s own is not in it';
    const granted = grantable.includes(ask.of!)
      ? await this.#made({ ...one, relation: 'granted' }, caller)
      : null;
    const again = granted ? await this.#ask(one, caller, own) : null;
    if (granted && !again?.text.includes(granted['id']!)) return 'what was granted is not in it';
    const shows = reply.text.includes(foreign['id']!);
    return shows === (cell === 'all') ? null : `somebody else’s is ${shows ? '' : 'not '}in it`;
  }

  async #made({ ask, relation }: Case, caller: SignedIn): Promise<Made> {
    if (!ask.of) return {};
    const owner = relation === "other's" || relation === 'granted' ? this.#stranger : caller;
    const made = await makers[ask.of](this.#world, owner, caller);
    if (relation === 'granted') await grantTo(this.#world, owner, caller, made['camera']!);
    return relation === 'missing' ? { ...made, id: crypto.randomUUID() } : made;
  }

  async #ask({ route, ask }: Case, caller: SignedIn | null, made: Made): Promise<Reply> {
    const fill = (text: string) => text.replace(/:(\w+)/g, (_all, name: string) => made[name]!);
    const asking = caller ?? this.#stranger;
    const body = typeof ask.body === 'function' ? ask.body(asking, made) : ask.body;
    const url = fill(route.path) + fill(ask.query ?? '');
    const multipart = route.consumes?.includes('json') === false;
    const reply = await call(this.#world.app, route.method, url, {
      ...(caller ? { access: caller.access } : {}),
      ...(multipart ? emptyForm : route.body ? { body: body ?? {} } : {}),
    });
    this.#heard(reply);
    return reply;
  }

  async #caller(principal: Principal, { spends }: Ask): Promise<SignedIn | null> {
    if (principal === 'anonymous') return null;
    if (!spends) return this.#callers[principal];
    const email = `spent-${(this.#newcomers += 1)}@example.org`;
    return signInAs(this.#world, this.#callers.superadmin, principal, email);
  }
}

/** A form with nothing in it but its end. */
const emptyForm = {
  headers: { 'content-type': 'multipart/form-data; boundary=x' },
  body: '--x--\r\n',
};

/** An account of its own with that standing. */
export async function signInAs(
  world: TestServer,
  superadmin: SignedIn,
  standing: Standing,
  email: string,
): Promise<SignedIn> {
  const signedIn = await world.signIn(standing === 'staff' ? 'user' : standing, email);
  if (standing !== 'staff') return signedIn;
  const url = `/secure-api/accounts/users/${signedIn.id}/`;
  const { status } = await superadmin.send('PATCH', url, { is_staff: true });
  if (status !== 200) throw new Error(`no staff: ${status}`);
  return signedIn;
}

function expected(
  route: Route,
  ask: Ask,
  principal: Principal,
  cell: Cell,
  relation: Relation,
): number | string {
  const admitted = ask.ok ?? route.status ?? (route.reply || route.produces ? 200 : 204);
  if (cell === '-') return principal === 'anonymous' ? 401 : 403;
  if (relation === 'missing') return 404;
  if (/^\d+$/.test(cell)) return Number(cell);
  const isOthers = relation === "other's" || (relation === 'granted' && cell !== 'vis');
  const isForeign = isOthers && cell !== 'all';
  return isForeign ? (ask.foreign ?? 404) : admitted;
}

function fits({ status, text }: Reply, wanted: number | string): boolean {
  return typeof wanted === 'number' ? status === wanted : text.includes(wanted);
}
