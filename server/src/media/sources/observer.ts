/**
 * What a diagnosis receives while a source opens and reads: what the camera said, and how it is read. All is passed on
 * as it came, with addresses and names inside; code that shows it leaves those out. An ingest has no observer.
 */
import type { SourceChoice } from '../protocol/diagnosis-messages.ts';

export interface CameraReply {
  readonly protocol: 'rtsp' | 'http' | 'hls';
  /** What was asked; null when FFmpeg asked, or the camera spoke by itself. */
  readonly method: string | null;
  /** Status line and headers; empty for `hls`. */
  readonly head: string;
  /** A session description, or a playlist; empty otherwise. */
  readonly body: string;
}

export interface SourceObserver {
  replied(reply: CameraReply): void;
  chose(choice: SourceChoice): void;
  /** An interleaved packet of RTP or RTCP: a view of memory that is used again. */
  packet(channel: number, packet: Buffer): void;
}
