/**
 * Sends a camera's frames to a vision host: the newest only, when and where the detection schedule says. A frame that
 * comes while another is being analyzed is dropped, never queued.
 */
import type { StreamName } from '@nazar/contract/cameras.ts';
import type { Frame } from 'node-av/lib';
import type { Clock } from '#lib/clock.ts';
import type { Rect } from '#lib/geometry.ts';
import type { ImageSource } from '#lib/image-source.ts';
import { FrameScaler } from '../../codec/frame-scaler.ts';
import { AnalysisPace, earlyMs } from './analysis-pace.ts';
import { FrameView, viewSize } from './frame-view.ts';
import type { MediaCamera, FrameResult } from '../../protocol/messages.ts';
import { GridMap } from '../motion/grid-map.ts';
import { MotionDetector, type Motion } from '../motion/motion.ts';
import { DetectionSchedule, type Plan } from './detection-schedule.ts';
import type { StreamPainters } from '../../mask/camera-painters.ts';
import type { SpareTime } from './spare-time.ts';
import { samePicture } from '../../mask/stream-part.ts';
import type { Compared } from '../motion/motion-marks.ts';
import { rotated } from '../../codec/rotate.ts';
import type { StageMeter } from '../stage-meter.ts';
import { ViewScaler } from './view-scaler.ts';
import { fit } from '../../codec/fit.ts';

export interface DetectedFaces {
  readonly reply: { readonly faces: readonly { readonly box: Rect }[] };
  readonly chips: Buffer;
  /** What it took to find them, in processor time. */
  readonly costMs: number;
}

/** The client of the vision hosts. */
export interface DetectionClient extends AsyncDisposable {
  /**
   * The view is lent for the time of the call; `scene` is the same object for pictures of the same scene. `isExtra`: the
   * picture lies between those that are due.
   */
  detect(view: ImageSource, scene: object | null, isExtra?: boolean): Promise<DetectedFaces>;
  /** How many vision hosts can take a picture now. */
  readonly reachable: number;
  /** One of them has nothing to do. */
  readonly free: boolean;
}

/** The stream and the time that a frame is from. */
export interface Origin {
  readonly stream: StreamName;
  /** Seconds on the timeline that viewers of that stream see. */
  readonly at: number;
  /** When it arrived, milliseconds since 1970. */
  readonly wallMs: number;
  /** Pixels, as the camera sent it. */
  readonly width: number;
}

/** What was found in a frame, without the times at which it is shown. */
export type AnalyzedFrame = Omit<
  FrameResult<unknown>,
  'at' | 'wallMs' | 'shownAt' | 'shownIn' | 'mainScale' | 'isInMainStream'
>;

export interface FrameAnalyzerOptions {
  readonly camera: MediaCamera;
  readonly clock: Clock;
  readonly meter: StageMeter;
  readonly client: DetectionClient;
  /** That of the media host, which its cameras share. */
  readonly spareTime: SpareTime;
  readonly painters: StreamPainters;
  readonly seen: (seen: AnalyzedFrame, origin: Origin, chips: Buffer) => void;
  readonly compared: Compared;
  readonly failed: (error: unknown) => void;
}

const motionWidth = 320;

