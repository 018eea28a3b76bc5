/** A picture with shapes over it; the corners of one of them can be moved, by pointer and by keys. */
import { useRef, type PointerEvent, type ReactNode } from 'react';
import { cx } from '#lib/class-names.ts';
import { formatPercent } from '#lib/format.ts';
import { useTranslation } from '#lib/i18n.ts';
import { CornerHandle } from './corner-handle.tsx';
import type { Corner, Corners } from './corners.ts';

export interface Shape {
  readonly key: string;
  readonly corners: Corners;
  readonly className: string;
}

export interface DrawingBoardProps {
  /** Shown below: a still of the camera. */
  children: ReactNode;
  shapes: readonly Shape[];
  /** Whose corners are shown. */
  chosen: Shape | null;
  onMove: (index: number, to: Corner) => void;
  /** Absent: shapes keep their number of corners. */
  onAdd?: (index: number) => void;
  onRemove?: (index: number) => void;
  /** A pointer went down beside the corners, and then moved before it was lifted. */
  onPress?: (at: Corner) => void;
  onDrag?: (at: Corner) => void;
}

export function DrawingBoard(props: DrawingBoardProps) {
  const { children, shapes, chosen, onMove, onAdd, onRemove, onPress, onDrag } = props;
  const { t } = useTranslation();
  const picture = useRef<HTMLDivElement>(null);
  const place = (event: PointerEvent): Corner | null => {
    const box = picture.current?.getBoundingClientRect();
    if (box === undefined || box.width === 0 || box.height === 0) return null;
    return [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
  };
  const press = (event: PointerEvent<HTMLDivElement>): void => {
    const at = place(event);
    if (onPress === undefined || at === null || event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    onPress(at);
  };
  const drag = (event: PointerEvent<HTMLDivElement>): void => {
    const at = place(event);
    if (at !== null && event.currentTarget.hasPointerCapture(event.pointerId)) onDrag?.(at);
  };
  return (
    <div
      ref={picture}
      className="relative touch-none overflow-hidden rounded-control bg-surface-2 select-none"
      onPointerDown={press}
      onPointerMove={drag}
    >
      {children}
      <svg
        aria-hidden
        viewBox="0 0 1 1"
        preserveAspectRatio="none"
        className="pointer-events-none absolute inset-0 size-full"
      >
        {shapes.map(({ key, className, corners }) => (
          <polygon
            key={key}
            points={corners.map(([x, y]) => `${x},${y}`).join(' ')}
            className={cx(className, chosen?.key === key ? 'opacity-100' : 'opacity-60')}
            strokeWidth={2}
            vectorEffect="non-scaling-stroke"
          />
        ))}
      </svg>
      {chosen?.corners.map((corner, index) => (
        <CornerHandle
          // Corners have no names: one that is taken out shifts the rest.
          key={`${chosen.key} ${index}`}
          label={t('zones.corner', {
            number: index + 1,
            x: formatPercent(corner[0]),
            y: formatPercent(corner[1]),
          })}
          corner={corner}
          place={place}
          onMove={(to) => onMove(index, to)}
          onAdd={onAdd && (() => onAdd(index))}
          onRemove={onRemove && (() => onRemove(index))}
        />
      ))}
    </div>
  );
}
