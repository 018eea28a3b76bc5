/**
 * The media host process: keeps one ingest per camera that the server assigned to it and reports about them. It holds
 * credentials in memory only, knows no database, no HTTP and no people, and goes on while the server is away.
 */
import { AV_LOG_QUIET } from 'node-av/constants';
import { Log } from 'node-av/lib';
import type { Clock } from '#lib/clock.ts';
import { every } from '#lib/every.ts';
import type { HostProcess } from '#lib/host-process.ts';
import type { Answer, Message, Peer } from '#lib/ipc.ts';
import { policyOf } from '../protocol/own-addresses.ts';
import type { DetectionClient } from './detection/frame-analyzer.ts';
import { SpareTime } from './detection/spare-time.ts';
import { BoundedSender } from './bounded-sender.ts';
import { HostedCamera } from './hosted-camera.ts';
import {
  isSameCamera,
  type AskHost,
  type MainStreamAnswer,
  type MainStreamRequest,
  type FromHost,
  type HostState,
  type MediaCamera,
  type MediaZone,
  type PairAnswer,
  type PeerAnswer,
  type RecordingPlan,
  type SnapshotAnswer,
  type SnapshotTimeAnswer,
  type ToHost,
} from '../protocol/messages.ts';
import type { Alignment } from '../protocol/stream-pair.ts';

type Configuration = Extract<ToHost, { kind: 'configure' }>;

/** Nothing is allowed until the server has said what is. */
const unconfigured: Configuration = {
  kind: 'configure',
  allowLoopback: false,
  networks: [],
  ownPorts: [],
  fileRoots: [],
  visionSockets: [],
  peerPorts: { address: '127.0.0.1', first: 0, last: 0 },
};

/** How often each camera's cost is sent: one message of 100 bytes. */
const costEveryMs = 10_000;

const notLive: PeerAnswer = { sdp: '', refusal: 'not_live' };

/** Connects to the vision hosts by the sockets they listen on. */
export type OpenDetection = (sockets: readonly string[]) => DetectionClient;

export class MediaHost implements HostProcess {
  readonly #clock: Clock;
  readonly #openDetection: OpenDetection | null;
  readonly #cameras = new Map<string, HostedCamera>();
  /** The ends of ingests under way; the next ingest of the same camera waits for the last one. */
  readonly #ending = new Map<string, Promise<void>>();
  readonly #plans = new Map<string, RecordingPlan>();
  readonly #zones = new Map<string, readonly MediaZone[]>();
  readonly #alignments = new Map<string, readonly Alignment[]>();
  #configuration = unconfigured;
  #client: DetectionClient | null = null;
  #server: Peer | null = null;
  readonly #spareTime: SpareTime;
  readonly #sender = new BoundedSender();
  readonly #stop = new AbortController();
  readonly #reporting: Promise<void>;

