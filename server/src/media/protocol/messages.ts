/**
 * The messages between the server and a media host. The server says which cameras to ingest, and the host reports what
 * happens to them. A host keeps its cameras when the server goes, and answers `state` to the next one.
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
import type { Polygon } from '@nazar/contract/polygon.ts';
import type { Zone } from '@nazar/contract/zones.ts';
import type { RecordingType } from '@nazar/contract/recording-states.ts';
import type { GapCause } from '@nazar/contract/recordings.ts';
import type { Rect } from '#lib/geometry.ts';
import type { Rotation } from './rotation.ts';
import type { StageTimes } from './stage-times.ts';
import type { Alignment } from './stream-pair.ts';
import type { MotionSpan, SegmentHead, StillMark, WrittenSegment } from './segments.ts';

/**
 * How a source is reached, and by which account. It holds the password, which exists only in memory and on the
 * project's own 0600 sockets.
 */
export interface Reachable {
  readonly type: (typeof cameraTypes)[number] | 'file';
  /** rtsp(s), http(s), a device (`/dev/video0`), or the path of a video file for `file`. */
  readonly url: string;
  readonly username: string;
  readonly password: string;
  /** The pinned certificate: SHA-256 in lower-case hexadecimal; '' for one that can be verified. */
  readonly certificate: string;
}

/** A camera and how it is to be ingested. */
export interface MediaCamera extends Reachable {
  readonly id: string;
  /** The address of the sub-stream, by the same user name and password; '' where there is none. */
  readonly subUrl: string;
  /** Whether the host asks the camera for sound, too. */
  readonly sound: boolean;
  readonly faceRecognition: boolean;
  /** How many frames a second are analyzed while something moves, on a machine that is busy, too. */
  readonly analysisFps: number;
  /** How many are where the machine has time, as far as the processing mode allows. */
  readonly mostAnalysisFps: number;
  /** How many the camera's form asks for. */
  readonly askedFps: number;
  readonly rotation: (typeof rotations)[number];
  /** Users can move it: what it sees changes. */
  readonly isMovable: boolean;
  /** Another one whenever an address of the camera changes (`stream-pair.ts`). */
  readonly streamsId: string;
}

export function isSameCamera(a: MediaCamera, b: MediaCamera): boolean {
  return (Object.keys(a) as (keyof MediaCamera)[]).every((key) => a[key] === b[key]);
}

/** A part of a camera's upright picture: what the hosts know of a zone. */
export interface MediaZone extends Pick<Zone, 'kind'> {
  readonly points: Polygon;
}

/** What is to be recorded of a camera. */
export interface RecordingPlan {
  /** Absolute; the files lie in folders below it. */
  readonly folder: string;
  readonly type: RecordingType;
  /** The end of this camera's recordings so far: no new segment begins earlier. */
  readonly recordedUntilMs: number;
  /** The stream nearest to so many lines is recorded. */
  readonly height: number;
}

export interface OpenedSegment extends SegmentHead {
  /** Absolute path. */
  readonly file: string;
}

export interface ClosedSegment extends Omit<WrittenSegment, 'durationMs'> {
  readonly id: string;
  readonly endedAtMs: number;
  /** Null: its frames were not compared. */
  readonly motion: readonly MotionSpan[] | null;
  /** Where something moved (`motion-grid.ts`), in base64; null together with `motion`. */
  readonly grid: string | null;
  /** Null: it has none. */
  readonly still: StillMark | null;
}

/** What happens to a camera's recording. The host repeats it whenever a server sends its plan. */
export type RecorderNews =
  | { readonly kind: 'opened'; readonly segment: OpenedSegment }
  | { readonly kind: 'closed'; readonly segment: ClosedSegment }
  /** Nothing is recorded from `startedAtMs` until the next segment. */
  | { readonly kind: 'interrupted'; readonly startedAtMs: number; readonly cause: GapCause };

export type ToHost =
  | {
      readonly kind: 'configure';
      readonly allowLoopback: boolean;
      readonly networks: readonly string[];
      readonly ownPorts: readonly number[];
      readonly fileRoots: readonly string[];
      readonly visionSockets: readonly string[];
      readonly peerPorts: PeerPorts;
    }
  | { readonly kind: 'watch'; readonly camera: MediaCamera }
  | { readonly kind: 'unwatch'; readonly cameraId: string }
  /** Sent before the camera is watched, and whenever its zones change. */
  | { readonly kind: 'zones'; readonly cameraId: string; readonly zones: readonly MediaZone[] }
  /** Sent before the camera is watched, and whenever one becomes known. */
  | {
      readonly kind: 'alignments';
      readonly cameraId: string;
      readonly alignments: readonly Alignment[];
    }
  /** Null: nothing is to be recorded. */
  | { readonly kind: 'record'; readonly cameraId: string; readonly plan: RecordingPlan | null }
  | {
      readonly kind: 'viewers';
      readonly cameraId: string;
      readonly stream: ViewName;
      readonly count: number;
    }
  /**
   * The boxes to draw into JPEGs of this camera. `detectsFaces`: although its settings do not ask for it.
   */
  | {
      readonly kind: 'draw';
      readonly cameraId: string;
      readonly drawings: readonly Drawing[];
      readonly detectsFaces: boolean;
    }
  | { readonly kind: 'end_peer'; readonly cameraId: string; readonly peerId: string };

/** A face seen in a sub-stream that is to be detected again in the main stream. */
export interface MainStreamRequest {
  readonly cameraId: string;
  /** When it was seen, milliseconds since 1970. */
  readonly atMs: number;
  /** Where, in fractions of the sub-stream's upright picture. */
  readonly box: Rect;
}

