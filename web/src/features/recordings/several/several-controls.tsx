/** One set of controls for all cameras; the sound is that of the audible one. */
import { Keyboard, RotateCcw, RotateCw } from 'lucide-react';
import type { PlayerCommand } from '#parts/player/recorded/player-keys.ts';
import {
  CommandButton,
  ControlsEnd,
  FullScreenButton,
  Moment,
  PlayPause,
  Speed,
  Volume,
} from '#parts/player/recorded/transport-controls.tsx';
import type { Sound } from '#parts/player/recorded/use-sound.ts';
import type { SynchronizedPlayback } from './synchronized-playback.ts';

export interface SeveralControlsProps {
  playback: SynchronizedPlayback;
  sound: Sound;
  hasSound: boolean;
  isFull: boolean;
  onCommand: (command: PlayerCommand) => void;
}

export function SeveralControls(props: SeveralControlsProps) {
  const { playback, sound, hasSound, isFull, onCommand } = props;
  return (
    <div className="flex flex-wrap items-center gap-x-1 gap-y-1 px-2 py-1.5">
      <CommandButton command="back" icon={RotateCcw} onCommand={onCommand} />
      <PlayPause playback={playback} onCommand={onCommand} />
      <CommandButton command="ahead" icon={RotateCw} onCommand={onCommand} />
      <Moment playback={playback} />
      <ControlsEnd>
        <Speed playback={playback} />
        <Volume sound={sound} hasSound={hasSound} />
        <CommandButton command="keys" icon={Keyboard} onCommand={onCommand} />
        <FullScreenButton isFull={isFull} onCommand={onCommand} />
      </ControlsEnd>
    </div>
  );
}
