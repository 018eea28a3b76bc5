/** The buttons of a player of recordings, each of which has a key, too. */
import {
  ChevronLeft,
  ChevronRight,
  Camera as CameraIcon,
  Keyboard,
  RotateCcw,
  RotateCw,
} from 'lucide-react';
import { useSignal } from '#lib/signal.ts';
import type { PlayerCommand } from './player-keys.ts';
import type { RecordedPlayback } from './recorded-playback.ts';
import {
  CommandButton,
  ControlsEnd,
  FullScreenButton,
  Moment,
  PlayPause,
  Speed,
  Volume,
} from './transport-controls.tsx';
import type { Sound } from './use-sound.ts';

export interface RecordedControlsProps {
  playback: RecordedPlayback;
  sound: Sound;
  isFull: boolean;
  /** Whether there is a picture to save or to leave. */
  hasPicture: boolean;
  onCommand: (command: PlayerCommand) => void;
}

export function RecordedControls(props: RecordedControlsProps) {
  const { playback, sound, isFull, hasPicture, onCommand } = props;
  const form = useSignal(playback.form);
  const button = (command: PlayerCommand, icon: typeof CameraIcon, disabled = false) => (
    <CommandButton command={command} icon={icon} disabled={disabled} onCommand={onCommand} />
  );
  return (
    <div className="flex flex-wrap items-center gap-x-1 gap-y-1 px-2 py-1.5">
      {button('back', RotateCcw)}
      <PlayPause playback={playback} onCommand={onCommand} />
      {button('ahead', RotateCw)}
      {/* While it plays, too, where they pause it: a pause moves nothing. */}
      {button('pictureBefore', ChevronLeft, !hasPicture)}
      {button('pictureAfter', ChevronRight, !hasPicture)}
      <Moment playback={playback} />
      <ControlsEnd>
        <Speed playback={playback} />
        <Volume sound={sound} hasSound={form?.hasSound === true} />
        {button('save', CameraIcon, !hasPicture)}
        {button('keys', Keyboard)}
        <FullScreenButton isFull={isFull} onCommand={onCommand} />
      </ControlsEnd>
    </div>
  );
}
