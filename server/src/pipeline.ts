/**
 * The server's part of the path of a detected face, from start to finish. Read this first.
 *
 *   media host: decode -> motion -> newest frame -> vision host: faces          (before it gets here)
 *   -> camera tracks: best chips -> vision host: embed -> votes                 (vision)
 *   -> visits: durable, one row per visit                                       (visits)
 *   -> boxes in time with the video                                             (live)
 *
 * A name is drawn only once its visit is stored; until then, and in doubt, a box says "...".
 */
import type { CameraHealth } from '@nazar/contract/cameras.ts';
import type { Faces } from '#faces/faces.ts';
import type { Log } from '#lib/log.ts';
import { WallTime } from '#lib/wall-time.ts';
import type { Media } from '#media/media.ts';
import { placeOnMain } from '#media/mask/stream-part.ts';
import type { FrameResult } from '#media/protocol/messages.ts';
import type { PicturePlace } from '#media/mask/picture-place.ts';
import type { TrackedVisits } from '#visits/tracked-visits.ts';
import {
  CameraTracks,
  type Decision,
  type MainStreamWish,
} from '#vision/tracking/camera-tracks.ts';
import type { VisibleTrack } from '#vision/tracking/expected-faces.ts';
import { cameraWidth, type FaceView, type Vision } from '#vision/vision.ts';
import { inFractions } from '#vision/picture.ts';
import { packKey } from '#vision/packs/pack.ts';
import {
  sameFace,
  worthMainStream,
  type MainStreamMatch,
} from '#vision/tracking/main-stream-match.ts';
import type { Viewers } from '#live/viewers.ts';
import type { FaceDetector } from '#live/face-detector.ts';
import type { FaceLabel } from '#live/face-label.ts';
import type { RecognitionPolicy } from '#settings/recognition-policy.ts';

export interface PipelineOptions {
  readonly media: Pick<
    Media<FaceView>,
    'seen' | 'healthChanged' | 'detectInMainStream' | 'embedded'
  >;
  readonly vision: Pick<Vision, 'pack' | 'served' | 'embed'>;
  readonly faces: Pick<Faces, 'candidates' | 'personOf'>;
  readonly trackedVisits: Pick<TrackedVisits, 'decided' | 'stillSeen' | 'recorded'>;
  readonly viewers: Pick<Viewers, 'showFaces'>;
  readonly detector: Pick<FaceDetector, 'show' | 'forget'>;
  readonly policy: Pick<RecognitionPolicy, 'minProbability' | 'minFaceWidth'>;
  readonly log: Log;
}

interface CameraState {
  /** Part of the track ids: each state counts its tracks from 1, also when the camera comes back. */
  readonly number: number;
  readonly tracks: CameraTracks;
  /** Tracks use wall time: the stream's own time restarts when a viewer or a loss changes the stream. */
  readonly wallTime: WallTime;
}

export class Pipeline implements Disposable {
  readonly #options: PipelineOptions;
  readonly #cameras = new Map<string, CameraState>();
  #statesSoFar = 0;
  readonly #subscriptions: readonly Disposable[];
  /** Part of the track ids: separates tracks of this run of the server from those of another. */
  readonly #run = Math.random().toString(36).slice(2, 8);

