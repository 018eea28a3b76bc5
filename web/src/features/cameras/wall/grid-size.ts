/** How large the grid of the wall is, and the styles that follow. */
import { useLayoutEffect, useState, type CSSProperties, type RefObject } from 'react';
import { aspectOf, GAP, ONE_COLUMN_BELOW, spanOf, type Grid, type Size } from './geometry.ts';
import type { CameraTile } from './queries.ts';

/** Below the grid. */
const MARGIN = 8;
/** A wall below a tall head is scrolled to, not squeezed. */
const LEAST_HEIGHT = 240;

/** `note`: what stands above the grid in the same box; null: nothing does. */
export function useSize(
  element: RefObject<HTMLElement | null>,
  full: boolean,
  note: RefObject<HTMLElement | null> | null,
): Size {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const box = element.current?.parentElement;
    if (!box) return undefined;
    const measure = (): void => {
      const top = full ? 0 : box.getBoundingClientRect().top + window.scrollY + MARGIN;
      const above = note?.current?.offsetHeight ?? 0;
      const height = Math.max(LEAST_HEIGHT, window.innerHeight - top - above);
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
  }, [element, full, note]);
  return size;
}

const isNarrow = ({ width }: Size): boolean => width > 0 && width < ONE_COLUMN_BELOW;

export function gridStyle(grid: Grid, size: Size): CSSProperties {
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

export function tileStyle({ camera }: CameraTile, size: Size): CSSProperties {
  // jsdom and the first moment know no size: nothing depends on it.
  if (isNarrow(size)) return { aspectRatio: aspectOf(camera) };
  const { columns, rows } = spanOf(camera);
  return { gridColumn: `span ${columns}`, gridRow: `span ${rows}` };
}
