/**
 * Manages the media host processes in the server: assigns cameras to them, adopts those that a former server left
 * running, restarts those that die, and rests cameras that end their process again and again. The owner of this class
 * sends and handles the messages.
 */
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '#lib/clock.ts';
import { dial, Host } from '#lib/host.ts';
import type { Log } from '#lib/log.ts';
import type { Message, Peer } from '#lib/ipc.ts';
import { Breaker } from './breaker.ts';
import type { HostState, ToHost } from '../protocol/messages.ts';
import { Assignments } from './assignments.ts';

export interface HostsOptions {
  /** The folder of the hosts' sockets (0700). */
  readonly runDir: string;
  readonly logsDir: string;
  readonly version: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly camerasPerHost: number;
  /** The entry file of a host process; tests have one with a stub in place of the vision hosts. */
  readonly hostEntry?: string;
}

export interface HostHandlers {
  readonly received: (message: Message) => void;
  /** A host was reached, new or adopted, and is to have these cameras: it is not configured yet. */
  readonly reached: (peer: Peer, cameraIds: readonly string[]) => void;
  /** This camera was assigned to a host that was reached before; called again when the camera was changed. */
  readonly placed: (cameraId: string, peer: Peer) => void;
  /** The host process of this camera died. */
  readonly lost: (cameraId: string) => void;
  /** The camera's host processes died again and again: the camera rests for so long. */
  readonly rests: (cameraId: string, restMs: number) => void;
}

/** An adopted camera that the server did not place within this time is no longer wanted. */
const adoptionMs = 30_000;
const stateTimeoutMs = 2_000;

export class Hosts {
  readonly #options: HostsOptions;
  readonly #handlers: HostHandlers;
  readonly #assignments: Assignments;
  readonly #breaker = new Breaker();
  readonly #hosts = new Map<string, Host>();
  readonly #wanted = new Set<string>();
  readonly #closing = new Set<Promise<void>>();
  readonly #stop = new AbortController();
  readonly #adopted: Promise<void>;
  #ready = false;

  constructor(options: HostsOptions, handlers: HostHandlers) {
    this.#options = options;
    this.#handlers = handlers;
    this.#assignments = new Assignments({ camerasPerHost: options.camerasPerHost });
    this.#adopted = this.#adopt();
  }

