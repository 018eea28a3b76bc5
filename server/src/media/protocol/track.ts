/** How a source describes the tracks that it reads. */
import type { CodecParameters } from 'node-av/lib';

/** No camera sends a picture larger than 7680x4320. */
export const maxPixels = 7680 * 4320;

export interface Track {
  /** Valid as long as the source is open. */
  readonly parameters: CodecParameters;
  /** FFmpeg's name: h264, hevc, mjpeg ... */
  readonly codec: string;
  readonly width: number;
  readonly height: number;
  /** The announced frame rate; 0 when the camera does not announce one. */
  readonly fps: number;
}

export interface SoundTrack {
  /** Valid as long as the source is open. */
  readonly parameters: CodecParameters;
  /** FFmpeg's name: aac, pcm_alaw ... */
  readonly codec: string;
}
