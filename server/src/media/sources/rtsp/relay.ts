/**
 * A loopback door in front of one RTSP camera. FFmpeg connects here and nowhere else; the camera is dialled
 * by us, to a checked address (C-511, architecture section 12). Because all bytes pass by, this side knows
 * the exact status a camera answers with, follows no redirect by accident (C-512), and can end a hung read
 * at once by closing the door: FFmpeg itself would wait for its socket timeout.
 */
import { createServer, type Socket } from 'node:net';
import { dial, type Destination, type Dialer } from '../dial/dial.ts';
import { IngestFault } from '../../protocol/fault.ts';
import { silenceTimeoutMs } from '../watchdog.ts';
import { RtspParser } from './parser.ts';

export interface RtspRelay extends Disposable {
  /** Port on 127.0.0.1; takes one connection and no second. */
  readonly port: number;
  readonly reader: RtspParser;
  /** Set when the relay itself ended the connection, with the reason. */
  readonly fault: IngestFault | null;
  end(fault: IngestFault): void;
}

export async function openRelay(
  to: Destination,
  dialer: Dialer,
  signal: AbortSignal,
  /** Packets come by UDP, past this: only the talk about them comes here. */
  isTalkOnly = false,
): Promise<RtspRelay> {
  const camera = await dial(to, dialer, signal);
  const reader = new RtspParser();
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
      const packetsBefore = reader.packets;
      if (!reader.push(chunk)) {
        end(new IngestFault(packetsBefore > 0 ? 'damaged' : 'not_video', 'no RTSP'));
      } else if (reader.status >= 300 && reader.status < 400) {
        end(new IngestFault('not_found', 'redirected'));
      } else if (reader.source !== null && reader.source !== camera.remoteAddress) {
        // FFmpeg would send its reports there (C-510).
        end(new IngestFault('address_refused', 'packets from elsewhere'));
      } else if (!socket.write(chunk)) {
        camera.pause();
      }
    });
    socket.on('drain', () => camera.resume());
  };
  const silent = (): void => end(new IngestFault('no_packets', 'silent'));
  if (!isTalkOnly) camera.setTimeout(silenceTimeoutMs, silent);
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
    reader,
    get fault() {
      return fault;
    },
    end,
    [Symbol.dispose]: close,
  };
}
