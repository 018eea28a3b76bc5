/**
 * The front door of media, in the server: starts media hosts on demand, adopts those that a former server left
 * running, restarts those that die, and passes each camera's live views to their viewers. It knows nothing about
 * people, about who may see a camera, or about where cameras are stored; only the hosts touch the bytes of cameras.
 *
 * `server` is what runs in the server beside it, `host` what runs in a media host (ingest, live views, recorder, motion,
 * detection, overlay, WebRTC), `worker` what runs in a media worker (probes, thumbnails, masked copies, ONVIF).
 * `sources` reads cameras for both, `codec`, `mp4`, `mask` and `export` are their tools, and `protocol` holds the
 * messages and types that the processes share.
 */
import type { CameraCost } from '@nazar/contract/camera-cost.ts';
import {
  viewNames,
  type CameraHealth,
  type StreamName,
  type ViewName,
} from '@nazar/contract/cameras.ts';
import { ownWork } from '#lib/limits/turns.ts';
import { Problem } from '#lib/problem.ts';
import { Topic } from '#lib/topic.ts';
import type { Message, Peer } from '#lib/ipc.ts';
import { end, type Viewer } from './server/fan-out.ts';
import { CameraCosts } from './server/camera-costs.ts';
import { Views, type ViewerSubscription, type ViewerWishes } from './server/camera-views.ts';
import { maskKey } from './mask/mask-key.ts';
import { downSince, offHealth } from './protocol/health.ts';
import { Hosts, type HostsOptions } from './server/hosts.ts';
import {
  isSameCamera,
  type AskHost,
  type MainStreamAnswer,
  type MainStreamRequest,
  type Drawing,
  type FromHost,
  type MediaCamera,
  type MediaZone,
  type PairAnswer,
  type PeerAnswer,
  type RecorderNews,
  type RecordingPlan,
  type FrameResult,
  type SnapshotAnswer,
  type SnapshotTimeAnswer,
  type ToHost,
  type PeerPorts,
} from './protocol/messages.ts';
import type { MaskingLimit } from './server/masking-limit.ts';
import type { Alignment } from './protocol/stream-pair.ts';
import type { Workers } from './server/workers.ts';

export { MaskingLimit } from './server/masking-limit.ts';
export { WorkerLost } from './server/workers.ts';
export type MediaWorkers = Pick<Workers, 'ask'>;
export type { EndReason, Viewer } from './server/fan-out.ts';
export type { ViewerSubscription, ViewerWishes } from './server/camera-views.ts';

export interface MediaOptions extends HostsOptions {
  /** Allows cameras on this machine: for tests and demonstrations only. */
  readonly allowLoopback: boolean;
  /** Networks of cameras beside the private address ranges, as CIDR. */
  readonly networks?: readonly string[];
  /** Ports of this product on this machine, which never belong to a camera. */
  readonly ownPorts?: readonly number[];
  /** Folders that `file` cameras may lie in. */
  readonly fileRoots: readonly string[];
  /** The sockets of the vision hosts. */
  readonly visionSockets: () => readonly string[];
  /** Bounds how much is encoded at once because of masks. */
  readonly maskingLimit: MaskingLimit;
  /** Where browsers reach WebRTC peers. */
  readonly peerPorts: PeerPorts;
}

/** Faces in pixels of a picture with that size. */
export interface MainStreamFaces<Face> extends Omit<MainStreamAnswer<Face>, 'analyzed'> {
  readonly chips: Buffer;
}

export interface MeasuredAlignment {
  readonly cameraId: string;
  readonly alignment: Alignment;
}

export interface DrawnPicture {
  readonly cameraId: string;
  readonly drawingId: number;
  readonly jpeg: Buffer;
}

/** `peerId` null: all peers of that camera ended. */
export interface PeerEnded {
  readonly cameraId: string;
  readonly peerId: string | null;
}

export interface HealthNews {
  readonly cameraId: string;
  readonly health: CameraHealth;
}

export interface RecordedNews {
  readonly cameraId: string;
  /** `gone`: the recording process has crashed. */
  readonly news: RecorderNews | { readonly kind: 'gone' };
}

