/** Notices that a camera sends nothing over a socket. */
import type { Socket } from 'node:net';

/**
 * Calls `silent` when nothing came for that time. Timers run before sockets are read: a process that was held up reads
 * first what came meanwhile. A socket that this process itself has paused is not silent.
 */
export function onSilence(socket: Socket, timeoutMs: number, silent: () => void): void {
  socket.on('timeout', () => {
    const readBefore = socket.bytesRead;
    setImmediate(() => {
      // Ended meanwhile, or not watched any more.
      if (socket.destroyed || !socket.timeout) return;
      if (socket.isPaused() || socket.bytesRead > readBefore) socket.setTimeout(timeoutMs);
      else silent();
    });
  });
  socket.setTimeout(timeoutMs);
}
