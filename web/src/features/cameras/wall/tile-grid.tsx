/** The tiles of one page, as large as they can be, and the keys that lead from one to the other. */
import {
  useLayoutEffect,
  useRef,
  useState,
  type CSSProperties,
  type KeyboardEvent,
  type RefObject,
} from 'react';
import { useTranslation } from '#lib/i18n.ts';
import {
  aspectOf,
  GAP,
  gridFor,
  isDirection,
  neighbour,
  ONE_COLUMN_BELOW,
  spanOf,
  type Grid,
  type Size,
} from './geometry.ts';
import type { CameraTile, Draft } from './queries.ts';
import { Tile, type TileProps } from './tile.tsx';
import { useArranging } from './use-arranging.ts';
import { useSeen } from './use-seen.ts';

export interface TileGridProps {
  tiles: readonly CameraTile[];
  /** The whole window belongs to the tiles; else what is left below the top of the grid. */
  full: boolean;
  paused: boolean;
  /** The camera whose sound is on. */
  hears: string | null;
  onHear: (cameraId: string | null) => void;
  /** A layout that is being arranged; null: it is looked at. */
  draft: Draft | null;
  onDraft: (draft: Draft) => void;
}

/** Below the grid. */
const MARGIN = 8;
/** A wall below a tall head is scrolled to, not squeezed. */
const LEAST_HEIGHT = 240;

function useSize(element: RefObject<HTMLElement | null>, full: boolean): Size {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const box = element.current?.parentElement;
    if (!box) return undefined;
    const measure = (): void => {
      const top = full ? 0 : box.getBoundingClientRect().top + window.scrollY + MARGIN;
      const height = Math.max(LEAST_HEIGHT, window.innerHeight - top);
      const width = box.clientWidth;
      setSize((last) =>
        last.width === width && last.height === height ? last : { width, height },
      );
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(box);
    window.addEventListener('resize', measure);
    return () => {
      observer.disconnect();
      window.removeEventListener('resize', measure);
    };
  }, [element, full]);
  return size;
}

const isNarrow = ({ width }: Size): boolean => width > 0 && width < ONE_COLUMN_BELOW;

function gridStyle(grid: Grid, size: Size): CSSProperties {
  if (isNarrow(size)) return { gap: GAP };
  return {
    gap: GAP,
    gridTemplateColumns: `repeat(${grid.columns}, minmax(0, 1fr))`,
    gridAutoRows: grid.rowHeight,
    ...(size.width > 0 && {
      maxWidth: grid.columns * grid.cellWidth + GAP * (grid.columns - 1),
    }),
  };
}

function tileStyle({ camera }: CameraTile, size: Size): CSSProperties {
  // jsdom and the first moment know no size: nothing depends on it.
  if (isNarrow(size)) return { aspectRatio: aspectOf(camera) };
  const { columns, rows } = spanOf(camera);
  return { gridColumn: `span ${columns}`, gridRow: `span ${rows}` };
}

const tilesIn = (list: HTMLElement | null): HTMLElement[] =>
  list === null ? [] : [...list.querySelectorAll<HTMLElement>('[data-tile]')];

const reach = (tile: HTMLElement | undefined): void =>
  tile?.querySelector<HTMLElement>('[data-reach]')?.focus();

export function TileGrid(props: TileGridProps) {
  const { tiles, full, paused, hears, onHear, draft, onDraft } = props;
  const { t } = useTranslation();
  const list = useRef<HTMLUListElement>(null);
  const size = useSize(list, full);
  const seen = useSeen();
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
  // A tile that moves in the list loses the focus on its way.
  const heldAt = tiles.findIndex(({ camera }) => camera.id === held);
  useLayoutEffect(() => reach(tilesIn(list.current)[heldAt]), [heldAt]);

  const onKeyDown = (event: KeyboardEvent): void => {
    const { key } = event;
    const all = tilesIn(list.current);
    const at = all.findIndex((tile) => tile.contains(document.activeElement));
    if (at < 0) return;
    if (key === 'Escape' && held !== null) {
      event.stopPropagation();
      event.preventDefault();
      arranging.cancel();
    } else if (isDirection(key)) {
      event.preventDefault();
      if (arranging.moveBy(key)) return;
      reach(
        all[
          neighbour(
            all.map((tile) => tile.getBoundingClientRect()),
            at,
            key,
          )
        ],
      );
    } else if (key === 'Home' || key === 'End') {
      event.preventDefault();
      reach(key === 'Home' ? all[0] : all.at(-1));
    }
  };
  const change = (next: Draft['tiles']): void => {
    if (draft !== null) onDraft({ ...draft, tiles: next });
  };
  const ofDraft: TileProps['arranging'] =
    draft === null
      ? null
      : {
          held,
          onPick: arranging.pick,
          onGrab: arranging.grab,
          onPin: (id) =>
            change(
              draft.tiles.map((tile) =>
                tile.camera_id === id ? { ...tile, is_pinned: !tile.is_pinned } : tile,
              ),
            ),
          onRemove: (id) => change(draft.tiles.filter((tile) => tile.camera_id !== id)),
        };
  const grid = gridFor(
    tiles.map(({ camera }) => spanOf(camera)),
    size,
  );
  return (
    <>
      {/* The keys are those of the links and buttons inside. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <ul
        ref={list}
        aria-label={t('wall.tiles')}
        onKeyDown={onKeyDown}
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
              seen={seen.get(id)}
              hears={hears === id}
              onHear={() => onHear(hears === id ? null : id)}
              arranging={ofDraft}
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
