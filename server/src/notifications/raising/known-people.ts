/** Visits of known people, for users who wish to know of each: those of one person at a camera are one while they go on. */
import { holds } from '#http/scope.ts';
import type { Tx } from '#db/database.ts';
import type { KnownVisit, NewNotification, RaisedStore } from './raised-store.ts';
import type { Reader } from './readers.ts';

/** Visits with a shorter pause go on. */
export const quietMs = 10 * 60_000;

type Made = Pick<NewNotification, 'user_id' | 'kind'> & Partial<NewNotification>;

export class KnownPeople {
  readonly #store: Pick<RaisedStore, 'knownVisits' | 'goOn'>;
  readonly #users: readonly Reader[];
  readonly #isWished: (reader: Reader, visit: KnownVisit) => boolean;
  /** Users whose notification of before has another visit now. */
  readonly wentOn = new Set<string>();

  constructor(
    store: Pick<RaisedStore, 'knownVisits' | 'goOn'>,
    users: ReadonlyMap<string, Reader>,
    isWished: (reader: Reader, visit: KnownVisit) => boolean,
  ) {
    this.#store = store;
    this.#isWished = isWished;
    this.#users = [...users.values()].filter(({ wishes }) => wishes.notify_on_known);
  }

  /** What is new. Asks nothing as long as no user wishes it. */
  async take(tx: Tx, visitIds: readonly string[]): Promise<Made[]> {
    if (this.#users.length === 0) return [];
    /** By user, camera and person: the last visit of this pass counts. */
    const made = new Map<string, Made>();
    for (const visit of await this.#store.knownVisits(tx, visitIds)) {
      const goingOn = new Set(await this.#store.goOn(tx, visit, quietMs));
      for (const userId of goingOn) this.wentOn.add(userId);
      for (const { userId } of this.#readersOf(visit)) {
        if (!goingOn.has(userId)) made.set(keyOf(userId, visit), asMade(userId, visit));
      }
    }
    return [...made.values()];
  }

  #readersOf(visit: KnownVisit): readonly Reader[] {
    const camera = { id: visit.camera_id, created_by: visit.camera_owner };
    return this.#users.filter(
      (reader) => holds(reader.scope, camera, 'live') && this.#isWished(reader, visit),
    );
  }
}

const keyOf = (userId: string, { camera_id, identity_id }: KnownVisit): string =>
  `${userId} ${camera_id} ${identity_id}`;

const asMade = (userId: string, visit: KnownVisit): Made => ({
  user_id: userId,
  kind: 'known_person',
  camera_id: visit.camera_id,
  identity_id: visit.identity_id,
  visit_id: visit.id,
  visit_started_at: visit.started_at,
  last_at: visit.ended_at,
});
