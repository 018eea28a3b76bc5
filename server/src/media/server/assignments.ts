/**
 * Assigns cameras to host processes: up to four share one, and the cameras of a host that crashed twice within a minute
 * get one host each, so that the one that crashes it is alone. Pure.
 */
export interface AssignmentsOptions {
  readonly camerasPerHost: number;
}

/** Two crashes within this time isolate the cameras of the host. */
const crashWindowMs = 60_000;

interface HostSlots {
  readonly cameras: Set<string>;
  /** The host takes no further camera. */
  alone: boolean;
  crashedAtMs: number | null;
}

export class Assignments {
  readonly #limit: number;
  readonly #hosts = new Map<string, HostSlots>();

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

  /** Takes over a running host with the cameras it has. */
  adopt(host: string, cameras: readonly string[]): void {
    this.#hosts.set(host, { cameras: new Set(cameras), alone: false, crashedAtMs: null });
  }

  /** Returns the camera's host: the present one, one with room, or a new one. */
  place(cameraId: string): string {
    const present = this.hostOf(cameraId);
    if (present) return present;
    for (const [name, slots] of this.#hosts) {
      if (slots.alone || slots.cameras.size >= this.#limit) continue;
      slots.cameras.add(cameraId);
      return name;
    }
    return this.#open(cameraId, false);
  }

  /** Removes the camera. Returns the name of its host when that is empty now; it takes no other camera. */
  remove(cameraId: string): string | null {
    const host = this.hostOf(cameraId);
    const slots = host ? this.#hosts.get(host) : undefined;
    if (!host || !slots) return null;
    slots.cameras.delete(cameraId);
    if (slots.cameras.size > 0) return null;
    slots.alone = true;
    return host;
  }

  /** The process has ended: its name may be used again. */
  forget(host: string): void {
    this.#hosts.delete(host);
  }

  /** A host crashed. Returns the cameras that move to a host of their own; none at the first crash. */
  crashed(host: string, nowMs: number): readonly string[] {
    const slots = this.#hosts.get(host);
    if (!slots) return [];
    const again = slots.crashedAtMs !== null && nowMs - slots.crashedAtMs < crashWindowMs;
    slots.crashedAtMs = nowMs;
    if (!again) return [];
    slots.alone = true;
    const [, ...moved] = slots.cameras;
    for (const cameraId of moved) {
      slots.cameras.delete(cameraId);
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
