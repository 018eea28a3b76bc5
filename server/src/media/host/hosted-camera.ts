/**
 * One camera inside a media host: its main stream, its sub-stream where it has one, one of which is recorded, and the
 * consumers of frames. They get the frames of the sub-stream while it is live, else those of the main stream; each
 * picture is decoded once.
 */
import {
  viewNames,
  type CameraHealth,
  type StreamName,
  type ViewName,
} from '@nazar/contract/cameras.ts';
import type { Clock } from '#lib/clock.ts';
import type { Rect, Size } from '#lib/geometry.ts';
import type { CodedStream } from './detection/coded-stream.ts';
import { CameraPainters, type StreamPainters } from '../mask/camera-painters.ts';
import { maskKey } from '../mask/mask-key.ts';
import {
  rectOnMain,
  rectOnPart,
  samePicture,
  turnedPart,
  type StreamPart,
} from '../mask/stream-part.ts';
import { DrawnStream } from './overlay/drawn-stream.ts';
import { MainStreamDetection, type FoundInMainStream } from './detection/main-stream-detection.ts';
import {
  FrameAnalyzer,
  type DetectionClient,
  type Origin,
  type AnalyzedFrame,
} from './detection/frame-analyzer.ts';
import { CameraLog } from './camera-log.ts';
import { Feed } from './feed.ts';
import { Peers } from './webrtc/peers.ts';
import type { LiveStream } from './live/live-stream.ts';
import type {
  MainStreamRequest,
  Drawing,
  FromHost,
  MediaCamera,
  MediaZone,
  RecordingPlan,
} from '../protocol/messages.ts';
import { MaskedView } from './live/masked-view.ts';
import { FrameConsumers } from './frame-consumers.ts';
import { gapCauseOf } from './recorder/gap-cause.ts';
import { PictureCheck } from './picture-check/picture-check.ts';
import { Recorder } from './recorder/recorder.ts';
import { ofMain, type Alignment } from '../protocol/stream-pair.ts';
import { Measurement } from './alignment/measurement.ts';
import { StreamAlignment } from './alignment/stream-alignment.ts';
import type { SpareTime } from './detection/spare-time.ts';
import { StageMeter } from './stage-meter.ts';
import { StillMaker } from './recorder/still-maker.ts';
import { StreamChoice } from './recorder/stream-choice.ts';
import type { SourceContext } from '../sources/source.ts';

export interface HostedCameraOptions {
  readonly camera: MediaCamera;
  readonly clock: Clock;
  readonly context: Omit<SourceContext, 'signal'>;
  readonly zones: readonly MediaZone[];
  /** What is known of how its two streams lie to each other. */
  readonly alignments: readonly Alignment[];
  /** Null when there is no vision host. */
  readonly client: DetectionClient | null;
  readonly spareTime: SpareTime;
  /** Resolves when the camera's previous ingest has ended: many cameras grant one connection only. */
  readonly after: Promise<void>;
  readonly tell: (message: FromHost<unknown>, body?: Uint8Array) => void;
}

export class HostedCamera implements AsyncDisposable {
  readonly camera: MediaCamera;
  readonly #options: HostedCameraOptions;
  readonly #log: CameraLog;
  readonly #meter: StageMeter;
  readonly #recorder: Recorder;
  readonly #recorded: StreamChoice;
  /** The height asked for: of the main stream, however high, until there is a plan. */
  #height = Infinity;
  readonly #painters: StreamPainters;
  /** Null: there is no sub-stream. */
  readonly #alignment: StreamAlignment | null;
  readonly #measurement: Measurement | null;
  readonly #drawn: DrawnStream;
  readonly #masked: MaskedView;
  readonly #stills: StillMaker;
  readonly #pictureCheck: PictureCheck;
  readonly #consumers: FrameConsumers;
  readonly #main: Feed;
  readonly #sub: Feed | null;
  /** Null: there is no sub-stream, or no vision host. */
  readonly #mainStreamDetection: MainStreamDetection | null;
  readonly #started: Promise<void>;
  /** The browsers that get the main stream by WebRTC. */
  readonly peers: Peers;
  #ended = false;
  #zones: readonly MediaZone[];
  /** As the server knows them. */
  #alignments: readonly Alignment[];
  /** Names what the masked view is painted with, for the server. */
  #maskKey: string;
  /** Faces are detected on request, although the camera's settings do not ask for it. */
  #detectsOnDemand = false;

