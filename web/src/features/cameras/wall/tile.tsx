/** One camera on the wall. Opens on the whole screen; while a layout is arranged it is picked up instead. */
import { Link } from '@tanstack/react-router';
import { Pin, PinOff, Volume2, VolumeX, X } from 'lucide-react';
import { useCallback, useId, type CSSProperties, type PointerEvent } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { cx } from '#lib/class-names.ts';
import { useWatchedCamera } from '#parts/camera-state/use-watched-camera.ts';
import type { LivePlayer } from '#parts/player/live-player.ts';
import type { Pace } from '#parts/player/live/pace.ts';
import { LiveView } from '#parts/player/live-view.tsx';
import { IconButton } from '#ui/icon-button.tsx';
import type { CameraTile } from './queries.ts';
import { SeenMark, type SeenMarkProps } from './seen-mark.tsx';
import { TileState } from './tile-state.tsx';

/** What may be done with a tile while its layout is arranged. */
export interface Arranging {
  /** The camera whose tile is picked up by keys or dragged; null: none. */
  readonly held: string | null;
  readonly onPick: (cameraId: string) => void;
  readonly onGrab: (cameraId: string, event: PointerEvent) => void;
  readonly onPin: (cameraId: string) => void;
  readonly onRemove: (cameraId: string) => void;
}

export interface TileProps {
  tile: CameraTile;
  /** From 1 on. */
  place: number;
  of: number;
  style: CSSProperties;
  /** The one tile of the wall that the Tab key reaches. */
  reached: boolean;
  onReach: () => void;
  paused: boolean;
  /** When the cameras were last asked for, where the server can't be asked now; null: what is shown is of now. */
  knownAtMs: number | null;
  /** How much is shown of every camera. */
  pace: Pace;
  /** When it was last this tile's turn, where stills are shown by turns. */
  turnMs: number | undefined;
  onPlayer: (cameraId: string, player: LivePlayer | null) => void;
  seen: SeenMarkProps['seen'] | undefined;
  isAudible: boolean;
  onListen: () => void;
  arranging: Arranging | null;
}

const OVERLAY = 'absolute inset-0 size-full cursor-pointer focus-visible:-outline-offset-4';

export function Tile(props: TileProps) {
  const { tile, style, paused, seen, arranging, pace, turnMs, onPlayer: onTilePlayer } = props;
  const { camera } = tile;
  const { id } = camera;
  const onPlayer = useCallback(
    (player: LivePlayer | null) => onTilePlayer(id, player),
    [onTilePlayer, id],
  );
  const stateId = useId();
  const { state, onReport } = useWatchedCamera(camera, props.knownAtMs);
  return (
    <li
      data-tile={camera.id}
      style={style}
      className={cx(
        'group relative overflow-hidden bg-[#0b0e14]',
        arranging?.held === camera.id && 'outline-4 -outline-offset-4 outline-primary',
      )}
    >
      <LiveView
        camera={camera}
        stream="sub"
        paused={paused}
        pace={pace}
        turnMs={turnMs}
        onPlayer={onPlayer}
        onReport={onReport}
        isShort
        className="absolute! inset-0"
      />
      <TileState name={camera.name} state={state} id={stateId} />
      {seen !== undefined && <SeenMark seen={seen} />}
      {arranging === null ? (
        <OpenTile {...props} stateId={stateId} />
      ) : (
        <ArrangedTile {...props} arranging={arranging} />
      )}
    </li>
  );
}

function OpenTile({
  tile,
  reached,
  onReach,
  isAudible,
  onListen,
  stateId,
}: TileProps & { stateId: string }) {
  const { t } = useTranslation();
  const { camera } = tile;
  return (
    <>
      <Link
        to="/cameras/$cameraId"
        params={{ cameraId: camera.id }}
        search={true}
        resetScroll={false}
        data-reach
        tabIndex={reached ? 0 : -1}
        onFocus={onReach}
        aria-label={t('cameras.open', { name: camera.name })}
        aria-describedby={stateId}
        className={OVERLAY}
      />
      {camera.health.sound !== null && (
        <IconButton
          label={t('wall.sound', { name: camera.name })}
          look="glass"
          small
          tabIndex={reached ? 0 : -1}
          aria-pressed={isAudible}
          className="absolute right-1 bottom-1"
          onClick={onListen}
        >
          {isAudible ? <Volume2 aria-hidden /> : <VolumeX aria-hidden />}
        </IconButton>
      )}
    </>
  );
}

function ArrangedTile({
  tile,
  place,
  of,
  reached,
  onReach,
  arranging,
}: TileProps & { arranging: Arranging }) {
  const { t } = useTranslation();
  const { camera, is_pinned: isPinned } = tile;
  const { id, name } = camera;
  const tabIndex = reached ? 0 : -1;
  return (
    <>
      <button
        type="button"
        data-reach
        tabIndex={tabIndex}
        onFocus={onReach}
        aria-label={t('wall.moveTile', { name, place, of })}
        aria-pressed={arranging.held === id}
        aria-describedby="wall-keys"
        className={cx(OVERLAY, 'cursor-grab')}
        onClick={() => arranging.onPick(id)}
        onPointerDown={(event) => arranging.onGrab(id, event)}
      />
      <div className="absolute right-1 bottom-1 flex gap-1">
        <IconButton
          label={t(isPinned ? 'wall.unpin' : 'wall.pin', { name })}
          look="glass"
          small
          tabIndex={tabIndex}
          aria-pressed={isPinned}
          onClick={() => arranging.onPin(id)}
        >
          {isPinned ? <PinOff aria-hidden /> : <Pin aria-hidden />}
        </IconButton>
        <IconButton
          label={t('wall.removeTile', { name })}
          look="glass"
          small
          tabIndex={tabIndex}
          onClick={() => arranging.onRemove(id)}
        >
          <X aria-hidden />
        </IconButton>
      </div>
    </>
  );
}
