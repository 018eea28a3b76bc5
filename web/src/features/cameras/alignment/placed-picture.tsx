/** The sub-stream's picture, with what is drawn on the main picture where the frame says that it is. */
import type { ReactNode } from 'react';
import type { Drawn } from '../zones/drawing.ts';
import { Marks } from './marks.tsx';
import {
  beyondMain,
  cornersOf,
  placedOnPart,
  shapeOnPart,
  whole,
  type Part,
  type Size,
} from './part.ts';

export interface PlacedPictureProps {
  /** The sub-stream's picture, or what stands in its place. */
  children: ReactNode;
  /** Laid over it where the frame says, so much of it; null: it has not come. */
  over: { readonly url: string; readonly opacity: number } | null;
  size: Size;
  zones: readonly Drawn[];
  part: Part;
}

export function PlacedPicture({ children, over, size, zones, part }: PlacedPictureProps) {
  const hides = zones.some(({ kind }) => kind === 'privacy');
  return (
    <div
      className="relative overflow-hidden rounded-control bg-surface-3"
      style={{ aspectRatio: `${size.width} / ${size.height}` }}
    >
      <div className="absolute inset-0">{children}</div>
      {over !== null && over.opacity > 0 && (
        <img
          src={over.url}
          alt=""
          className="absolute max-w-none object-fill"
          style={{ ...placedOnPart(part), opacity: over.opacity }}
        />
      )}
      <Marks
        of="sub"
        zones={zones.map((zone) => ({ ...zone, points: shapeOnPart(zone.points, part) }))}
        frame={cornersOf(whole)}
        hidden={hides ? beyondMain(part) : []}
      />
    </div>
  );
}
