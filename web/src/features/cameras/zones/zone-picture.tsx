/** The camera's picture with its zones over it; the corners of one of them can be moved, by pointer and by keys. */
import { useRef, type KeyboardEvent, type PointerEvent, type ReactNode } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { cx } from '#lib/class-names.ts';
import { formatPercent } from '#lib/format.ts';
import { addCorner, moveCorner, removeCorner, type Corner, type Drawn } from './drawing.ts';

export interface ZonePictureProps {
  /** Shown below: a still of the camera. */
  children: ReactNode;
  zones: readonly Drawn[];
  /** Whose corners are shown. */
  chosen: Drawn | null;
  onChange: (zone: Drawn) => void;
}

const looks: Record<Drawn['kind'], string> = {
  privacy: 'fill-black/80 stroke-white',
  recognition: 'fill-sky-500/25 stroke-sky-500',
  motion: 'fill-amber-500/25 stroke-amber-500',
};
const step = 0.01;
const longStep = 0.05;
const arrows: Readonly<Record<string, Corner>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

export function ZonePicture({ children, zones, chosen, onChange }: ZonePictureProps) {
  const picture = useRef<HTMLDivElement>(null);
  return (
    <div ref={picture} className="relative touch-none overflow-hidden rounded-control bg-surface-2">
      {children}
      <svg
        aria-hidden
        viewBox="0 0 1 1"
        preserveAspectRatio="none"
        className="pointer-events-none absolute inset-0 size-full"
      >
        {zones.map(({ key, kind, points }) => (
          <polygon
            key={key}
            points={points.map(([x, y]) => `${x},${y}`).join(' ')}
            className={cx(looks[kind], chosen?.key === key ? 'opacity-100' : 'opacity-60')}
            strokeWidth={2}
            vectorEffect="non-scaling-stroke"
          />
        ))}
      </svg>
      {chosen?.points.map((corner, index) => (
        <CornerHandle
          // Corners have no names: one that is taken out shifts the rest.
          key={`${chosen.key} ${index}`}
          zone={chosen}
          index={index}
          corner={corner}
          within={() => picture.current?.getBoundingClientRect() ?? null}
          onChange={onChange}
        />
      ))}
    </div>
  );
}

interface CornerHandleProps {
  zone: Drawn;
  index: number;
  corner: Corner;
  within: () => DOMRect | null;
  onChange: (zone: Drawn) => void;
}

function CornerHandle({ zone, index, corner, within, onChange }: CornerHandleProps) {
  const { t } = useTranslation();
  const [x, y] = corner;
  const key = (event: KeyboardEvent): void => {
    const arrow = arrows[event.key];
    const by = event.shiftKey ? longStep : step;
    if (arrow) onChange(moveCorner(zone, index, [x + arrow[0] * by, y + arrow[1] * by]));
    else if (event.key === 'Delete' || event.key === 'Backspace')
      onChange(removeCorner(zone, index));
    else if (event.key === 'Insert' || event.key === '+') onChange(addCorner(zone, index));
    else return;
    event.preventDefault();
  };
  const drag = (event: PointerEvent<HTMLButtonElement>): void => {
    const box = within();
    if (!event.currentTarget.hasPointerCapture(event.pointerId) || box === null) return;
    const to: Corner = [
      (event.clientX - box.left) / box.width,
      (event.clientY - box.top) / box.height,
    ];
    onChange(moveCorner(zone, index, to));
  };
  return (
    <button
      type="button"
      aria-label={t('zones.corner', {
        number: index + 1,
        x: formatPercent(x),
        y: formatPercent(y),
      })}
      style={{ left: `${x * 100}%`, top: `${y * 100}%` }}
      className="absolute size-4 -translate-x-1/2 -translate-y-1/2 cursor-move touch-none rounded-full border-2 border-white bg-primary shadow-card"
      onKeyDown={key}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={drag}
      onDoubleClick={() => onChange(addCorner(zone, index))}
    />
  );
}
