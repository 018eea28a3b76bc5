/** What is done with the live picture by buttons and by keys. */
import type { Camera } from '@nazar/contract/cameras.ts';
import { useState, type RefObject } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { leaveFullScreen } from '#lib/use-native-full-screen.ts';
import { togglePictureInPicture } from '#parts/player/live/use-picture-in-picture.ts';
import type { LivePlayer } from '#parts/player/live-player.ts';
import { pictureName, savePicture } from '#parts/player/recorded/picture-file.ts';
import type { PlayerCommand } from '#parts/player/recorded/player-keys.ts';
import { useZoom } from '#parts/player/recorded/use-zoom.ts';
import { zoomCommands } from '#parts/player/recorded/zoom-commands.ts';

export const liveCommands = [
  'zoomIn',
  'zoomOut',
  'zoomWhole',
  'panLeft',
  'panRight',
  'panUp',
  'panDown',
  'save',
  'fullScreen',
  'keys',
] as const satisfies readonly PlayerCommand[];
export type LiveCommand = (typeof liveCommands)[number];

export const isLiveCommand = (command: PlayerCommand): command is LiveCommand =>
  (liveCommands as readonly PlayerCommand[]).includes(command);

const nothing = (): void => undefined;

/** Throws when there is no picture. */
async function save({ surfaces, transport, lastPictureMs }: LivePlayer, name: string) {
  const { video, canvas } = surfaces;
  const picture = transport.get() === 'jpeg' && canvas !== null ? canvas : video;
  if (lastPictureMs === null) throw new Error('there is no picture');
  await savePicture(picture, pictureName(name, lastPictureMs));
}

export function useLiveCommands(
  camera: Camera,
  player: LivePlayer | null,
  toggleFull: () => void,
  picture: RefObject<HTMLElement | null>,
) {
  const { t } = useTranslation();
  const [trouble, setTrouble] = useState<string | null>(null);
  const [keys, setKeys] = useState(false);
  const { zoom, setZoom } = useZoom(picture, nothing);
  const attempt = (work: (player: LivePlayer) => Promise<void>, sentence: string): void => {
    setTrouble(null);
    if (player !== null) work(player).catch(() => setTrouble(sentence));
  };
  const commands: Record<LiveCommand, () => void> = {
    ...zoomCommands(setZoom),
    save: () => attempt((one) => save(one, camera.name), t('recorded.notSaved')),
    fullScreen: toggleFull,
    // A dialog does not lie in what is shown in full screen.
    keys: () => void leaveFullScreen().finally(() => setKeys(true)),
  };
  const float = (): void =>
    attempt(({ surfaces }) => togglePictureInPicture(surfaces.video), t('liveView.floatFailed'));
  return {
    run: (command: LiveCommand) => commands[command](),
    float,
    zoom,
    keys,
    closeKeys: () => setKeys(false),
    trouble,
    forgetTrouble: () => setTrouble(null),
  };
}
