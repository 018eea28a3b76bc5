/**
 * The visits that may go on: a person who turns away and back within ten seconds has not left. The tracker forgets a
 * face after 1.5 s, and people face a door frame for longer. Pure; times are the visits' own.
 */
export interface RecentVisit {
  readonly id: string;
  readonly cameraId: string;
  readonly startedAtMs: number;
  endedAtMs: number;
}

export const sameVisitMs = 10_000;

/**
 * A face that stays longer, a guard at a desk or a poster, begins another visit: each day counts them, they are found
 * by the time they were seen, and they do not age with the day they came. `TrackedVisits` ends visits there, and code
 * that searches for visits of a period relies on it (`longestVisit` in `store.ts`).
 */
export const longestVisitMs = 24 * 60 * 60_000;

export class RecentVisits<V extends RecentVisit> {
  /** The most recently updated visit comes last. */
  readonly #visits = new Map<string, V>();

  /** Remembers a visit that began or went on; forgets those that ended too long before it. */
  remember(visit: V): void {
    this.#visits.delete(visit.id);
    this.#visits.set(visit.id, visit);
    for (const [id, { endedAtMs }] of this.#visits) {
      if (visit.endedAtMs - endedAtMs > sameVisitMs) this.#visits.delete(id);
    }
  }

  /** The visit is over. */
  forget(id: string): void {
    this.#visits.delete(id);
  }

  /** Returns the visits of a camera that a person seen from that time on may continue; the newest first. */
  openAt(cameraId: string, fromMs: number): V[] {
    return [...this.#visits.values()]
      .filter((visit) => visit.cameraId === cameraId && fromMs - visit.endedAtMs <= sameVisitMs)
      .filter((visit) => fromMs - visit.startedAtMs <= longestVisitMs)
      .toReversed();
  }
}