export type AskHost =
  | { readonly kind: 'state' }
  | (MainStreamRequest & { readonly kind: 'main_stream' })
  | { readonly kind: 'snapshot'; readonly cameraId: string }
  | { readonly kind: 'snapshot_time'; readonly cameraId: string }
  /** The same of either stream without masks, for those who compare the two; answered as a snapshot is. */
  | { readonly kind: 'unmasked'; readonly cameraId: string; readonly stream: StreamName }
  /** Which streams come, to say how they lie to each other. */
  | { readonly kind: 'pair'; readonly cameraId: string }
  /** A browser's SDP offer to receive this camera's pictures by WebRTC. */
  | {
      readonly kind: 'peer';
      readonly cameraId: string;
      readonly peerId: string;
      readonly offer: string;
    };

export interface HostState {
  readonly cameras: readonly { readonly cameraId: string; readonly health: CameraHealth }[];
}

/** When the picture was taken that a snapshot would be made of; null: there is none. */
export interface SnapshotTimeAnswer {
  readonly takenAtMs: number | null;
}

/** Null: the two streams did not come yet, or there is one only (`stream-pair.ts`). */
export interface PairAnswer {
  readonly pair: string | null;
}

/** `jpeg`: whether the body holds a picture; `reason` why not. */
export interface SnapshotAnswer {
  readonly jpeg: boolean;
  readonly reason: 'none' | 'not_live' | 'not_ready';
}

/**
 * The faces around that place, in pixels of a picture of this size. `analyzed` is false when there is no such picture
 * now; a later request may find one.
 */
export interface MainStreamAnswer<Face> {
  readonly analyzed: boolean;
  /** Where the face that was asked for is expected, in fractions of that picture. */
  readonly box: Rect;
  readonly width: number;
  readonly height: number;
  readonly painted: PaintedFrame;
  readonly faces: readonly Face[];
}

/** A face as one set of viewers may see it. */
export interface DrawnBox {
  /** Fractions of the picture. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly label: string;
  /** Whether the label holds a name. */
  readonly named: boolean;
}

export interface Drawing {
  /** Returned with each JPEG that it was drawn into. */
  readonly id: number;
  readonly boxes: readonly DrawnBox[];
}

/** `sdp`: the SDP answer; '' when there is none, and `refusal` says why. */
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
  /** Names the masks that the masked view is painted with (`mask-key.ts`); other views have none. */
  readonly masks?: string;
}

export interface LiveFragment {
  readonly kind: 'fragment';
  readonly cameraId: string;
  readonly stream: ViewName;
  /** Whether a viewer can begin here. */
  readonly key: boolean;
  /** Seconds on the media timeline: what `video.currentTime` shows for this picture. */
  readonly at: number;
  /** When it arrived, milliseconds since 1970. */
  readonly wallMs: number;
}

/** How a frame was shown to the detector: turned by so much, and painted over with these masks (`picture-place.ts`). */
export interface Painted {
  readonly rotation: Rotation;
  readonly masks: string;
}

export interface PaintedFrame extends Painted {
  /** The part of the upright main picture that it shows (`mask/stream-part.ts`); null: that is not known. */
  readonly shows: Rect | null;
}

/** One analyzed frame. Only the detector's client knows what a `Face` holds. */
export interface FrameResult<Face> {
  readonly cameraId: string;
  /** Seconds on the timeline of the stream that the frame is from. */
  readonly at: number;
  /** The same moment on the timeline of each live view; null where a view is not shown. */
  readonly shownAt: Readonly<Record<StreamName | 'masked', number | null>>;
  /** Where the frame lies on the upright picture of each live view, in fractions of that; null where that is not known. */
  readonly shownIn: Readonly<Record<StreamName | 'masked', Rect | null>>;
  /** How many pixels of the main stream one pixel of this stream is wide. */
  readonly mainScale: number;
  /** Whether its faces can be detected again in the main stream. */
  readonly isInMainStream: boolean;
  readonly wallMs: number;
  readonly width: number;
  readonly height: number;
  readonly painted: PaintedFrame;
  /** Most of the picture changed at once: every track ends here. */
  readonly cut: boolean;
  readonly faces: readonly Face[];
}

export type FromHost<Face> =
  | { readonly kind: 'health'; readonly cameraId: string; readonly health: CameraHealth }
  | { readonly kind: 'cost'; readonly cameraId: string; readonly times: StageTimes }
  | LiveInit
  | LiveFragment
  | (FrameResult<Face> & { readonly kind: 'seen' })
  | { readonly kind: 'recorder'; readonly cameraId: string; readonly news: RecorderNews }
  /** It was measured what a sub-stream shows. */
  | { readonly kind: 'aligned'; readonly cameraId: string; readonly alignment: Alignment }
  /** Body: a JPEG with that drawing in it. */
  | { readonly kind: 'drawn'; readonly cameraId: string; readonly drawingId: number }
  /** The browser left, or the host stopped sending to it. */
  | { readonly kind: 'peer_ended'; readonly cameraId: string; readonly peerId: string }
  /** A native read did not end although it was asked to: this process must be killed. */
  | { readonly kind: 'hung'; readonly cameraId: string }
  | {
      readonly kind: 'log';
      readonly level: 'info' | 'warn' | 'error';
      readonly cameraId: string;
      readonly text: string;
    };

/** Where WebRTC peers listen: UDP, one port each. */
export interface PeerPorts {
  /** Null: on all addresses of this machine. */
  readonly address: string | null;
  readonly first: number;
  readonly last: number;
}
