/**
 * Cameras' bytes to live views, pictures and health: the front door to the media hosts. Starts them on
 * demand, adopts those a former server left running, restarts those that die, and hands each camera's live
 * view to its viewers. Knows nothing of who may see a camera, of people, or of where cameras are stored; the
 * bytes of cameras are touched in the hosts only.
 *
 * The folders, in the order in which a packet meets them: `dial` where a camera may be reached, `sources` that
 * hand out packets, `live` views, `low-latency` views and `recorder` that pass them on, `coding` to pixels and back, `eyes` that
 * choose what is looked at, `drawn` pictures with boxes in them. `film` writes films that are made ahead.
 */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { viewNames, type CameraHealth, type ViewName } from '@nazar/contract/cameras.ts';
import type { Clock } from '#lib/clock.ts';
import { dial, Host } from '#lib/host.ts';
import type { Log } from '#lib/log.ts';
import { Problem } from '#lib/problem.ts';
import { Topic } from '#lib/topic.ts';
import type { Message, Peer } from '#lib/wire.ts';
import type { Viewer } from './live/fan-out.ts';
import { Views, type Seat, type ViewerWishes } from './live/views.ts';
import { Breaker } from './breaker.ts';
import { offHealth } from './health.ts';
import {
  isSameCamera,
  type AskHost,
  type CloserAnswer,
  type CloserLook,
  type Drawing,
  type FromHost,
  type HostState,
  type MediaCamera,
  type MediaZone,
  type PeerAnswer,
  type RecorderNews,
  type RecordingPlan,
  type Seen,
  type SnapshotAnswer,
  type ToHost,
} from './messages.ts';
import type { PeerPorts } from './low-latency/peer.ts';
import type { MaskingRoom } from './masking-room.ts';
import { Roster } from './roster.ts';
import type { Workers } from './worker/workers.ts';

export type { SourceFile } from './export/film-plan.ts';
export type { Masks } from './masked/masks.ts';
export { MaskingRoom } from './masking-room.ts';
export { encodedCodec } from './coding/encoded-codec.ts';
export type {
  AskMasked,
  AskThumbnail,
  FilmAnswer,
  MaskedAnswer,
} from './worker/worker-messages.ts';
export { WorkerLost } from './worker/workers.ts';
export { seamMs } from './seam.ts';
export type MediaWorkers = Pick<Workers, 'ask'>;
export type { EndReason, Viewer } from './live/fan-out.ts';
export type { Seat, ViewerWishes } from './live/views.ts';
export type {
  CloserLook,
  ClosedSegment,
  Drawing,
  DrawnBox,
  MediaCamera,
  MediaZone,
  OpenedSegment,
  RecorderNews,
  RecordingPlan,
  Rect,
  Seen,
} from './messages.ts';
export {
  readSegment,
  segmentName,
  type SegmentContents,
  type SegmentHead,
} from './recorder/segment-file.ts';

export interface MediaOptions {
  /** Sockets of the hosts lie here (0700). */
  readonly runDir: string;
  readonly logsDir: string;
  readonly version: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Cameras on this machine: tests and demonstrations only (C-510). */
  readonly allowLoopback: boolean;
  /** Cameras beyond the private address ranges. */
  readonly allowPublic?: boolean;
  /** Ports of this product on this machine, which are never a camera's. */
  readonly ownPorts?: readonly number[];
  /** Folders that `file` cameras may lie in. */
  readonly fileRoots: readonly string[];
  /** Where the vision hosts listen. */
  readonly visionSockets: () => readonly string[];
  readonly camerasPerHost: number;
  /** How much is encoded anew at once because of masks. */
  readonly room: MaskingRoom;
  /** Where browsers reach low-latency views. */
  readonly peerPorts: PeerPorts;
  /** The program of a host; tests bring one that looks with a stand-in for the vision hosts. */
  readonly hostEntry?: string;
}

export type { PeerPorts } from './low-latency/peer.ts';

/** Faces in pixels of a picture of that size. */
export interface Closer<Face> extends Omit<CloserAnswer<Face>, 'looked'> {
  readonly chips: Buffer;
}

