/** Who asks in the matrix of rights: an account of every standing, and its API keys. */
import type { CreatedApiKey } from '@nazar/contract/own-security.ts';
import type { Standing } from '@nazar/contract/route.ts';
import { nameOf, type Key, type Principal } from './matrix-cases.ts';
import { testPassword, type Reply, type SignedIn, type TestServer } from './server.ts';

export class Callers {
  /** Who makes others staff, and lets people have keys. */
  readonly superadmin: SignedIn;
  readonly #world: TestServer;
  readonly #known = new Map<string, SignedIn>();
  #newcomers = 0;

  private constructor(world: TestServer, superadmin: SignedIn) {
    this.#world = world;
    this.superadmin = superadmin;
  }

  static async begin(world: TestServer): Promise<Callers> {
    return new Callers(world, await world.signIn('superadmin', 'matrix-head@example.org'));
  }

  /** Null: anonymous. A new user each time where the asking ends the session or the account. */
  async caller(principal: Principal, spends = false): Promise<SignedIn | null> {
    if (principal === 'anonymous') return null;
    const name = nameOf(principal);
    if (typeof principal !== 'string') return this.#once(name, () => this.#byKey(principal));
    if (spends) return this.#newcomer(principal);
    return this.#once(name, () => this.#newcomer(principal));
  }

  async #once(name: string, make: () => Promise<SignedIn>): Promise<SignedIn> {
    const known = this.#known.get(name) ?? (await make());
    this.#known.set(name, known);
    return known;
  }

  #newcomer(standing: Standing): Promise<SignedIn> {
    const email = `matrix-${standing}-${(this.#newcomers += 1)}@example.org`;
    return signInAs(this.#world, this.superadmin, standing, email);
  }

  /** The owner, asking by a key. */
  async #byKey({ owner: standing, scopes }: Key): Promise<SignedIn> {
    const owner = await this.#once(`${standing} with keys`, () => this.#keyOwner(standing));
    const form = { name: 'Script', scopes, password: testPassword };
    const made = succeeded(await owner.send('POST', '/secure-api/accounts/api-keys/', form));
    return { ...owner, access: made.json<CreatedApiKey>().key };
  }

  /** Makes a user with API keys: without the policy and the user's own setting none are allowed. */
  async #keyOwner(standing: Standing): Promise<SignedIn> {
    const policy = { security: { apiAccessEnabled: true }, password: testPassword };
    const settings = '/secure-api/settings/update_system_settings/';
    succeeded(await this.superadmin.send('PATCH', settings, policy));
    const owner = await this.#newcomer(standing);
    const own = '/secure-api/accounts/security/update_my_security/';
    succeeded(await owner.send('PATCH', own, { api_access: true }));
    return owner;
  }
}

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
  succeeded(await superadmin.send('PATCH', url, { is_staff: true }));
  return signedIn;
}

function succeeded(reply: Reply): Reply {
  if (reply.status >= 300) throw new Error(`${reply.status} ${reply.text}`);
  return reply;
}
