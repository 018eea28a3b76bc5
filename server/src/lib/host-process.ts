/**
 * The host's side of the same: listens on its unix socket (0600), answers `hello` and `ping`, ends when asked to
 * or when no peer has been connected for ten minutes. Several peers may be connected at once (a
 * vision host serves the server and the media hosts).
 */
import { chmodSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { parseArgs } from 'node:util';
import { keepCompiled } from './compile-cache.ts';
import type { Hello } from './host.ts';
import { Peer, type Answer, type Message } from './ipc.ts';

/** How long a host goes on without a server: a server that restarts is back within seconds. */
const orphanMs = 10 * 60_000;

export interface HostProcess {
  /** A request other than `hello` and `ping`. */
  asked?(message: Message, peer: Peer): Promise<Answer> | Answer;
  received?(message: Message, peer: Peer): void;
  /** A peer connected; its next message says which one it is. */
  joined?(peer: Peer): void;
  left?(peer: Peer): void;
  /** Close everything cleanly; the process ends afterwards. */
  close(): Promise<void> | void;
}

interface Kind {
  readonly kind?: string;
}

/** Runs until asked to leave. Reads `--socket` and `--version` from the arguments. */
export function runHost(host: HostProcess): void {
  const { values } = parseArgs({
    options: { socket: { type: 'string' }, version: { type: 'string' } },
    strict: false,
  });
  const socketPath = String(values['socket']);
  const hello: Hello = { pid: process.pid, version: String(values['version']) };
  const peers = new Set<Peer>();
  let orphanTimer: NodeJS.Timeout | undefined;
  let leaving = false;

  const leave = async (): Promise<void> => {
    if (leaving) return;
    leaving = true;
    server.close();
    // The process must end even if closing hangs in native code.
    setTimeout(() => process.exit(1), 4_000).unref();
    await host.close();
    rmSync(socketPath, { force: true });
    process.exit(0);
  };
  const countOrphanTime = (): void => {
    clearTimeout(orphanTimer);
    if (peers.size === 0) orphanTimer = setTimeout(() => void leave(), orphanMs);
  };

  rmSync(socketPath, { force: true });
  const server = createServer((socket) => {
    const peer: Peer = new Peer(socket, {
      asked: (message) => {
        const { kind } = message.head as Kind;
        if (kind === 'hello') return { head: hello };
        if (kind === 'ping') return { head: {} };
        if (!host.asked) throw new Error(`cannot answer ${kind}`);
        return host.asked(message, peer);
      },
      received: (message) => {
        if ((message.head as Kind).kind === 'leave') void leave();
        else host.received?.(message, peer);
      },
      closed: () => {
        peers.delete(peer);
        host.left?.(peer);
        countOrphanTime();
      },
    });
    peers.add(peer);
    countOrphanTime();
    host.joined?.(peer);
  });
  const umask = process.umask(0o177);
  server.listen(socketPath, () => {
    process.umask(umask);
    chmodSync(socketPath, 0o600);
    keepCompiled();
  });
  countOrphanTime();
  process.on('SIGTERM', () => void leave());
  process.on('SIGINT', () => undefined); // Ctrl-C reaches the whole group; the server decides.
}
