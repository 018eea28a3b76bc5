/**
 * A chip host: vectors of one pack from chips that another cut (vision/kept-chips.ts). Born with a socket to
 * the server, gone as soon as that is closed. Holds nothing between questions.
 */
import { Socket } from 'node:net';
import { setPriority } from 'node:os';
import { parseArgs } from 'node:util';
import { Peer, type Answer, type Message } from '#lib/wire.ts';

// Before libraries start their threads, which inherit it: cameras and uploads go first.
setPriority(15);
const { Engine } = await import('#vision/engine.ts');
const { socketFd } = await import('#vision/image-messages.ts');
const { readPack } = await import('#vision/installed-packs.ts');
const { embedKept } = await import('#vision/embed-kept.ts');

const { values: words } = parseArgs({ options: { pack: { type: 'string' } } });
const engine = Engine.load(readPack(words.pack ?? ''));

async function asked({ head, body }: Message): Promise<Answer> {
  return embedKept(await engine, head, body);
}

const server: Peer = new Peer(new Socket({ fd: socketFd }), {
  asked,
  closed: () => process.exit(0),
});
// A parent that died before we listened never closes: nothing may keep this process but the socket.
if (server.closed) process.exit(0);