export interface DrawnPicture {
  readonly cameraId: string;
  readonly drawingId: number;
  readonly jpeg: Buffer;
}

/** Null: all of that camera's. */
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
  /** `gone`: the process that recorded it has ended, without a word. */
  readonly news: RecorderNews | { readonly kind: 'gone' };
}

/** A camera that a host had and nobody asked for since the server began is no longer wanted. */
const adoptionMs = 30_000;
const snapshotTimeoutMs = 3_000;
/** Making a key and finding a port takes a tenth of that. */
const answerTimeoutMs = 5_000;
/** Decoding takes half of that at most on a busy machine (coding/picture-at.ts); who waits longer asks again. */
const closerTimeoutMs = 2_500;
const restarting: CameraHealth = { ...offHealth, state: 'connecting', cause: 'host_restarting' };
const resting: CameraHealth = { ...offHealth, state: 'offline', cause: 'host_crashing' };

interface Wanted {
  camera: MediaCamera;
  health: CameraHealth;
  readonly views: Views;
  /** What the host was told: the streams that anybody watches. */
  readonly viewed: Set<ViewName>;
}

export class Media<Face> implements AsyncDisposable {
  readonly healthChanged: Topic<HealthNews>;
  readonly seen: Topic<Seen<Face> & { readonly chips: Buffer }>;
  readonly recorded: Topic<RecordedNews>;
  readonly peerEnded: Topic<PeerEnded>;
  readonly drawn: Topic<DrawnPicture>;
  readonly #options: MediaOptions;
  readonly #roster: Roster;
  readonly #breaker = new Breaker();
  readonly #hosts = new Map<string, Host>();
  readonly #wanted = new Map<string, Wanted>();
  readonly #plans = new Map<string, RecordingPlan>();
  readonly #zones = new Map<string, readonly MediaZone[]>();
  readonly #closing = new Set<Promise<void>>();
  readonly #stop = new AbortController();
  readonly #adopted: Promise<void>;
  #ready = false;

