/** Walks the cases of the matrix of rights. */
import { Callers } from './matrix-callers.ts';
import { expected, grantable, nameOf, type Case } from './matrix-cases.ts';
import { grantTo, makers } from './matrix-objects.ts';
import type { Made } from './rights/row.ts';
import { unknownId } from './routes.ts';
import { call, type Reply, type SignedIn, type TestServer } from './server.ts';

export class MatrixWalk {
  readonly #world: TestServer;
  readonly #callers: Callers;
  /** Owns what is another user's to every caller. */
  readonly #stranger: SignedIn;
  readonly #onReply: (reply: Reply) => void;
  /** What a caller was refused is still there, for the next refusal. */
  readonly #untouched = new Map<string, Made>();

  private constructor(
    world: TestServer,
    callers: Callers,
    stranger: SignedIn,
    onReply: (reply: Reply) => void,
  ) {
    this.#world = world;
    this.#callers = callers;
    this.#stranger = stranger;
    this.#onReply = onReply;
  }

  /** `onReply` receives every answer. */
  static async begin(
    world: TestServer,
    onReply: (reply: Reply) => void = () => undefined,
  ): Promise<MatrixWalk> {
    const callers = await Callers.begin(world);
    const stranger = await world.signIn('user', 'stranger@example.org');
    return new MatrixWalk(world, callers, stranger, onReply);
  }

  /** What is wrong with the answer of one case; null when it is as tabled. */
  async fault(one: Case): Promise<string | null> {
    const { route, ask, principal, cell, relation } = one;
    const caller = await this.#callers.caller(principal, ask.spends);
    const about = `${route.method} ${route.path} as ${nameOf(principal)}, ${relation}`;
    if (relation === 'list' && cell !== '-') {
      const wrong = await this.#listFault(one, caller!);
      return wrong && `${about}: ${wrong}`;
    }
    const made = await this.#made(one, caller ?? this.#stranger);
    const reply = await this.#ask(one, caller, made);
    const wanted = expected(one);
    if (fits(reply, wanted)) return null;
    return `${about}: ${wanted} expected, ${reply.status} ${reply.text.slice(0, 200)}`;
  }

  /** What is not one's own is answered as what does not exist is, to the letter (C-308). */
  async difference(one: Case): Promise<string | null> {
    const hides = (one.cell === 'own' || one.cell === 'vis') && !one.ask.foreign;
    if (one.relation !== "other's" || !hides || one.ask.of === 'oneself') return null;
    const caller = await this.#callers.caller(one.principal, one.ask.spends);
    const [foreign, missing] = [one, { ...one, relation: 'missing' } as const].map(async (each) => {
      const made = await this.#made(each, caller!);
      return (await this.#ask(each, caller, made)).text;
    });
    if ((await foreign) === (await missing)) return null;
    return `${one.route.method} ${one.route.path} as ${nameOf(one.principal)}: ${await foreign}, ${await missing}`;
  }

  async #listFault(one: Case, caller: SignedIn): Promise<string | null> {
    const { ask, cell } = one;
    const own = await makers[ask.of!](this.#world, caller, caller);
    const foreign = await makers[ask.of!](this.#world, this.#stranger, caller);
    const reply = await this.#ask(one, caller, own);
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

  async #made(one: Case, caller: SignedIn): Promise<Made> {
    if (one.cell !== '-') return this.#make(one, caller);
    const about = `${one.ask.of}, ${one.relation} to ${caller.id}`;
    const made = this.#untouched.get(about) ?? (await this.#make(one, caller));
    this.#untouched.set(about, made);
    return made;
  }

  async #make({ ask, relation }: Case, caller: SignedIn): Promise<Made> {
    if (!ask.of) return {};
    const owner = relation === "other's" || relation === 'granted' ? this.#stranger : caller;
    const made = await makers[ask.of](this.#world, owner, caller);
    if (relation === 'granted') await grantTo(this.#world, owner, caller, made['camera']!);
    return relation === 'missing' ? { ...made, id: crypto.randomUUID() } : made;
  }

  async #ask({ route, ask }: Case, caller: SignedIn | null, made: Made): Promise<Reply> {
    const fill = (text: string) =>
      text.replace(/:(\w+)/g, (_all, name: string) => made[name] ?? unknownId);
    const asking = caller ?? this.#stranger;
    const body = typeof ask.body === 'function' ? ask.body(asking, made) : ask.body;
    const url = fill(route.path) + fill(ask.query ?? '');
    const multipart = route.consumes?.includes('json') === false;
    const reply = await call(this.#world.app, route.method, url, {
      ...(caller ? { access: caller.access } : {}),
      ...(multipart ? emptyForm : route.body ? { body: body ?? {} } : {}),
    });
    this.#onReply(reply);
    return reply;
  }
}

/** A form with nothing in it but its end. */
const emptyForm = {
  headers: { 'content-type': 'multipart/form-data; boundary=x' },
  body: '--x--\r\n',
};

function fits({ status, text }: Reply, wanted: number | string): boolean {
  return typeof wanted === 'number' ? status === wanted : text.includes(wanted);
}
