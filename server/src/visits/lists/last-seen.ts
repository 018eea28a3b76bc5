/** When and where people were last seen, for programs that show that and no list of visits. */
import type { LastSeenStore } from './last-seen-store.ts';
import type { ChangedVisit } from '../visit-news.ts';

export interface SeenLast {
  readonly visitId: string;
  /** When they were last in view. */
  readonly at: Date;
  readonly cameraId: string;
  readonly cameraName: string;
}

export class LastSeen {
  readonly #store: LastSeenStore;

  constructor(store: LastSeenStore) {
    this.#store = store;
  }

  /** Without those of these people whom no camera has seen. */
  async of(personIds: readonly string[]): Promise<Map<string, SeenLast>> {
    const rows = await this.#store.ofPeople(personIds);
    return new Map(
      rows.map((row) => [
        row.person_id,
        {
          visitId: row.visit_id,
          at: row.ended_at,
          cameraId: row.camera_id,
          cameraName: row.camera_name,
        },
      ]),
    );
  }

  /** The people whom these visits show today. */
  peopleOf(visits: readonly ChangedVisit[]): Promise<string[]> {
    return this.#store.peopleOf(visits);
  }
}
