/**
 * One watched camera inside a host: its main stream, which is recorded, its sub-stream where it has one, and those
 * who look. They look at the sub-stream as long as it comes, else at the main one; pictures are decoded once.
 */
import {
  viewNames,
  type CameraHealth,
  type StreamName,
  type ViewName,
} from '@nazar/contract/cameras.ts';
import type { Clock } from '#lib/clock.ts';
import type { CodedStream } from './detection/coded-stream.ts';
import { Veils } from '../mask/camera-painters.ts';
import { DrawnStream } from './overlay/drawn-stream.ts';
import { CloserLooks, type FoundCloser } from './detection/main-stream-detection.ts';
import { EyesOnCamera, type Eyes, type Origin, type Sighting } from './detection/frame-analyzer.ts';
import { Feed } from './feed.ts';
import { Peers } from './webrtc/peers.ts';
import type { LiveStream } from './live/live-stream.ts';
import type {
  CloserLook,
  Drawing,
  FromHost,
  MediaCamera,
  MediaZone,
  RecordingPlan,
} from '../protocol/messages.ts';
import { MaskedView } from './live/masked-view.ts';
import { Onlookers } from './frame-consumers.ts';
import { gapCauseOf } from './recorder/gap-cause.ts';
import { Recorder } from './recorder/recorder.ts';
import type { SourceContext } from '../sources/source.ts';

export interface WatchedOptions {
  readonly camera: MediaCamera;
  readonly clock: Clock;
  readonly context: Omit<SourceContext, 'signal'>;
  readonly zones: readonly MediaZone[];
  /** Null when there is nobody to look at pictures. */
  readonly eyes: Eyes | null;
  /** The camera's previous ingest has ended: many cameras grant one connection only. */
  readonly after: Promise<void>;
  readonly tell: (message: FromHost<unknown>, body?: Uint8Array) => void;
}

const lookLogEveryMs = 60_000;

export class Watched implements AsyncDisposable {
  readonly camera: MediaCamera;
  readonly #options: WatchedOptions;
  readonly #recorder: Recorder;
  readonly #veils: Veils;
  readonly #drawn: DrawnStream;
  readonly #masked: MaskedView;
  readonly #onlookers: Onlookers;
  readonly #main: Feed;
  readonly #sub: Feed | null;
  /** Null: there is no sub-stream, or nobody to look. */
  readonly #closer: CloserLooks | null;
  readonly #started: Promise<void>;
  /** Who gets the main stream by WebRTC. */
  readonly peers: Peers;
  #lookFailedAtMs = -Infinity;
  #ended = false;
  /** Somebody asked that faces are looked for here, although the camera's settings do not. */
  #looksOnDemand = false;

