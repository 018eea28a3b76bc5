/**
 * An image host: turns one upload at a time into a clean image (vision/uploads/clean.ts). It starts with a socket
 * to the server, which limits its time and memory, and ends as soon as that socket is closed.
 */
import { setPriority } from 'node:os';
import { answerParent } from '#lib/parent.ts';
import type { Answer, Message } from '#lib/ipc.ts';
import type { CleanRequest } from '#vision/uploads/image-messages.ts';

// The priority is set before libvips and libuv start their threads, which inherit it: an upload must not slow down
// recording.
setPriority(10);
const { clean } = await import('#vision/uploads/clean.ts');

async function asked({ head, body }: Message): Promise<Answer> {
  const result = await clean(body, (head as CleanRequest).turn);
  if (typeof result === 'string') return { head: { refused: result } };
  const { jpeg, thumbnail, rgb, width, height } = result;
  const sizes = { jpegBytes: jpeg.length, thumbnailBytes: thumbnail.length };
  return {
    head: { refused: null, width, height, ...sizes },
    body: Buffer.concat([jpeg, thumbnail, rgb]),
  };
}

answerParent(asked);
