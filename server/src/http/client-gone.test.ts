import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { test } from 'node:test';
import fastify from 'fastify';
import { clientGone } from './client-gone.ts';

test('a client that goes before it has its answer is noticed, and one that has it is not', async () => {
  const app = fastify();
  const signals: AbortSignal[] = [];
  const waiting = Promise.withResolvers<string>();
  app.get('/answered', (_request, reply) => {
    signals.push(clientGone(reply));
    return 'answer';
  });
  app.get('/waiting', (_request, reply) => {
    signals.push(clientGone(reply));
    return waiting.promise;
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  assert.equal(await (await fetch(`http://127.0.0.1:${port}/answered`)).text(), 'answer');
  const socket = connect(port, '127.0.0.1');
  socket.write('GET /waiting HTTP/1.1\r\nHost: a\r\n\r\n');
  await once(app.server, 'request');
  socket.destroy();
  if (!signals[1]?.aborted) await once(signals[1]!, 'abort');
  assert.deepEqual(
    signals.map(({ aborted }) => aborted),
    [false, true],
  );
  waiting.resolve('too late');
  await app.close();
});
