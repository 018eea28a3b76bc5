/**
 * What a media host does: keeps one ingest per camera it was told to watch and reports about them. Holds
 * credentials in memory only. Knows no database, no HTTP and no people. Goes on while the server is away.
 */
import { AV_LOG_QUIET } from 'node-av/constants';
import { Log } from 'node-av/lib';
import type { Clock } from '#lib/clock.ts';
import type { HostProcess } from '#lib/host-process.ts';
import type { Answer, Message, Peer } from '#lib/ipc.ts';
import { policyOf } from '../sources/dial/own-addresses.ts';
import type { Eyes } from './detection/frame-analyzer.ts';
import { Outlet } from './bounded-sender.ts';
import { Watched } from './hosted-camera.ts';
import {
  isSameCamera,
  type AskHost,
  type CloserAnswer,
  type CloserLook,
  type FromHost,
  type HostState,
  type MediaCamera,
  type MediaZone,
  type PeerAnswer,
  type RecordingPlan,
  type SnapshotAnswer,
  type ToHost,
} from '../protocol/messages.ts';

type Configuration = Extract<ToHost, { kind: 'configure' }>;

/** Nothing is allowed until the server has said what is. */
const unconfigured: Configuration = {
  kind: 'configure',
  allowLoopback: false,
  allowPublic: false,
  ownPorts: [],
  fileRoots: [],
  visionSockets: [],
  peerPorts: { address: '127.0.0.1', first: 0, last: 0 },
};

const notLive: PeerAnswer = { sdp: '', refusal: 'not_live' };

/** Connects to those who look at pictures, by the sockets they listen on. */
export type OpenEyes = (sockets: readonly string[]) => Eyes;

export class Ingests implements HostProcess {
  readonly #clock: Clock;
  readonly #openEyes: OpenEyes | null;
  readonly #watched = new Map<string, Watched>();
  /** The last end of an ingest of a camera; the next one of the same camera waits for it. */
  readonly #ending = new Map<string, Promise<void>>();
  readonly #plans = new Map<string, RecordingPlan>();
  readonly #zones = new Map<string, readonly MediaZone[]>();
  #configuration = unconfigured;
  #eyes: Eyes | null = null;
  #server: Peer | null = null;
  readonly #outlet = new Outlet();

  constructor(clock: Clock, openEyes: OpenEyes | null) {
    this.#clock = clock;
    this.#openEyes = openEyes;
    // FFmpeg's own lines may hold addresses with passwords (C-604).
    Log.setLevel(AV_LOG_QUIET);
  }

  /** The newest peer is the server: an older one is a server that is about to end. */
  joined(peer: Peer): void {
    this.#server = peer;
  }

  left(peer: Peer): void {
    if (this.#server !== peer) return;
    this.#server = null;
    for (const watched of this.#watched.values()) {
      for (const stream of watched.viewed) watched.setViewers(stream, 0);
      watched.draw([], false);
      // Nobody could end them when a right is lost.
      watched.peers[Symbol.dispose]();
    }
  }

  told({ head }: Message): void {
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
        this.#unwatch(message.cameraId);
        break;
      case 'zones':
        this.#zones.set(message.cameraId, message.zones);
        this.#watched.get(message.cameraId)?.setZones(message.zones);
        break;
      case 'record':
        this.#record(message.cameraId, message.plan);
        break;
      case 'viewers':
        this.#watched.get(message.cameraId)?.setViewers(message.stream, message.count);
        break;
      case 'draw':
        this.#watched.get(message.cameraId)?.draw(message.drawings, message.looks);
        break;
      case 'end_peer':
        this.#watched.get(message.cameraId)?.peers.end(message.peerId);
        break;
    }
  }

