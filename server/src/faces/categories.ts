/** The categories of people: employees, visitors, and those that users add. */
import type { FaceCategory } from '@nazar/contract/faces.ts';
import type { Activity } from '#activity/activity.ts';
import type { Database } from '#db/database.ts';
import type { Scope } from '#http/scope.ts';
import type { Clock } from '#lib/clock.ts';
import { uuidv7 } from '#lib/ids.ts';
import { Problem } from '#lib/problem.ts';
import { CategoryStore } from './category-store.ts';

export interface CategoriesOptions {
  readonly db: Database;
  readonly activity: Pick<Activity, 'record'>;
  readonly clock: Clock;
}

/** The category that every installation begins with, for people without a stated category. */
const visitors = 'visitor';

export class Categories {
  readonly #options: CategoriesOptions;
  readonly #store: CategoryStore;

  constructor(options: CategoriesOptions) {
    this.#options = options;
    this.#store = new CategoryStore(options.db);
  }

  async list(): Promise<FaceCategory[]> {
    const rows = await this.#store.list();
    return rows.map(({ id, name, color }) => ({ id, name, color }));
  }

  /**
   * Returns the category for people without a stated one: the visitors', or the first there is. Throws
   * category_not_found.
   */
  async ofVisitors(): Promise<string> {
    const categories = await this.#store.list();
    const category = categories.find(({ name }) => name === visitors) ?? categories[0];
    if (!category) throw new Problem('category_not_found', { field: 'category' });
    return category.id;
  }

  /** Throws category_exists. */
  async add(
    scope: Scope,
    { name, color }: Pick<FaceCategory, 'name' | 'color'>,
  ): Promise<FaceCategory> {
    const { db, activity, clock } = this.#options;
    const nowMs = clock.now();
    const row = { id: uuidv7(nowMs), name, color, created_at: new Date(nowMs) };
    await db.transaction(async (tx) => {
      if (!(await this.#store.add(tx, row)))
        throw new Problem('category_exists', { field: 'name' });
      const object = { type: 'face_category', id: row.id } as const;
      await activity.record(tx, { actor: scope, action: 'face.category_added', object });
    });
    return { id: row.id, name, color };
  }

  /** Throws category_not_found. */
  async mustExist(id: string): Promise<void> {
    if (!(await this.#store.has(id)))
      throw new Problem('category_not_found', { field: 'category' });
  }
}
