/**
 * What a camera recorded, wherever it is shown: the picture, words for everything that is no picture, and the controls.
 * Which moment is shown and what happens at gaps is the playback's (`useRecordedPlayback`); a timeline, the choice of a
 * recording and what else is done with it are the page's.
 */
import { X } from 'lucide-react';
import { useRef, useState, type ReactNode } from 'react';
import { cx } from '#lib/class-names.ts';
import { useFormat } from '#lib/format.ts';
import { useTranslation } from '#lib/i18n.ts';
import { useSignal } from '#lib/signal.ts';
import { leaveFullScreen, useNativeFullScreen } from '#lib/use-native-full-screen.ts';
import { IconButton } from '#ui/icon-button.tsx';
import { KeyList } from './key-list.tsx';
import { pictureName, savePicture } from './picture-file.ts';
import { speedBeside, type PlayerCommand } from './player-keys.ts';
import { pressed } from './pressed.ts';
import { RecordedControls } from './recorded-controls.tsx';
import { RecordedPicture, useHasPicture } from './recorded-picture.tsx';
import type { RecordedPlayback } from './recorded-playback.ts';
import { RecordedWords } from './recorded-words.tsx';
import { useEngine } from './use-recorded-playback.ts';
import { useSound } from './use-sound.ts';
import { useZoom } from './use-zoom.ts';
import { zoomCommands } from './zoom-commands.ts';

export interface RecordedPlayerProps {
  /** From `useRecordedPlayback`, of this camera. */
  playback: RecordedPlayback;
  camera: { readonly id: string; readonly name: string };
  /** Leads to the live view, which is offered where nothing later is recorded. */
  onLive?: () => void;
  /** Lies over the picture: what a timeline points at. */
  overlay?: ReactNode;
  /** Lies below the controls, in full screen too: a timeline. */
  children?: ReactNode;
  className?: string;
}

const skipS = 10;
/** A key makes so much louder. */
const keyVolume = 5;

function useCommands(
  { playback, camera }: RecordedPlayerProps,
  frame: React.RefObject<HTMLElement | null>,
  video: React.RefObject<HTMLVideoElement | null>,
  picture: React.RefObject<HTMLDivElement | null>,
) {
  const { t } = useTranslation();
  const [trouble, setTrouble] = useState<string | null>(null);
  const [keys, setKeys] = useState(false);
  const sound = useSound(video);
  const full = useNativeFullScreen(frame);
  const toggle = (): void => playback.setPlaying(!playback.isPlaying.get());
  const { zoom, setZoom } = useZoom(picture, toggle);
  const attempt = (work: () => Promise<void>, sentence: string): void => {
    work().catch(() => setTrouble(sentence));
  };
  const save = async (): Promise<void> => {
    const momentMs = playback.shownMs.get();
    if (video.current === null || momentMs === null) return;
    await savePicture(video.current, pictureName(camera.name, momentMs));
  };
  const commands: Record<PlayerCommand, () => void> = {
    toggle,
    back: () => playback.skip(-skipS),
    ahead: () => playback.skip(skipS),
    pictureBefore: () => playback.step(-1),
    pictureAfter: () => playback.step(1),
    slower: () => playback.setSpeed(speedBeside(playback.speed.get(), -1)),
    faster: () => playback.setSpeed(speedBeside(playback.speed.get(), 1)),
    mute: sound.toggle,
    louder: () => sound.setVolume(sound.volume + keyVolume),
    quieter: () => sound.setVolume(sound.volume - keyVolume),
    ...zoomCommands(setZoom),
    save: () => attempt(save, t('recorded.notSaved')),
    fullScreen: () => attempt(full.toggle, t('live.fullscreenFailed')),
    // A dialog does not lie in what is shown in full screen.
    keys: () => void leaveFullScreen().finally(() => setKeys(true)),
  };
  const run = (command: PlayerCommand): void => {
    setTrouble(null);
    commands[command]();
  };
  return { run, zoom, sound, full, trouble, keys, closeKeys: () => setKeys(false) };
}

function FormNote({ playback }: { playback: RecordedPlayback }) {
  const { t } = useTranslation();
  const form = useSignal(playback.form);
  if (form?.encoded !== true) return null;
  return (
    <p className="px-3 pb-2 text-meta text-muted">
      {form.masked ? t('recorded.masked') : t('recorded.encoded')}
    </p>
  );
}

export function RecordedPlayer(props: RecordedPlayerProps) {
  const { playback, camera, onLive, overlay, children, className } = props;
  const { t } = useTranslation();
  const { formatNumber } = useFormat();
  const [frame, picture] = [useRef<HTMLElement>(null), useRef<HTMLDivElement>(null)];
  const video = useRef<HTMLVideoElement>(null);
  useEngine(playback, video);
  const { run, zoom, sound, full, trouble, keys, closeKeys } = useCommands(
    props,
    frame,
    video,
    picture,
  );
  const hasPicture = useHasPicture(playback);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- its keys are those of the buttons in it
    <section
      ref={frame}
      aria-label={t('recorded.player', { name: camera.name })}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keys work wherever in it the focus is
      tabIndex={0}
      onKeyDown={(event) => pressed(event, run)}
      className={cx('flex min-w-0 flex-col bg-surface', className)}
    >
      <div
        ref={picture}
        data-zoomed={zoom.scale > 1}
        className={cx(
          'relative overflow-hidden bg-[#0b0e14] select-none',
          full.isFull ? 'min-h-0 flex-1' : 'aspect-video',
          zoom.scale > 1 ? 'cursor-grab touch-none' : 'touch-pan-y',
        )}
      >
        <RecordedPicture
          playback={playback}
          camera={camera}
          video={video}
          hasPicture={hasPicture}
          zoom={zoom}
        />
        {overlay}
        {zoom.scale > 1 && (
          <span className="absolute top-2 right-2 flex items-center gap-1">
            <output className="rounded-control bg-black/75 px-2 py-1 text-meta font-medium text-white tabular-nums">
              {t('recorded.times', {
                speed: formatNumber(zoom.scale, { maximumFractionDigits: 1 }),
              })}
            </output>
            <IconButton
              look="glass"
              small
              label={t('recorded.key.zoomWhole')}
              onClick={() => run('zoomWhole')}
            >
              <X aria-hidden />
            </IconButton>
          </span>
        )}
        <RecordedWords playback={playback} cameraId={camera.id} onLive={onLive} trouble={trouble} />
      </div>
      <RecordedControls
        playback={playback}
        sound={sound}
        isFull={full.isFull}
        hasPicture={hasPicture}
        onCommand={run}
      />
      <FormNote playback={playback} />
      {children}
      <KeyList open={keys} onClose={closeKeys} />
    </section>
  );
}