const snapshotTimeoutMs = 3_000;
/** Making a key and finding a port takes a tenth of this. */
const answerTimeoutMs = 5_000;
/** Decoding takes half of this at most on a busy machine (`host/detection/picture-at.ts`); the pipeline asks again. */
const mainStreamTimeoutMs = 2_500;
const restarting: CameraHealth = { ...offHealth, state: 'connecting', cause: 'host_restarting' };
const resting: CameraHealth = { ...offHealth, state: 'offline', cause: 'host_crashing' };

interface Wanted {
  camera: MediaCamera;
  health: CameraHealth;
  readonly views: Views;
  /** The views that the host was asked to send, because they have viewers. */
  readonly viewed: Set<ViewName>;
}

export class Media<Face> implements AsyncDisposable {
  readonly healthChanged: Topic<HealthNews>;
  readonly seen: Topic<FrameResult<Face> & { readonly chips: Buffer }>;
  readonly recorded: Topic<RecordedNews>;
  readonly peerEnded: Topic<PeerEnded>;
  /** It was measured what a camera's sub-stream shows of its main picture. */
  readonly aligned: Topic<MeasuredAlignment>;
  readonly drawn: Topic<DrawnPicture>;
  /** The privacy masks of a camera were changed; its host has them already. */
  readonly masksChanged: Topic<{ readonly cameraId: string }>;
  readonly #options: MediaOptions;
  readonly #hosts: Hosts;
  readonly #wanted = new Map<string, Wanted>();
  readonly #plans = new Map<string, RecordingPlan>();
  readonly #zones = new Map<string, readonly MediaZone[]>();
  readonly #alignments = new Map<string, readonly Alignment[]>();
  readonly #costs: CameraCosts;
  #ended = false;

