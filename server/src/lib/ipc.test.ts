import assert from 'node:assert/strict';
import { createServer, type Socket } from 'node:net';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { dial } from './host.ts';
import { Peer, PeerFailure, type Handlers } from './ipc.ts';

/** Two connected peers over a real unix socket; `other` is the accepting side. */
async function pair(ours: Handlers, theirs: Handlers) {
  const folder = mkdtempSync(join(tmpdir(), 'nazar-ipc-'));
  const accepted = Promise.withResolvers<Socket>();
  const server = createServer((socket) => accepted.resolve(socket));
  await new Promise<void>((resolve) => server.listen(join(folder, 's'), resolve));
  const peer = await dial(join(folder, 's'), ours);
  const socket = await accepted.promise;
  const other = new Peer(socket, theirs);
  return {
    peer,
    other,
    socket,
    [Symbol.dispose]: () => {
      peer.close();
      other.close();
      server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

test('a question comes back with its answer, head and body, in any order', async () => {
  using both = await pair(
    {},
    {
      asked: async ({ head, body }) => {
        const { waitMs } = head as { waitMs: number };
        await new Promise((resolve) => setTimeout(resolve, waitMs));
        return { head: { waitMs }, body };
      },
    },
  );
  const large = Buffer.alloc(3_000_000, 7);
  const [slow, quick] = await Promise.all([
    both.peer.request<{ waitMs: number }>({ waitMs: 30 }, 5_000, large),
    both.peer.request<{ waitMs: number }>({ waitMs: 0 }, 5_000, Buffer.from('small')),
  ]);
  assert.equal(slow.head.waitMs, 30);
  assert.ok(slow.body.equals(large));
  assert.equal(quick.body.toString(), 'small');
});

test('a failure of the other side is a PeerFailure with its reason', async () => {
  using both = await pair({}, { asked: () => Promise.reject(new Error('no such camera')) });
  await assert.rejects(both.peer.request({}, 5_000), /no such camera/);
});

test('a peer that vanishes fails every open question', async () => {
  using both = await pair({}, { asked: () => new Promise(() => undefined) });
  const question = both.peer.request({}, 60_000);
  both.other.close();
  await assert.rejects(question, PeerFailure);
  await assert.rejects(both.peer.request({}, 60_000), PeerFailure);
});

test('R-05, C-515 a length beyond the bound ends the connection instead of eating memory', async () => {
  const closed = Promise.withResolvers<void>();
  using both = await pair({ closed: () => closed.resolve() }, {});
  both.socket.write(Buffer.from([0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]));
  await closed.promise;
  assert.equal(both.peer.closed, true);
});

test('R-05 rubbish where a head should be ends the connection', async () => {
  const closed = Promise.withResolvers<void>();
  using both = await pair({ closed: () => closed.resolve() }, {});
  both.socket.write(Buffer.from([0, 0, 0, 3, 0, 0, 0, 0, 1, 2, 3]));
  await closed.promise;
});
