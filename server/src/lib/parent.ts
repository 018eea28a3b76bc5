/**
 * The child's side of a process for a while (child.ts): answers its parent over the socket it was born with, and
 * ends when that is closed.
 */
import { Socket } from 'node:net';
import { keepCompiled } from './compile-cache.ts';
import { Peer, type Answer, type Message } from './ipc.ts';

/** Descriptor of the socket that a child is born with. */
export const socketFd = 3;

export function answerParent(
  asked: (message: Message) => Promise<Answer> | Answer,
  told: (message: Message) => void = () => undefined,
  leave: () => void = () => process.exit(0),
): void {
  keepCompiled();
  const parent: Peer = new Peer(new Socket({ fd: socketFd }), {
    asked,
    told,
    closed: () => leave(),
  });
  // A parent that died before we listened never closes: nothing may keep this process but the socket.
  if (parent.closed) leave();
}
