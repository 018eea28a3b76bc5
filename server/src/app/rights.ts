/**
 * Who the caller is and what they may see: accounts know the caller, cameras the grants. Every request, live view
 * and live event asks again, so that lost rights are lost at once.
 */
import { seeAsHeader } from '@nazar/contract/see-as.ts';
import type { FastifyRequest } from 'fastify';
import type { Accounts, Client } from '#accounts/accounts.ts';
import { apiKeyOf, bearerOf, clientOf, holdsKeyInAddress } from '#accounts/routes.ts';
import type { Cameras } from '#cameras/cameras.ts';
import type { EnrolmentRights } from '#faces/faces.ts';
import {
  createScope,
  noGrants,
  seesEverything,
  type Asked,
  type Asker,
  type Scope,
} from '#http/scope.ts';
import { Problem } from '#lib/problem.ts';
import type { Readers } from '#visits/counting/routes.ts';
import type { Identity } from '#accounts/accounts.ts';

/** Ranks of standings: what an account with more rights enrolled comes first. */
const tiers = { superadmin: 0, admin: 0, staff: 0, operator: 1, user: 2 } as const;

/** The cameras each of these accounts may enrol for: all for administrators, for others those they may see. */
export const enrolmentRightsOf =
  (accounts: Pick<Accounts, 'standingsOf'>, { access }: Pick<Cameras, 'access'>) =>
  async (userIds: readonly string[]): Promise<Map<string, EnrolmentRights>> => {
    const standings = await accounts.standingsOf(userIds);
    const ordinary = userIds.filter((id) => !seesEverything(standings.get(id) ?? 'user'));
    const cameras = await access.camerasOf(ordinary);
    const rights = [...standings].map(([id, standing]) => {
      const held = seesEverything(standing) ? 'all' : (cameras.get(id) ?? new Set<string>());
      return [id, { tier: tiers[standing], cameras: held }] as const;
    });
    return new Map(rights);
  };

/** Whose days counts are of, and whose eyes. */
export const readersOf = (
  accounts: Pick<Accounts, 'standingsOf' | 'preferences'>,
  { access }: Pick<Cameras, 'access'>,
): Readers => ({
  async zoneOf({ userId }, asked) {
    return asked ?? (await accounts.preferences.of(userId)).timezone ?? 'UTC';
  },
  async seenBy(scope, userId) {
    if (userId === undefined || userId === scope.userId || !scope.seesAll) return scope;
    const standing = (await accounts.standingsOf([userId])).get(userId);
    if (standing === undefined) throw new Problem('user_not_found');
    const user = { userId, email: '', sessionId: scope.sessionId, standing };
    return createScope(user, await access.visibleTo(user), scope);
  },
});

/** The rights of another user, as an administrator asks for them; null: there is no such user. */
export const scopeOfUser =
  (readers: Pick<Readers, 'seenBy'>) =>
  async (scope: Scope, userId: string): Promise<Scope | null> => {
    try {
      return await readers.seenBy(scope, userId);
    } catch (error) {
      if (error instanceof Problem && error.code === 'user_not_found') return null;
      throw error;
    }
  };

/** As which user the caller sees, and who the caller is if that is another user. */
interface Caller {
  readonly seen: Identity;
  readonly seenBy: string | null;
}

/** What takes the right from one asker, and from no other that is asked for with it. */
const refusals: ReadonlySet<string> = new Set(['see_as_ended', 'see_as_forbidden']);

type From = Pick<Scope, 'ip' | 'userAgent'>;

export class Rights {
  readonly #accounts: Accounts;
  readonly #cameras: Cameras;

  constructor(accounts: Accounts, cameras: Cameras) {
    this.#accounts = accounts;
    this.#cameras = cameras;
  }

