/** Viewers without a browser, by each way to a live picture: they take everything and show nothing. */
import { PeerConnection, RtcpReceivingSession, Video, type Track } from 'node-datachannel';
import { faceDetectorRoutes } from '@nazar/contract/face-detector.ts';
import { liveViewRoutes } from '@nazar/contract/live-views.ts';
import type { Product } from './product.ts';

export interface Viewer extends AsyncDisposable {
  /** Pictures received so far. */
  readonly pictures: number;
}

export type Way = (product: Product, cameraId: string) => Promise<Viewer>;

export const bySocket: Way = async (product, cameraId) => {
  const watching = await product.watch(cameraId);
  return {
    get pictures() {
      return watching.fragments;
    },
    [Symbol.asyncDispose]: async () => watching[Symbol.dispose](),
  };
};

/** A track that is garbage-collected receives nothing more. */
const tracks = new Set<Track>();

export const byWebRtc: Way = async ({ nazar, access }, cameraId) => {
  const connection = new PeerConnection('viewer', { iceServers: [], disableAutoNegotiation: true });
  const video = new Video('video', 'RecvOnly');
  video.addH264Codec(102, 'profile-level-id=42e01f;packetization-mode=1');
  const track = connection.addTrack(video);
  track.setMediaHandler(new RtcpReceivingSession());
  tracks.add(track);
  let pictures = 0;
  track.onMessage((packet) => {
    if ((packet[1] ?? 0) & 0x80) pictures += 1;
  });
  const offered = Promise.withResolvers<string>();
  connection.onGatheringStateChange((state) => {
    if (state === 'complete') offered.resolve(connection.localDescription()?.sdp ?? '');
  });
  connection.setLocalDescription('offer');
  const path = liveViewRoutes.lowLatency.path.replace(':id', cameraId);
  const body = { sdp: await offered.promise };
  const answer = await nazar.post<{ sdp: string; session_id: string }>(path, access, body);
  connection.setRemoteDescription(answer.sdp, 'answer');
  return {
    get pictures() {
      return pictures;
    },
    [Symbol.asyncDispose]: async () => {
      await nazar.call('DELETE', `${path}${answer.session_id}/`, { access });
      connection.close();
      tracks.delete(track);
    },
  };
};

/** Multipart JPEGs: each part is a picture. */
const byJpegs =
  (pathOf: (cameraId: string) => string): Way =>
  async ({ nazar, access }, cameraId) => {
    const end = new AbortController();
    const headers = { authorization: `Bearer ${access}` };
    const reply = await fetch(nazar.origin + pathOf(cameraId), { headers, signal: end.signal });
    if (!reply.ok || !reply.body) throw new Error(`${reply.status} ${await reply.text()}`);
    let pictures = 0;
    const read = async (): Promise<void> => {
      for await (const chunk of reply.body!) {
        pictures += Buffer.from(chunk).toString('latin1').split('--frame\r\n').length - 1;
      }
    };
    const ended = read().catch(() => undefined);
    return {
      get pictures() {
        return pictures;
      },
      [Symbol.asyncDispose]: async () => {
        end.abort();
        await ended;
      },
    };
  };

export const byMjpeg = byJpegs((id) => liveViewRoutes.mjpeg.path.replace(':id', id));
export const byDetection = byJpegs((id) => `${faceDetectorRoutes.stream.path}?camera_id=${id}`);
