/** A user's preferences for the pages. */
import type { Preferences } from '@nazar/contract/accounts.ts';
import { dateAt } from '#lib/local-days.ts';
import type { PreferenceRow, PreferenceStore } from './preference-store.ts';

export class OwnPreferences {
  readonly #store: PreferenceStore;

  constructor(store: PreferenceStore) {
    this.#store = store;
  }

  async of(userId: string): Promise<Preferences> {
    return asPreferences(await this.#store.of(userId));
  }

  /** Throws time_zone_unknown. */
  async change(userId: string, change: Partial<Preferences>): Promise<Preferences> {
    if (typeof change.timezone === 'string') dateAt(0, change.timezone);
    await this.#store.save(userId, change);
    return this.of(userId);
  }
}

function asPreferences(row: PreferenceRow | undefined): Preferences {
  return {
    language: row?.language ?? null,
    theme: row?.theme ?? null,
    avatar_color: row?.avatar_color ?? null,
    sidebar_collapsed: row?.sidebar_collapsed ?? false,
    cameras_view: row?.cameras_view ?? 'grid',
    faces_view: row?.faces_view ?? 'grid',
    timezone: row?.timezone ?? null,
  };
}
