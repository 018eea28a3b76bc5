/**
 * The answer to `AskDiagnosis`: what a camera says, how Nazar reads it, and how its stream arrives. It holds no user
 * name, password, address, path, name or serial number: the worker leaves them out.
 */
import type { IngestCause } from '@nazar/contract/cameras.ts';

/** A time series in milliseconds, each value rounded to a tenth; null when it has no values. */
export interface Spread {
  readonly min: number;
  readonly median: number;
  /** 95 of 100 values are not larger. */
  readonly p95: number;
  readonly max: number;
}

/** One reply of the camera, line by line, with what is private left out. */
export interface ReportedReply {
  /** Since the first attempt to connect. */
  readonly atMs: number;
  readonly protocol: 'rtsp' | 'http' | 'hls';
  readonly method: string | null;
  readonly lines: readonly string[];
}

export interface DiagnosedTrack {
  /** FFmpeg's name. */
  readonly codec: string;
  /** As RFC 6381 writes it for H.264: profile, constraints and level in hexadecimal; null for other codecs. */
  readonly profileLevel: string | null;
  readonly width: number;
  readonly height: number;
  /** 0: not announced. */
  readonly announcedFps: number;
  /** How many pictures may come before one that is shown earlier, as announced; null: not announced. */
  readonly announcedReorder: number | null;
}

export interface PictureFigures {
  readonly pictures: number;
  readonly keyPictures: number;
  /** Pictures before the first key picture. */
  readonly beforeFirstKey: number;
  /** Since the first attempt to connect; null: none came. */
  readonly firstPictureMs: number | null;
  readonly firstKeyMs: number | null;
  /** From the first to the last picture. */
  readonly spanMs: number;
  readonly bitsPerSecond: number | null;
  readonly largestBytes: number;
  /** Between two arrivals. */
  readonly arrivals: Spread | null;
  /** Between two decode times. */
  readonly steps: Spread | null;
  /** From one key picture to the next, by decode times, and in pictures. */
  readonly keySteps: Spread | null;
  readonly longestGroup: number | null;
  /** How much later than the most punctual picture each one came, compared with its time. */
  readonly lateness: Spread | null;
  /** The most pictures that came before one that is shown earlier. */
  readonly reorder: number;
  /** Decode times that go back or stand still, and steps of over a second. */
  readonly backwards: number;
  readonly leaps: number;
  readonly withoutTime: number;
}

export interface SoundFigures {
  readonly codec: string;
  readonly sampleRate: number;
  readonly channels: number;
  readonly frames: number;
  readonly bitsPerSecond: number | null;
}

/** One stream of RTP packets. */
export interface PacketFigures {
  readonly channel: number;
  readonly payloadType: number;
  readonly packets: number;
  readonly bytes: number;
  /** Places where the sequence numbers leave some out, and how many they leave out. */
  readonly gaps: number;
  readonly lost: number;
  readonly repeated: number;
  readonly late: number;
  /** RFC 3550, 6.4.1; null when the SDP names no clock rate for the payload type. */
  readonly jitterMs: number | null;
  readonly largestBytes: number;
  readonly senderReports: number;
}

/** How a source is read; a later choice takes the place of an earlier one. */
export type SourceChoice =
  | { readonly reader: 'rtsp' }
  /** `status`: what the camera answered to our own client; null: that client does not read its codec. */
  | {
      readonly reader: 'ffmpeg';
      readonly transport: 'tcp' | 'udp';
      readonly status: number | null;
    }
  | { readonly reader: 'mjpeg' | 'jpeg' | 'video' | 'film' }
  /** The bandwidths that the camera offers; none: it offers one stream. */
  | { readonly reader: 'hls'; readonly bitsPerSecond: readonly number[] };

export interface Diagnosis {
  /** `none`: the stream was read up to the end of the measurement, and a picture of it was decoded. */
  readonly cause: IngestCause;
  /** What the reader says of it: a fixed text, and the system's error code. */
  readonly details: readonly string[];
  /** How long the attempt took to open the stream; null: it did not open. */
  readonly openedMs: number | null;
  /** Everything, from the first attempt to connect. */
  readonly tookMs: number;
  readonly replies: readonly ReportedReply[];
  /** Replies beyond those. */
  readonly moreReplies: number;
  readonly choices: readonly SourceChoice[];
  readonly track: DiagnosedTrack | null;
  readonly pictures: PictureFigures | null;
  readonly sound: SoundFigures | null;
  readonly packets: readonly PacketFigures[];
  /** The size of the first key picture as decoded; null: it could not be decoded, or none came. */
  readonly decoded: { readonly width: number; readonly height: number } | null;
}
