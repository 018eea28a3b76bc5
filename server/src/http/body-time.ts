/**
 * A body that is not an upload must arrive within 30 s, or its connection ends. Uploads, and heads, have
 * limits of their own in `listener.ts`.
 */
import type { FastifyInstance } from 'fastify';
import type { Clock } from '#lib/clock.ts';

const bodyMs = 30_000;
const timedOut = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';

export function limitBodyTime(app: FastifyInstance, clock: Clock): void {
  app.addHook('preParsing', async (request, reply, payload) => {
    const { headers } = request;
    const isUpload = headers['content-type']?.startsWith('multipart/') === true;
    // Without a body there is nothing to wait for: a long answer is no late request.
    const hasBody = Number(headers['content-length'] ?? 0) > 0 || 'transfer-encoding' in headers;
    if (isUpload || !hasBody || payload.readableEnded) return;
    const arrived = new AbortController();
    for (const event of ['end', 'close', 'error']) payload.once(event, () => arrived.abort());
    // The request was answered before all of the body arrived.
    reply.raw.once('finish', () => arrived.abort());
    clock.wait(bodyMs, arrived.signal).then(
      () => request.raw.socket.end(timedOut, () => request.raw.socket.destroy()),
      () => undefined, // it arrived, or its sender left
    );
  });
}
