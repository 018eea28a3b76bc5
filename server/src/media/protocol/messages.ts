/**
 * What is said between the server and a media host. The server tells what to watch; the host tells what
 * happens. A host keeps its cameras when the server goes, and answers `state` to the next one.
 *
 *   live      body: the initialisation segment
 *   fragment  body: one picture as moof + mdat
 *   seen      body: the chips of the faces
 *   snapshot  answer's body: a JPEG
 *   closer    answer's body: the chips of the faces
 */
import type {
  CameraHealth,
  cameraTypes,
  rotations,
  StreamName,
  ViewName,
} from '@nazar/contract/cameras.ts';
import type { Zone } from '@nazar/contract/zones.ts';
import type { GapCause, RecordingType } from '@nazar/contract/recordings.ts';
import type { Rect } from '#lib/geometry.ts';
import type { MotionSpan, SegmentHead, WrittenSegment } from './segments.ts';

/** How something is reached, and as who. Holds its password: in memory and on our own 0600 sockets only. */
export interface Reachable {
  readonly type: (typeof cameraTypes)[number] | 'file';
  /** rtsp(s), http(s), a device (`/dev/video0`), or the path of a film for `file`. */
  readonly url: string;
  readonly username: string;
  readonly password: string;
  /** Which certificate it has: SHA-256 in lower-case hexadecimal; '' for one that can be verified. */
  readonly certificate: string;
}

/** A camera and what is wanted of it. */
export interface MediaCamera extends Reachable {
  readonly id: string;
  /** The sub-stream, by the same user name and password; '' where there is none. */
  readonly subUrl: string;
  /** Whether it is asked for sound too. */
  readonly sound: boolean;
  readonly faceRecognition: boolean;
  /** Frames analyzed a second while something moves. */
  readonly analysisFps: number;
  readonly rotation: (typeof rotations)[number];
}

export function isSameCamera(a: MediaCamera, b: MediaCamera): boolean {
  return (Object.keys(a) as (keyof MediaCamera)[]).every((key) => a[key] === b[key]);
}

/** A part of a camera's picture, as it is shown upright: what a zone is to those who decode. */
export type MediaZone = Pick<Zone, 'kind' | 'points'>;

/** What is to be recorded of a camera. */
export interface RecordingPlan {
  /** Absolute; the files lie in folders below it. */
  readonly folder: string;
  readonly type: RecordingType;
  /** Up to when there are recordings of this camera: what comes now is never said to be older. */
  readonly recordedUntilMs: number;
}

export interface OpenedSegment extends SegmentHead {
  /** Absolute path. */
  readonly file: string;
}

export interface ClosedSegment extends Omit<WrittenSegment, 'durationMs'> {
  readonly id: string;
  readonly endedAtMs: number;
  /** Null: nobody compared its pictures. */
  readonly motion: readonly MotionSpan[] | null;
}

/** What happens to a camera's recording. Told again whenever a server tells its plan. */
export type RecorderNews =
  | { readonly kind: 'opened'; readonly segment: OpenedSegment }
  | { readonly kind: 'closed'; readonly segment: ClosedSegment }
  /** Nothing is recorded from then until the next segment. */
  | { readonly kind: 'interrupted'; readonly startedAtMs: number; readonly cause: GapCause };

export type ToHost =
  | {
      readonly kind: 'configure';
      readonly allowLoopback: boolean;
      readonly allowPublic: boolean;
      readonly ownPorts: readonly number[];
      readonly fileRoots: readonly string[];
      readonly visionSockets: readonly string[];
      readonly peerPorts: PeerPorts;
    }
  | { readonly kind: 'watch'; readonly camera: MediaCamera }
  | { readonly kind: 'unwatch'; readonly cameraId: string }
  /** Told before the camera is watched, and whenever they are drawn anew. */
  | { readonly kind: 'zones'; readonly cameraId: string; readonly zones: readonly MediaZone[] }
  /** Null: nothing is to be recorded. */
  | { readonly kind: 'record'; readonly cameraId: string; readonly plan: RecordingPlan | null }
  | {
      readonly kind: 'viewers';
      readonly cameraId: string;
      readonly stream: ViewName;
      readonly count: number;
    }
  /** What is to be drawn into JPEGs of this camera; `looks`: faces are detected although nothing else asks for them. */
  | {
      readonly kind: 'draw';
      readonly cameraId: string;
      readonly drawings: readonly Drawing[];
      readonly looks: boolean;
    }
  | { readonly kind: 'end_peer'; readonly cameraId: string; readonly peerId: string };

