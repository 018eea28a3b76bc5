import type { ReactNode } from 'react';
import { DrawingBoard, type Shape } from '#parts/drawing/drawing-board.tsx';
import { addCorner, moveCorner, removeCorner, type Drawn } from './drawing.ts';
import { zoneClasses } from './zone-classes.ts';

export interface ZonePictureProps {
  /** Shown below: a still of the camera. */
  children: ReactNode;
  zones: readonly Drawn[];
  /** Whose corners are shown. */
  chosen: Drawn | null;
  onChange: (zone: Drawn) => void;
}

const shapeOf = ({ key, kind, points }: Drawn): Shape => ({
  key,
  corners: points,
  className: zoneClasses[kind],
});

/** The camera's picture with its zones over it. */
export function ZonePicture({ children, zones, chosen, onChange }: ZonePictureProps) {
  const change = (changed: (zone: Drawn) => Drawn): void => {
    if (chosen !== null) onChange(changed(chosen));
  };
  return (
    <DrawingBoard
      shapes={zones.map(shapeOf)}
      chosen={chosen && shapeOf(chosen)}
      onMove={(index, to) => change((zone) => moveCorner(zone, index, to))}
      onAdd={(index) => change((zone) => addCorner(zone, index))}
      onRemove={(index) => change((zone) => removeCorner(zone, index))}
    >
      {children}
    </DrawingBoard>
  );
}
