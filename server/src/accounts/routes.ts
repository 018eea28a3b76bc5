import type { FastifyReply, FastifyRequest } from 'fastify';
import { accountRoutes, type LoginReply } from '@nazar/contract/accounts.ts';
import { ownAccountRoutes } from '@nazar/contract/own-account.ts';
import { seeAsRoutes } from '@nazar/contract/see-as.ts';
import { setupRoutes } from '@nazar/contract/setup.ts';
import { userGroupRoutes } from '@nazar/contract/user-groups.ts';
import { Problem } from '#lib/problem.ts';
import { serve, type Api } from '#http/serve.ts';
import type { Accounts, Client, Issued, Opened } from './accounts.ts';
import { siteOf, type Site } from './site.ts';
import { tokenKinds } from './tokens.ts';

const secureName = '__Host-nazar-session';
const plainName = 'nazar-session';

/** `demoAvailable`: whether the wizard may offer the demo camera. */
export function accountEndpoints(api: Api, accounts: Accounts, demoAvailable: boolean): void {
  serve(api, accountRoutes.login, async ({ body, raw, reply }) => {
    await mustBeSetUp(accounts);
    const answer = await accounts.login(body, clientOf(raw));
    if ('challenge' in answer) return { two_factor_required: true as const, ...answer };
    return opened(raw, reply, answer);
  });
  serve(api, accountRoutes.refresh, async ({ body, raw }) => {
    await mustBeSetUp(accounts);
    return accounts.refresh(body.refresh, clientOf(raw));
  });
  serve(api, accountRoutes.logout, async ({ scope, raw, reply }) => {
    await accounts.logout(scope.sessionId, scope);
    forget(raw, reply);
  });
  serve(api, accountRoutes.me, ({ scope }) => accounts.me(scope.userId));
  serve(api, accountRoutes.meOfLogs, ({ scope }) => accounts.me(scope.userId));
  serve(api, accountRoutes.preferences, ({ scope }) => accounts.preferences.of(scope.userId));
  serve(api, accountRoutes.updatePreferences, ({ scope, body }) =>
    accounts.preferences.change(scope.userId, withoutUndefined(body)),
  );
  serve(api, setupRoutes.state, async () => ({
    required: await accounts.awaitsSetup(),
    demo_available: demoAvailable,
    registration: await accounts.registration.policy(),
    mail_available: accounts.recovery.isByMail,
    sign_on: accounts.signOn.name,
    session_limits: await accounts.security.sessionLimits(),
  }));
  serve(api, setupRoutes.administrator, async ({ body, raw, reply }) => {
    return opened(raw, reply, await accounts.setUp(body, clientOf(raw)));
  });
}

/** Registration and the user's own account. */
export function userEndpoints(api: Api, accounts: Accounts): void {
  const { own } = accounts;
  serve(api, ownAccountRoutes.register, async ({ body, raw }) => {
    await mustBeSetUp(accounts);
    return accounts.registration.register(body, raw.ip);
  });
  serve(api, ownAccountRoutes.updateMe, ({ scope, body, raw }) =>
    own.update(scope, body, siteOfRequest(raw)),
  );
  serve(api, ownAccountRoutes.changePassword, ({ scope, body }) => own.changePassword(scope, body));
  serve(api, ownAccountRoutes.deleteAccount, async ({ scope, body, raw, reply }) => {
    await own.delete(scope, body, siteOfRequest(raw));
    forget(raw, reply);
  });
  serve(api, ownAccountRoutes.sessions, async ({ scope }) => ({
    results: await own.sessions(scope),
  }));
  serve(api, ownAccountRoutes.endSession, ({ scope, params }) => own.endSession(scope, params.id));
}