  /** Throws not_signed_in, see_as_ended, see_as_forbidden. */
  async ofRequest(request: FastifyRequest): Promise<Scope> {
    const header = request.headers[seeAsHeader];
    const seeAs = typeof header === 'string' ? header : null;
    const client = clientOf(request);
    const identity = await this.#identify(request, client);
    // The route table says which routes stay open.
    const mustEnrol = await this.#accounts.twoFactor.mustEnrol(identity);
    return { ...(await this.#scope(identity, seeAs, client)), mustEnrol };
  }

  /** The scope of a page's event socket, which keeps no session alive. Throws as `ofRequest`. */
  async ofSocket(access: string, seeAs: string | null, client: Client): Promise<Scope> {
    const identity = await this.#accounts.identify(access, { ...client, isPoll: true });
    if (await this.#accounts.twoFactor.mustEnrol(identity)) {
      throw new Problem('two_factor_required_by_policy');
    }
    return this.#scope(identity, seeAs, client);
  }

  /** The scope of a ticket in an address that opens that camera. Throws not_signed_in for other tickets. */
  async ofTicket(request: FastifyRequest, asker: Asker | null): Promise<Scope> {
    const { ip, userAgent } = clientOf(request);
    const scope = asker && (await this.ofAsker(asker, ip));
    if (!scope) throw new Problem('not_signed_in');
    return { ...scope, userAgent };
  }

  /** Null when the session ended, or may no longer be used from that address or see as that user. */
  async ofAsker(asker: Asker, ip: string): Promise<Scope | null> {
    return (await this.ofAskers([{ asker, ip }]))[0] ?? null;
  }

  /**
   * The same for each, in their order. However many ask, the database is queried as often as for one, except for API
   * keys and administrators who see as another user.
   */
  async ofAskers(asked: readonly Asked[]): Promise<(Scope | null)[]> {
    if (asked.length === 0) return [];
    const { access } = this.#cameras;
    const callers = await this.#callersOf(asked);
    const seen = callers.filter((caller) => caller !== null).map((caller) => caller.seen);
    const grants = await access.visibleToEach(seen);
    return callers.map((caller, nth) => {
      if (!caller) return null;
      const from = { ip: asked[nth]!.ip, userAgent: '' };
      const scope = createScope(caller.seen, grants.get(caller.seen.userId) ?? noGrants, from);
      return { ...scope, seenBy: caller.seenBy };
    });
  }

  /** Null for callers who may not ask any more. */
  async #callersOf(asked: readonly Asked[]): Promise<(Caller | null)[]> {
    const used = asked.map(({ asker, ip }) => ({ sessionId: asker.sessionId, ip }));
    const identities = await this.#accounts.identifyEach(used);
    const known = identities.filter((identity) => identity !== null);
    const mustEnrol = await this.#accounts.twoFactor.mustEnrolOf(known);
    const callers = identities.map(async (identity, nth) => {
      if (!identity || mustEnrol.has(identity.userId)) return null;
      const { seeAs } = asked[nth]!.asker;
      return this.#callerOf(identity, seeAs).catch((error: unknown) => {
        if (error instanceof Problem && refusals.has(error.code)) return null;
        throw error;
      });
    });
    return Promise.all(callers);
  }

  /** Accepts an access token or an API key, never both: it would be a guess which of the two was meant. */
  #identify(request: FastifyRequest, client: Client): Promise<Identity> {
    const key = apiKeyOf(request);
    const bearer = bearerOf(request);
    const isAmbiguous = key !== null && bearer !== '' && bearer !== key;
    if (holdsKeyInAddress(request) || isAmbiguous) throw new Problem('not_signed_in');
    if (key === null) return this.#accounts.identify(bearer, client);
    return this.#accounts.keys.identify(key, client);
  }

  async #scope(identity: Identity, seeAs: string | null, client: From): Promise<Scope> {
    const { seen, seenBy } = await this.#callerOf(identity, seeAs);
    return { ...createScope(seen, await this.#cameras.access.visibleTo(seen), client), seenBy };
  }

  /** Throws see_as_ended, see_as_forbidden. */
  async #callerOf(identity: Identity, seeAs: string | null): Promise<Caller> {
    if (seeAs === null) return { seen: identity, seenBy: null };
    // A user may see as another one, a script may not.
    if (identity.keyScopes) throw new Problem('see_as_forbidden');
    return {
      seen: await this.#accounts.seeAs.identify(identity, seeAs),
      seenBy: identity.userId,
    };
  }
}
