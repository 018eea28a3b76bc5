/**
 * The questions that the server asks a media worker, about cameras that are not ingested and about recorded files.
 * They hold passwords: they travel over the socket that the worker was started with, and nowhere else.
 */
import type { IngestCause } from '@nazar/contract/cameras.ts';
import type { DeviceOutcome, FoundDevice } from '@nazar/contract/devices.ts';
import type { Movement, Preset } from '@nazar/contract/movements.ts';
import type { Polygon, QuarterTurn } from '@nazar/contract/polygon.ts';
import type { Rect } from '#lib/geometry.ts';
import type { Reachable } from './messages.ts';
import type { Rotation } from './rotation.ts';

/** Which addresses may be reached, as the hosts are configured. */
export interface WorkerReach {
  readonly allowLoopback: boolean;
  readonly networks: readonly string[];
  readonly ownPorts: readonly number[];
  readonly fileRoots: readonly string[];
}

export interface AskConnection {
  readonly kind: 'connection';
  readonly reach: WorkerReach;
  readonly camera: Reachable;
  readonly timeoutMs: number;
  /** The answer's body is the first picture, a small JPEG; empty when nothing connects. Only where there are no masks. */
  readonly wantsStill: boolean;
}

/** `cause`: `none` when pictures came. */
export interface ConnectionAnswer {
  readonly cause: IngestCause;
  /** From the first byte sent to the first picture. */
  readonly latencyMs: number | null;
  /** The content type, for cameras that answer HTTP. */
  readonly contentType: string | null;
  readonly codec: string | null;
  readonly width: number | null;
  readonly height: number | null;
  readonly fps: number | null;
}

/** What `npm run probe` writes down about a camera; answered with a `Diagnosis`. */
export interface AskDiagnosis {
  readonly kind: 'diagnosis';
  readonly reach: WorkerReach;
  readonly camera: Reachable;
  /** The stream must open within this time. */
  readonly openTimeoutMs: number;
  /** How long the open stream is measured. */
  readonly measureMs: number;
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
  /** The masks painted over the picture. */
  readonly masks: Masks;
}

/**
 * Stills of recorded files with masks painted over them. The body lists them (JSON, `StillFile[]`); the answer is
 * `StillsAnswer`, and its body the JPEGs one after another.
 */
export interface AskStills {
  readonly kind: 'stills';
  readonly masks: ZoneMasks;
}

/** A JPEG in a recorded file. */
export interface StillFile extends RecordedPlaces {
  /** Absolute path of a segment. */
  readonly file: string;
  readonly headBytes: number;
  readonly offset: number;
  readonly bytes: number;
}

export interface StillsAnswer {
  /** The bytes of each, in the order asked for; 0: it cannot be read. */
  readonly sizes: readonly number[];
}

/**
 * A part of a recorded file with masks burnt in. The answer is `MaskedAnswer`; its body is the initialisation segment
 * followed by the part.
 */
export interface AskMasked {
  readonly kind: 'masked';
  /** Absolute path of a segment. */
  readonly file: string;
  readonly headBytes: number;
  /** Where the fragment of a key frame begins, and where the part ends. */
  readonly from: number;
  readonly until: number;
  /** Null: the initialisation segment alone is wanted. */
  readonly masks: Masks | null;
}

/** `unreadable`: nothing in the part can be decoded, or the file is missing. */
export type MaskedAnswer =
  | { readonly fault: 'unreadable' | 'cancelled' }
  | { readonly fault: null; readonly initBytes: number };

/** Informs a worker that its answer is no longer wanted. */
export interface TellCancelled {
  readonly kind: 'cancelled';
}

/**
 * An export of a time range as an ordinary MP4 file, copied from recorded files; what comes before its first key frame is
 * encoded anew. The body lists those (JSON,
 * `SourceFile[]`), because those of a day are more than a head holds. Removing the target cancels the export.
 * `masks`: burnt in, so that pictures are encoded anew; null: the export is copied as it was recorded.
 */
export interface AskExport {
  readonly kind: 'export';
  /** Absolute path of a file that does not exist yet. */
  readonly target: string;
  readonly fromMs: number;
  readonly untilMs: number;
  readonly masks: ZoneMasks | null;
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
      /** Encoded anew, because they refer to pictures outside the period. */
      readonly encoded: readonly EncodedSpan[];
      /** Would have to be, and cannot. */
      readonly leftOut: readonly EncodedSpan[];
      /** Copied with other headers of slices: the first few of open groups, so that players can begin there. */
      readonly rewritten: readonly EncodedSpan[];
    };

/** The hash of a whole file; answered with `sha256`, hexadecimal. */
export interface AskHash {
  readonly kind: 'hash';
  readonly file: string;
}

/** The address of an ONVIF camera's device service, and the account to ask it with. */
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

/** What is known about a device that moves (PTZ), so that each movement takes one request. */
export interface MoveTarget {
  /** The path of its PTZ service, on the same host. */
  readonly path: string;
  /** Token of the profile that moves. */
  readonly profile: string;
  /** How far its clock is ahead of ours: signed requests hold its time. */
  readonly shiftMs: number;
}

export interface AskMove {
  readonly kind: 'movement';
  readonly reach: WorkerReach;
  readonly device: DeviceAddress;
  /** Null: not known yet. */
  readonly target: MoveTarget | null;
  /** Null: ask what the device can do. */
  readonly movement: Movement | null;
}

export interface MoveAnswer {
  readonly outcome: DeviceOutcome;
  /** Null when the device does not move, or did not answer. */
  readonly target: MoveTarget | null;
  readonly presets: Preset[];
}

export type AskWorker =
  | AskConnection
  | AskDiagnosis
  | AskThumbnail
  | AskStills
  | AskMasked
  | AskExport
  | AskHash
  | AskDiscovery
  | AskDevice
  | AskMove;

/** A recorded file. Times are in milliseconds since 1970. */
export interface SourceFile extends RecordedPlaces {
  readonly id: string;
  /** Absolute path. */
  readonly file: string;
  readonly headBytes: number;
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  readonly stream: string;
  /** Hexadecimal, from the recordings index. */
  readonly sha256: string;
}

/** A time range recorded without a gap, and where in the export it begins. */
export interface Piece {
  readonly fromMs: number;
  readonly untilMs: number;
  readonly atSeconds: number;
}

/** Pictures of an export, and when they were recorded. */
export interface EncodedSpan {
  readonly fromMs: number;
  readonly untilMs: number;
  readonly pictures: number;
}

/** `rotation`: by how much the picture that the masks are drawn on is turned clockwise. */
export interface ZoneMasks {
  readonly polygons: readonly Polygon[];
  readonly rotation: Rotation;
}

/** Where what is drawn may be on a recorded picture: each combination of these. */
export interface RecordedPlaces {
  /** What the recorded stream may show of the main picture (`mask/stream-part.ts`). */
  readonly parts: readonly Rect[];
  /** By how much it may be turned there, because the camera was turned since; 0 is one of them. */
  readonly turns: readonly QuarterTurn[];
}

/** Masks, and where they may be on the recorded picture. */
export interface Masks extends ZoneMasks, RecordedPlaces {}
