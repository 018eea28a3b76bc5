/**
 * What every kind of camera looks like to an ingest: one video track, sound where it is wanted and there, and what
 * comes of them. A source is open when
 * it exists; it never reconnects (the ingest does).
 */
import type { CodecParameters } from 'node-av/lib';
import type { Coded } from '../codec/coded.ts';
import type { Dialer } from './dial/dial.ts';
import type { IngestFault } from '../protocol/fault.ts';
import type { Reachable } from '../protocol/messages.ts';

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

export interface Source extends AsyncDisposable {
  readonly track: Track;
  /** Null when there is none, or none was asked for. */
  readonly sound: SoundTrack | null;
  /** What comes next of the track or its sound, or null at the end. */
  read(): Promise<Coded | null>;
  /** Makes a pending and every later read throw that fault, as soon as the kind of source allows. */
  abort(fault: IngestFault): void;
}

export interface SourceContext {
  readonly dialer: Dialer;
  /** Folders that file cameras may lie in. */
  readonly fileRoots: readonly string[];
  /** Whether sound is asked for; pictures alone otherwise. */
  readonly withSound?: boolean;
  /** Aborted when the attempt is given up. */
  readonly signal: AbortSignal;
  /** The media type that a camera says over HTTP. */
  readonly heard?: (contentType: string) => void;
}

export type OpenSource = (camera: Reachable, context: SourceContext) => Promise<Source>;
