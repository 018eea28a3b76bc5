/**
 * What is asked of a media worker: of something that is nobody's camera yet, or is not watched. Passwords are in it:
 * it travels over the socket that the worker was born with, and nowhere else.
 */
import type { IngestCause } from '@nazar/contract/cameras.ts';
import type { DeviceOutcome, FoundDevice } from '@nazar/contract/devices.ts';
import type { Movement, Preset } from '@nazar/contract/movements.ts';
import type { Polygon } from '@nazar/contract/polygon.ts';
import type { Reachable } from './messages.ts';

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
  /** The content type of a camera that answers HTTP; null for others. */
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
  /** Painted over it. */
  readonly masks: Masks;
}

/**
 * A part of a recorded file with masks burnt in; answered with `MaskedAnswer`, and the initialisation segment and the
 * part one behind the other.
 */
export interface AskMasked {
  readonly kind: 'masked';
  /** Absolute path of a segment. */
  readonly file: string;
  readonly headBytes: number;
  /** Where the fragment of a key picture begins, and where the part ends. */
  readonly from: number;
  readonly until: number;
  /** Null: the initialisation segment alone is wanted. */
  readonly masks: Masks | null;
}

/** `unreadable`: nothing of it can be decoded, or it is not there. */
export type MaskedAnswer =
  | { readonly fault: 'unreadable' | 'cancelled' }
  | { readonly fault: null; readonly initBytes: number };

/** Told to a worker: nobody waits for what it was asked any more. */
export interface TellCancelled {
  readonly kind: 'cancelled';
}

/**
 * An ordinary film of some time, copied from recorded files, which are told in the body (JSON, `SourceFile[]`):
 * those of a day are more than a head holds. Whoever removes the target cancels it.
 * `masks`: they are burnt in, so that it is encoded anew; null: it is copied as it was recorded.
 */
export interface AskExport {
  readonly kind: 'film';
  /** Absolute path of a file that is not there yet. */
  readonly target: string;
  readonly fromMs: number;
  readonly untilMs: number;
  readonly masks: Masks | null;
}

export const exportFaults = [
  'nothing_recorded',
  'codec_changed',
  'file_changed',
  'unreadable',
  'disk',
  'cancelled',
] as const;

export type ExportAnswer =
  | { readonly fault: (typeof exportFaults)[number] }
  | {
      readonly fault: null;
      readonly bytes: number;
      /** Hexadecimal. */
      readonly sha256: string;
      readonly seconds: number;
      readonly pictures: number;
      readonly pieces: readonly Piece[];
    };

/** The hash of a whole file, hexadecimal: `sha256`. */
export interface AskHash {
  readonly kind: 'hash';
  readonly file: string;
}

/** Where the device service of an ONVIF camera is, and as who it is asked. */
export interface DeviceAddress {
  readonly url: string;
  readonly username: string;
  readonly password: string;
}

export interface AskDiscovery {
  readonly kind: 'discovery';
  readonly reach: WorkerReach;
  readonly to: { readonly address: string; readonly port: number };
  readonly waitMs: number;
}

export interface DiscoveryAnswer {
  readonly devices: FoundDevice[];
}

export interface AskDevice {
  readonly kind: 'device';
  readonly reach: WorkerReach;
  readonly device: DeviceAddress;
}

/** What is known of a device that moves, so that each movement is one question. */
export interface MoveTarget {
  /** The path of its PTZ service, on the same host. */
  readonly path: string;
  /** Token of the profile that moves. */
  readonly profile: string;
  /** How far its clock is ahead of ours: what is signed bears its time. */
  readonly shiftMs: number;
}

export interface AskMove {
  readonly kind: 'movement';
  readonly reach: WorkerReach;
  readonly device: DeviceAddress;
  /** Null: not known yet. */
  readonly target: MoveTarget | null;
  /** Null: what can it do? */
  readonly movement: Movement | null;
}

export interface MoveAnswer {
  readonly outcome: DeviceOutcome;
  /** Null when it does not move, or did not say. */
  readonly target: MoveTarget | null;
  readonly presets: Preset[];
}

export type AskWorker =
  | AskConnection
  | AskThumbnail
  | AskMasked
  | AskExport
  | AskHash
  | AskDiscovery
  | AskDevice
  | AskMove;

/** A recorded file. Times in milliseconds since 1970. */
export interface SourceFile {
  readonly id: string;
  /** Absolute path. */
  readonly file: string;
  readonly headBytes: number;
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  readonly stream: string;
  /** Hexadecimal, as the index has it. */
  readonly sha256: string;
}

/** Recorded without a gap: from when until when, and where in the film that begins. */
export interface Piece {
  readonly fromMs: number;
  readonly untilMs: number;
  readonly atSeconds: number;
}

export type Rotation = 0 | 90 | 180 | 270;

/** `rotation`: how far the camera's picture is turned on which they are drawn. */
export interface Masks {
  readonly polygons: readonly Polygon[];
  readonly rotation: Rotation;
}
