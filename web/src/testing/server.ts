/** A fake server for tests, typed by the contract: an answer that the real one could not give does not compile. */
import { api } from '@nazar/contract/api.ts';
import { liveViewRoutes } from '@nazar/contract/live-views.ts';
import type { Route } from '@nazar/contract/route.ts';
import { unknownFieldsOf } from '@nazar/contract/unknown-fields.ts';
import { HttpResponse, http, type DefaultBodyType, type HttpHandler } from 'msw';
import { setupServer } from 'msw/node';
import type { AnyRoute, Reply } from '#api/call.ts';
import { usualReplies } from './usual-replies.ts';

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
const methodOf = ({ method }: AnyRoute): Method => method.toLowerCase() as Method;

/** A test that is about one of these answers it itself. */
export const server = setupServer(
  ...usualReplies.map(([route, reply]) =>
    http[methodOf(route)](route.path, () => HttpResponse.json(reply as DefaultBodyType)),
  ),
  // A live view whose other transports show nothing asks for them.
  http.get(liveViewRoutes.mjpeg.path, () =>
    HttpResponse.json({ detail: '', code: 'camera_not_live' }, { status: 503 }),
  ),
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

/** Fields that pages sent and the real server refuses by name. */
export const refusedFields: string[] = [];
const routes = Object.values(api).flatMap((module) => Object.values(module) as Route[]);

function noteRefused(route: AnyRoute, body: unknown): void {
  const names = typeof body === 'string' ? body.matchAll(/; name="([^"]+)"(?!; filename)/g) : null;
  const fields =
    names === null ? body : Object.fromEntries([...names].map(([, name]) => [name, '']));
  const unknown = unknownFieldsOf(route as Route, routes)(fields);
  refusedFields.push(
    ...unknown.map(({ path }) => `${route.method} ${route.path} ${path.join('.')}`),
  );
}

type Answer<R extends AnyRoute> =
  Reply<R> | Response | ((seen: Seen) => Reply<R> | Response | Promise<Reply<R> | Response>);

/** Answers one route from now on; returns the requests it got, oldest first. */
export function answer<const R extends AnyRoute>(route: R, reply: Answer<R>): Seen[] {
  const seen: Seen[] = [];
  const handler: HttpHandler = http[methodOf(route)](route.path, async ({ request, params }) => {
    const one: Seen = {
      headers: request.headers,
      url: new URL(request.url),
      params,
      body: await bodyOf(request),
    };
    seen.push(one);
    noteRefused(route, one.body);
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
export const refusal = (
  status: number,
  code: string,
  detail: string,
  headers: Record<string, string> = {},
): Response => HttpResponse.json({ detail, code }, { status, headers });

export const fieldRefusal = (fields: Record<string, string[]>): Response =>
  HttpResponse.json(fields, { status: 400 });
