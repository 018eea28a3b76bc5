/**
 * The visits that may go on: a person who turns away and back within ten seconds has not left. The tracker forgets a
 * face after 1.5 s, and people look at a door frame for longer. Pure; times are the visits' own.
 */
export interface RecentVisit {
  readonly id: string;
  readonly cameraId: string;
  endedAtMs: number;
}

export const sameVisitMs = 10_000;

export class RecentVisits<Visit extends RecentVisit> {
  /** The most recently updated visit comes last. */
  readonly #visits = new Map<string, Visit>();

  /** Remembers a visit that began or went on; forgets those that ended too long before it. */
  remember(visit: Visit): void {
    this.#visits.delete(visit.id);
    this.#visits.set(visit.id, visit);
    for (const [id, { endedAtMs }] of this.#visits) {
      if (visit.endedAtMs - endedAtMs > sameVisitMs) this.#visits.delete(id);
    }
  }

  /** Returns the visits of a camera that a person seen from that time on may continue; the newest first. */
  openAt(cameraId: string, fromMs: number): Visit[] {
    return [...this.#visits.values()]
      .filter((visit) => visit.cameraId === cameraId && fromMs - visit.endedAtMs <= sameVisitMs)
      .toReversed();
  }
}