  constructor(options: MediaOptions) {
    this.#options = options;
    const failed = (err: unknown): void => options.log.error({ err }, 'a reader of media failed');
    this.healthChanged = new Topic(failed);
    this.seen = new Topic(failed);
    this.recorded = new Topic(failed);
    this.peerEnded = new Topic(failed);
    this.drawn = new Topic(failed);
    this.#roster = new Roster({ camerasPerHost: options.camerasPerHost });
    this.#adopted = this.#adopt();
    options.room.countLive(() => this.#masking().length);
  }

  /** Ingests this camera from now on. Called again with a changed camera it follows the change at once. */
  watch(camera: MediaCamera): void {
    const wanted = this.#wanted.get(camera.id);
    if (wanted) {
      if (!isSameCamera(wanted.camera, camera)) this.#breaker.forget(camera.id);
      wanted.camera = camera;
    } else {
      const views = new Views(this.#options.clock, () => this.#countViewers(camera.id));
      const since = new Date(this.#options.clock.now()).toISOString();
      const health: CameraHealth = { ...offHealth, state: 'connecting', cause: 'starting', since };
      this.#wanted.set(camera.id, { camera, health, views, viewed: new Set() });
    }
    if (this.#ready) this.#place(camera);
  }

  unwatch(cameraId: string): void {
    const wanted = this.#wanted.get(cameraId);
    if (!wanted) return;
    this.#zones.delete(cameraId);
    this.#wanted.delete(cameraId);
    this.#breaker.forget(cameraId);
    wanted.views.end('camera');
    this.healthChanged.publish({ cameraId, health: offHealth });
    this.#release(cameraId);
  }

  /** What is hidden of that camera's pictures and where they are looked at, before it is watched or while it is. */
  draw(cameraId: string, zones: readonly MediaZone[]): void {
    this.#zones.set(cameraId, zones);
    this.#tell(cameraId, { kind: 'zones', cameraId, zones });
  }

  /** Records that camera from now on, whenever it is watched. Null: no more of it. */
  record(cameraId: string, plan: RecordingPlan | null): void {
    if (plan) this.#plans.set(cameraId, plan);
    else this.#plans.delete(cameraId);
    this.#tell(cameraId, { kind: 'record', cameraId, plan });
  }

  health(cameraId: string): CameraHealth {
    return this.#wanted.get(cameraId)?.health ?? offHealth;
  }

  /** A JPEG of the newest picture at hand. Problems: camera_not_live, snapshot_not_ready. */
  async snapshot(cameraId: string): Promise<Buffer> {
    const peer = this.#hostOf(cameraId)?.peer;
    if (!peer || this.health(cameraId).state !== 'live') throw new Problem('camera_not_live');
    const question = { kind: 'snapshot', cameraId };
    const answer = await peer
      .request<SnapshotAnswer>(question, snapshotTimeoutMs)
      .catch((error: unknown) => {
        throw new Problem('snapshot_not_ready', {}, error);
      });
    if (answer.head.reason === 'not_live') throw new Problem('camera_not_live');
    if (!answer.head.jpeg) throw new Problem('snapshot_not_ready');
    return answer.body;
  }

  /**
   * The faces around that place in the main stream's picture of that moment. Null when there is none now, or nobody
   * could look.
   */
  async lookCloser(look: CloserLook): Promise<Closer<Face> | null> {
    const peer = this.#hostOf(look.cameraId)?.peer;
    const question: AskHost = { kind: 'closer', ...look };
    const answer = await peer
      ?.request<CloserAnswer<Face>>(question, closerTimeoutMs)
      .catch(() => null);
    if (!answer?.head.looked) return null;
    const { width, height, faces } = answer.head;
    return { width, height, faces, chips: answer.body };
  }

  /**
   * Answers a browser that wants the main stream by WebRTC (SDP both ways). Problems: camera_not_live,
   * low_latency_offer, low_latency_reordered, low_latency_unavailable.
   */
  async answerPeer(cameraId: string, peerId: string, offer: string): Promise<string> {
    const peer = this.#hostOf(cameraId)?.peer;
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

  /** JPEGs of this camera with these drawings come as `drawn` from now on; none: no more. */
  drawFaces(cameraId: string, drawings: readonly Drawing[], looks: boolean): void {
    this.#tell(cameraId, { kind: 'draw', cameraId, drawings, looks });
  }

  endPeer(cameraId: string, peerId: string): void {
    this.#tell(cameraId, { kind: 'end_peer', cameraId, peerId });
  }

  /**
   * Sends a live view to this viewer until the seat is disposed or the viewer is closed: of that stream, of the main
   * one as long as the other does not come. Throws camera_not_active, too_many_masked_views.
   */
  join(cameraId: string, viewer: Viewer, wishes: ViewerWishes = {}): Seat {
    const wanted = this.#wanted.get(cameraId);
    if (!wanted) throw new Problem('camera_not_active');
    // The first to watch a camera with its masks costs an encoder; who comes then costs nothing more.
    const begins = wishes.stream === 'masked' && wanted.views.watching('masked') === 0;
    if (begins) this.#options.room.mustHaveRoom();
    return wanted.views.join(viewer, wishes, wanted.health);
  }

  /** Cameras that somebody watches with their masks. */
  #masking(): Wanted[] {
    return [...this.#wanted.values()].filter(({ views }) => views.watching('masked') > 0);
  }

  /** Leaves the hosts running, with their cameras, for the next server. */
  async release(): Promise<void> {
    await this.#end((host) => host.release());
  }

  /** Ends the hosts too. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end((host) => host[Symbol.asyncDispose]());
  }

  async #end(end: (host: Host) => Promise<void>): Promise<void> {
    if (this.#stop.signal.aborted) return;
    this.#stop.abort();
    await this.#adopted;
    for (const { views } of this.#wanted.values()) views.end('shutdown');
    await Promise.all([...this.#hosts.values()].map(end));
    await Promise.all(this.#closing);
  }

  /** Finds the hosts that a former server left running, and what they watch. */
  async #adopt(): Promise<void> {
    const { runDir, clock, log } = this.#options;
    const names = readdirSync(runDir).filter((name) => /^media-\d+\.sock$/.test(name));
    await Promise.all(
      names.map(async (file) => {
        const peer = await dial(join(runDir, file), {}).catch(() => null);
        if (!peer) return rmSync(join(runDir, file), { force: true });
        const state = await peer.request<HostState>({ kind: 'state' }, 2_000).catch(() => null);
        peer.close();
        const cameras = state?.head.cameras ?? [];
        this.#roster.adopt(
          file.replace('.sock', ''),
          cameras.map(({ cameraId }) => cameraId),
        );
      }),
    ).catch((err: unknown) => log.error({ err }, 'hosts could not be adopted'));
    if (this.#stop.signal.aborted) return;
    for (const name of this.#roster.hosts) this.#start(name);
    this.#ready = true;
    for (const { camera } of this.#wanted.values()) this.#place(camera);
    void clock.wait(adoptionMs, this.#stop.signal).then(
      () => this.#dropForgotten(),
      () => undefined,
    );
  }

  #dropForgotten(): void {
    for (const name of this.#roster.hosts) {
      const cameras = this.#roster.camerasOf(name);
      for (const id of cameras) if (!this.#wanted.has(id)) this.#release(id);
      if (cameras.length === 0) this.#close(name);
    }
  }

  #place(camera: MediaCamera): void {
    if (this.#breaker.isResting(camera.id)) return;
    const name = this.#roster.place(camera.id);
    const host = this.#hosts.get(name) ?? this.#start(name);
    // A host that is not reached yet hears of all its cameras when it is.
    if (host.peer) this.#tellOf(camera, host.peer);
  }

  #tellOf(camera: MediaCamera, peer: Peer): void {
    const zones = this.#zones.get(camera.id) ?? [];
    // First: no picture is shown to anybody before it is known what is hidden of it.
    peer.tell({ kind: 'zones', cameraId: camera.id, zones } satisfies ToHost);
    peer.tell({ kind: 'watch', camera } satisfies ToHost);
    const plan = this.#plans.get(camera.id) ?? null;
    peer.tell({ kind: 'record', cameraId: camera.id, plan } satisfies ToHost);
  }

  #release(cameraId: string): void {
    this.#tell(cameraId, { kind: 'unwatch', cameraId });
    const empty = this.#roster.remove(cameraId);
    if (empty) this.#close(empty);
  }

  #close(name: string): void {
    const host = this.#hosts.get(name);
    if (!host) return;
    const closed = this.#closeHost(name, host).finally(() => this.#closing.delete(closed));
    this.#closing.add(closed);
  }

  async #closeHost(name: string, host: Host): Promise<void> {
    await host[Symbol.asyncDispose]();
    this.#hosts.delete(name);
    this.#roster.forget(name);
  }

  #hostOf(cameraId: string): Host | undefined {
    const name = this.#roster.hostOf(cameraId);
    return name ? this.#hosts.get(name) : undefined;
  }

  /** Unheard where no host has that camera, or none is reached: what lasts is told again then. */
  #tell(cameraId: string, message: ToHost): void {
    this.#hostOf(cameraId)?.peer?.tell(message);
  }

