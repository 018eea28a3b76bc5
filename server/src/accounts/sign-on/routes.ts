import { proofRoutes } from '@nazar/contract/proof.ts';
import { signOnRoutes } from '@nazar/contract/sign-on.ts';
import { Problem } from '#lib/problem.ts';
import { serve, type Api } from '#http/serve.ts';
import type { Accounts } from '../accounts.ts';
import { clientOf, opened, siteOfRequest } from '../routes.ts';
import type { Returned } from './sign-on.ts';

type Raw = Parameters<typeof opened>[0];
type Reply = Parameters<typeof opened>[1];

/** This cookie proves that the browser that returns is the one that left. */
const secureName = '__Host-nazar-sign-on';
const plainName = 'nazar-sign-on';
const maxAgeS = 10 * 60;

export function signOnEndpoints(api: Api, accounts: Accounts): void {
  const { signOn } = accounts;
  serve(api, signOnRoutes.begin, async ({ body, raw, reply }) => {
    if (await accounts.awaitsSetup()) throw new Problem('setup_required');
    const { url, secret } = await signOn.begin(body.remember);
    setCookie(raw, reply, secret);
    return { url };
  });
  serve(api, signOnRoutes.callback, async ({ raw, reply }) => {
    const at = raw.url.indexOf('?');
    const query = at < 0 ? '' : raw.url.slice(at);
    const returned = await signOn.redeem(query, cookieOf(raw), clientOf(raw));
    if (returned.kind === 'proven') setCookie(raw, reply, returned.secret);
    else void reply.clearCookie(cookieName(raw), attributes(raw));
    void reply.redirect(pageFor(returned), 303);
  });
  serve(api, signOnRoutes.complete, async ({ raw, reply }) => {
    const answer = await signOn.complete(cookieOf(raw), clientOf(raw));
    void reply.clearCookie(cookieName(raw), attributes(raw));
    if ('challenge' in answer) return { two_factor_required: true as const, ...answer };
    return opened(raw, reply, answer);
  });
  serve(api, signOnRoutes.connection, async ({ scope }) => ({
    connected_at: (await signOn.connectedAt(scope.userId))?.toISOString() ?? null,
  }));
  serve(api, signOnRoutes.connect, async ({ scope, body, raw, reply }) => {
    const { url, secret } = await signOn.connect(scope, body, siteOfRequest(raw));
    setCookie(raw, reply, secret);
    return { url };
  });
  serve(api, proofRoutes.signOn, async ({ scope, raw, reply }) => {
    const { url, secret } = await signOn.beginProof(scope);
    setCookie(raw, reply, secret);
    return { url };
  });
  serve(api, signOnRoutes.disconnect, ({ scope, body, raw }) =>
    signOn.disconnect(scope, body, siteOfRequest(raw)),
  );
}

/** One of our own pages; a request cannot name another. */
function pageFor(returned: Returned): string {
  if (returned.kind === 'proven') return '/login?signOn=proven';
  if (returned.kind !== 'refused') return `/security?signOn=${returned.kind}`;
  return `${returned.purpose === 'sign in' ? '/login' : '/security'}?signOn=${returned.fault}`;
}

function cookieName(request: Raw): string {
  return request.protocol === 'https' ? secureName : plainName;
}

function cookieOf(request: Raw): string | undefined {
  return request.cookies[cookieName(request)];
}

/** Lax: the browser comes back from another site, and must send it. */
function attributes(request: Raw) {
  const secure = request.protocol === 'https';
  return { path: '/', httpOnly: true, sameSite: 'lax', secure } as const;
}

function setCookie(request: Raw, reply: Reply, secret: string): void {
  void reply.setCookie(cookieName(request), secret, { ...attributes(request), maxAge: maxAgeS });
}
