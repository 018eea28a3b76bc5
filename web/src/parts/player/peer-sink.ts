/** A live picture by WebRTC into a video element: offers, takes the answer, and says when it breaks. */
import { liveViewRoutes } from '@nazar/contract/live-views.ts';
import { call } from '#api/call.ts';
import type { LiveSample } from './live/live-sample.ts';

/** Throws where the browser makes no connection. `onBroken`: no more pictures will come; `cause` is the refusal of the server where there was one. */
export class PeerSink implements Disposable {
  readonly #cameraId: string;
  readonly #video: HTMLVideoElement;
  readonly #end = new AbortController();
  readonly #connection = new RTCPeerConnection();
  #session: string | null = null;

  constructor(cameraId: string, video: HTMLVideoElement, onBroken: (cause: unknown) => void) {
    this.#cameraId = cameraId;
    this.#video = video;
    const { signal } = this.#end;
    const broken = (cause: unknown): void => {
      if (!signal.aborted) onBroken(cause);
    };
    const connection = this.#connection;
    connection.addEventListener('track', ({ track }) => this.#show(track), { signal });
    const look = (): void => {
      const { connectionState } = connection;
      if (['failed', 'disconnected', 'closed'].includes(connectionState)) broken(null);
    };
    connection.addEventListener('connectionstatechange', look, { signal });
    this.#negotiate().catch(broken);
  }

  /** What the browser counted of the connection. */
  async figures(): Promise<Pick<LiveSample, 'codec' | 'bytes' | 'delayS'>> {
    const report = await this.#connection.getStats();
    const all = [...report.values()] as Record<string, unknown>[];
    const video = all.find(({ type, kind }) => type === 'inbound-rtp' && kind === 'video');
    const figure = (name: string): number | null => {
      const value = video?.[name];
      return typeof value === 'number' ? value : null;
    };
    const codec = all.find(({ id }) => id !== undefined && id === video?.['codecId']);
    const mime = codec?.['mimeType'];
    const [waitedS, pictures] = [figure('jitterBufferDelay'), figure('jitterBufferEmittedCount')];
    return {
      codec: typeof mime === 'string' ? mime : null,
      bytes: figure('bytesReceived'),
      // The mean over the whole connection: what a picture waited in the browser's buffer.
      delayS: waitedS === null || pictures === null || pictures === 0 ? null : waitedS / pictures,
    };
  }

  /** The server is informed at once; otherwise it would find out after half a minute. */
  [Symbol.dispose](): void {
    if (this.#end.signal.aborted) return;
    this.#end.abort();
    this.#connection.close();
    this.#video.srcObject = null;
    void this.#leave();
  }

  async #negotiate(): Promise<void> {
    const connection = this.#connection;
    const { receiver } = connection.addTransceiver('video', { direction: 'recvonly' });
    // As little delay as the network allows; browsers that do not know it keep their own.
    if ('jitterBufferTarget' in receiver) receiver.jitterBufferTarget = 0;
    await connection.setLocalDescription();
    const sdp = connection.localDescription?.sdp ?? '';
    const params = { id: this.#cameraId };
    const answer = await call(liveViewRoutes.lowLatency, { params, body: { sdp } });
    this.#session = answer.session_id;
    if (this.#end.signal.aborted) return this.#leave();
    await connection.setRemoteDescription({ type: 'answer', sdp: answer.sdp });
  }

  #show(track: MediaStreamTrack): void {
    this.#video.srcObject = new MediaStream([track]);
    this.#video.play().catch(() => undefined);
  }

  async #leave(): Promise<void> {
    const session = this.#session;
    this.#session = null;
    if (session === null) return;
    const params = { id: this.#cameraId, session };
    // It may have ended by itself meanwhile.
    await call(liveViewRoutes.endLowLatency, { params }).catch(() => undefined);
  }
}