  /** Assigns this camera to a host; called again when the camera was changed. */
  place(cameraId: string): void {
    this.#wanted.add(cameraId);
    if (!this.#ready || this.#breaker.isResting(cameraId)) return;
    const name = this.#assignments.place(cameraId);
    const host = this.#hosts.get(name) ?? this.#start(name);
    // A host that is not reached yet is sent all its cameras when it is.
    if (host.peer) this.#handlers.placed(cameraId, host.peer);
  }

  remove(cameraId: string): void {
    this.#wanted.delete(cameraId);
    this.#breaker.forget(cameraId);
    this.#release(cameraId);
  }

  /** The camera was changed: it is tried at once when it is placed again. */
  forgive(cameraId: string): void {
    this.#breaker.forget(cameraId);
  }

  /** The peer of this camera's host; null: there is no host, or it is not reached. */
  peerOf(cameraId: string): Peer | null {
    return this.#hostOf(cameraId)?.peer ?? null;
  }

  /** Dropped where no host has that camera, or it is not reached: lasting settings are sent again then. */
  tell(cameraId: string, message: ToHost): void {
    this.peerOf(cameraId)?.tell(message);
  }

  /** A native read hangs, and nothing inside that process can end it. Its supervisor starts it again. */
  kill(cameraId: string): void {
    const pid = this.#hostOf(cameraId)?.pid;
    this.#options.log.error({ camera: cameraId, pid }, 'a read hangs, killing its host');
    if (pid) process.kill(pid, 'SIGKILL');
  }

  /** `release` leaves the hosts running, with their cameras, for the next server. */
  async end(how: 'release' | 'dispose'): Promise<void> {
    if (this.#stop.signal.aborted) return;
    this.#stop.abort();
    await this.#adopted;
    const each = (host: Host): Promise<void> =>
      how === 'release' ? host.release() : host[Symbol.asyncDispose]();
    await Promise.all([...this.#hosts.values()].map(each));
    await Promise.all(this.#closing);
  }

  /** Finds the hosts that a former server left running, and their cameras. */
  async #adopt(): Promise<void> {
    const { runDir, clock, log } = this.#options;
    const names = (await readdir(runDir)).filter((name) => /^media-\d+\.sock$/.test(name));
    await Promise.all(names.map((file) => this.#find(file))).catch((err: unknown) =>
      log.error({ err }, 'hosts could not be adopted'),
    );
    if (this.#stop.signal.aborted) return;
    for (const name of this.#assignments.hosts) this.#start(name);
    this.#ready = true;
    for (const cameraId of this.#wanted) this.place(cameraId);
    void clock.wait(adoptionMs, this.#stop.signal).then(
      () => this.#dropForgotten(),
      () => undefined,
    );
  }

  async #find(socketFile: string): Promise<void> {
    const path = join(this.#options.runDir, socketFile);
    const peer = await dial(path, {}).catch(() => null);
    if (!peer) return await rm(path, { force: true });
    const state = await peer
      .request<HostState>({ kind: 'state' }, stateTimeoutMs)
      .catch(() => null);
    peer.close();
    const cameras = state?.head.cameras ?? [];
    this.#assignments.adopt(
      socketFile.replace('.sock', ''),
      cameras.map(({ cameraId }) => cameraId),
    );
  }

  #dropForgotten(): void {
    for (const name of this.#assignments.hosts) {
      const cameras = this.#assignments.camerasOf(name);
      for (const id of cameras) if (!this.#wanted.has(id)) this.#release(id);
      if (cameras.length === 0) this.#close(name);
    }
  }

  #release(cameraId: string): void {
    this.tell(cameraId, { kind: 'unwatch', cameraId });
    const empty = this.#assignments.remove(cameraId);
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
    this.#assignments.forget(name);
  }

  #hostOf(cameraId: string): Host | undefined {
    const name = this.#assignments.hostOf(cameraId);
    return name ? this.#hosts.get(name) : undefined;
  }

  #start(name: string): Host {
    const { runDir, logsDir, version, clock, log, camerasPerHost, hostEntry } = this.#options;
    const host = new Host({
      name,
      entry: hostEntry ?? join(import.meta.dirname, '../../media-host.ts'),
      socketPath: join(runDir, `${name}.sock`),
      errorPath: join(logsDir, `${name}.err`),
      // A read that hangs holds a thread of libuv's pool; with its default of 4 threads a few hung cameras starve
      // the healthy ones (measured: 0 pictures a second).
      env: { UV_THREADPOOL_SIZE: String(8 + 4 * camerasPerHost) },
      version,
      clock,
      log,
      received: this.#handlers.received,
      reached: (peer) => this.#handlers.reached(peer, this.#assignments.camerasOf(name)),
      lost: () => this.#lost(name),
    });
    this.#hosts.set(name, host);
    return host;
  }

  #lost(name: string): void {
    const { clock, log } = this.#options;
    const cameras = this.#assignments.camerasOf(name);
    for (const cameraId of cameras) this.#handlers.lost(cameraId);
    const moved = this.#assignments.crashed(name, clock.monotonicMs());
    if (moved.length > 0) log.warn({ host: name, moved }, 'crashed twice: a host for each camera');
    for (const cameraId of moved) if (this.#wanted.has(cameraId)) this.place(cameraId);
    for (const cameraId of cameras) {
      const restMs = this.#breaker.crashed(cameraId, clock.monotonicMs());
      if (restMs !== null) void this.#rest(cameraId, restMs).catch(() => undefined);
    }
  }

  /** The camera's stream ended its process again and again: it rests, so that other cameras do not suffer. */
  async #rest(cameraId: string, restMs: number): Promise<void> {
    const { clock, log } = this.#options;
    const said = 'its process died five times: the camera is left alone';
    log.error({ camera: cameraId, restMs }, said);
    this.#release(cameraId);
    this.#handlers.rests(cameraId, restMs);
    await clock.wait(restMs, this.#stop.signal);
    const wakes = this.#breaker.wakes(cameraId, clock.monotonicMs());
    if (wakes && this.#wanted.has(cameraId)) this.place(cameraId);
  }
}