  constructor(clock: Clock, openDetection: OpenDetection | null) {
    this.#clock = clock;
    this.#spareTime = new SpareTime(clock);
    this.#openDetection = openDetection;
    this.#reporting = every(
      { clock, everyMs: costEveryMs, signal: this.#stop.signal },
      () => {
        for (const hosted of this.#cameras.values()) hosted.report();
      },
      // The connection to the server has just ended: the next one receives the costs of the next seconds.
      () => undefined,
    );
    // FFmpeg's own log lines may hold addresses with passwords.
    Log.setLevel(AV_LOG_QUIET);
  }

  /** The newest peer is the server; an older one is a server that is about to end. */
  joined(peer: Peer): void {
    this.#server = peer;
  }

  left(peer: Peer): void {
    if (this.#server !== peer) return;
    this.#server = null;
    for (const hosted of this.#cameras.values()) {
      for (const stream of hosted.viewed) hosted.setViewers(stream, 0);
      hosted.draw([], false);
      // Without a server nothing could end them when a right is lost.
      hosted.peers[Symbol.dispose]();
    }
  }

  received({ head }: Message): void {
    const message = head as ToHost;
    switch (message.kind) {
      case 'configure':
        this.#configure(message);
        break;
      case 'watch':
        this.#watch(message.camera);
        break;
      case 'unwatch':
        this.#plans.delete(message.cameraId);
        this.#zones.delete(message.cameraId);
        this.#alignments.delete(message.cameraId);
        this.#unwatch(message.cameraId);
        break;
      case 'zones':
        this.#zones.set(message.cameraId, message.zones);
        this.#cameras.get(message.cameraId)?.setZones(message.zones);
        break;
      case 'alignments':
        this.#alignments.set(message.cameraId, message.alignments);
        this.#cameras.get(message.cameraId)?.setAlignments(message.alignments);
        break;
      case 'record':
        this.#record(message.cameraId, message.plan);
        break;
      case 'viewers':
        this.#cameras.get(message.cameraId)?.setViewers(message.stream, message.count);
        break;
      case 'draw':
        this.#cameras.get(message.cameraId)?.draw(message.drawings, message.detectsFaces);
        break;
      case 'end_peer':
        this.#cameras.get(message.cameraId)?.peers.end(message.peerId);
        break;
    }
  }

  async asked({ head }: Message): Promise<Answer> {
    const question = head as AskHost;
    if (question.kind === 'state') {
      const cameras = [...this.#cameras].map(([cameraId, { health }]) => ({ cameraId, health }));
      return { head: { cameras } satisfies HostState };
    }
    const hosted = this.#cameras.get(question.cameraId);
    const present = hosted?.health.state === 'live' ? hosted : null;
    if (question.kind === 'peer') {
      const { peerId, offer } = question;
      const ports = this.#configuration.peerPorts;
      const head = (await present?.peers.answer(peerId, offer, ports)) ?? notLive;
      return { head };
    }
    if (question.kind === 'snapshot_time') {
      const takenAtMs = present?.snapshotAtMs ?? null;
      return { head: { takenAtMs } satisfies SnapshotTimeAnswer };
    }
    if (question.kind === 'pair') {
      return { head: { pair: hosted?.pair ?? null } satisfies PairAnswer };
    }
    if (question.kind === 'unmasked') {
      const { stream } = question;
      return this.#snapshot(hosted ?? null, (camera) => camera.unmasked(stream));
    }
    if (question.kind === 'main_stream') return detectInMainStream(hosted ?? null, question);
    return this.#snapshot(present, (camera) => camera.snapshot());
  }

  async #snapshot(
    hosted: HostedCamera | null,
    picture: (hosted: HostedCamera) => Promise<Buffer | null>,
  ): Promise<Answer> {
    if (!hosted) return { head: { jpeg: false, reason: 'not_live' } satisfies SnapshotAnswer };
    const body = await picture(hosted);
    const reason = body ? 'none' : 'not_ready';
    const answer: SnapshotAnswer = { jpeg: body !== null, reason };
    return { head: answer, ...(body ? { body } : {}) };
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#reporting;
    for (const cameraId of this.#cameras.keys()) this.#unwatch(cameraId);
    await Promise.all(this.#ending.values());
    await this.#client?.[Symbol.asyncDispose]();
  }

  /** Cameras start over when the sockets of vision hosts change; they do not change while a server runs. */
  #configure(configuration: Configuration): void {
    const before = this.#configuration.visionSockets.join();
    this.#configuration = configuration;
    const { visionSockets } = configuration;
    if (!this.#openDetection || visionSockets.join() === before) return;
    const old = this.#client;
    this.#client = visionSockets.length > 0 ? this.#openDetection(visionSockets) : null;
    const cameras = Array.from(this.#cameras.values(), ({ camera }) => camera);
    for (const camera of cameras) this.#restart(camera);
    void old?.[Symbol.asyncDispose]();
  }

  /** An unchanged camera goes on; a changed one (an edited password) starts over at once. */
  #watch(camera: MediaCamera): void {
    const before = this.#cameras.get(camera.id);
    if (before && isSameCamera(before.camera, camera)) {
      this.#tell({ kind: 'health', cameraId: camera.id, health: before.health });
      return;
    }
    this.#restart(camera);
  }

  /** Viewers keep their views. */
  #restart(camera: MediaCamera): void {
    const viewed = this.#cameras.get(camera.id)?.viewed ?? [];
    this.#unwatch(camera.id);
    const { fileRoots } = this.#configuration;
    const hosted = new HostedCamera({
      camera,
      clock: this.#clock,
      context: { dialer: { policy: policyOf(this.#configuration) }, fileRoots },
      zones: this.#zones.get(camera.id) ?? [],
      alignments: this.#alignments.get(camera.id) ?? [],
      client: this.#client,
      spareTime: this.#spareTime,
      after: this.#ending.get(camera.id) ?? Promise.resolve(),
      tell: (message, body) => this.#tell(message, body),
    });
    for (const stream of viewed) hosted.setViewers(stream, 1);
    hosted.setRecording(this.#plans.get(camera.id) ?? null);
    this.#cameras.set(camera.id, hosted);
  }

  #record(cameraId: string, plan: RecordingPlan | null): void {
    if (plan) this.#plans.set(cameraId, plan);
    else this.#plans.delete(cameraId);
    this.#cameras.get(cameraId)?.setRecording(plan);
  }

  #unwatch(cameraId: string): void {
    const hosted = this.#cameras.get(cameraId);
    if (!hosted) return;
    this.#cameras.delete(cameraId);
    const ended = hosted[Symbol.asyncDispose]().finally(() => {
      if (this.#ending.get(cameraId) === ended) this.#ending.delete(cameraId);
    });
    this.#ending.set(cameraId, ended);
  }

  #tell(message: FromHost<unknown>, body?: Uint8Array): void {
    if (this.#server) this.#sender.tell(this.#server, message, body);
  }
}

async function detectInMainStream(
  hosted: HostedCamera | null,
  asked: MainStreamRequest,
): Promise<Answer> {
  const found = await hosted?.detectInMainStream(asked);
  if (!found) {
    const nothing = {
      analyzed: false,
      width: 0,
      height: 0,
      painted: { rotation: 0, masks: '', shows: null },
      faces: [],
      box: asked.box,
    } as const;
    return { head: nothing satisfies MainStreamAnswer<unknown> };
  }
  const { width, height, painted, reply, chips, box } = found;
  const { faces } = reply;
  const head: MainStreamAnswer<unknown> = { analyzed: true, width, height, painted, faces, box };
  return { head, body: chips };
}
