/** A browser's end of a WebSocket to a server that listens on a port of its own. */
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { WebSocket } from 'ws';

export interface TestSocket {
  readonly socket: WebSocket;
  /** Everything that was said as text so far, parsed. */
  readonly received: Record<string, unknown>[];
  /** How it was closed. */
  readonly closed: Promise<number>;
  /** Resolves with the first message that fits, received already or to come. */
  firstThat(fits: (message: Record<string, unknown>) => boolean): Promise<Record<string, unknown>>;
}

/** Resolves when it is open; rejects when the server does not take it. */
export async function openSocket(
  app: FastifyInstance,
  path: string,
  headers: Record<string, string> = {},
): Promise<TestSocket> {
  if (app.addresses().length === 0) await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers });
  const received: Record<string, unknown>[] = [];
  const opened = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<number>();
  let arrival = Promise.withResolvers<void>();
  socket.on('open', opened.resolve);
  socket.on('error', opened.reject);
  socket.on('close', (code) => closed.resolve(code));
  socket.on('message', (data: Buffer, isBinary) => {
    if (isBinary) return;
    received.push(JSON.parse(data.toString()) as Record<string, unknown>);
    arrival.resolve();
    arrival = Promise.withResolvers();
  });
  await opened.promise;
  return {
    socket,
    received,
    closed: closed.promise,
    async firstThat(fits) {
      for (;;) {
        const found = received.find(fits);
        if (found) return found;
        await arrival.promise;
      }
    },
  };
}
