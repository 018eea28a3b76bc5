/**
 * The child's side of a short-lived process (child.ts): answers its parent over the socket that it started with, and
 * ends when the socket is closed.
 */
import { Socket } from 'node:net';
import { keepCompiled } from './compile-cache.ts';
import { Peer, type Answer, type Message } from './ipc.ts';

/** Descriptor of the socket that a child starts with. */
export const socketFd = 3;

export function answerParent(
  asked: (message: Message) => Promise<Answer> | Answer,
  received: (message: Message) => void = () => undefined,
  leave: () => void = () => process.exit(0),
): void {
  keepCompiled();
  const parent: Peer = new Peer(new Socket({ fd: socketFd }), {
    asked,
    received,
    closed: () => leave(),
  });
  // A parent that died before we listened never closes the socket: only the socket may keep this process alive.
  if (parent.closed) leave();
}
