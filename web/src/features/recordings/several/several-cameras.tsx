/**
 * Recordings of up to nine cameras, in step: a grid of their pictures, one of them audible, one set of controls. Each
 * says itself why it has no picture. What keeps them in step is `SynchronizedPlayback`; a timeline is the page's.
 */
import { useRef, useState, type ReactNode } from 'react';
import { cx } from '#lib/class-names.ts';
import { useTranslation } from '#lib/i18n.ts';
import { leaveFullScreen, useNativeFullScreen } from '#lib/use-native-full-screen.ts';
import { KeyList } from '#parts/player/recorded/key-list.tsx';
import { pressed } from '#parts/player/recorded/pressed.ts';
import { speedBeside, type PlayerCommand } from '#parts/player/recorded/player-keys.ts';
import type { RecordedPlayback } from '#parts/player/recorded/recorded-playback.ts';
import type { ArchiveCamera } from '../use-archive-camera.ts';
import { SeveralControls } from './several-controls.tsx';
import { NoPicture, OwnTile, Tile, type TileProps } from './tile.tsx';
import type { Several } from './use-several.ts';
import { useSharedSound } from './use-shared-sound.ts';

export interface SeveralCamerasProps {
  several: Several;
  /** The camera whose page it is, and what plays it alone, too. */
  camera: ArchiveCamera;
  own: RecordedPlayback;
  onAlone: (cameraId: string) => void;
  onLive: (cameraId: string) => void;
  /** Lies over one picture. */
  over: (cameraId: string) => ReactNode;
  /** Lies over all of them. */
  overlay: ReactNode;
  /** Lies below the controls, in full screen too: a timeline. */
  children?: ReactNode;
}

const skipS = 10;
const keyVolume = 5;

/** On telephones two beside each other at most, and few one below the other. */
function columnsOf(count: number): string {
  if (count === 1) return 'grid-cols-1';
  if (count === 2) return 'grid-cols-1 sm:grid-cols-2';
  return count <= 4 ? 'grid-cols-2' : 'grid-cols-2 sm:grid-cols-3';
}

function useCommands({ playback }: Several, frame: React.RefObject<HTMLElement | null>) {
  const { t } = useTranslation();
  const [trouble, setTrouble] = useState<string | null>(null);
  const [keys, setKeys] = useState(false);
  const sound = useSharedSound();
  const full = useNativeFullScreen(frame);
  const faster = (direction: 1 | -1): void =>
    playback.setSpeed(speedBeside(playback.speed.get(), direction));
  const commands: Partial<Record<PlayerCommand, () => void>> = {
    toggle: () => playback.setPlaying(!playback.isPlaying.get()),
    back: () => playback.skip(-skipS),
    ahead: () => playback.skip(skipS),
    slower: () => faster(-1),
    faster: () => faster(1),
    mute: sound.toggle,
    louder: () => sound.setVolume(sound.volume + keyVolume),
    quieter: () => sound.setVolume(sound.volume - keyVolume),
    fullScreen: () => {
      full.toggle().catch(() => setTrouble(t('live.fullscreenFailed')));
    },
    // A dialog does not lie in what is shown in full screen.
    keys: () => void leaveFullScreen().finally(() => setKeys(true)),
  };
  const has = (command: PlayerCommand): boolean => command in commands;
  const run = (command: PlayerCommand): void => {
    setTrouble(null);
    commands[command]?.();
  };
  return { run, has, sound, full, trouble, keys, closeKeys: () => setKeys(false) };
}

export function SeveralCameras(props: SeveralCamerasProps) {
  const { several, camera, own, onAlone, onLive, over, overlay, children } = props;
  const { t } = useTranslation();
  const frame = useRef<HTMLElement>(null);
  const { run, has, sound, full, trouble, keys, closeKeys } = useCommands(several, frame);
  const [chosen, setAudible] = useState(camera.id);
  const [hasSound, setHasSound] = useState(false);
  // A camera that is not shown any more is silent.
  const audible = several.cameras.some(({ id }) => id === chosen) ? chosen : camera.id;
  const { playback } = several;
  const tile = (one: ArchiveCamera): Omit<TileProps, 'playback'> => ({
    camera: one,
    several: playback,
    sound,
    isAudible: one.id === audible,
    isFull: full.isFull,
    onHasSound: setHasSound,
    onListen: () => {
      setAudible(one.id);
      if (sound.isMuted) sound.toggle();
    },
    onAlone: () => onAlone(one.id),
    onLive: () => onLive(one.id),
    children: over(one.id),
  });
  const said = trouble ?? (several.isTooMany ? t('several.tooMany') : null);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- its keys are those of the buttons in it
    <section
      ref={frame}
      aria-label={t('several.player')}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keys work wherever in it the focus is
      tabIndex={0}
      onKeyDown={(event) => pressed(event, run, has)}
      className="flex min-w-0 flex-col bg-surface"
    >
      <div className={cx('relative', full.isFull && 'min-h-0 flex-1 overflow-y-auto')}>
        <ul
          className={cx(
            'grid gap-0.5 bg-line',
            columnsOf(several.further.length + 1),
            full.isFull && 'min-h-full auto-rows-[minmax(min-content,1fr)]',
          )}
        >
          <Tile {...tile(camera)} playback={own} />
          {several.further.map(({ id, found }) =>
            found.kind === 'found' && found.camera.mayPlay ? (
              <OwnTile key={id} {...tile(found.camera)} />
            ) : (
              <NoPicture key={id} found={found} isFull={full.isFull} />
            ),
          )}
        </ul>
        {overlay}
      </div>
      <SeveralControls
        playback={playback}
        sound={sound}
        hasSound={hasSound}
        isFull={full.isFull}
        onCommand={run}
      />
      {said !== null && <output className="block px-3 pb-2 text-meta text-muted">{said}</output>}
      {children}
      <KeyList open={keys} onClose={closeKeys} has={has} />
    </section>
  );
}
