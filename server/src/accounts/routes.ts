import type { FastifyReply, FastifyRequest } from 'fastify';
import { accountRoutes } from '@nazar/contract/accounts.ts';
import { ownAccountRoutes } from '@nazar/contract/own-account.ts';
import { setupRoutes } from '@nazar/contract/setup.ts';
import { userRoutes } from '@nazar/contract/users.ts';
import { Problem } from '#lib/problem.ts';
import { serve, type Doors } from '#http/serve.ts';
import type { Accounts, Client, Issued } from './accounts.ts';

const secureName = '__Host-nazar-session';
const plainName = 'nazar-session';

/** `demoAvailable`: whether the wizard may offer the demo camera. */
export function accountEndpoints(doors: Doors, accounts: Accounts, demoAvailable: boolean): void {
  serve(doors, accountRoutes.login, async ({ body, raw, reply }) => {
    await mustBeSetUp(accounts);
    const issued = await accounts.login(body, clientOf(raw));
    setCookie(raw, reply, issued);
    return { ...issued.tokens, user: issued.user };
  });
  serve(doors, accountRoutes.refresh, async ({ body, raw }) => {
    await mustBeSetUp(accounts);
    return accounts.refresh(body.refresh, clientOf(raw));
  });
  serve(doors, accountRoutes.logout, async ({ scope, raw, reply }) => {
    await accounts.logout(scope.sessionId, scope);
    void reply.clearCookie(cookieName(raw), cookieAttributes(raw));
  });
  serve(doors, accountRoutes.me, ({ scope }) => accounts.me(scope.userId));
  serve(doors, accountRoutes.preferences, ({ scope }) => accounts.preferences(scope.userId));
  serve(doors, accountRoutes.updatePreferences, ({ scope, body }) =>
    accounts.changePreferences(scope.userId, withoutUndefined(body)),
  );
  serve(doors, setupRoutes.state, async () => ({
    required: await accounts.awaitsSetup(),
    demo_available: demoAvailable,
    registration: await accounts.registration.policy(),
  }));
  serve(doors, setupRoutes.administrator, async ({ body, raw, reply }) => {
    const issued = await accounts.setUp(body, clientOf(raw));
    setCookie(raw, reply, issued);
    return { ...issued.tokens, user: issued.user };
  });
}

/** Beside them: registration, the account of one's own, and the administration of others'. */
export function userEndpoints(doors: Doors, accounts: Accounts): void {
  const { own, administration } = accounts;
  serve(doors, ownAccountRoutes.register, async ({ body, raw }) => {
    await mustBeSetUp(accounts);
    return accounts.registration.register(body, raw.ip);
  });
  serve(doors, ownAccountRoutes.updateMe, ({ scope, body, raw }) =>
    own.update({ ...scope, ip: raw.ip }, body),
  );
  serve(doors, ownAccountRoutes.changePassword, ({ scope, body, raw }) =>
    own.changePassword({ ...scope, ip: raw.ip }, body),
  );
  serve(doors, ownAccountRoutes.deleteAccount, async ({ scope, body, raw, reply }) => {
    await own.delete({ ...scope, ip: raw.ip }, body.password);
    void reply.clearCookie(cookieName(raw), cookieAttributes(raw));
  });
  serve(doors, ownAccountRoutes.sessions, async ({ scope, raw }) => ({
    results: await own.sessions({ ...scope, ip: raw.ip }),
  }));
  serve(doors, ownAccountRoutes.endSession, ({ scope, params, raw }) =>
    own.endSession({ ...scope, ip: raw.ip }, params.id),
  );
  serve(doors, userRoutes.list, ({ scope, query }) => administration.list(scope, query));
  serve(doors, userRoutes.create, ({ scope, body }) => administration.create(scope, body));
  serve(doors, userRoutes.change, ({ scope, params, body }) =>
    administration.change(scope, params.id, body),
  );
  serve(doors, userRoutes.name, ({ scope, params }) => administration.name(scope, params.id));
}

/** C-101: open to anyone, but not before there is anybody. */
async function mustBeSetUp(accounts: Accounts): Promise<void> {
  if (await accounts.awaitsSetup()) throw new Problem('setup_required');
}

/** What a request says about its sender beside the token. */
export function clientOf(request: FastifyRequest): Client {
  return {
    isBrowser: request.headers['sec-fetch-site'] !== undefined,
    cookie: request.cookies[cookieName(request)],
    ip: request.ip,
    userAgent: request.headers['user-agent'] ?? '',
  };
}

/** The access token of a request, '' when there is none. Never taken from the query (C-119). */
export function bearerOf(request: FastifyRequest): string {
  return /^Bearer ([\w-]{1,128})$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
}

/** Over TLS the `__Host-` prefix binds the cookie to this host; plain HTTP is served on loopback only. */
function cookieName(request: FastifyRequest): string {
  return request.protocol === 'https' ? secureName : plainName;
}

/** Also to clear it: browsers refuse to touch a `__Host-` cookie without them. */
function cookieAttributes(request: FastifyRequest) {
  const secure = request.protocol === 'https';
  return { path: '/', httpOnly: true, sameSite: 'strict', secure } as const;
}

function setCookie(request: FastifyRequest, reply: FastifyReply, { cookie }: Issued): void {
  if (!cookie) return;
  void reply.setCookie(cookieName(request), cookie.value, {
    ...cookieAttributes(request),
    ...(cookie.maxAgeS === null ? {} : { maxAge: cookie.maxAgeS }),
  });
}

function withoutUndefined<T extends object>(
  value: T,
): { [K in keyof T]: Exclude<T[K], undefined> } {
  const kept = Object.entries(value).filter(([, field]) => field !== undefined);
  return Object.fromEntries(kept) as { [K in keyof T]: Exclude<T[K], undefined> };
}
