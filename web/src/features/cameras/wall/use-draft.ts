/** A layout while it is arranged: begun from what is on the wall or from a stored one, and kept until it is saved. */
import { maxTiles } from '@nazar/contract/wall-layouts.ts';
import { useState } from 'react';
import { draftOf, type Draft } from './queries.ts';
import { USUAL_TILES, type Wall } from './use-wall.ts';

/** `draft` null: the wall is only shown. */
export function useDraft(wall: Wall) {
  const [draft, setDraft] = useState<Draft | null>(null);
  const [begun, setBegun] = useState<Draft | null>(null);
  const { change, layout, pages, tourSeconds, address } = wall;
  const begin = (next: Draft): void => {
    setDraft(next);
    setBegun(next);
    // All cameras can be chosen from.
    change({ search: undefined, group: undefined });
  };
  const edit = (): void => {
    if (layout !== null) begin(draftOf(layout));
  };
  const create = (): void => {
    const shown = new Map(pages.flat().map((tile) => [tile.camera.id, tile]));
    begin({
      id: null,
      revision: 0,
      name: '',
      tiles_per_page: layout?.tiles_per_page ?? address.tiles ?? USUAL_TILES,
      tour_seconds: tourSeconds,
      is_shared: false,
      tiles: [...shown.values()]
        .slice(0, maxTiles)
        .map(({ camera, is_pinned }) => ({ camera_id: camera.id, is_pinned })),
    });
  };
  const isChanged = draft !== null && JSON.stringify(draft) !== JSON.stringify(begun);
  return { draft, isChanged, setDraft, edit, create };
}