  #start(name: string): Host {
    const { runDir, logsDir, version, clock, log, camerasPerHost, hostEntry } = this.#options;
    const host: Host = new Host({
      name,
      entry: hostEntry ?? join(import.meta.dirname, '..', 'media-host.ts'),
      socketPath: join(runDir, `${name}.sock`),
      errorPath: join(logsDir, `${name}.err`),
      // A read that hangs holds a thread of libuv's pool; with its default of 4 a few hung cameras starve
      // the healthy ones (measured: 0 pictures a second).
      env: { UV_THREADPOOL_SIZE: String(8 + 4 * camerasPerHost) },
      version,
      clock,
      log,
      told: (message) => this.#heard(message),
      reached: () => this.#reached(name),
      lost: () => this.#lost(name),
    });
    this.#hosts.set(name, host);
    return host;
  }

  #reached(name: string): void {
    const peer = this.#hosts.get(name)?.peer;
    const { allowLoopback, allowPublic, ownPorts, fileRoots, visionSockets, peerPorts } =
      this.#options;
    const tell = (message: ToHost): void => peer?.tell(message);
    tell({
      kind: 'configure',
      allowLoopback,
      allowPublic: allowPublic ?? false,
      ownPorts: ownPorts ?? [],
      fileRoots,
      visionSockets: visionSockets(),
      peerPorts,
    });
    for (const cameraId of this.#roster.camerasOf(name)) {
      const wanted = this.#wanted.get(cameraId);
      if (!wanted) continue;
      if (peer) this.#tellOf(wanted.camera, peer);
      wanted.viewed.clear();
      this.#countViewers(cameraId);
    }
  }

  #lost(name: string): void {
    const { clock, log } = this.#options;
    const cameras = this.#roster.camerasOf(name);
    const since = new Date(clock.now()).toISOString();
    for (const cameraId of cameras) {
      this.#heardHealth(cameraId, { ...restarting, since });
      this.recorded.publish({ cameraId, news: { kind: 'gone' } });
      this.peerEnded.publish({ cameraId, peerId: null });
    }
    const moved = this.#roster.crashed(name, clock.monotonicMs());
    if (moved.length > 0) log.warn({ host: name, moved }, 'crashed twice: a host for each camera');
    for (const cameraId of moved) {
      const wanted = this.#wanted.get(cameraId);
      if (wanted) this.#place(wanted.camera);
    }
    for (const cameraId of cameras) {
      const restMs = this.#breaker.crashed(cameraId, clock.monotonicMs());
      if (restMs !== null) void this.#rest(cameraId, restMs).catch(() => undefined);
    }
  }

  /** What a camera sends has ended its process again and again: nobody else is to pay for trying it on and on. */
  async #rest(cameraId: string, restMs: number): Promise<void> {
    const { clock, log } = this.#options;
    const nowMs = clock.now();
    const [since, retry_at] = [nowMs, nowMs + restMs].map((ms) => new Date(ms).toISOString());
    log.error(
      { camera: cameraId, restMs },
      'its process died five times: the camera is left alone',
    );
    this.#release(cameraId);
    this.#heardHealth(cameraId, { ...resting, since: since!, retry_at: retry_at! });
    await clock.wait(restMs, this.#stop.signal);
    const wanted = this.#wanted.get(cameraId);
    if (wanted && this.#breaker.wakes(cameraId, clock.monotonicMs())) this.#place(wanted.camera);
  }

  #heard({ head, body }: Message): void {
    const message = head as FromHost<Face>;
    const { cameraId } = message;
    const wanted = this.#wanted.get(cameraId);
    switch (message.kind) {
      case 'health':
        this.#heardHealth(cameraId, message.health);
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
        this.recorded.publish({ cameraId, news: message.news });
        break;
      case 'drawn':
        this.drawn.publish({ cameraId, drawingId: message.drawingId, jpeg: body });
        break;
      case 'peer_ended':
        this.peerEnded.publish({ cameraId, peerId: message.peerId });
        break;
      case 'hung':
        this.#kill(cameraId);
        break;
      case 'log':
        this.#options.log[message.level]({ camera: cameraId }, message.text);
        break;
    }
  }

  #heardHealth(cameraId: string, health: CameraHealth): void {
    const wanted = this.#wanted.get(cameraId);
    if (!wanted) return;
    wanted.health = health;
    wanted.views.follow(health);
    this.healthChanged.publish({ cameraId, health });
  }

  /** A native read hangs: nothing inside that process can end it. It is started anew by its supervisor. */
  #kill(cameraId: string): void {
    const pid = this.#hostOf(cameraId)?.pid;
    this.#options.log.error({ camera: cameraId, pid }, 'a read hangs, killing its host');
    if (pid) process.kill(pid, 'SIGKILL');
  }

  /** Tells the host which streams are watched, where that changed. */
  #countViewers(cameraId: string): void {
    const wanted = this.#wanted.get(cameraId);
    const peer = this.#hostOf(cameraId)?.peer;
    if (!wanted || !peer) return;
    for (const stream of viewNames) {
      const count = wanted.views.watching(stream);
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
