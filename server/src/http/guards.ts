/**
 * Checks that run before any route: that the request was meant for this host (a rebinding
 * page is not), that a change comes from our own pages, and the headers of every answer.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '#lib/problem.ts';
import type { RequestLimits } from './request-limits.ts';

/**
 * `style-src-attr` lets scripts set style attributes (React's `style`, the positions of menus), which
 * carry no code; style elements and style attributes in HTML that an attacker could inject stay refused,
 * because there is no HTML sink. Measured by the end-to-end walk: 0 violations.
 *
 * `frame-src 'self'`: this server sends one kind of document that may be framed, which frames one camera's
 * origin (live/camera-page.ts). The page itself never names the origin of a camera.
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "style-src-attr 'unsafe-inline'",
  "img-src 'self' blob: data:",
  "media-src 'self' blob:",
  "connect-src 'self'",
  "font-src 'self'",
  "manifest-src 'self'",
  "frame-src 'self'",
  "frame-ancestors 'none'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "require-trusted-types-for 'script'",
].join('; ');

export const answerHeaders = {
  'content-security-policy': contentSecurityPolicy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(self), microphone=(), geolocation=(), payment=(), usb=()',
};

const changes = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/** Longer addresses are refused before they are read (C-712). */
const maxUrlChars = 8 * 1024;

/** A year, for this name alone: we have no say about servers under names below it. */
const strictTransport = 'max-age=31536000';

export interface Guards {
  /** Host names (without port) this installation answers to. */
  readonly hosts: readonly string[];
  /**
   * Whether browsers may be instructed to insist on TLS from now on. Not with a self-signed
   * certificate: users could then no longer pass the warning.
   */
  readonly insistOnTls: boolean;
  /** Null: no limit. */
  readonly limits: RequestLimits | null;
}

export function guard(app: FastifyInstance, { hosts, insistOnTls, limits }: Guards): void {
  app.addHook('onRequest', async (request, reply) => {
    void reply.headers(answerHeaders);
    if (insistOnTls && request.protocol === 'https') {
      void reply.header('strict-transport-security', strictTransport);
    }
    const upgrading = request.headers.upgrade !== undefined;
    endAfterUpgrade(request, reply);
    if (request.url.length > maxUrlChars) throw new Problem('url_too_long');
    if (request.headers.host === undefined && request.raw.httpVersion === '1.1') {
      throw new Problem('bad_request');
    }
    const host = hostName(request.headers.host);
    if (!hosts.includes(host) && !isCalledByAddress(request, host)) {
      throw new Problem('foreign_host');
    }
    if ((changes.has(request.method) || upgrading) && isForeign(request)) {
      throw new Problem('foreign_origin');
    }
    if (!request.url.startsWith('/assets/')) limits?.ofAddress(request.ip);
    // Only the page that sent the request may keep answers of the API.
    if (!request.url.startsWith('/assets/'))
      void reply.header('cache-control', 'private, no-store');
  });
}

/**
 * Node lets go of a connection that requested an upgrade: if the upgrade is refused, the connection would stay open for
 * ever and keep the server from stopping.
 */
export function endAfterUpgrade(request: FastifyRequest, reply: FastifyReply): void {
  if (request.headers.upgrade === undefined) return;
  reply.raw.once('finish', () => request.raw.socket.destroySoon());
}

/** `[::1]:8080` -> `[::1]`, `localhost:8080` -> `localhost`; '' when there is none. */
export function hostName(header: string | undefined): string {
  return (header ?? '').replace(/:\d{1,5}$/, '').toLowerCase();
}

/**
 * The request names the address that the connection came in by. A foreign page is never at our own address, so this
 * cannot be a rebinding, and the addresses that a router assigns need not be listed.
 */
function isCalledByAddress(request: FastifyRequest, host: string): boolean {
  const { localAddress } = request.socket;
  if (localAddress === undefined) return false;
  const plain = localAddress.replace(/^::ffff:(?=[\d.]+$)/, '');
  return host === (plain.includes(':') ? `[${plain}]` : plain);
}

/** A request that a browser sent on behalf of another site's page. Scripts outside browsers send neither header. */
function isForeign(request: FastifyRequest): boolean {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  const { origin } = request.headers;
  if (origin === undefined) return false;
  const from = URL.canParse(origin) ? new URL(origin) : null;
  // A page of our name that was loaded unencrypted may have been changed on the way.
  if (!from || (request.protocol === 'https' && from.protocol !== 'https:')) return true;
  return from.host !== (request.headers.host ?? '').toLowerCase();
}
