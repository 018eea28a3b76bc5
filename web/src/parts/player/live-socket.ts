/** The socket of one live view: a ticket, then messages and media (contract/src/live.ts). */
import { cameraRoutes, type ViewName } from '@nazar/contract/cameras.ts';
import type { LiveMessage } from '@nazar/contract/live.ts';
import { liveSocketPath } from '@nazar/contract/sockets.ts';
import { address, call } from '#api/call.ts';

/** Which picture of which camera. */
export interface LiveStreamOf {
  readonly cameraId: string;
  readonly stream: ViewName;
  /** False: the pictures come another way, and the socket only says what is to be known of them. */
  readonly pictures?: boolean;
}

export interface SocketHooks {
  readonly onMessage: (message: LiveMessage) => void;
  readonly onMedia: (data: Uint8Array) => void;
  readonly onClose: () => void;
}

/** Rejects with the problem of a refused ticket. After `signal` nothing is called any more. */
export async function openLiveSocket(
  { cameraId, stream, pictures = true }: LiveStreamOf,
  hooks: SocketHooks,
  signal: AbortSignal,
): Promise<void> {
  const params = { id: cameraId };
  const { ticket } = await call(cameraRoutes.liveTicket, { params, signal });
  signal.throwIfAborted();
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
  const path = address(liveSocketPath, {
    params,
    query: {
      ticket,
      stream: stream === 'main' ? undefined : stream,
      pictures: pictures ? undefined : 0,
    },
  });
  const socket = new WebSocket(`${scheme}://${location.host}${path}`);
  socket.binaryType = 'arraybuffer';
  socket.addEventListener(
    'message',
    ({ data }: MessageEvent<string | ArrayBuffer>) => {
      if (typeof data === 'string') hooks.onMessage(JSON.parse(data) as LiveMessage);
      else hooks.onMedia(new Uint8Array(data));
    },
    { signal },
  );
  socket.addEventListener('close', () => hooks.onClose(), { signal });
  signal.addEventListener('abort', () => socket.close());
}