  constructor(options: PipelineOptions) {
    this.#options = options;
    this.#subscriptions = [
      options.media.seen.on((picture) => this.#process(picture)),
      options.media.healthChanged.on(({ cameraId, health }) => {
        const isSeen = health.state === 'live' || health.sub?.state === 'live';
        if (!isSeen) this.#close(cameraId, isAboutToGoOn(health) ? 'stopped' : 'gone');
      }),
      // Vectors of two packs cannot be compared: everyone in view is detected again.
      options.vision.served.on(() => this.#stopAll()),
    ];
  }

  [Symbol.dispose](): void {
    for (const subscription of this.#subscriptions) subscription[Symbol.dispose]();
    // The next server detects everyone in view again.
    this.#stopAll();
  }

  #process(picture: FrameResult<FaceView> & { readonly chips: Buffer }): void {
    const { cameraId, at, shownAt, shownIn, mainScale, wallMs, width, height, cut, chips } =
      picture;
    const placeOf = (face: FaceView) => placeIn(picture, face);
    const serving = packKey(this.#options.vision.pack);
    // A vision host that has not restarted yet still uses the previous pack.
    if (picture.faces.some(({ pack }) => pack !== serving)) return;
    const faces = picture.faces.map((face) => this.#gated(face, mainScale));
    const { tracks, wallTime, number } = this.#stateOf(cameraId);
    const trackId = (track: number): string => this.#trackId(cameraId, number, track);
    const takenMs = wallTime.of(at * 1000, wallMs);
    const isCoarse = (face: FaceView): boolean =>
      picture.isInMainStream && this.#isCoarse(face, mainScale);
    const visibleTracks = tracks.add({
      at: takenMs,
      width,
      height,
      cut,
      faces,
      chips,
      isCoarse,
      placeOf,
    });
    for (const { track, doubt } of visibleTracks) {
      if (!doubt) this.#options.trackedVisits.stillSeen(trackId(track), takenMs);
    }
    const boxes = visibleTracks.map((visible) =>
      this.#box(trackId(visible.track), visible, picture),
    );
    this.#options.viewers.showFaces(cameraId, shownAt, shownIn, boxes);
    this.#options.detector.show(cameraId, takenMs, boxes);
  }

  /** A face that is smaller in the main stream than the administrators' minimum is drawn, but never named. */
  #gated(face: FaceView, mainScale: number): FaceView {
    const isSmall = cameraWidth(face) * mainScale < this.#options.policy.minFaceWidth;
    return isSmall && face.fault === null ? { ...face, fault: 'too_small' } : face;
  }

  #isCoarse(face: FaceView, mainScale: number): boolean {
    const { policy, vision } = this.#options;
    const { minIod } = vision.pack.quality.recognise;
    return worthMainStream(face, { mainScale, minWidth: policy.minFaceWidth, minIod });
  }

  /** Detects a face of the sub-stream again in the main stream's picture of the same moment. */
  async #fromMainStream(
    cameraId: string,
    { at, box, chip }: MainStreamWish,
  ): Promise<MainStreamMatch | 'not_now' | null> {
    const { media, vision } = this.#options;
    const found = await media.detectInMainStream({ cameraId, atMs: at, box });
    const serving = packKey(vision.pack);
    if (!found || found.faces.some(({ pack }) => pack !== serving)) return 'not_now';
    const same = sameFace(found.box, chip, found);
    if (!same) return null;
    return { ...same, view: this.#gated(same.view, 1), place: placeIn(found, same.view) };
  }

  #decided(cameraId: string, trackId: string, { outcome, picture, ...times }: Decision): void {
    this.#options.trackedVisits.decided({
      track: trackId,
      cameraId,
      identityId: outcome.kind === 'known' ? outcome.identity : null,
      confidence: outcome.kind === 'known' ? outcome.confidence : null,
      resembles: outcome.kind === 'unknown' && outcome.resembles === true,
      startedAtMs: times.startedAt,
      seenAtMs: times.seenAt,
      ended: times.ended,
      picture: {
        chip: picture.jpeg,
        template: picture.vector,
        packId: picture.pack.id,
        packVersion: picture.pack.version,
        quality: picture.quality,
        place: picture.place,
      },
    });
  }

  #box(
    trackId: string,
    { box, score, doubt }: VisibleTrack,
    size: { readonly width: number; readonly height: number },
  ): FaceLabel {
    const recorded = doubt ? null : this.#options.trackedVisits.recorded(trackId);
    const person = recorded?.isKnown ? this.#options.faces.personOf(recorded.identityId) : null;
    return {
      track_id: trackId,
      ...inFractions(box, size),
      state: recorded === null ? 'undecided' : person ? 'known' : 'unknown',
      name: person?.name ?? null,
      confidence: person && recorded ? recorded.confidence : null,
      score,
      addedBy: person?.addedBy ?? null,
      categoryId: person?.categoryId ?? null,
    };
  }

  #stateOf(cameraId: string): CameraState {
    const known = this.#cameras.get(cameraId);
    if (known) return known;
    const { media, vision, faces, policy, log } = this.#options;
    const number = (this.#statesSoFar += 1);
    const { calibration } = vision.pack.embedder;
    const tracks = new CameraTracks({
      split: calibration.split,
      embed: async (chip, pack) => {
        const embedded = await vision.embed(chip, 1, pack);
        media.embedded(cameraId, embedded.cpuMs);
        return embedded;
      },
      mainStream: (wanted) => this.#fromMainStream(cameraId, wanted),
      nearest: (vector, pack) => faces.candidates(cameraId, vector, pack),
      rules: () => ({ calibration, minProbability: policy.minProbability }),
      decided: (decision) =>
        this.#decided(cameraId, this.#trackId(cameraId, number, decision.track), decision),
      failed: (err) => log.warn({ err, camera: cameraId }, 'face could not be embedded'),
    });
    const state: CameraState = { number, tracks, wallTime: new WallTime() };
    this.#cameras.set(cameraId, state);
    return state;
  }

  #stopAll(): void {
    for (const cameraId of this.#cameras.keys()) this.#close(cameraId, 'stopped');
  }

  /** `stopped`: the camera goes on, and everyone in view is detected again. */
  #close(cameraId: string, reason: 'gone' | 'stopped'): void {
    const tracks = this.#cameras.get(cameraId)?.tracks;
    if (reason === 'stopped') tracks?.stop();
    else tracks?.close();
    this.#cameras.delete(cameraId);
    this.#options.detector.forget(cameraId);
  }

  #trackId(cameraId: string, state: number, track: number): string {
    return `${cameraId.slice(-8)}-${this.#run}-${state}-${track}`;
  }
}

/** Where in the camera's main picture the chip of a face was cut from this one; null: unknown. */
function placeIn(
  { painted, ...size }: Pick<FrameResult<FaceView>, 'width' | 'height' | 'painted'>,
  { chipBox }: FaceView,
): PicturePlace | null {
  const { shows, rotation, masks } = painted;
  return chipBox && shows && { ...placeOnMain(inFractions(chipBox, size), shows), rotation, masks };
}

/** Whether the camera was not lost, but is being reopened: it was changed, or its host process died. */
const isAboutToGoOn = ({ cause }: CameraHealth): boolean =>
  cause === 'starting' || cause === 'host_restarting';
