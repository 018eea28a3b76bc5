/** The main picture with a frame round what the sub-stream shows of it, which is moved by pointer and by keys. */
import { useRef, useState, type PointerEvent, type ReactNode } from 'react';
import { useFormat } from '#lib/format.ts';
import { useTranslation } from '#lib/i18n.ts';
import { CornerHandle } from '#parts/drawing/corner-handle.tsx';
import type { Corner } from '#parts/drawing/corners.ts';
import type { Drawn } from '../zones/drawing.ts';
import { Marks } from './marks.tsx';
import {
  centreOf,
  cornersOf,
  moveCentre,
  moveCorner,
  offPart,
  onPart,
  placedOnPart,
  shapeOnPart,
  viewOf,
  type Part,
  type Size,
} from './part.ts';

export interface FramedPictureProps {
  /** The main stream's picture, or what stands in its place. */
  children: ReactNode;
  size: Size;
  zones: readonly Drawn[];
  part: Part;
  onChange: (part: Part) => void;
}

const corners = ['topLeft', 'topRight', 'bottomRight', 'bottomLeft'] as const;
/** How far one press of an arrow key moves a handle, as a share of the main picture. */
const step = 0.002;

export function FramedPicture({ children, size, zones, part, onChange }: FramedPictureProps) {
  const { t } = useTranslation();
  const { formatPercent } = useFormat();
  const board = useRef<HTMLDivElement>(null);
  // While something is dragged the drawing keeps its scale: a frame that grows beyond it would run away.
  const [held, setHeld] = useState<Part | null>(null);
  const grip = useRef<Corner | null>(null);
  const view = held ?? viewOf(part);
  const place = (event: PointerEvent): Corner | null => {
    const box = board.current?.getBoundingClientRect();
    if (box === undefined || box.width === 0 || box.height === 0) return null;
    return [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
  };
  const press = (event: PointerEvent<HTMLDivElement>): void => {
    const at = place(event);
    if (at === null || event.button !== 0) return;
    const [x, y] = offPart(at, view);
    const centre = centreOf(part);
    const [inX, inY] = onPart([x, y], part);
    if (inX < 0 || inX > 1 || inY < 0 || inY > 1) return;
    grip.current = [x - centre[0], y - centre[1]];
    event.currentTarget.setPointerCapture(event.pointerId);
  };
  const drag = (event: PointerEvent<HTMLDivElement>): void => {
    const at = place(event);
    if (at === null || !event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const [x, y] = offPart(at, view);
    const [byX, byY] = grip.current ?? [0, 0];
    onChange(moveCentre(part, [x - byX, y - byY]));
  };
  const figures = ([x, y]: Corner) => ({ x: formatPercent(x, 1), y: formatPercent(y, 1) });
  const handles = cornersOf(part).map((corner, index) => ({
    name: corners[index]!,
    corner,
    move: (to: Corner) => onChange(moveCorner(part, index, to)),
  }));
  const centre = centreOf(part);
  return (
    <div
      ref={board}
      className="relative touch-none overflow-hidden rounded-control bg-surface-3 select-none"
      style={{ aspectRatio: `${size.width} / ${size.height}` }}
      onPointerDownCapture={() => setHeld(view)}
      onPointerUpCapture={() => setHeld(null)}
      onPointerCancelCapture={() => setHeld(null)}
      onPointerDown={press}
      onPointerMove={drag}
    >
      <div className="absolute" style={placedOnPart(view)}>
        {children}
      </div>
      <Marks
        of="main"
        zones={zones.map((zone) => ({ ...zone, points: shapeOnPart(zone.points, view) }))}
        frame={shapeOnPart(cornersOf(part), view)}
        isFramed
      />
      {handles.map(({ name, corner, move }) => (
        <CornerHandle
          key={name}
          label={t(`alignment.corners.${name}`, figures(corner))}
          corner={onPart(corner, view)}
          step={step / view.width}
          place={place}
          onMove={(to) => move(offPart(to, view))}
        />
      ))}
      <CornerHandle
        label={t('alignment.centre', figures(centre))}
        corner={onPart(centre, view)}
        step={step / view.width}
        place={place}
        onMove={(to) => onChange(moveCentre(part, offPart(to, view)))}
      />
    </div>
  );
}
