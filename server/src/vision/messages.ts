/**
 * Messages between a vision host and its callers (the server, and the media hosts, which send pictures straight to it
 * so that pixels never pass through the server). Pixels are RGB, 3 bytes each.
 *
 *   limits      which tiles the detector is made for, and how much of a face a chip shows
 *   find        body: the tiles, one after another           -> boxes
 *   describe    body: the crops, one after another           -> body: the chips, one after another
 *   detect      body: a photo; both of the above in one, of   -> whether it stands upright; body: the chips, one after
 *               the photo in one of its turns                   another
 *   embed       body: chips, one after another               -> body: vectors (float32 LE), then JPEGs
 *   attributes  body: a chip as JPEG                         -> the attributes of the face
 *   stats       what the process has used                    -> processor time, memory, counts
 */
import type { Attribute } from '@nazar/contract/attributes.ts';
import type { PictureFault } from '@nazar/contract/problem.ts';
import type { Size, Rect } from '#lib/geometry.ts';
import type { FaceEstimate } from './attributes/estimate.ts';
import type { Detection } from './detector/detection.ts';
import type { PackKey } from './packs/pack.ts';
import type { DetectorLimits, Tile } from './detector/tiles.ts';
import type { Turn } from './turns.ts';

export interface LimitsRequest {
  readonly kind: 'limits';
}

export interface LimitsReply {
  readonly limits: DetectorLimits;
  /** The width of a chip, in widths of a face's box. */
  readonly chipWidth: number;
  /** Whether a face is confirmed where none was a moment ago. */
  readonly confirmsNew: boolean;
}

export interface FindRequest {
  readonly kind: 'find';
  readonly tiles: readonly Tile[];
}

export interface FindReply {
  /** Best first, no face twice. */
  readonly found: readonly Detection[];
}

/** A crop of a face and its surroundings, at the camera's full resolution. */
export interface FaceCrop extends Detection, Size {
  readonly part: Rect;
  /** Pixels of the camera for each of the picture's, along one side. */
  readonly detail: number;
}

export interface DescribeRequest {
  readonly kind: 'describe';
  readonly cuttings: readonly FaceCrop[];
}

export interface DetectRequest extends Size {
  readonly kind: 'detect';
  /** The photo is turned by it first; the answer is in pixels of the turned photo. */
  readonly turn: Turn;
}

/** One face as the engine sees it: everything the tracker, the gate and the votes need; no identity. */
export interface FaceView {
  readonly box: Rect;
  /** The detector's score, 0 to 1. */
  readonly score: number;
  /** Left eye, right eye, nose tip, left and right corner of the mouth, in pixels. */
  readonly points: readonly (readonly [x: number, y: number])[];
  /** Distance between the eyes in pixels of the camera, which may have more pixels than the picture. */
  readonly iod: number;
  /** Variance of the Laplacian on the grey chip. */
  readonly sharpness: number;
  /** How far the nose is from the middle between the eyes, in eye distances; 0 is frontal. */
  readonly yaw: number;
  /** Mean grey value of the chip, 0 to 255. */
  readonly brightness: number;
  /** 0 to 1: score x size x frontality x sharpness; what "best picture of a track" means. */
  readonly quality: number;
  /** Why this face must not be named, or null when it passes the gate. */
  readonly fault: PictureFault | null;
  /** The index of its chip in the body; null when none was made. */
  readonly chip: number | null;
  /** The part of the picture that its chip shows, in pixels; null without a chip. */
  readonly chipBox: Rect | null;
  /** The pack that made the chip: only this pack makes a vector of it. */
  readonly pack: PackKey;
}

export interface DetectReply {
  readonly faces: readonly FaceView[];
}

export interface PhotoReply extends DetectReply {
  /** How likely the photo stands upright as it was turned, by its faces (turns.ts); null: there are none to tell. */
  readonly uprightness: number | null;
}

export interface EmbedRequest {
  readonly kind: 'embed';
  readonly count: number;
  /** The pack that made the chips. */
  readonly pack: PackKey;
}

export interface EmbedReply {
  /** Vectors of different packs are never compared. */
  readonly pack: { readonly id: string; readonly version: string };
  readonly dimensions: number;
  /** Length of each chip's JPEG in the body, after `count` x `dimensions` float32. */
  readonly jpegBytes: readonly number[];
}

export interface AttributesRequest {
  readonly kind: 'attributes';
  readonly wanted: readonly Attribute[];
  /** The pack that made the chip. */
  readonly pack: PackKey;
}

export type AttributesReply = FaceEstimate;

/** The answers to `find`, `describe`, `embed` and `attributes` say what processor time they took, on all cores. */
export type Metered<T> = T & { readonly cpuMs: number };

/** What the process has used since it began, for health pages and benchmarks. */
export interface StatsRequest {
  readonly kind: 'stats';
}

export interface StatsReply {
  readonly cpuMs: number;
  readonly rssBytes: number;
  /** Its own memory and its share of what it shares with others; null where the system does not report it. */
  readonly pssBytes: number | null;
  /** How many pictures were analyzed, and how many chips embedded. */
  readonly pictures: number;
  readonly chips: number;
}

export type VisionRequest =
  | LimitsRequest
  | FindRequest
  | DescribeRequest
  | DetectRequest
  | EmbedRequest
  | AttributesRequest
  | StatsRequest;
