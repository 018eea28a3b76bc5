/**
 * What is asked of a media worker: of something that is nobody's camera yet, or is not watched. Passwords are in it:
 * it travels over the socket that the worker was born with, and nowhere else.
 */
import type { IngestCause } from '@nazar/contract/cameras.ts';
import type { MediaZone, Reachable } from '../messages.ts';

/** What may be reached, as the hosts are told it. */
export interface WorkerReach {
  readonly allowLoopback: boolean;
  readonly allowPublic: boolean;
  readonly ownPorts: readonly number[];
  readonly fileRoots: readonly string[];
}

export interface AskConnection {
  readonly kind: 'connection';
  readonly reach: WorkerReach;
  readonly camera: Reachable;
  readonly timeoutMs: number;
}

/** `cause`: `none` when pictures came. */
export interface ConnectionAnswer {
  readonly cause: IngestCause;
  /** From the first word to the first picture. */
  readonly latencyMs: number | null;
  /** Of cameras that answer HTTP. */
  readonly contentType: string | null;
  readonly codec: string | null;
  readonly width: number | null;
  readonly height: number | null;
  readonly fps: number | null;
}

/** A small picture of a recorded file; answered with `isPicture`, and the JPEG. */
export interface AskThumbnail {
  readonly kind: 'thumbnail';
  /** Absolute path of a segment. */
  readonly file: string;
  readonly headBytes: number;
  /** Where the fragment of a key frame begins. */
  readonly offset: number;
  readonly width: number;
  /** Privacy masks are painted over it. */
  readonly zones: readonly MediaZone[];
}

export type AskWorker = AskConnection | AskThumbnail;
