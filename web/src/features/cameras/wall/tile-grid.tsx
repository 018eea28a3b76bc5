/** The tiles of one page, as large as they can be, and the keys that lead from one to the other. */
import { useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { gridFor, isDirection, neighbour, spanOf } from './geometry.ts';
import { gridStyle, tileStyle, useSize } from './grid-size.ts';
import type { CameraTile, Draft } from './queries.ts';
import { Tile, type Arranging } from './tile.tsx';
import { useArranging } from './use-arranging.ts';
import { useSeen } from './use-seen.ts';
import { useWallLoad } from './use-wall-load.ts';

export interface TileGridProps {
  tiles: readonly CameraTile[];
  /** The whole window belongs to the tiles; else what is left below the top of the grid. */
  full: boolean;
  paused: boolean;
  knownAtMs: number | null;
  /** The camera whose sound is on. */
  audibleId: string | null;
  onListen: (cameraId: string | null) => void;
  /** A layout that is being arranged; null: the wall is only shown. */
  draft: Draft | null;
  onDraft: (draft: Draft) => void;
}

const tilesIn = (list: HTMLElement | null): HTMLElement[] =>
  list === null ? [] : [...list.querySelectorAll<HTMLElement>('[data-tile]')];

const reach = (tile: HTMLElement | undefined): void =>
  tile?.querySelector<HTMLElement>('[data-reach]')?.focus();

/** What the buttons of a tile do to the layout. */
function changesOf(
  draft: Draft,
  onDraft: TileGridProps['onDraft'],
): Pick<Arranging, 'onPin' | 'onRemove'> {
  const { tiles } = draft;
  const pinned = (id: string) =>
    tiles.map((tile) => (tile.camera_id === id ? { ...tile, is_pinned: !tile.is_pinned } : tile));
  return {
    onPin: (id) => onDraft({ ...draft, tiles: pinned(id) }),
    onRemove: (id) => onDraft({ ...draft, tiles: tiles.filter((tile) => tile.camera_id !== id) }),
  };
}

/** Arrows lead to the next tile, or take along the one that is held; Home and End to the first and the last. */
function followKey(
  event: KeyboardEvent,
  all: readonly HTMLElement[],
  { held, cancel, moveBy }: ReturnType<typeof useArranging>,
): void {
  const { key } = event;
  const at = all.findIndex((tile) => tile.contains(document.activeElement));
  if (at < 0) return;
  if (key === 'Escape' && held !== null) {
    event.stopPropagation();
    event.preventDefault();
    cancel();
  } else if (isDirection(key)) {
    event.preventDefault();
    if (moveBy(key)) return;
    const boxes = all.map((tile) => tile.getBoundingClientRect());
    reach(all[neighbour(boxes, at, key)]);
  } else if (key === 'Home' || key === 'End') {
    event.preventDefault();
    reach(key === 'Home' ? all[0] : all.at(-1));
  }
}

export function TileGrid(props: TileGridProps) {
  const { tiles, full, paused, knownAtMs, audibleId, onListen, draft, onDraft } = props;
  const { t } = useTranslation();
  const list = useRef<HTMLUListElement>(null);
  const seen = useSeen();
  const load = useWallLoad(
    tiles.map(({ camera }) => camera),
    paused,
  );
  const reduced = load.pace === 'streams' ? null : load.pace;
  const note = useRef<HTMLOutputElement>(null);
  const size = useSize(list, full, reduced === null ? null : note);
  const [reached, setReached] = useState<string | null>(null);
  const isReached = (id: string): boolean =>
    tiles.some(({ camera }) => camera.id === reached) ? id === reached : id === tiles[0]?.camera.id;
  const arranging = useArranging({
    tiles: draft?.tiles ?? [],
    nameOf: (id) => tiles.find(({ camera }) => camera.id === id)?.camera.name ?? '',
    boxes: () => tilesIn(list.current).map((tile) => tile.getBoundingClientRect()),
    onOrder: (order) => {
      if (draft !== null) onDraft({ ...draft, tiles: order });
    },
  });
  const { held } = arranging;
  const holds = { held, onPick: arranging.pick, onGrab: arranging.grab };
  // A tile that moves in the list loses the focus on its way.
  const heldAt = tiles.findIndex(({ camera }) => camera.id === held);
  useLayoutEffect(() => reach(tilesIn(list.current)[heldAt]), [heldAt]);
  const grid = gridFor(
    tiles.map(({ camera }) => spanOf(camera)),
    size,
  );
  return (
    <>
      {reduced !== null && (
        <output
          ref={note}
          className="block bg-[#0b0e14] px-3 py-1.5 text-center text-meta font-medium text-white"
        >
          {t(`wall.reduced.${reduced}`)}
        </output>
      )}
      {/* The keys are those of the links and buttons inside. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <ul
        ref={list}
        aria-label={t('wall.tiles')}
        onKeyDown={(event) => followKey(event, tilesIn(list.current), arranging)}
        style={gridStyle(grid, size)}
        className="mx-auto grid w-full"
      >
        {tiles.map((tile, index) => {
          const { id } = tile.camera;
          return (
            <Tile
              key={id}
              tile={tile}
              place={index + 1}
              of={tiles.length}
              style={tileStyle(tile, size)}
              reached={isReached(id)}
              onReach={() => setReached(id)}
              paused={paused}
              knownAtMs={knownAtMs}
              pace={load.pace}
              turnMs={load.turnMsOf(id)}
              onPlayer={load.onPlayer}
              seen={seen.get(id)}
              isAudible={audibleId === id}
              onListen={() => onListen(audibleId === id ? null : id)}
              arranging={draft === null ? null : { ...changesOf(draft, onDraft), ...holds }}
            />
          );
        })}
      </ul>
      {draft !== null && (
        <div className="sr-only">
          <p id="wall-keys">{t('wall.keys')}</p>
          <output>{arranging.said}</output>
        </div>
      )}
    </>
  );
}
