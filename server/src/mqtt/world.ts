/**
 * What the installation sends to a broker: read from the front doors of other rooms, as an administrator may read it, and
 * named by topic. People are among it only by categories that an administrator chose. Nothing is sent here.
 */
import type { CameraHealth } from '@nazar/contract/cameras.ts';
import { maxMqttPeople } from '@nazar/contract/mqtt.ts';
import type { Alerts } from '#alerts/alerts.ts';
import type { Cameras } from '#cameras/cameras.ts';
import type { Faces } from '#faces/faces.ts';
import { noGrants, type Scope } from '#http/scope.ts';
import type { ChangedVisit, SeenLast, Visits } from '#visits/visits.ts';

export interface WorldOptions {
  readonly cameras: Pick<Cameras, 'names' | 'doingOf'>;
  readonly alerts: {
    readonly lists: Pick<Alerts['lists'], 'counts' | 'several'>;
    readonly house: Pick<Alerts['house'], 'mode'>;
  };
  readonly faces: Pick<Faces, 'inCategories'>;
  readonly visits: Pick<Visits, 'lastSeen' | 'details'>;
}

export interface SentCamera {
  readonly id: string;
  readonly name: string;
  readonly state: CameraHealth['state'];
  readonly isRecording: boolean;
}

export interface SentPerson {
  readonly id: string;
  readonly name: string;
  /** Null: no camera has seen them. */
  readonly seen: SeenLast | null;
}

/** The server itself: it sees all, and is no account. */
export const reader: Scope = {
  userId: '00000000-0000-0000-0000-000000000000',
  email: '',
  sessionId: '',
  ip: '',
  userAgent: '',
  standing: 'superadmin',
  seesAll: true,
  grants: noGrants,
  seenBy: null,
};

export class World {
  readonly #options: WorldOptions;
  /** By person; absent: to be read. */
  readonly #seen = new Map<string, SeenLast | null>();
  /** Null: to be read. */
  #cameras: readonly { readonly id: string; readonly name: string }[] | null = null;

  constructor(options: WorldOptions) {
    this.#options = options;
  }

  async cameras(): Promise<SentCamera[]> {
    const { cameras } = this.#options;
    const named = this.#cameras ?? (await cameras.names(reader));
    this.#cameras = named;
    return named.map(({ id, name }) => {
      const { health, is_recording: isRecording } = cameras.doingOf(id);
      return { id, name, state: health.state, isRecording };
    });
  }

  async mode(): Promise<string> {
    return (await this.#options.alerts.house.mode()).mode;
  }

  /** How many alerts are open, by level. */
  async openAlerts(): Promise<string> {
    const { by_level: levels } = await this.#options.alerts.lists.counts(reader);
    const total = Object.values(levels).reduce((sum, count) => sum + count, 0);
    return JSON.stringify({ total, ...levels });
  }

  /** Those of these alerts that are still there. */
  alerts(ids: readonly string[]) {
    return this.#options.alerts.lists.several(reader, ids, 'en');
  }

  /** The person of a visit, if their name may be sent. */
  async personOf(visitId: string, categories: readonly string[]) {
    if (categories.length === 0) return null;
    const visit = await this.#options.visits.details.read(reader, visitId).catch(() => null);
    if (!visit?.person_id) return null;
    const people = await this.#options.faces.inCategories(reader, categories, maxMqttPeople);
    return people.find(({ id }) => id === visit.person_id) ?? null;
  }

  async people(categories: readonly string[]): Promise<SentPerson[]> {
    const people = await this.#options.faces.inCategories(reader, categories, maxMqttPeople);
    const unread = people.map(({ id }) => id).filter((id) => !this.#seen.has(id));
    const found = await this.#options.visits.lastSeen.of(unread);
    for (const id of unread) this.#seen.set(id, found.get(id) ?? null);
    const present = new Set(people.map(({ id }) => id));
    for (const id of this.#seen.keys()) if (!present.has(id)) this.#seen.delete(id);
    return people.map(({ id, name }) => ({ id, name, seen: this.#seen.get(id) ?? null }));
  }

  /** Whether these visits change when anyone was last seen; that is read again then. */
  async visitsChanged(visits: readonly ChangedVisit[]): Promise<boolean> {
    const ids = new Set(visits.map(({ visitId }) => visitId));
    const shown = await this.#options.visits.lastSeen.peopleOf(visits);
    const were = [...this.#seen].flatMap(([id, seen]) =>
      seen && ids.has(seen.visitId) ? [id] : [],
    );
    const concerned = [...shown, ...were].filter((id) => this.#seen.delete(id));
    return concerned.length > 0;
  }

  camerasChanged(): void {
    this.#cameras = null;
  }

  /** People were named, corrected or erased: whose a visit is may be another's. */
  peopleChanged(): void {
    this.#seen.clear();
  }
}
