/**
 * A loopback proxy in front of one RTSP camera. FFmpeg connects to it and nowhere else; the relay dials the camera,
 * to a checked address. Because all bytes pass through it, it knows the exact status a camera answers with,
 * follows no redirect by accident, and can end a hung read at once by closing the connection: FFmpeg itself
 * would wait for its socket timeout.
 */
import { createServer, type Socket } from 'node:net';
import { dial, type Destination, type Dialer } from '../dial/dial.ts';
import { IngestFault } from '../../protocol/fault.ts';
import type { SourceObserver } from '../observer.ts';
import { onSilence } from '../silence.ts';
import { silenceTimeoutMs } from '../watchdog.ts';
import { RtspParser, type RtspListener } from './parser.ts';

export interface RtspRelay extends Disposable {
  /** Port on 127.0.0.1; it accepts one connection only. */
  readonly port: number;
  readonly parser: RtspParser;
  /** The reason, when the relay itself ended the connection. */
  readonly fault: IngestFault | null;
  end(fault: IngestFault): void;
}

export async function openRelay(
  to: Destination,
  dialer: Dialer,
  signal: AbortSignal,
  /** Packets come by UDP and bypass the relay: only RTSP requests and replies pass through it. */
  isControlOnly = false,
  observer?: SourceObserver,
): Promise<RtspRelay> {
  const camera = await dial(to, dialer, signal);
  const parser = new RtspParser(observer ? listenerOf(observer) : null);
  let fault: IngestFault | null = null;
  let inner: Socket | null = null;
  const server = createServer((socket) => {
    server.close();
    inner = socket;
    socket.setNoDelay(true);
    join(socket);
  });
  server.maxConnections = 1;

  const close = (): void => {
    camera.destroy();
    inner?.destroy();
    server.close();
  };
  const end = (why: IngestFault): void => {
    fault ??= why;
    close();
  };
  const join = (socket: Socket): void => {
    socket.pipe(camera);
    socket.on('error', close);
    socket.on('close', close);
    camera.on('data', (chunk: Buffer) => {
      const packetsBefore = parser.packets;
      if (!parser.push(chunk)) {
        end(new IngestFault(packetsBefore > 0 ? 'damaged' : 'not_video', 'no RTSP'));
      } else if (parser.status >= 300 && parser.status < 400) {
        end(new IngestFault('not_found', 'redirected'));
      } else if (
        isControlOnly &&
        parser.source !== null &&
        parser.source !== camera.remoteAddress
      ) {
        // FFmpeg would send its RTCP reports to that address; interleaved, all goes by this connection.
        end(new IngestFault('address_refused', 'packets from elsewhere'));
      } else if (!socket.write(chunk)) {
        camera.pause();
      }
    });
    socket.on('drain', () => camera.resume());
  };
  const silent = (): void => end(new IngestFault('no_packets', 'silent'));
  if (!isControlOnly) onSilence(camera, silenceTimeoutMs, silent);
  camera.on('error', close);
  camera.on('close', () => {
    inner?.end();
    server.close();
  });

  const listening = Promise.withResolvers<void>();
  server.once('error', listening.reject);
  server.listen(0, '127.0.0.1', listening.resolve);
  await listening.promise;
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    port,
    parser,
    get fault() {
      return fault;
    },
    end,
    [Symbol.dispose]: close,
  };
}

/** What FFmpeg asked is not read, so that only the answers are known. */
const listenerOf = (observer: SourceObserver): RtspListener => ({
  text: (head, body) =>
    observer.replied({ protocol: 'rtsp', method: null, head, body: body.toString('utf8') }),
  packet: (channel, packet) => observer.packet(channel, packet),
});
