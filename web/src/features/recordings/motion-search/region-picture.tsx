/** The camera's picture, and the region drawn on it: by pointer, by touch, by keys and by buttons. */
import { playbackRoutes } from '@nazar/contract/playback.ts';
import { useRef } from 'react';
import { address } from '#api/call.ts';
import { useTranslation } from '#lib/i18n.ts';
import type { Corner } from '#parts/drawing/corners.ts';
import { DrawingBoard } from '#parts/drawing/drawing-board.tsx';
import { SecureImage } from '#parts/secure-image.tsx';
import { Button } from '#ui/button.tsx';
import { Segmented } from '#ui/segmented.tsx';
import type { NamedCamera } from '../other-cameras.tsx';
import * as regions from './region.ts';
import { regionShapes, type Region } from './region.ts';

export interface RegionPictureProps {
  camera: NamedCamera;
  /** The picture of that moment; null: the last that was kept. */
  atMs: number | null;
  region: Region;
  onRegion: (region: Region) => void;
}

export const stillAt = (cameraId: string, atMs: number | null): string =>
  address(playbackRoutes.still.path, {
    params: { id: cameraId },
    ...(atMs !== null && { query: { at: new Date(atMs).toISOString() } }),
  });

export function RegionPicture({ camera, atMs, region, onRegion }: RegionPictureProps) {
  const { t } = useTranslation();
  const draws = useDrawing(region, onRegion);
  const shape = { key: 'region', corners: region.corners, className: look };
  const isPolygon = region.shape === 'polygon';
  return (
    <div className="grid content-start gap-2">
      <Segmented
        label={t('recordingSearch.shape')}
        value={region.shape}
        onChange={(next) => onRegion(regions.reshaped(region, next))}
        options={regionShapes.map((value) => ({
          value,
          label: t(`recordingSearch.shapes.${value}`),
        }))}
      />
      <DrawingBoard
        shapes={[shape]}
        chosen={shape}
        onMove={(index, to) => onRegion(regions.moved(region, index, to))}
        {...(isPolygon && {
          onAdd: (index: number) => onRegion(regions.grown(region, index)),
          onRemove: (index: number) => onRegion(regions.shrunk(region, index)),
        })}
        {...draws}
      >
        <SecureImage
          src={stillAt(camera.id, atMs)}
          alt={t('recordingSearch.picture', { name: camera.name })}
          className="pointer-events-none min-h-32 w-full object-fill!"
          fallback={
            <p className="grid aspect-video place-items-center px-4 text-center text-ui text-muted">
              {t('recordingSearch.noPicture')}
            </p>
          }
        />
      </DrawingBoard>
      <p className="text-meta text-muted">{t(`recordingSearch.draw.${region.shape}`)}</p>
      {isPolygon && <CornerButtons region={region} onRegion={onRegion} />}
    </div>
  );
}

const look = 'fill-amber-500/25 stroke-amber-500';

/** Dragging beside the corners draws a new rectangle; pressing there gives a polygon another corner to be dragged. */
function useDrawing(region: Region, onRegion: (region: Region) => void) {
  const from = useRef<Corner>([0, 0]);
  const held = useRef<number | null>(null);
  const press = (at: Corner): void => {
    from.current = at;
    if (region.shape === 'rectangle') return;
    const grown = regions.withCorner(region, at);
    held.current = grown?.index ?? null;
    if (grown !== null) onRegion(grown.region);
  };
  const drag = (at: Corner): void => {
    if (region.shape === 'rectangle') onRegion(regions.drawn(from.current, at));
    else if (held.current !== null) onRegion(regions.moved(region, held.current, at));
  };
  return { onPress: press, onDrag: drag };
}

/** Fingers have neither Insert nor Delete. */
function CornerButtons({ region, onRegion }: Pick<RegionPictureProps, 'region' | 'onRegion'>) {
  const { t } = useTranslation();
  const last = region.corners.length - 1;
  return (
    <div className="flex flex-wrap gap-2">
      <Button
        look="secondary"
        size="small"
        disabled={!regions.mayGrow(region)}
        onClick={() => onRegion(regions.grown(region, last))}
      >
        {t('recordingSearch.addCorner')}
      </Button>
      <Button
        look="secondary"
        size="small"
        disabled={!regions.mayShrink(region)}
        onClick={() => onRegion(regions.shrunk(region, last))}
      >
        {t('recordingSearch.removeCorner')}
      </Button>
    </div>
  );
}
