/**
 * Layouts of the wall: a user's own, and those that administrators of cameras share with everyone. A layout names
 * cameras and gives no right to them: each reader gets only the cameras that they may see.
 */
import { isDeepStrictEqual } from 'node:util';
import { cameraAdministrators } from '@nazar/contract/route.ts';
import {
  maxLayouts,
  maxTiles,
  type WallLayout,
  type WallLayoutChange,
  type WallLayoutFields,
} from '@nazar/contract/wall-layouts.ts';
import type { Action, Activity } from '#activity/activity.ts';
import type { Tx } from '#db/database.ts';
import type { Scope } from '#http/scope.ts';
import type { Clock } from '#lib/clock.ts';
import { uuidv7 } from '#lib/ids.ts';
import { Problem } from '#lib/problem.ts';
import type {
  LayoutChange,
  LayoutRow,
  LayoutStore,
  ListedLayout,
  TileRow,
} from './layout-store.ts';

export interface LayoutsOptions {
  readonly store: LayoutStore;
  readonly activity: Pick<Activity, 'record'>;
  readonly visibleAmong: (scope: Scope, ids: readonly string[]) => Promise<ReadonlySet<string>>;
  readonly clock: Clock;
}

export class Layouts {
  readonly #options: LayoutsOptions;

  constructor(options: LayoutsOptions) {
    this.#options = options;
  }

  async list(scope: Scope): Promise<WallLayout[]> {
    const rows = await this.#options.store.list(scope.userId);
    const ids = new Set(rows.flatMap(({ tiles }) => tiles.map((tile) => tile.camera_id)));
    const visible = await this.#options.visibleAmong(scope, [...ids]);
    return rows.map((row) => asLayout(scope, row, visible));
  }

  /** Throws layout_not_found: also for another account's own. */
  async read(scope: Scope, id: string): Promise<WallLayout> {
    const row = await this.#find(scope, id);
    return asLayout(scope, row, await this.#visible(scope, row.tiles));
  }

  /** Throws layout_sharing_forbidden, camera_not_found, layouts_too_many. */
  async add(scope: Scope, fields: WallLayoutFields): Promise<WallLayout> {
    mayShare(scope, fields.is_shared);
    await this.#mustSee(scope, fields.tiles);
    const { store, clock } = this.#options;
    const id = uuidv7(clock.now());
    const row: LayoutRow = { ...this.#columns(scope, fields), id, revision: 1 };
    await store.transaction(async (tx) => {
      await this.#mustHaveRoom(tx, row.owner_id);
      await store.add(tx, row, fields.tiles);
      await this.#record(tx, scope, 'camera.layout_added', row);
    });
    return this.read(scope, id);
  }

  /** Throws layout_changed too, if the layout has another revision than the one that the user edited. */
  async replace(scope: Scope, id: string, fields: WallLayoutChange): Promise<WallLayout> {
    const before = await this.#find(scope, id);
    mayShare(scope, before.owner_id === null || fields.is_shared);
    await this.#mustSee(scope, fields.tiles);
    const tiles = await this.#withUnseen(scope, before, fields.tiles);
    const change = this.#columns(scope, fields);
    const { store } = this.#options;
    await store.transaction(async (tx) => {
      if (change.owner_id !== before.owner_id) await this.#mustHaveRoom(tx, change.owner_id);
      const isChanged = await store.change(tx, { id, revision: fields.revision }, change, tiles);
      if (!isChanged) throw new Problem('layout_changed');
      if (isSame(before, change, tiles)) return;
      await this.#record(tx, scope, 'camera.layout_changed', { ...change, id });
    });
    return this.read(scope, id);
  }

  /** Throws layout_not_found, layout_sharing_forbidden. */
  async remove(scope: Scope, id: string): Promise<void> {
    const row = await this.#find(scope, id);
    mayShare(scope, row.owner_id === null);
    const { store } = this.#options;
    await store.transaction(async (tx) => {
      await store.remove(tx, id);
      await this.#record(tx, scope, 'camera.layout_deleted', row);
    });
  }

  #columns(scope: Scope, fields: WallLayoutFields): LayoutChange {
    const { name, tiles_per_page, tour_seconds, is_shared } = fields;
    const owner_id = is_shared ? null : scope.userId;
    const updated_at = new Date(this.#options.clock.now());
    return { owner_id, name, tiles_per_page, tour_seconds, updated_at };
  }

  async #find(scope: Scope, id: string): Promise<ListedLayout> {
    const [row] = await this.#options.store.list(scope.userId, id);
    if (!row) throw new Problem('layout_not_found');
    return row;
  }

  #visible(scope: Scope, tiles: readonly TileRow[]): Promise<ReadonlySet<string>> {
    return this.#options.visibleAmong(
      scope,
      tiles.map((tile) => tile.camera_id),
    );
  }

  async #mustSee(scope: Scope, tiles: readonly TileRow[]): Promise<void> {
    const visible = await this.#visible(scope, tiles);
    if (visible.size < tiles.length) throw new Problem('camera_not_found');
  }

  /** Cameras that the saving user may not see stay after the sent ones, while there is room: a grant may come back. */
  async #withUnseen(
    scope: Scope,
    before: ListedLayout,
    sent: readonly TileRow[],
  ): Promise<TileRow[]> {
    const visible = await this.#visible(scope, before.tiles);
    const unseen = before.tiles.filter((tile) => !visible.has(tile.camera_id));
    return [...sent, ...unseen].slice(0, maxTiles);
  }

  async #mustHaveRoom(tx: Tx, ownerId: string | null): Promise<void> {
    if ((await this.#options.store.countOf(tx, ownerId)) < maxLayouts) return;
    throw new Problem('layouts_too_many', { max: maxLayouts });
  }

  /** The name of a user's own layout is not recorded: it is the user's own words, and the chain cannot forget. */
  #record(
    tx: Tx,
    actor: Scope,
    action: Action,
    { id, name, owner_id }: Pick<LayoutRow, 'id' | 'name' | 'owner_id'>,
  ): Promise<void> {
    const object = { type: 'wall_layout', id } as const;
    const details = owner_id === null ? { shared: true, name } : { shared: false };
    return this.#options.activity.record(tx, { actor, action, object, details });
  }
}

const sharesLayouts = ({ standing }: Scope): boolean => cameraAdministrators.includes(standing);

/** Whether a layout is saved unchanged: then nothing is recorded. */
function isSame(before: ListedLayout, change: LayoutChange, tiles: readonly TileRow[]): boolean {
  const was = [before.owner_id, before.name, before.tiles_per_page, before.tour_seconds];
  const is = [change.owner_id, change.name, change.tiles_per_page, change.tour_seconds];
  return isDeepStrictEqual([...was, before.tiles], [...is, tiles]);
}

/** Throws layout_sharing_forbidden. */
function mayShare(scope: Scope, isShared: boolean): void {
  if (isShared && !sharesLayouts(scope)) throw new Problem('layout_sharing_forbidden');
}

function asLayout(scope: Scope, row: ListedLayout, visible: ReadonlySet<string>): WallLayout {
  return {
    id: row.id,
    name: row.name,
    tiles_per_page: row.tiles_per_page,
    tour_seconds: row.tour_seconds,
    is_shared: row.owner_id === null,
    may_change: row.owner_id !== null || sharesLayouts(scope),
    tiles: row.tiles.filter((tile) => visible.has(tile.camera_id)),
    revision: row.revision,
    updated_at: row.updated_at.toISOString(),
  };
}