  constructor(options: HostedCameraOptions) {
    const { camera, clock, tell } = options;
    this.camera = camera;
    this.#options = options;
    const { zones, alignments } = options;
    [this.#zones, this.#alignments, this.#maskKey] = [
      zones,
      alignments,
      maskKey(zones, alignments),
    ];
    this.#painters = {
      main: new CameraPainters(camera.rotation, options.zones),
      sub: new CameraPainters(camera.rotation, options.zones, null),
    };
    const { main, sub: painters } = this.#painters;
    this.#alignment =
      camera.subUrl === ''
        ? null
        : new StreamAlignment({
            streamsId: camera.streamsId,
            painters,
            known: options.alignments,
            changed: () => this.#tellHealth(),
          });
    this.#measurement = this.#alignment && this.#measure(this.#alignment);
    const nameOf = (stream: StreamName): string => this.#alignment?.nameOf(stream) ?? ofMain;
    this.#meter = new StageMeter(clock);
    const meter = this.#meter;
    this.#log = new CameraLog(camera.id, clock, tell);
    this.#recorder = new Recorder({
      cameraId: camera.id,
      rotation: camera.rotation,
      clock,
      meter,
      log: this.#log,
      tell: (news) => tell({ kind: 'recorder', cameraId: camera.id, news }),
    });
    const recorder = this.#recorder;
    this.#recorded = new StreamChoice(recorder, nameOf);
    const from = { cameraId: camera.id, stream: 'masked' } as const;
    this.#masked = new MaskedView({
      rotation: camera.rotation,
      painters: this.#painters,
      listener: {
        init: ({ body, mime, width, height }) =>
          tell({ kind: 'live', ...from, mime, width, height, masks: this.#maskKey }, body),
        fragment: ({ body, key, at, wallMs }) =>
          tell({ kind: 'fragment', ...from, key, at, wallMs }, body),
      },
    });
    this.#drawn = new DrawnStream({
      rotation: camera.rotation,
      painters: this.#painters,
      clock,
      drawn: (drawingId, jpeg) => tell({ kind: 'drawn', cameraId: camera.id, drawingId }, jpeg),
    });
    this.#stills = new StillMaker({
      recorder,
      nameOf,
      rotation: camera.rotation,
      clock,
      failed: (error) => this.#log.paused('a still was not made', error),
    });
    this.#pictureCheck = new PictureCheck({
      clock,
      isMovable: camera.isMovable,
      changed: () => this.#tellHealth(),
    });
    this.#consumers = new FrameConsumers({
      analyzer: camera.faceRecognition ? this.#openAnalyzer() : null,
      drawn: this.#drawn,
      masked: this.#masked,
      stills: this.#stills,
      recorder,
      painters: this.#painters,
      pictureCheck: this.#pictureCheck,
      meter,
      clock,
      rotation: camera.rotation,
    });
    this.#main = this.#feed('main', camera);
    const { subUrl } = camera;
    this.#sub = subUrl === '' ? null : this.#feed('sub', { ...camera, url: subUrl });
    const { rotation } = camera;
    const coded = (): CodedStream | null => this.#main.coded;
    this.#mainStreamDetection =
      this.#sub && options.client
        ? new MainStreamDetection({
            coded,
            rotation,
            painters: main,
            client: options.client,
            meter,
          })
        : null;
    this.peers = new Peers({
      live: this.#main.live,
      rotation: camera.rotation,
      clock,
      log: this.#log,
      ended: (peerId) => tell({ kind: 'peer_ended', cameraId: camera.id, peerId }),
    });
    this.#started = options.after.then(() => this.#start());
  }

  get health(): CameraHealth {
    const isPlacing = this.pair !== null && this.#zones.length > 0;
    const aligned = isPlacing ? this.#painters.sub.isPlaced : null;
    const picture = this.#pictureCheck.found;
    return { ...this.#main.health, sub: this.#sub?.health ?? null, aligned, picture };
  }

  /** The live views that the server has viewers for. */
  get viewed(): ViewName[] {
    return viewNames.filter((view) => this.#viewOf(view)?.isSentToServer);
  }

  setViewers(view: ViewName, count: number): void {
    if (view === 'masked') this.#masked.setViewed(count > 0);
    else this.#viewOf(view)?.sendToServer(count > 0);
  }

  /** Applies from the next picture on; other masks begin the masked view anew, so that it shows nothing of before. */
  setZones(zones: readonly MediaZone[]): void {
    const before = this.health.aligned;
    this.#zones = zones;
    this.#painters.main.setZones(zones);
    this.#painters.sub.setZones(zones);
    this.#renewMasked();
    if (this.health.aligned !== before) this.#tellHealth();
  }

  /** What the server knows of how the two streams lie to each other. */
  setAlignments(alignments: readonly Alignment[]): void {
    this.#alignments = alignments;
    this.#alignment?.setKnown(alignments);
    this.#renewMasked();
  }

  /**
   * Sets the boxes drawn into JPEGs; `detectsFaces`: faces are detected for them even if the settings do not ask for
   * it.
   */
  draw(drawings: readonly Drawing[], detectsFaces: boolean): void {
    this.#drawn.setDrawings(drawings);
    const { faceRecognition } = this.camera;
    if (faceRecognition || detectsFaces === this.#detectsOnDemand) return;
    this.#detectsOnDemand = detectsFaces;
    this.#consumers.setAnalyzer(detectsFaces ? this.#openAnalyzer() : null);
  }

  /** Null: the camera is not to be recorded. */
  setRecording(plan: RecordingPlan | null): void {
    this.#recorder.setPlan(plan);
    this.#height = plan?.height ?? Infinity;
    const { health } = this;
    const name = this.#recorded.choose(health, this.#height);
    const { state, cause } = (name === 'sub' ? health.sub : null) ?? health;
    if (state !== 'live') this.#recorded[name].interrupt(gapCauseOf(cause));
  }

  /** Sends the server what this camera cost since the last report, and that its picture is not checked any more. */
  report(): void {
    this.#pictureCheck.report();
    this.#options.tell({ kind: 'cost', cameraId: this.camera.id, times: this.#meter.take() });
  }

  get snapshotAtMs(): number | null {
    return this.#main.snapshotAtMs;
  }

  snapshot(): Promise<Buffer | null> {
    return this.#main.snapshot();
  }

  /** The newest key frame of a stream without masks; null: it is not live, or none came yet. */
  async unmasked(stream: StreamName): Promise<Buffer | null> {
    const feed = this.#feedOf(stream);
    return feed?.health.state === 'live' ? await feed.unmasked() : null;
  }

  /** Names the two streams as they came last; null: one of them did not come yet. */
  get pair(): string | null {
    return this.#alignment?.pair ?? null;
  }

  /** Null when the main stream has no picture of that moment now. */
  async detectInMainStream(
    asked: MainStreamRequest,
  ): Promise<(FoundInMainStream & { readonly box: Rect }) | null> {
    const part = this.#shownPart;
    if (!this.#hasMainStreamGop || !part) return null;
    const box = rectOnMain(asked.box, turnedPart(part, this.camera.rotation));
    const found = await this.#mainStreamDetection?.detect({ ...asked, box });
    return found ? { ...found, box } : null;
  }

  /** Begins the masked view anew where the masks are others, or elsewhere: it shows nothing of before. */
  #renewMasked(): void {
    const before = this.#maskKey;
    this.#maskKey = maskKey(this.#zones, this.#alignments);
    if (this.#maskKey !== before) this.#masked.restart();
  }

  #start(): void {
    if (this.#ended) return;
    this.#main.start();
    this.#sub?.start();
  }

  #feed(stream: StreamName, camera: MediaCamera): Feed {
    const recorder = this.#recorded[stream];
    const { clock, tell } = this.#options;
    const context = { ...this.#options.context, withSound: stream === 'main' && camera.sound };
    return new Feed({
      stream,
      camera,
      clock,
      context,
      recorder,
      painters: this.#painters[stream],
      meter: this.#meter,
      sized: (size) => this.#alignment?.setSize(stream, size),
      measurement: this.#measurement,
      isKept: stream === 'main' && camera.subUrl !== '' && this.#options.client !== null,
      consumers: () => (stream === this.#analyzedStream ? this.#consumers : null),
      changed: ({ state, cause }) => {
        const { health } = this;
        if (state !== 'live') recorder.interrupt(gapCauseOf(cause));
        this.#recorded.choose(health, this.#height);
        this.#tellHealth();
      },
      tell,
    });
  }

  #viewOf(view: ViewName): LiveStream | null {
    if (view === 'sound') return this.#main.audio;
    return view === 'masked' ? this.#masked.live : (this.#feedOf(view)?.live ?? null);
  }

  #feedOf(stream: StreamName): Feed | null {
    return stream === 'main' ? this.#main : this.#sub;
  }

  get #analyzedStream(): StreamName {
    const isSubUsable = this.#sub?.health.state === 'live' && this.#painters.sub.isPlaced;
    return isSubUsable ? 'sub' : 'main';
  }

  /**
   * What the sub-stream shows of the main picture, for what hides nothing. Streams of the same proportions show the same
   * until it is known better; of others nothing is assumed.
   */
  get #shownPart(): StreamPart | null {
    if (!this.#alignment) return samePicture;
    const { part } = this.#alignment;
    if (part) return part;
    const [main, sub] = [this.#alignment.sizeOf('main'), this.#alignment.sizeOf('sub')];
    return main && sub && isAlike(main, sub) ? samePicture : null;
  }

  #measure(alignment: StreamAlignment): Measurement {
    const { clock, tell } = this.#options;
    return new Measurement({
      clock,
      alignment,
      areLive: () => this.#main.health.state === 'live' && this.#sub?.health.state === 'live',
      measured: (measured) => {
        alignment.measured(measured);
        tell({ kind: 'aligned', cameraId: this.camera.id, alignment: measured });
      },
      failed: (error) => this.#log.paused('the two streams were not compared', error),
    });
  }

  #tellHealth(): void {
    this.#options.tell({ kind: 'health', cameraId: this.camera.id, health: this.health });
  }

  get #hasMainStreamGop(): boolean {
    return this.#main.health.state === 'live' && this.#main.coded !== null;
  }

  /** Null without a vision host. Without an analyzer nothing is decoded for detection. */
  #openAnalyzer(): FrameAnalyzer | null {
    const { camera, clock, client, spareTime } = this.#options;
    if (!client) return null;
    return new FrameAnalyzer({
      camera,
      clock,
      client,
      spareTime,
      meter: this.#meter,
      painters: this.#painters,
      seen: (...analyzed) => this.#reportAnalyzed(...analyzed),
      compared: (...compared) => this.#recorder.compared(...compared),
      failed: (error) => this.#log.paused('a frame was not analyzed', error),
    });
  }

  #reportAnalyzed(
    analyzed: AnalyzedFrame,
    { stream, at, wallMs, width }: Origin,
    chips: Buffer,
  ): void {
    const shownAt = (of: StreamName): number | null =>
      of === stream ? at : (this.#feedOf(of)?.live.atWall(wallMs) ?? null);
    const shownIn = this.#placesOf(stream);
    this.#options.tell(
      {
        kind: 'seen',
        ...analyzed,
        at,
        wallMs,
        shownAt: {
          main: shownAt('main'),
          sub: shownAt('sub'),
          masked: this.#masked.live.atWall(wallMs),
        },
        shownIn: { ...shownIn, masked: samePicture },
        mainScale: this.#mainScaleOf(stream, width),
        isInMainStream: stream === 'sub' && this.#hasMainStreamGop && shownIn.main !== null,
      },
      chips,
    );
  }

  /** Where a frame of that stream lies on the upright pictures of both. */
  #placesOf(stream: StreamName): Readonly<Record<StreamName, Rect | null>> {
    const known = this.#shownPart;
    const part = known && turnedPart(known, this.camera.rotation);
    if (stream === 'sub') return { main: part, sub: samePicture };
    return { main: samePicture, sub: part && rectOnPart(samePicture, part) };
  }

  /** How many pixels of the main stream a pixel of that stream is wide: the fewest it may be, where that is not known. */
  #mainScaleOf(stream: StreamName, width: number): number {
    const [main, sub] = [this.#alignment?.sizeOf('main'), this.#alignment?.sizeOf('sub')];
    if (stream === 'main' || !main || !sub) return 1;
    const part = this.#shownPart;
    if (part) return (main.width * part.width) / width;
    return Math.min(main.width / width, main.height / sub.height);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended = true;
    this.peers[Symbol.dispose]();
    await this.#started;
    await Promise.all([this.#main[Symbol.asyncDispose](), this.#sub?.[Symbol.asyncDispose]()]);
    await this.#recorder[Symbol.asyncDispose]();
    await this.#measurement?.[Symbol.asyncDispose]();
    await this.#mainStreamDetection?.[Symbol.asyncDispose]();
    this.#consumers[Symbol.dispose]();
    this.#stills[Symbol.dispose]();
    this.#pictureCheck[Symbol.dispose]();
    await this.#drawn[Symbol.asyncDispose]();
    await this.#masked[Symbol.asyncDispose]();
  }
}

/** Whether both have the same proportions: encoders round a side up to 16 pixels. */
const isAlike = (one: Size, other: Size): boolean =>
  Math.abs((one.width * other.height) / (one.height * other.width) - 1) < 0.02;