  constructor(options: WatchedOptions) {
    const { camera, clock, tell } = options;
    this.camera = camera;
    this.#options = options;
    this.#veils = new Veils(camera.rotation, options.zones);
    this.#recorder = new Recorder({
      cameraId: camera.id,
      clock,
      tell: (news) => tell({ kind: 'recorder', cameraId: camera.id, news }),
    });
    const recorder = this.#recorder;
    const from = { cameraId: camera.id, stream: 'masked' } as const;
    this.#masked = new MaskedView({
      rotation: camera.rotation,
      veils: this.#veils,
      listener: {
        init: ({ body, mime, width, height }) =>
          tell({ kind: 'live', ...from, mime, width, height }, body),
        fragment: ({ body, key, at, wallMs }) =>
          tell({ kind: 'fragment', ...from, key, at, wallMs }, body),
      },
    });
    this.#drawn = new DrawnStream({
      rotation: camera.rotation,
      veils: this.#veils,
      clock,
      drawn: (drawingId, jpeg) => tell({ kind: 'drawn', cameraId: camera.id, drawingId }, jpeg),
    });
    this.#onlookers = new Onlookers({
      eyes: camera.faceRecognition ? this.#openEyes() : null,
      drawn: this.#drawn,
      masked: this.#masked,
      recorder,
      veils: this.#veils,
      clock,
    });
    this.#main = this.#feed('main', camera, recorder);
    const { subUrl } = camera;
    this.#sub = subUrl === '' ? null : this.#feed('sub', { ...camera, url: subUrl }, null);
    const { rotation } = camera;
    const coded = (): CodedStream | null => this.#main.coded;
    this.#closer =
      this.#sub && options.eyes
        ? new CloserLooks({ coded, rotation, veils: this.#veils, eyes: options.eyes })
        : null;
    this.peers = new Peers({
      live: this.#main.live,
      rotation: camera.rotation,
      clock,
      ended: (peerId) => tell({ kind: 'peer_ended', cameraId: camera.id, peerId }),
    });
    this.#started = options.after.then(() => this.#start());
  }

  get health(): CameraHealth {
    return { ...this.#main.health, sub: this.#sub?.health ?? null };
  }

  /** What somebody watches or hears by the server. */
  get viewed(): ViewName[] {
    return viewNames.filter((view) => this.#viewOf(view)?.isTold);
  }

  setViewers(view: ViewName, count: number): void {
    if (view === 'masked') this.#masked.setWatched(count > 0);
    else this.#viewOf(view)?.setWatched(count > 0);
  }

  /** From the next picture on. */
  setZones(zones: readonly MediaZone[]): void {
    this.#veils.draw(zones);
  }

  /** What is drawn into JPEGs; `looks`: faces are looked for as long as that is wanted. */
  draw(drawings: readonly Drawing[], looks: boolean): void {
    this.#drawn.setDrawings(drawings);
    const { faceRecognition } = this.camera;
    if (faceRecognition || looks === this.#looksOnDemand) return;
    this.#looksOnDemand = looks;
    this.#onlookers.setEyes(looks ? this.#openEyes() : null);
  }

  /** Null: nothing of it is to be recorded. */
  setRecording(plan: RecordingPlan | null): void {
    this.#recorder.setPlan(plan);
    const { state, cause } = this.health;
    if (state !== 'live') this.#recorder.interrupt(gapCauseOf(cause));
  }

  snapshot(): Promise<Buffer | null> {
    return this.#main.snapshot();
  }

  /** Null when there is no such picture now. */
  async lookCloser(asked: CloserLook): Promise<FoundCloser | null> {
    return this.#mayLookCloser ? ((await this.#closer?.look(asked)) ?? null) : null;
  }

  #start(): void {
    if (this.#ended) return;
    this.#main.start();
    this.#sub?.start();
  }

  #feed(stream: StreamName, camera: MediaCamera, recorder: Recorder | null): Feed {
    const { clock, tell } = this.#options;
    const context = { ...this.#options.context, withSound: stream === 'main' && camera.sound };
    return new Feed({
      stream,
      camera,
      clock,
      context,
      recorder,
      veils: this.#veils,
      isKept: stream === 'main' && camera.subUrl !== '' && this.#options.eyes !== null,
      onlookers: () => (stream === this.#lookedAt ? this.#onlookers : null),
      changed: ({ state, cause }) => {
        if (state !== 'live') recorder?.interrupt(gapCauseOf(cause));
        tell({ kind: 'health', cameraId: camera.id, health: this.health });
      },
      tell,
    });
  }

  #viewOf(view: ViewName): LiveStream | null {
    if (view === 'sound') return this.#main.heard;
    return view === 'masked' ? this.#masked.live : (this.#feedOf(view)?.live ?? null);
  }

  #feedOf(stream: StreamName): Feed | null {
    return stream === 'main' ? this.#main : this.#sub;
  }

  get #lookedAt(): StreamName {
    return this.#sub?.health.state === 'live' ? 'sub' : 'main';
  }

  get #mayLookCloser(): boolean {
    return this.#main.health.state === 'live' && this.#main.coded !== null;
  }

  /** No analysis, and no decoding for it, unless it is asked for. */
  #openEyes(): EyesOnCamera | null {
    const { camera, clock, eyes } = this.#options;
    if (!eyes) return null;
    return new EyesOnCamera({
      camera,
      clock,
      eyes,
      veils: this.#veils,
      seen: (...seen) => this.#tellSeen(...seen),
      compared: (moves) => this.#recorder.compared(moves),
      failed: (error) => this.#lookFailed(error),
    });
  }

  #tellSeen(sighting: Sighting, { stream, at, wallMs, width }: Origin, chips: Buffer): void {
    const shownAt = (of: StreamName): number | null =>
      of === stream ? at : (this.#feedOf(of)?.live.atWall(wallMs) ?? null);
    const mainWidth = stream === 'main' ? width : (this.#main.health.width ?? width);
    this.#options.tell(
      {
        kind: 'seen',
        ...sighting,
        at,
        wallMs,
        shownAt: {
          main: shownAt('main'),
          sub: shownAt('sub'),
          masked: this.#masked.live.atWall(wallMs),
        },
        mainScale: mainWidth / width,
        closer: stream === 'sub' && this.#mayLookCloser,
      },
      chips,
    );
  }

  /** Vision hosts come back by themselves; one line a minute is enough. */
  #lookFailed(error: unknown): void {
    const { clock, tell } = this.#options;
    const nowMs = clock.monotonicMs();
    if (nowMs - this.#lookFailedAtMs < lookLogEveryMs) return;
    this.#lookFailedAtMs = nowMs;
    const text = `nobody looked: ${error instanceof Error ? error.message : 'unknown'}`;
    tell({ kind: 'log', level: 'warn', cameraId: this.camera.id, text });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended = true;
    this.peers[Symbol.dispose]();
    await this.#started;
    await Promise.all([this.#main[Symbol.asyncDispose](), this.#sub?.[Symbol.asyncDispose]()]);
    await this.#recorder[Symbol.asyncDispose]();
    await this.#closer?.[Symbol.asyncDispose]();
    this.#onlookers[Symbol.dispose]();
    await this.#drawn[Symbol.asyncDispose]();
    await this.#masked[Symbol.asyncDispose]();
  }
}