  constructor(options: MediaOptions) {
    this.#options = options;
    this.#costs = new CameraCosts(options.clock);
    const failed = (err: unknown): void => options.log.error({ err }, 'a reader of media failed');
    this.healthChanged = new Topic(failed);
    this.seen = new Topic(failed);
    this.recorded = new Topic(failed);
    this.peerEnded = new Topic(failed);
    this.aligned = new Topic(failed);
    this.drawn = new Topic(failed);
    this.masksChanged = new Topic(failed);
    this.#hosts = new Hosts(options, {
      received: (message) => this.#received(message),
      reached: (peer, cameraIds) => this.#reached(peer, cameraIds),
      placed: (cameraId, peer) => this.#sendCamera(cameraId, peer),
      lost: (cameraId) => this.#lost(cameraId),
      rests: (cameraId, restMs) => this.#rests(cameraId, restMs),
    });
  }

  /** Ingests this camera from now on. Called again with a changed camera it applies the change at once. */
  watch(camera: MediaCamera): void {
    const wanted = this.#wanted.get(camera.id);
    if (wanted) {
      if (!isSameCamera(wanted.camera, camera)) this.#hosts.forgive(camera.id);
      wanted.camera = camera;
    } else {
      const views = new Views(this.#options.clock, this.#maskKeyOf(camera.id), () =>
        this.#countViewers(camera.id),
      );
      const since = new Date(this.#options.clock.now()).toISOString();
      const starting = {
        state: 'connecting',
        cause: 'starting',
        since,
        down_since: since,
      } as const;
      const health: CameraHealth = { ...offHealth, ...starting };
      this.#wanted.set(camera.id, { camera, health, views, viewed: new Set() });
    }
    this.#hosts.place(camera.id);
  }

  unwatch(cameraId: string): void {
    const wanted = this.#wanted.get(cameraId);
    if (!wanted) return;
    this.#zones.delete(cameraId);
    this.#alignments.delete(cameraId);
    this.#costs.forget(cameraId);
    this.#wanted.delete(cameraId);
    wanted.views.end('camera');
    this.healthChanged.publish({ cameraId, health: offHealth });
    this.#hosts.remove(cameraId);
  }

  /** Sets the camera's zones, before it is watched or while it is: what is hidden, and where faces and motion count. */
  setZones(cameraId: string, zones: readonly MediaZone[]): void {
    this.#zones.set(cameraId, zones);
    this.#hosts.tell(cameraId, { kind: 'zones', cameraId, zones });
    this.#renewMasks(cameraId);
  }

  /** Sets what is known of how the camera's two streams lie to each other, before it is watched or while it is. */
  align(cameraId: string, alignments: readonly Alignment[]): void {
    this.#alignments.set(cameraId, alignments);
    this.#hosts.tell(cameraId, { kind: 'alignments', cameraId, alignments });
    this.#renewMasks(cameraId);
  }

  /** Records that camera from now on, whenever it is watched. Null: stops recording. */
  record(cameraId: string, plan: RecordingPlan | null): void {
    if (plan) this.#plans.set(cameraId, plan);
    else this.#plans.delete(cameraId);
    this.#hosts.tell(cameraId, { kind: 'record', cameraId, plan });
  }

  health(cameraId: string): CameraHealth {
    return this.#wanted.get(cameraId)?.health ?? offHealth;
  }

  /** What the camera cost in the last seconds, by stage. */
  cost(cameraId: string): CameraCost {
    return this.#costs.of(cameraId);
  }

  /** A vision host used so much processor time to embed faces of this camera. */
  embedded(cameraId: string, cpuMs: number): void {
    this.#costs.embedded(cameraId, cpuMs);
  }

  /** A JPEG of the newest picture at hand. Problems: camera_not_live, snapshot_not_ready. */
  async snapshot(cameraId: string): Promise<Buffer> {
    const peer = this.#hosts.peerOf(cameraId);
    if (!peer || this.health(cameraId).state !== 'live') throw new Problem('camera_not_live');
    const masks = this.#maskKeyOf(cameraId);
    const question = { kind: 'snapshot', cameraId };
    const answer = await peer
      .request<SnapshotAnswer>(question, snapshotTimeoutMs)
      .catch((error: unknown) => {
        throw new Problem('snapshot_not_ready', {}, error);
      });
    if (answer.head.reason === 'not_live') throw new Problem('camera_not_live');
    if (!answer.head.jpeg) throw new Problem('snapshot_not_ready');
    // Asked for before its masks changed: that picture hides too little.
    return this.#maskKeyOf(cameraId) === masks ? answer.body : this.snapshot(cameraId);
  }

  /**
   * A JPEG of a stream's newest key frame without masks, for those who compare the two. Problems: camera_not_live,
   * snapshot_not_ready.
   */
  async unmasked(cameraId: string, stream: StreamName): Promise<Buffer> {
    const health = this.health(cameraId);
    const isLive = (stream === 'main' ? health : health.sub)?.state === 'live';
    const peer = this.#hosts.peerOf(cameraId);
    if (!peer || !isLive) throw new Problem('camera_not_live');
    const question: AskHost = { kind: 'unmasked', cameraId, stream };
    const { head, body } = await peer
      .request<SnapshotAnswer>(question, snapshotTimeoutMs)
      .catch((error: unknown) => {
        throw new Problem('snapshot_not_ready', {}, error);
      });
    if (!head.jpeg) throw new Problem('snapshot_not_ready');
    return body;
  }

  /** Names the two streams of a camera as they came last; null: they did not, or there is one only. */
  async pairOf(cameraId: string): Promise<string | null> {
    const question: AskHost = { kind: 'pair', cameraId };
    const answer = await this.#hosts
      .peerOf(cameraId)
      ?.request<PairAnswer>(question, answerTimeoutMs)
      .catch(() => null);
    return answer?.head.pair ?? null;
  }

  /** When the newest picture at hand was taken, which costs no decoding; null: there is none. */
  async snapshotAtMs(cameraId: string): Promise<number | null> {
    if (this.health(cameraId).state !== 'live') return null;
    const question: AskHost = { kind: 'snapshot_time', cameraId };
    const answer = await this.#hosts
      .peerOf(cameraId)
      ?.request<SnapshotTimeAnswer>(question, snapshotTimeoutMs)
      .catch(() => null);
    return answer?.head.takenAtMs ?? null;
  }

  /**
   * The faces around that place in the main stream's picture of that moment. Null when there is no such picture now, or
   * no answer.
   */
  async detectInMainStream(asked: MainStreamRequest): Promise<MainStreamFaces<Face> | null> {
    const peer = this.#hosts.peerOf(asked.cameraId);
    const question: AskHost = { kind: 'main_stream', ...asked };
    const answer = await peer
      ?.request<MainStreamAnswer<Face>>(question, mainStreamTimeoutMs)
      .catch(() => null);
    if (!answer?.head.analyzed) return null;
    const { width, height, painted, faces, box } = answer.head;
    return { width, height, painted, faces, box, chips: answer.body };
  }

  /**
   * Answers a browser that wants the main stream by WebRTC (SDP both ways). Problems: camera_not_live,
   * low_latency_offer, low_latency_reordered, low_latency_unavailable.
   */
  async answerPeer(cameraId: string, peerId: string, offer: string): Promise<string> {
    const peer = this.#hosts.peerOf(cameraId);
    if (!peer) throw new Problem('camera_not_live');
    const question: AskHost = { kind: 'peer', cameraId, peerId, offer };
    const { head } = await peer
      .request<PeerAnswer>(question, answerTimeoutMs)
      .catch((error: unknown) => {
        throw new Problem('low_latency_unavailable', {}, error);
      });
    if (head.refusal === 'none') return head.sdp;
    throw new Problem(
      head.refusal === 'not_live' ? 'camera_not_live' : `low_latency_${head.refusal}`,
    );
  }

  /**
   * Publishes JPEGs of this camera with these drawings as `drawn` from now on; an empty list stops that.
   * `detectsFaces`: faces are detected even if the camera's settings do not ask for it.
   */
  drawFaces(cameraId: string, drawings: readonly Drawing[], detectsFaces: boolean): void {
    this.#hosts.tell(cameraId, { kind: 'draw', cameraId, drawings, detectsFaces });
  }

  endPeer(cameraId: string, peerId: string): void {
    this.#hosts.tell(cameraId, { kind: 'end_peer', cameraId, peerId });
  }

  /**
   * Sends a live view to this viewer until the subscription is disposed or the viewer is closed: the wanted stream, or
   * the main one while that is not live. A viewer of the masked view ends as `replaced` when its encoder goes to another
   * view. Throws camera_not_active, too_many_masked_views.
   */
  join(cameraId: string, viewer: Viewer, wishes: ViewerWishes = {}): ViewerSubscription {
    const wanted = this.#wanted.get(cameraId);
    if (!wanted) throw new Problem('camera_not_active');
    const { stream, pictures = true, account = ownWork } = wishes;
    if (stream !== 'masked' || !pictures) return wanted.views.join(viewer, wishes, wanted.health);
    // The first viewer of a camera's masked view costs an encoder; others cost no more.
    const place = this.#options.maskingLimit.watch(cameraId, account, () => {
      subscription[Symbol.dispose]();
      end(viewer, 'replaced');
      this.#endLingering();
    });
    this.#endLingering();
    const subscription = wanted.views.join(viewer, wishes, wanted.health);
    return {
      get stream() {
        return subscription.stream;
      },
      [Symbol.dispose]: () => {
        place[Symbol.dispose]();
        subscription[Symbol.dispose]();
      },
    };
  }

  /** Masked views without viewers give back their encoders at once: another one begins. */
  #endLingering(): void {
    for (const [cameraId, { views, viewed }] of this.#wanted) {
      if (viewed.has('masked') && views.viewersOf('masked') === 0) this.#countViewers(cameraId);
    }
  }

  /** Names the privacy masks that were drawn last, and where they are on the sub-stream. */
  #maskKeyOf(cameraId: string): string {
    return maskKey(this.#zones.get(cameraId) ?? [], this.#alignments.get(cameraId) ?? []);
  }

  /** The masks of a camera may be others, or elsewhere: nothing that was painted before is shown any more. */
  #renewMasks(cameraId: string): void {
    const { views } = this.#wanted.get(cameraId) ?? {};
    const masks = this.#maskKeyOf(cameraId);
    if (!views || views.masks === masks) return;
    views.setMasks(masks);
    // The host knows them by now: what it is asked from here on is painted with them.
    this.masksChanged.publish({ cameraId });
  }

  /** Leaves the hosts running, with their cameras, for the next server. */
  async release(): Promise<void> {
    await this.#end('release');
  }

  /** Ends the hosts, too. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end('dispose');
  }

  async #end(how: 'release' | 'dispose'): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    for (const { views } of this.#wanted.values()) views.end('shutdown');
    await this.#hosts.end(how);
  }

  #sendCamera(cameraId: string, peer: Peer): void {
    const wanted = this.#wanted.get(cameraId);
    if (!wanted) return;
    const tell = (message: ToHost): void => peer.tell(message);
    // Zones come first: no picture may be shown before the host knows what to hide.
    tell({ kind: 'zones', cameraId, zones: this.#zones.get(cameraId) ?? [] });
    tell({ kind: 'alignments', cameraId, alignments: this.#alignments.get(cameraId) ?? [] });
    tell({ kind: 'watch', camera: wanted.camera });
    tell({ kind: 'record', cameraId, plan: this.#plans.get(cameraId) ?? null });
  }

  #reached(peer: Peer, cameraIds: readonly string[]): void {
    const { allowLoopback, networks, ownPorts, fileRoots, visionSockets, peerPorts } =
      this.#options;
    const configuration: ToHost = {
      kind: 'configure',
      allowLoopback,
      networks: networks ?? [],
      ownPorts: ownPorts ?? [],
      fileRoots,
      visionSockets: visionSockets(),
      peerPorts,
    };
    peer.tell(configuration);
    for (const cameraId of cameraIds) {
      this.#sendCamera(cameraId, peer);
      this.#wanted.get(cameraId)?.viewed.clear();
      this.#countViewers(cameraId);
    }
  }

  #lost(cameraId: string): void {
    this.#costs.forget(cameraId);
    const since = new Date(this.#options.clock.now()).toISOString();
    this.#setHealth(cameraId, { ...restarting, since });
    this.recorded.publish({ cameraId, news: { kind: 'gone' } });
    this.peerEnded.publish({ cameraId, peerId: null });
  }

  #rests(cameraId: string, restMs: number): void {
    const nowMs = this.#options.clock.now();
    const [since, retry_at] = [nowMs, nowMs + restMs].map((ms) => new Date(ms).toISOString());
    this.#setHealth(cameraId, { ...resting, since: since!, retry_at: retry_at! });
  }

  #received({ head, body }: Message): void {
    const message = head as FromHost<Face>;
    const { cameraId } = message;
    const wanted = this.#wanted.get(cameraId);
    switch (message.kind) {
      case 'health':
        this.#setHealth(cameraId, message.health);
        break;
      case 'cost':
        if (wanted) this.#costs.reported(cameraId, message.times, wanted.camera);
        break;
      case 'live':
        wanted?.views.init(message, body);
        break;
      case 'fragment':
        wanted?.views.fragment(message, body);
        break;
      case 'seen':
        if (wanted) this.seen.publish({ ...message, chips: body });
        break;
      case 'recorder':
        this.#options.log.debug({ camera: cameraId, news: message.news.kind }, 'recorder');
        this.recorded.publish({ cameraId, news: message.news });
        break;
      case 'aligned':
        if (wanted) this.aligned.publish({ cameraId, alignment: message.alignment });
        break;
      case 'drawn':
        this.drawn.publish({ cameraId, drawingId: message.drawingId, jpeg: body });
        break;
      case 'peer_ended':
        this.peerEnded.publish({ cameraId, peerId: message.peerId });
        break;
      case 'hung':
        this.#hosts.kill(cameraId);
        break;
      case 'log':
        this.#options.log[message.level]({ camera: cameraId }, message.text);
        break;
    }
  }

  #setHealth(cameraId: string, health: CameraHealth): void {
    const wanted = this.#wanted.get(cameraId);
    if (!wanted) return;
    const { state, cause } = health;
    this.#options.log.debug({ camera: cameraId, state, cause }, 'health of a camera');
    // A host that was started anew knows less of the time before, and one that was adopted more.
    const now = health.down_since ?? new Date(this.#options.clock.now()).toISOString();
    const before = downSince(state, wanted.health, now);
    const down_since = before !== null && now < before ? now : before;
    wanted.health = { ...health, down_since };
    wanted.views.follow(wanted.health);
    this.healthChanged.publish({ cameraId, health: wanted.health });
  }

  /** Informs the host which views have viewers, where that changed. */
  #countViewers(cameraId: string): void {
    const wanted = this.#wanted.get(cameraId);
    const peer = this.#hosts.peerOf(cameraId);
    if (!wanted || !peer) return;
    for (const stream of viewNames) {
      const count = wanted.views.viewersOf(stream);
      if (wanted.viewed.has(stream) === count > 0) continue;
      if (count > 0) wanted.viewed.add(stream);
      else {
        wanted.viewed.delete(stream);
        wanted.views.lose(stream);
      }
      peer.tell({ kind: 'viewers', cameraId, stream, count } satisfies ToHost);
    }
  }
}
