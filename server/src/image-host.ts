/**
 * An image host: turns one upload at a time into a clean picture (vision/clean.ts). Born with a socket to
 * the server, which watches its time and memory; gone as soon as that socket is closed.
 */
import { Socket } from 'node:net';
import { setPriority } from 'node:os';
import { Peer, type Answer, type Message } from '#lib/wire.ts';

// Before libvips and libuv start their threads, which inherit it: recording must not notice an upload.
setPriority(10);
const { clean } = await import('#vision/clean.ts');
const { socketFd } = await import('#vision/image-messages.ts');

async function asked({ body }: Message): Promise<Answer> {
  const result = await clean(body);
  if (typeof result === 'string') return { head: { refused: result } };
  const { jpeg, thumbnail, rgb, width, height } = result;
  const sizes = { jpegBytes: jpeg.length, thumbnailBytes: thumbnail.length };
  return {
    head: { refused: null, width, height, ...sizes },
    body: Buffer.concat([jpeg, thumbnail, rgb]),
  };
}

const server: Peer = new Peer(new Socket({ fd: socketFd }), {
  asked,
  closed: () => process.exit(0),
});
// A parent that died before we listened never closes: nothing may keep this process but the socket.
if (server.closed) process.exit(0);
