/**
 * The legal basis for recognising a person. A basis that ended stops recognition on that day; the
 * policy decides whether one is needed at all. Where none was recorded, the answer says so.
 */
import { Problem } from '#lib/problem.ts';
import type { Consent, ConsentFields } from '@nazar/contract/privacy.ts';
import type { Clock } from '#lib/clock.ts';
import type { Database, Tx } from '#db/database.ts';
import type { Activity } from '#activity/activity.ts';
import type { Scope } from '#http/scope.ts';
import type { Settings } from '#settings/settings.ts';
import { ConsentStore } from './consent-store.ts';

export interface ConsentsOptions {
  readonly db: Database;
  readonly activity: Activity;
  readonly settings: Pick<Settings, 'get'>;
  readonly clock: Clock;
}

export class Consents {
  readonly #options: ConsentsOptions;
  readonly #store: ConsentStore;
  #lastWithheld = '';

  constructor(options: ConsentsOptions) {
    this.#options = options;
    this.#store = new ConsentStore(options.db);
  }

  /** Ids of people who must not be recognised now. */
  async withheld(): Promise<Set<string>> {
    const { requireConsent } = await this.#options.settings.get('privacy');
    return new Set(await this.#store.withheld(this.#today(), requireConsent));
  }

  /** Whether others must not be recognised now than when this was last asked. */
  async hasChanged(): Promise<boolean> {
    const now = [...(await this.withheld())].sort().join();
    const changed = now !== this.#lastWithheld;
    this.#lastWithheld = now;
    return changed;
  }

  async of(personId: string): Promise<Consent> {
    const row = await this.#store.find(personId);
    const { requireConsent } = await this.#options.settings.get('privacy');
    if (!row) return { ...notRecorded, allows_recognition: !requireConsent };
    const { person_id: _, recorded_by, recorded_at, ...rest } = row;
    const hasEnded = row.expires_at !== null && row.expires_at <= this.#today();
    return {
      ...rest,
      recorded_by,
      recorded_at: recorded_at.toISOString(),
      has_ended: hasEnded,
      allows_recognition: !hasEnded,
    };
  }

  /** Throws invalid_body for a basis that would end on the day it begins. */
  async save(tx: Tx, scope: Scope, personId: string, fields: ConsentFields): Promise<void> {
    const { basis, obtained_at, expires_at, document } = fields;
    const { activity, clock } = this.#options;
    if (basis === 'not_recorded') await this.#store.remove(tx, personId);
    else {
      const since = obtained_at ?? this.#today();
      if (expires_at !== null && expires_at <= since) {
        throw new Problem('invalid_body', { field: 'expires_at' });
      }
      await this.#store.save(tx, {
        person_id: personId,
        basis,
        obtained_at: since,
        expires_at,
        document,
        recorded_by: scope.userId,
        recorded_at: new Date(clock.now()),
      });
    }
    // The reference is personal and must be erasable, which the activity log is not.
    const details = { basis, expires_at };
    const object = { type: 'face', id: personId } as const;
    await activity.record(tx, { actor: scope, action: 'privacy.consent_changed', object, details });
  }

  /** In UTC. */
  #today(): string {
    return new Date(this.#options.clock.now()).toISOString().slice(0, 10);
  }
}

const notRecorded = {
  basis: 'not_recorded',
  obtained_at: null,
  expires_at: null,
  document: '',
  recorded_by: null,
  recorded_by_name: '',
  recorded_at: null,
  has_ended: false,
} as const;
