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

/** What there is too much of: views of this account or of all, or views that are converted for their viewer. */
export type FullOf = 'full' | 'maskedFull';

/** The server's own code for a limit (live/websocket.ts); its reason is the code of the problem. */
const CLOSE_TOO_MANY = 4503;

const fullOf = ({ code, reason }: CloseEvent): FullOf | null => {
  if (code !== CLOSE_TOO_MANY) return null;
  return reason === 'too_many_masked_views' ? 'maskedFull' : 'full';
};

export interface SocketHooks {
  readonly onMessage: (message: LiveMessage) => void;
  readonly onMedia: (data: Uint8Array) => void;
  /** Null: the connection was lost; else which limit refused this view. */
  readonly onClose: (full: FullOf | null) => void;
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
  socket.addEventListener('close', (event) => hooks.onClose(fullOf(event)), { signal });
  signal.addEventListener('abort', () => socket.close());
}
