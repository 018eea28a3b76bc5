/** One camera of several: its name, its picture or why there is none, and what is done with it alone. */
import { Expand, TriangleAlert, Volume2, VolumeX } from 'lucide-react';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, type ReactNode } from 'react';
import { problemSentence } from '#api/problem.ts';
import { refresh } from '#api/query.ts';
import { cx } from '#lib/class-names.ts';
import { useTranslation } from '#lib/i18n.ts';
import { useSignal } from '#lib/signal.ts';
import { browserClock } from '#parts/player/recorded/clock.ts';
import { RecordedPicture, useHasPicture } from '#parts/player/recorded/recorded-picture.tsx';
import type { RecordedPlayback } from '#parts/player/recorded/recorded-playback.ts';
import { RecordedWords } from '#parts/player/recorded/recorded-words.tsx';
import { useEngine, useRecordedPlayback } from '#parts/player/recorded/use-recorded-playback.ts';
import { Button } from '#ui/button.tsx';
import { IconButton } from '#ui/icon-button.tsx';
import type { ArchiveCamera, FoundCamera } from '../use-archive-camera.ts';
import { Follower } from './follower.ts';
import type { SynchronizedPlayback } from './synchronized-playback.ts';
import { useAudible, type SharedSound } from './use-shared-sound.ts';
import { Spinner } from '#ui/spinner.tsx';

interface FrameProps {
  name: string | null;
  isFull: boolean;
  actions?: ReactNode;
  children: ReactNode;
}

/** The picture lies below, words and name above: where words need more room than the picture, the tile grows. */
function Frame({ name, isFull, actions, children }: FrameProps) {
  return (
    <li
      {...(name !== null && { 'aria-label': name })}
      className={cx(
        'relative grid min-w-0 grid-cols-1 overflow-hidden bg-[#0b0e14]',
        isFull ? 'min-h-24' : 'min-h-full',
      )}
    >
      <div className={cx('col-start-1 row-start-1', !isFull && 'aspect-video')} />
      {children}
      <div className="absolute inset-x-0 top-0 flex items-start gap-1 p-1.5">
        {name !== null && (
          <span className="min-w-0 truncate rounded-control bg-black/75 px-2 py-1 text-meta font-medium text-white">
            {name}
          </span>
        )}
        <span className="grow" />
        {actions}
      </div>
    </li>
  );
}

const wordsPlace = 'relative col-start-1 row-start-1 self-end px-1.5 pt-14 pb-1.5';

export interface TileProps {
  playback: RecordedPlayback;
  camera: ArchiveCamera;
  several: SynchronizedPlayback;
  sound: SharedSound;
  isAudible: boolean;
  isFull: boolean;
  /** Whether the audible one has sound at all. */
  onHasSound: (hasSound: boolean) => void;
  onListen: () => void;
  onAlone: () => void;
  onLive: () => void;
  /** Lies over the picture: a still while the timeline is dragged. */
  children: ReactNode;
}

function Actions({ playback, camera, isAudible, onListen, onAlone }: TileProps) {
  const { t } = useTranslation();
  const form = useSignal(playback.form);
  const isSilent = form?.hasSound === false;
  const Icon = isAudible && !isSilent ? Volume2 : VolumeX;
  const { name } = camera;
  return (
    <>
      <IconButton
        look="glass"
        small
        label={isSilent ? t('recorded.noSound') : t('several.hear', { name })}
        aria-pressed={isAudible}
        disabled={isSilent}
        className="aria-pressed:bg-primary aria-pressed:text-white"
        onClick={onListen}
      >
        <Icon aria-hidden />
      </IconButton>
      <IconButton look="glass" small label={t('several.alone', { name })} onClick={onAlone}>
        <Expand aria-hidden />
      </IconButton>
    </>
  );
}

/** A reader who lost the right finds out at once, not when the camera is next read: the timeline leaves it out. */
function useTakenRight({ state }: RecordedPlayback): void {
  const client = useQueryClient();
  const now = useSignal(state);
  const isTaken = now.kind === 'refused' && now.why === 'rights';
  useEffect(() => {
    if (isTaken) void refresh(client, 'cameras');
  }, [client, isTaken]);
}

export function Tile(props: TileProps) {
  const { playback, camera, several, sound, isAudible, isFull, onHasSound, children } = props;
  const video = useRef<HTMLVideoElement>(null);
  useEngine(playback, video);
  const follower = useMemo(() => new Follower(playback, browserClock), [playback]);
  useEffect(() => several.join(follower), [several, follower]);
  useAudible(video, sound, isAudible);
  useTakenRight(playback);
  const hasSound = useSignal(playback.form)?.hasSound === true;
  useEffect(() => {
    if (isAudible) onHasSound(hasSound);
    // oxlint-disable-next-line react/exhaustive-deps -- `onHasSound` is another at each render, and does the same
  }, [isAudible, hasSound]);
  const gap = useSignal(follower.gap);
  const hasPicture = useHasPicture(playback);
  return (
    <Frame name={camera.name} isFull={isFull} actions={<Actions {...props} />}>
      {/* While nothing was recorded no picture stands for it: neither the last one nor the next. */}
      <div className={cx('absolute inset-0', gap !== null && 'invisible')}>
        <RecordedPicture
          playback={playback}
          camera={camera}
          video={video}
          hasPicture={hasPicture && gap === null}
        />
      </div>
      {children}
      <RecordedWords
        cameraId={camera.id}
        playback={playback}
        gap={gap}
        onLive={camera.deletedAt === null ? props.onLive : undefined}
        className={wordsPlace}
      />
    </Frame>
  );
}

/** One that has no playback yet. */
export function OwnTile(props: Omit<TileProps, 'playback'>) {
  return <Tile {...props} playback={useRecordedPlayback(props.camera.id, null)} />;
}

export interface NoPictureProps {
  found: FoundCamera;
  isFull: boolean;
}

/** Why a camera of the address shows nothing. */
export function NoPicture({ found, isFull }: NoPictureProps) {
  const { t } = useTranslation();
  const words = 'flex flex-wrap items-center gap-2 text-meta font-medium text-white';
  if (found.kind === 'asked' && !found.query.isError) {
    return (
      <Frame name={null} isFull={isFull}>
        <output className={cx(wordsPlace, words)}>
          <Spinner className="size-3.5" />
          {t('recorded.loading')}
        </output>
      </Frame>
    );
  }
  const sentence = (): string => {
    if (found.kind === 'found') return t('recordings.notYours');
    if (found.kind === 'unknown') return t('problem:problem.camera_not_found');
    return problemSentence(found.query.error);
  };
  return (
    <Frame name={found.kind === 'found' ? found.camera.name : null} isFull={isFull}>
      <output className={cx(wordsPlace, words)}>
        <TriangleAlert aria-hidden className="size-3.5 shrink-0" />
        {sentence()}
        {found.kind === 'asked' && (
          <Button size="small" look="secondary" onClick={() => void found.query.refetch()}>
            {t('ui.retry')}
          </Button>
        )}
      </output>
    </Frame>
  );
}
