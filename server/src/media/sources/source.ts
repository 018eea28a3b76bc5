/**
 * What every kind of camera looks like to an ingest: one video track and its packets. A source is open when
 * it exists; it never reconnects (the ingest does).
 */
import type { CodecParameters, Packet } from 'node-av/lib';
import type { Dialer } from '../dial/dial.ts';
import type { IngestFault } from '../fault.ts';
import type { Reachable } from '../messages.ts';

export interface TimeBase {
  readonly num: number;
  readonly den: number;
}

export interface Track {
  /** Valid as long as the source is open. */
  readonly parameters: CodecParameters;
  readonly timeBase: TimeBase;
  /** FFmpeg's name: h264, hevc, mjpeg ... */
  readonly codec: string;
  readonly width: number;
  readonly height: number;
  /** As announced; 0 when the camera does not say. */
  readonly fps: number;
}

export interface Source extends AsyncDisposable {
  readonly track: Track;
  /** The next packet of the track, or null at its end. The caller frees it. */
  read(): Promise<Packet | null>;
  /** Makes a pending and every later read throw that fault, as soon as the kind of source allows. */
  abort(fault: IngestFault): void;
}

export interface SourceContext {
  readonly dialer: Dialer;
  /** Folders that file cameras may lie in. */
  readonly fileRoots: readonly string[];
  /** Aborted when the attempt is given up. */
  readonly signal: AbortSignal;
  /** The media type that a camera says over HTTP. */
  readonly heard?: (contentType: string) => void;
}

export type OpenSource = (camera: Reachable, context: SourceContext) => Promise<Source>;
