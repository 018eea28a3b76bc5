/**
 * The sockets that requests come in by: plain HTTP, or HTTPS (TLS 1.2 and newer) where there is a
 * certificate; with the bounds of time and size that no sender may exceed (C-712, C-715).
 */
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer, type Server as SecureServer } from 'node:https';
import type { Certificate } from './certificate.ts';

const bounds = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  /** Of a whole request with its uploads; `body.ts` gives other bodies less. */
  requestTimeout: 120_000,
  keepAliveTimeout: 65_000,
  /** How often Node looks for senders that are too slow; its own 30 s would make 10 s up to 40. */
  connectionsCheckingInterval: 2_000,
} as const;

/** Makes Fastify's servers (several where a name has several addresses), and gives each a new certificate. */
export function listenerFactory(certificate: Certificate | null): {
  readonly create: (handler: RequestListener) => Server;
  readonly subscription: Disposable | null;
} {
  if (!certificate) {
    return { create: (handler) => createServer(bounds, handler), subscription: null };
  }
  const servers: SecureServer[] = [];
  const minVersion = 'TLSv1.2';
  return {
    create: (handler) => {
      const options = { ...bounds, ...certificate.pair, minVersion } as const;
      const server = createSecureServer(options, handler);
      servers.push(server);
      return server;
    },
    subscription: certificate.changed.on((pair) => {
      for (const server of servers) server.setSecureContext({ ...pair, minVersion });
    }),
  };
}