/** Groups of users, and seeing as one of them. */
export function rightsEndpoints(api: Api, { groups, seeAs }: Accounts): void {
  serve(api, seeAsRoutes.begin, ({ scope, params }) => seeAs.begin(scope, params.id));
  serve(api, seeAsRoutes.end, ({ scope, params }) => seeAs.end(scope, params.id));
  serve(api, userGroupRoutes.list, async () => ({ results: await groups.list() }));
  serve(api, userGroupRoutes.add, ({ scope, body }) => groups.add(scope, body));
  serve(api, userGroupRoutes.replace, ({ scope, params, body }) =>
    groups.replace(scope, params.id, body),
  );
  serve(api, userGroupRoutes.remove, ({ scope, params }) => groups.remove(scope, params.id));
}

/** Open to anyone once the first account exists. */
export async function mustBeSetUp(accounts: Accounts): Promise<void> {
  if (await accounts.awaitsSetup()) throw new Problem('setup_required');
}

/** What a request says about its sender besides the token. */
export function clientOf(request: FastifyRequest): Client {
  return {
    isBrowser: request.headers['sec-fetch-site'] !== undefined,
    cookie: request.cookies[cookieName(request)],
    ip: request.ip,
    userAgent: request.headers['user-agent'] ?? '',
    site: siteOfRequest(request),
    isPoll: request.headers['x-poll'] === '1',
  };
}

/** Null: opened by an IP address, where passkeys do not work. */
export const siteOfRequest = ({ protocol, headers }: FastifyRequest): Site | null =>
  siteOf(protocol, headers.host);

/** The access token of a request, '' when there is none. Never taken from the query. */
export function bearerOf(request: FastifyRequest): string {
  return /^Bearer ([\w-]{1,128})$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
}

/** An API key, in the one header or the other, or null. */
export function apiKeyOf(request: FastifyRequest): string | null {
  const header = request.headers['x-api-key'];
  if (header !== undefined) return String(header);
  const bearer = bearerOf(request);
  return bearer.startsWith(`${tokenKinds.key}_`) ? bearer : null;
}

/** An address ends up in histories and logs; a key in one is no longer secret. */
export function holdsKeyInAddress(request: FastifyRequest): boolean {
  return request.url.includes(`${tokenKinds.key}_`);
}

/** Over TLS the `__Host-` prefix binds the cookie to this host; plain HTTP is served on loopback only. */
function cookieName(request: FastifyRequest): string {
  return request.protocol === 'https' ? secureName : plainName;
}

/** Also needed to clear it: browsers ignore changes to a `__Host-` cookie without them. */
function cookieAttributes(request: FastifyRequest) {
  const secure = request.protocol === 'https';
  return { path: '/', httpOnly: true, sameSite: 'strict', secure } as const;
}

/** The answer to a login, however it was made: the tokens in the body, the cookie beside it. */
export function opened(request: FastifyRequest, reply: FastifyReply, issued: Opened): LoginReply {
  setCookie(request, reply, issued);
  return { ...issued.tokens, user: issued.user };
}

function setCookie(request: FastifyRequest, reply: FastifyReply, { cookie }: Issued): void {
  if (!cookie) return;
  void reply.setCookie(cookieName(request), cookie.value, {
    ...cookieAttributes(request),
    ...(cookie.maxAgeS === null ? {} : { maxAge: cookie.maxAgeS }),
  });
}

/**
 * Clears the cookie, and the browser's cache of our answers. The page itself clears the storage, except for
 * the theme and the language; cookies of other hosts of the same domain are not ours to clear.
 */
function forget(request: FastifyRequest, reply: FastifyReply): void {
  void reply.clearCookie(cookieName(request), cookieAttributes(request));
  void reply.header('clear-site-data', '"cache"');
}

function withoutUndefined<T extends object>(
  value: T,
): { [K in keyof T]: Exclude<T[K], undefined> } {
  const kept = Object.entries(value).filter(([, field]) => field !== undefined);
  return Object.fromEntries(kept) as { [K in keyof T]: Exclude<T[K], undefined> };
}
