/** What a source says of the track that it reads, to all who read it. */
import type { CodecParameters } from 'node-av/lib';

/** A picture larger than 7680x4320 is no camera's (C-515). */
export const maxPixels = 7680 * 4320;

export interface Track {
  /** Valid as long as the source is open. */
  readonly parameters: CodecParameters;
  /** FFmpeg's name: h264, hevc, mjpeg ... */
  readonly codec: string;
  readonly width: number;
  readonly height: number;
  /** As announced; 0 when the camera does not say. */
  readonly fps: number;
}

export interface SoundTrack {
  /** Valid as long as the source is open. */
  readonly parameters: CodecParameters;
  /** FFmpeg's name: aac, pcm_alaw ... */
  readonly codec: string;
}
