/**
 * What is checked before any route is looked at: that the request was meant for this host (a rebinding
 * page is not, C-704), that a change comes from our own pages (C-705), and the headers of every answer
 * (C-701, C-707).
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Problem } from '#lib/problem.ts';

/**
 * `style-src-attr` lets scripts set style attributes (React's `style`, the positions of menus), which
 * carry no code; style elements and style attributes in HTML that an attacker could inject stay refused,
 * because there is no HTML sink. Measured by the end-to-end walk: 0 violations.
 */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "style-src-attr 'unsafe-inline'",
  "img-src 'self' blob: data:",
  "media-src 'self' blob:",
  "connect-src 'self'",
  "font-src 'self'",
  "manifest-src 'self'",
  "frame-src 'none'",
  "frame-ancestors 'none'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "require-trusted-types-for 'script'",
].join('; ');

const answerHeaders = {
  'content-security-policy': contentSecurityPolicy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(self), microphone=(), geolocation=(), payment=(), usb=()',
};

const changes = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

export interface Guards {
  /** Host names (without port) this installation answers to. */
  readonly hosts: readonly string[];
}

export function guard(app: FastifyInstance, { hosts }: Guards): void {
  app.addHook('onRequest', async (request, reply) => {
    void reply.headers(answerHeaders);
    const upgrading = request.headers.upgrade !== undefined;
    // Node lets go of a connection that asked for an upgrade: refused, it would stay open for ever and keep
    // the server from stopping.
    if (upgrading) reply.raw.once('finish', () => request.raw.socket.destroySoon());
    if (!hosts.includes(hostName(request.headers.host))) throw new Problem('foreign_host');
    if ((changes.has(request.method) || upgrading) && isForeign(request)) {
      throw new Problem('foreign_origin');
    }
    // Answers of the API are never kept by anybody but the page that asked (C-404).
    if (!request.url.startsWith('/assets/'))
      void reply.header('cache-control', 'private, no-store');
  });
}

/** `[::1]:8080` -> `[::1]`, `localhost:8080` -> `localhost`; '' when there is none. */
export function hostName(header: string | undefined): string {
  return (header ?? '').replace(/:\d{1,5}$/, '').toLowerCase();
}

/** A request that a browser sent on behalf of another site's page. Scripts outside browsers send neither header. */
function isForeign(request: FastifyRequest): boolean {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  const { origin } = request.headers;
  if (origin === undefined) return false;
  const host = URL.canParse(origin) ? new URL(origin).host : '';
  return host.toLowerCase() !== (request.headers.host ?? '').toLowerCase();
}
