/** Ending a host's side while the host is only being reached. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { systemClock } from './clock.ts';
import { Host } from './host.ts';
import { Peer } from './ipc.ts';
import { createLog } from './log.ts';

/** A host that runs already and answers `hello` when the test lets it. */
async function slowHost() {
  const dir = mkdtempSync(join(tmpdir(), 'nazar-host-'));
  const socketPath = join(dir, 'slow.sock');
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  const messages: unknown[] = [];
  const left = Promise.withResolvers<void>();
  const server = createServer((socket) => {
    const peer: Peer = new Peer(socket, {
      asked: async () => {
        asked.resolve();
        await answer.promise;
        // The largest number of a process: none has it.
        return { head: { pid: 2 ** 22 + 1, version: '1' } };
      },
      received: ({ head }) => {
        messages.push(head);
        peer.close();
      },
      closed: () => left.resolve(),
    });
  });
  await new Promise<void>((resolve) => server.listen(socketPath, resolve));
  const host = new Host({
    name: 'slow',
    entry: join(dir, 'none.ts'),
    socketPath,
    errorPath: join(dir, 'slow.log'),
    version: '1',
    clock: systemClock,
    log: createLog('silent'),
    received: () => undefined,
    reached: () => assert.fail('nobody waits for it any more'),
  });
  await asked.promise;
  return {
    host,
    messages,
    left: left.promise,
    answer: answer.resolve,
    [Symbol.dispose]: () => {
      server.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

const limit = { timeout: 10_000 };

test('a host that answers after it was released is left running', limit, async () => {
  using slow = await slowHost();
  const released = slow.host.release();
  slow.answer();
  await released;
  await slow.left;
  assert.deepEqual(slow.messages, []);
});

test('a host that answers after it was to end is asked to leave', limit, async () => {
  using slow = await slowHost();
  const ended = slow.host[Symbol.asyncDispose]();
  slow.answer();
  await ended;
  await slow.left;
  assert.deepEqual(slow.messages, [{ kind: 'leave' }]);
});
