/**
 * What every kind of camera looks like to an ingest: one video track, sound where it is wanted and there, and what
 * comes of them. A source is open when
 * it exists; it never reconnects (the ingest does).
 */
import type { Coded } from '../codec/coded.ts';
import type { Dialer } from './dial/dial.ts';
import type { IngestFault } from '../protocol/fault.ts';
import type { Reachable } from '../protocol/messages.ts';
import type { Track, SoundTrack } from '../protocol/track.ts';

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
