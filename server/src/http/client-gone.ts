/** Whether the client still waits for an answer. */
import type { FastifyReply } from 'fastify';
import { Problem } from '#lib/problem.ts';

/** Aborted when the client disconnects before it has the whole answer. */
export function clientGone(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort(new Problem('unavailable'));
  });
  return gone.signal;
}
