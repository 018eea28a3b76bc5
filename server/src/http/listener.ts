/**
 * The sockets that requests come in by: plain HTTP, or HTTPS where there is a certificate (TLS 1.3, and 1.2 with
 * suites that encrypt and authenticate in one); with the limits of time and size that no sender may exceed.
 * Connections to cameras are different: we are the client there, and old ones know no better suites.
 */
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer, type Server as SecureServer } from 'node:https';
import type { Certificate } from './certificate.ts';

const bounds = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  /** The time for a whole request with its uploads; `body.ts` gives other bodies less. */
  requestTimeout: 120_000,
  keepAliveTimeout: 65_000,
  /** How often Node checks for senders that are too slow; its own 30 s would make 10 s up to 40. */
  connectionsCheckingInterval: 2_000,
  /** The guards require it, and answer with a sentence. */
  requireHostHeader: false,
} as const;

/**
 * Every browser that the pages run in knows these (since 2014); Node's own list also has CBC suites and key exchange by
 * RSA, for clients that have nothing else. Names with `TLS_` are of 1.3; without them Node does not offer it.
 */
const protocol = {
  minVersion: 'TLSv1.2',
  ciphers: [
    'TLS_AES_256_GCM_SHA384',
    'TLS_CHACHA20_POLY1305_SHA256',
    'TLS_AES_128_GCM_SHA256',
    'ECDHE-ECDSA-AES128-GCM-SHA256',
    'ECDHE-RSA-AES128-GCM-SHA256',
    'ECDHE-ECDSA-AES256-GCM-SHA384',
    'ECDHE-RSA-AES256-GCM-SHA384',
    'ECDHE-ECDSA-CHACHA20-POLY1305',
    'ECDHE-RSA-CHACHA20-POLY1305',
  ].join(':'),
} as const;

/** Answers requests that expect more than `100-continue` like any other; Node would answer 417 by itself. */
function heedless<S extends Server | SecureServer>(server: S, handler: RequestListener): S {
  server.on('checkExpectation', handler);
  return server;
}

/** Makes Fastify's servers (several where a name has several addresses), and gives each a new certificate. */
export function listenerFactory(certificate: Certificate | null): {
  readonly create: (handler: RequestListener) => Server;
  readonly subscription: Disposable | null;
} {
  if (!certificate) {
    return {
      create: (handler) => heedless(createServer(bounds, handler), handler),
      subscription: null,
    };
  }
  const servers: SecureServer[] = [];
  return {
    create: (handler) => {
      const options = { ...bounds, ...certificate.pair, ...protocol };
      const server = createSecureServer(options, handler);
      servers.push(server);
      return heedless(server, handler);
    },
    subscription: certificate.changed.on((pair) => {
      for (const server of servers) server.setSecureContext({ ...pair, ...protocol });
    }),
  };
}