export class FrameAnalyzer implements Disposable {
  readonly #options: FrameAnalyzerOptions;
  readonly #scaler = new FrameScaler();
  readonly #viewScaler = new ViewScaler();
  readonly #schedule = new DetectionSchedule();
  #motion: {
    readonly detector: MotionDetector;
    readonly map: GridMap;
    readonly key: string;
  } | null = null;
  #comparedAtMs = -Infinity;
  readonly #pace: AnalysisPace;
  /** Where something moved when frames were last compared, and of which stream. */
  #moving: { readonly stream: StreamName; readonly regions: readonly Rect[] } | null = null;
  /** The analysis under way. */
  #analyzing: Promise<void> | null = null;
  /** There was a cut since the last analyzed frame: it ends all tracks even though its own frame was not analyzed. */
  #cut = false;
  #scene: object = {};

  constructor(options: FrameAnalyzerOptions) {
    this.#options = options;
    this.#pace = new AnalysisPace(options.camera.mostAnalysisFps);
  }

  /** Resolves when the frame is no longer needed; the analysis goes on. */
  async offer(frame: Frame, origin: Origin): Promise<void> {
    const { camera, clock, meter } = this.#options;
    if (this.#moving) meter.count('offered');
    if (this.#analyzing) return;
    const nowMs = clock.monotonicMs();
    // That early is on time: otherwise 5 of 25 frames a second become 4.2.
    const dueAtMs = this.#comparedAtMs + 1000 / camera.analysisFps - earlyMs;
    if (nowMs < dueAtMs) {
      this.#analyzeBetween(frame, origin, { nowMs, dueAtMs });
      return;
    }
    if (this.#moving) meter.moved(nowMs - this.#comparedAtMs);
    this.#comparedAtMs = nowMs;
    const motion = await meter.time('detect', () => this.#compare(frame, origin.stream));
    this.#cut ||= motion.cut;
    if (motion.cut) this.#scene = {};
    const plan = this.#schedule.next(nowMs, motion);
    this.#noteMotion(motion, origin.stream);
    if (plan) this.#begin(frame, origin, plan, { isExtra: false });
  }

  #noteMotion({ regions, cut }: Motion, stream: StreamName): void {
    this.#moving = regions.length > 0 && !cut ? { stream, regions } : null;
    if (this.#moving) this.#options.spareTime.moved(this.#options.camera.id);
  }

  /**
   * Detects faces where something moved when frames were last compared, as often as the camera asks for and the
   * machine can. Neither motion nor the schedule takes part: what is due anyway is due as before.
   */
  #analyzeBetween(
    frame: Frame,
    origin: Origin,
    { nowMs, dueAtMs }: { readonly nowMs: number; readonly dueAtMs: number },
  ): void {
    const { camera, client } = this.#options;
    if (camera.mostAnalysisFps <= camera.analysisFps) return;
    if (this.#moving?.stream !== origin.stream || !client.free) return;
    if (!this.#pace.mayBegin(nowMs, dueAtMs)) return;
    const plan = { regions: this.#moving.regions, quickScan: true };
    this.#begin(frame, origin, plan, { isExtra: true });
  }

  #begin(frame: Frame, origin: Origin, plan: Plan, { isExtra }: { isExtra: boolean }): void {
    const { camera, clock, client, spareTime } = this.#options;
    const { recognition: painter, painted } = this.#options.painters[origin.stream];
    const view = new FrameView(frame, {
      ...plan,
      scaler: this.#viewScaler,
      rotation: camera.rotation,
      painter,
    });
    this.#pace.started(clock.monotonicMs(), spareTime.share(client.reachable));
    this.#analyzing = this.#analyze(view, { plan, isExtra }, { ...origin, painted }).finally(() => {
      // Only quick ones are made between others.
      if (plan.quickScan) this.#pace.ended(clock.monotonicMs());
      this.#analyzing = null;
    });
  }

  async #compare(frame: Frame, stream: StreamName): Promise<Motion> {
    const { width, height } = fit(frame, motionWidth, motionWidth);
    const data = await this.#scaler.toBuffer(frame, { resize: { width, height }, format: 'gray' });
    const { camera, painters, compared } = this.#options;
    const grey = rotated({ width, height, data }, camera.rotation, 1);
    const { recognition, uprightPart, steersMotion } = painters[stream];
    recognition.paint(grey, 1);
    const key = `${stream} ${grey.width}x${grey.height} ${JSON.stringify(uprightPart)}`;
    const isFirst = this.#motion?.key !== key;
    this.#motion = isFirst
      ? {
          key,
          detector: new MotionDetector(grey.width, grey.height),
          map: new GridMap(grey, 0, uprightPart ?? samePicture),
        }
      : this.#motion!;
    const motion = this.#motion.detector.push(grey.data);
    if (!isFirst && !steersMotion)
      compared(this.#motion.map.of(motion.moved), uprightPart !== null);
    const scale = viewSize(frame).width / width;
    return { ...motion, regions: motion.regions.map((region) => scaled(region, scale)) };
  }

  /** Releases the view when the analysis has ended. */
  async #analyze(
    frameView: FrameView,
    { plan, isExtra }: { readonly plan: Plan; readonly isExtra: boolean },
    { painted, ...origin }: Origin & Pick<AnalyzedFrame, 'painted'>,
  ): Promise<void> {
    const { camera, client, meter, seen, failed } = this.#options;
    await using view = frameView;
    const { width, height } = view;
    const cut = this.#cut;
    this.#cut = false;
    const isMoving = this.#moving !== null;
    try {
      const { reply, chips, costMs } = await client.detect(view, this.#scene, isExtra);
      meter.add('detect', costMs);
      if (isMoving) meter.count('analyzed');
      const { faces } = reply;
      const boxes = faces.map(({ box }) => box);
      if (!isExtra) this.#schedule.found(plan, boxes);
      seen({ cameraId: camera.id, width, height, painted, cut, faces }, origin, chips);
    } catch (error) {
      this.#cut ||= cut;
      if (isMoving) meter.count('failed');
      failed(error);
    }
  }

  /** The scaler of views is closed when the analysis under way has ended. */
  [Symbol.dispose](): void {
    this.#scaler.close();
    void (this.#analyzing ?? Promise.resolve()).then(() => this.#viewScaler[Symbol.asyncDispose]());
  }
}

function scaled({ x, y, width, height }: Rect, by: number): Rect {
  return { x: x * by, y: y * by, width: width * by, height: height * by };
}