  async asked({ head }: Message): Promise<Answer> {
    const question = head as AskHost;
    if (question.kind === 'state') {
      const cameras = [...this.#watched].map(([cameraId, { health }]) => ({ cameraId, health }));
      return { head: { cameras } satisfies HostState };
    }
    const watched = this.#watched.get(question.cameraId);
    const present = watched?.health.state === 'live' ? watched : null;
    if (question.kind === 'peer') {
      const { peerId, offer } = question;
      const ports = this.#configuration.peerPorts;
      const head = (await present?.peers.answer(peerId, offer, ports)) ?? notLive;
      return { head };
    }
    if (question.kind === 'closer') return lookCloser(watched ?? null, question);
    return this.#snapshot(present);
  }

  async #snapshot(watched: Watched | null): Promise<Answer> {
    if (!watched) return { head: { jpeg: false, reason: 'not_live' } satisfies SnapshotAnswer };
    const body = await watched.snapshot();
    const reason = body ? 'none' : 'not_ready';
    const answer: SnapshotAnswer = { jpeg: body !== null, reason };
    return { head: answer, ...(body ? { body } : {}) };
  }

  async close(): Promise<void> {
    for (const cameraId of this.#watched.keys()) this.#unwatch(cameraId);
    await Promise.all(this.#ending.values());
    await this.#eyes?.[Symbol.asyncDispose]();
  }

  /** Cameras keep the eyes they began with: the sockets of vision hosts do not change while a server runs. */
  #configure(configuration: Configuration): void {
    const before = this.#configuration.visionSockets.join();
    this.#configuration = configuration;
    const { visionSockets } = configuration;
    if (!this.#openEyes || visionSockets.join() === before) return;
    const old = this.#eyes;
    this.#eyes = visionSockets.length > 0 ? this.#openEyes(visionSockets) : null;
    const cameras = Array.from(this.#watched.values(), ({ camera }) => camera);
    for (const camera of cameras) this.#restart(camera);
    void old?.[Symbol.asyncDispose]();
  }

  /** The same camera once more changes nothing; a changed one (an edited password) starts over at once. */
  #watch(camera: MediaCamera): void {
    const before = this.#watched.get(camera.id);
    if (before && isSameCamera(before.camera, camera)) {
      this.#tell({ kind: 'health', cameraId: camera.id, health: before.health });
      return;
    }
    this.#restart(camera);
  }

  /** Who watched goes on watching. */
  #restart(camera: MediaCamera): void {
    const viewed = this.#watched.get(camera.id)?.viewed ?? [];
    this.#unwatch(camera.id);
    const { fileRoots } = this.#configuration;
    const watched = new Watched({
      camera,
      clock: this.#clock,
      context: { dialer: { policy: policyOf(this.#configuration) }, fileRoots },
      zones: this.#zones.get(camera.id) ?? [],
      eyes: this.#eyes,
      after: this.#ending.get(camera.id) ?? Promise.resolve(),
      tell: (message, body) => this.#tell(message, body),
    });
    for (const stream of viewed) watched.setViewers(stream, 1);
    watched.setRecording(this.#plans.get(camera.id) ?? null);
    this.#watched.set(camera.id, watched);
  }

  #record(cameraId: string, plan: RecordingPlan | null): void {
    if (plan) this.#plans.set(cameraId, plan);
    else this.#plans.delete(cameraId);
    this.#watched.get(cameraId)?.setRecording(plan);
  }

  #unwatch(cameraId: string): void {
    const watched = this.#watched.get(cameraId);
    if (!watched) return;
    this.#watched.delete(cameraId);
    const ended = watched[Symbol.asyncDispose]().finally(() => {
      if (this.#ending.get(cameraId) === ended) this.#ending.delete(cameraId);
    });
    this.#ending.set(cameraId, ended);
  }

  #tell(message: FromHost<unknown>, body?: Uint8Array): void {
    if (this.#server) this.#outlet.tell(this.#server, message, body);
  }
}

async function lookCloser(watched: Watched | null, asked: CloserLook): Promise<Answer> {
  const found = await watched?.lookCloser(asked);
  if (!found) {
    const head: CloserAnswer<unknown> = { looked: false, width: 0, height: 0, faces: [] };
    return { head };
  }
  const { width, height, reply, chips } = found;
  const head: CloserAnswer<unknown> = { looked: true, width, height, faces: reply.faces };
  return { head, body: chips };
}
