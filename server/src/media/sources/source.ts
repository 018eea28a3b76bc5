/**
 * The interface of every kind of camera to an ingest: one video track, sound where it is wanted and sent, and their
 * packets. A source is open when it exists; it never reconnects (the ingest does).
 */
import type { Coded } from '../codec/coded.ts';
import type { Dialer } from './dial/dial.ts';
import type { SourceObserver } from './observer.ts';
import type { IngestFault } from '../protocol/fault.ts';
import type { Reachable } from '../protocol/messages.ts';
import type { Track, SoundTrack } from '../protocol/track.ts';

export interface Source extends AsyncDisposable {
  readonly track: Track;
  /** Null when the camera sends none, or none was asked for. */
  readonly sound: SoundTrack | null;
  /** The next picture or sound, or null at the end. */
  read(): Promise<Coded | null>;
  /** Makes a pending and every later read throw that fault, as soon as the kind of source allows. */
  abort(fault: IngestFault): void;
}

export interface SourceContext {
  readonly dialer: Dialer;
  /** Folders that the video files of file cameras may lie in. */
  readonly fileRoots: readonly string[];
  /** Whether sound is asked for. */
  readonly withSound?: boolean;
  /** Aborted when the attempt is given up. */
  readonly signal: AbortSignal;
  /** Called with each picture that comes before the source can open, because no key picture has come yet. */
  readonly waitsForKey?: () => void;
  /** Called with the content type of a camera's HTTP answer. */
  readonly contentType?: (contentType: string) => void;
  readonly observer?: SourceObserver;
}

export type OpenSource = (camera: Reachable, context: SourceContext) => Promise<Source>;