/** A face of a sub-stream that is wanted as the main stream shows it. */
export interface MainStreamRequest {
  readonly cameraId: string;
  /** When it was seen, milliseconds since 1970. */
  readonly atMs: number;
  /** Where, in fractions of the upright picture. */
  readonly box: Rect;
}

export type AskHost =
  | { readonly kind: 'state' }
  | (MainStreamRequest & { readonly kind: 'closer' })
  | { readonly kind: 'snapshot'; readonly cameraId: string }
  /** A browser's offer to get this camera's pictures by WebRTC. */
  | {
      readonly kind: 'peer';
      readonly cameraId: string;
      readonly peerId: string;
      readonly offer: string;
    };

export interface HostState {
  readonly cameras: readonly { readonly cameraId: string; readonly health: CameraHealth }[];
}

/** `jpeg`: whether the body holds a picture; `reason` why not. */
export interface SnapshotAnswer {
  readonly jpeg: boolean;
  readonly reason: 'none' | 'not_live' | 'not_ready';
}

/**
 * What was found around that place: faces in pixels of a picture of that size. `looked` is false when there is no such
 * picture now, which another moment may change.
 */
export interface MainStreamAnswer<Face> {
  readonly looked: boolean;
  readonly width: number;
  readonly height: number;
  readonly faces: readonly Face[];
}

/** A face as some of those who watch may see it. */
export interface DrawnBox {
  /** Fractions of the picture. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly label: string;
  /** The label bears a name. */
  readonly named: boolean;
}

export interface Drawing {
  /** Comes back with each picture it was drawn into. */
  readonly id: number;
  readonly boxes: readonly DrawnBox[];
}

/** `sdp`: the answer; '' with the reason why there is none. */
export interface PeerAnswer {
  readonly sdp: string;
  readonly refusal: 'none' | 'not_live' | 'offer' | 'reordered' | 'unavailable';
}

export interface LiveInit {
  readonly kind: 'live';
  readonly cameraId: string;
  readonly stream: ViewName;
  readonly mime: string;
  readonly width: number;
  readonly height: number;
}

export interface LiveFragment {
  readonly kind: 'fragment';
  readonly cameraId: string;
  readonly stream: ViewName;
  /** A viewer can begin here. */
  readonly key: boolean;
  /** Seconds on the media timeline: what `video.currentTime` shows for this picture. */
  readonly at: number;
  /** When it arrived, milliseconds since 1970. */
  readonly wallMs: number;
}

/** One frame that was analyzed; what a `Face` is, vision says. */
export interface FrameResult<Face> {
  readonly cameraId: string;
  /** On the timeline of the stream it was of. */
  readonly at: number;
  /** The same moment where each stream is shown; null where none is. */
  readonly shownAt: Readonly<Record<StreamName | 'masked', number | null>>;
  /** Pixels of the main stream for each of the one it was of. */
  readonly mainScale: number;
  /** Its faces can be detected in the main stream, too. */
  readonly closer: boolean;
  readonly wallMs: number;
  readonly width: number;
  readonly height: number;
  /** Most of the picture changed at once: what was tracked before is over. */
  readonly cut: boolean;
  readonly faces: readonly Face[];
}

export type FromHost<Face> =
  | { readonly kind: 'health'; readonly cameraId: string; readonly health: CameraHealth }
  | LiveInit
  | LiveFragment
  | (FrameResult<Face> & { readonly kind: 'seen' })
  | { readonly kind: 'recorder'; readonly cameraId: string; readonly news: RecorderNews }
  /** Body: a JPEG with that drawing in it. */
  | { readonly kind: 'drawn'; readonly cameraId: string; readonly drawingId: number }
  /** That browser left, or is sent nothing more. */
  | { readonly kind: 'peer_ended'; readonly cameraId: string; readonly peerId: string }
  /** A native read did not end although it was told to: this process must be killed. */
  | { readonly kind: 'hung'; readonly cameraId: string }
  | {
      readonly kind: 'log';
      readonly level: 'info' | 'warn' | 'error';
      readonly cameraId: string;
      readonly text: string;
    };

/** Where peers listen: UDP, one port each. */
export interface PeerPorts {
  /** Null: on all addresses of this machine. */
  readonly address: string | null;
  readonly first: number;
  readonly last: number;
}
