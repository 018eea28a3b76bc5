/**
 * Which host process has which camera: up to four share one, and a host that crashed twice within a minute
 * gives its cameras one host each, so that the one that crashes it is alone. Pure.
 */
export interface AssignmentsOptions {
  readonly camerasPerHost: number;
}

/** Two crashes within this time are no accident. */
const crashWindowMs = 60_000;

interface Seats {
  readonly cameras: Set<string>;
  /** Takes no further camera. */
  alone: boolean;
  crashedAtMs: number | null;
}

export class Assignments {
  readonly #limit: number;
  readonly #hosts = new Map<string, Seats>();

  constructor({ camerasPerHost }: AssignmentsOptions) {
    this.#limit = camerasPerHost;
  }

  get hosts(): readonly string[] {
    return [...this.#hosts.keys()];
  }

  hostOf(cameraId: string): string | null {
    for (const [name, { cameras }] of this.#hosts) if (cameras.has(cameraId)) return name;
    return null;
  }

  camerasOf(host: string): readonly string[] {
    return [...(this.#hosts.get(host)?.cameras ?? [])];
  }

  /** A host that was found running, with the cameras it has. */
  adopt(host: string, cameras: readonly string[]): void {
    this.#hosts.set(host, { cameras: new Set(cameras), alone: false, crashedAtMs: null });
  }

  /** The host of this camera: the one it has, one with room, or a new one. */
  place(cameraId: string): string {
    const present = this.hostOf(cameraId);
    if (present) return present;
    for (const [name, seats] of this.#hosts) {
      if (seats.alone || seats.cameras.size >= this.#limit) continue;
      seats.cameras.add(cameraId);
      return name;
    }
    return this.#open(cameraId, false);
  }

  /** Takes the camera out; the name of its host when that is empty now: it takes no other any more. */
  remove(cameraId: string): string | null {
    const host = this.hostOf(cameraId);
    const seats = host ? this.#hosts.get(host) : undefined;
    if (!host || !seats) return null;
    seats.cameras.delete(cameraId);
    if (seats.cameras.size > 0) return null;
    seats.alone = true;
    return host;
  }

  /** The process is gone: its name may be used again. */
  forget(host: string): void {
    this.#hosts.delete(host);
  }

  /** A host crashed. The cameras that move to a host of their own now; none at the first crash. */
  crashed(host: string, nowMs: number): readonly string[] {
    const seats = this.#hosts.get(host);
    if (!seats) return [];
    const again = seats.crashedAtMs !== null && nowMs - seats.crashedAtMs < crashWindowMs;
    seats.crashedAtMs = nowMs;
    if (!again) return [];
    seats.alone = true;
    const [, ...moved] = seats.cameras;
    for (const cameraId of moved) {
      seats.cameras.delete(cameraId);
      this.#open(cameraId, true);
    }
    return moved;
  }

  #open(cameraId: string, alone: boolean): string {
    let number = 1;
    while (this.#hosts.has(`media-${number}`)) number += 1;
    const name = `media-${number}`;
    this.#hosts.set(name, { cameras: new Set([cameraId]), alone, crashedAtMs: null });
    return name;
  }
}
