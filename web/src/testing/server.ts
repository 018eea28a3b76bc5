/** A fake server for tests, typed by the contract: an answer that the real one could not give does not compile. */
import { ownSecurityRoutes, type MySecurity } from '@nazar/contract/own-security.ts';
import { HttpResponse, http, type DefaultBodyType, type HttpHandler } from 'msw';
import { setupServer } from 'msw/node';
import type { AnyRoute, Reply } from '#api/call.ts';

/** What every page asks while somebody is signed in; a test that is about it answers it itself. */
export const aSecurity = (over: Partial<MySecurity> = {}): MySecurity => ({
  session_timeout: 30,
  allowed_ips: 'All',
  api_access: false,
  effective: { session_timeout_minutes: 30, api_access: false },
  policy: { session_timeout_minutes: 30, api_access: false },
  ip: '192.0.2.7',
  session_ends_in_s: 1800,
  ...over,
});

export const server = setupServer(
  http.get(ownSecurityRoutes.security.path, () => HttpResponse.json(aSecurity())),
);

export interface Seen {
  readonly headers: Headers;
  readonly url: URL;
  readonly params: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

async function bodyOf(request: Request): Promise<unknown> {
  const kind = request.headers.get('content-type') ?? '';
  if (kind.startsWith('application/json')) return (await request.json()) as unknown;
  // A multipart form as its text: Node's parser stumbles over jsdom's File.
  return kind === '' ? null : await request.text();
}

type Answer<R extends AnyRoute> =
  Reply<R> | Response | ((seen: Seen) => Reply<R> | Response | Promise<Reply<R> | Response>);

/** Answers one route from now on; returns the requests it got, oldest first. */
export function answer<const R extends AnyRoute>(route: R, reply: Answer<R>): Seen[] {
  const seen: Seen[] = [];
  const method = route.method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete';
  const handler: HttpHandler = http[method](route.path, async ({ request, params }) => {
    const one: Seen = {
      headers: request.headers,
      url: new URL(request.url),
      params,
      body: await bodyOf(request),
    };
    seen.push(one);
    const made: unknown =
      typeof reply === 'function' ? await (reply as (one: Seen) => unknown)(one) : reply;
    if (made instanceof Response) return made.clone();
    if (route.reply === undefined) return new HttpResponse(null, { status: 204 });
    return HttpResponse.json(made as DefaultBodyType, { status: route.status ?? 200 });
  });
  server.use(handler);
  return seen;
}

/** A refusal as the server shapes it. */
export const refusal = (status: number, code: string, detail: string): Response =>
  HttpResponse.json({ detail, code }, { status });

export const fieldRefusal = (fields: Record<string, string[]>): Response =>
  HttpResponse.json(fields, { status: 400 });
