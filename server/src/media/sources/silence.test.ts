import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { onSilence } from './silence.ts';

interface Pair extends AsyncDisposable {
  readonly camera: Socket;
  readonly here: Socket;
}

async function aPair(): Promise<Pair> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  assert.ok(typeof address === 'object' && address);
  const here = connect(address.port, '127.0.0.1');
  const [camera] = (await once(server, 'connection')) as [Socket];
  if (here.connecting) await once(here, 'connect');
  return {
    camera,
    here,
    async [Symbol.asyncDispose]() {
      here.destroy();
      camera.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** This process gets no turn for so long. */
const holdUp = (ms: number): void =>
  void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

const timeoutMs = 50;

test('a process that was held up reads what came before it calls the camera silent', async () => {
  await using pair = await aPair();
  const { here, camera } = pair;
  const said: string[] = [];
  const silent = Promise.withResolvers<void>();
  here.on('data', (data: Buffer) => said.push(String(data)));
  onSilence(here, timeoutMs, () => {
    said.push('silent');
    silent.resolve();
  });
  for (const word of ['one', 'two', 'three']) {
    const came = once(here, 'data');
    camera.write(word);
    holdUp(4 * timeoutMs);
    await came;
    // What waits for the end of this turn has had its say.
    await new Promise((resolve) => setImmediate(resolve));
  }
  assert.deepEqual(said, ['one', 'two', 'three']);
  await silent.promise;
  assert.deepEqual(said, ['one', 'two', 'three', 'silent']);
});

test('a socket that is paused here is not silent, and one that is not watched any more neither', async () => {
  await using pair = await aPair();
  const { here, camera } = pair;
  let isSilent = false;
  onSilence(here, timeoutMs, () => (isSilent = true));
  here.pause();
  camera.write('waits');
  const passed = Promise.withResolvers<void>();
  let times = 0;
  here.on('timeout', () => {
    times += 1;
    if (times === 3) passed.resolve();
  });
  await passed.promise;
  assert.equal(isSilent, false);
  here.setTimeout(0);
  here.resume();
  await once(here, 'data');
  assert.equal(isSilent, false);
});
