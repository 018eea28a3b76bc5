/** The parts of the controls below recordings, of one camera or of several in step. */
import { Maximize, Minimize, Pause, Play, Volume2, VolumeX } from 'lucide-react';
import type { ReactNode } from 'react';
import { useFormat } from '#lib/format.ts';
import { useTranslation } from '#lib/i18n.ts';
import { useSignal } from '#lib/signal.ts';
import { IconButton } from '#ui/icon-button.tsx';
import { Select } from '#ui/select.tsx';
import { Slider } from '#ui/slider.tsx';
import { speeds, type PlayerCommand } from './player-keys.ts';
import type { Transport } from './transport.ts';
import type { Sound } from './use-sound.ts';

/**
 * What stands at the end of the line. Where the line has no room for it, it goes to the next one as a whole, and there,
 * too, it stands at the end; with a volume on the smallest phone it needs two lines.
 */
export function ControlsEnd({ children }: { children: ReactNode }) {
  return (
    <div className="ml-auto flex flex-wrap items-center justify-end gap-x-1 gap-y-1">
      {children}
    </div>
  );
}

/** The moment that is shown, in the reader's time. */
export function Moment({ playback }: { playback: Transport }) {
  const { formatTime } = useFormat();
  const momentMs = useSignal(playback.momentMs);
  if (momentMs === null) return null;
  return (
    <time
      dateTime={new Date(momentMs).toISOString()}
      className="min-w-0 px-1 text-ui font-medium tabular-nums"
    >
      {formatTime(Math.floor(momentMs / 1000) * 1000, { dateStyle: 'medium', timeStyle: 'medium' })}
    </time>
  );
}

export function Volume({ sound, hasSound }: { sound: Sound; hasSound: boolean }) {
  const { t } = useTranslation();
  const { formatNumber } = useFormat();
  if (!hasSound) {
    return (
      <IconButton label={t('recorded.noSound')} disabled>
        <VolumeX aria-hidden />
      </IconButton>
    );
  }
  const silent = sound.isMuted || sound.volume === 0;
  return (
    <span className="flex items-center gap-1">
      <IconButton label={t('recorded.key.mute')} aria-pressed={silent} onClick={sound.toggle}>
        {silent ? <VolumeX aria-hidden /> : <Volume2 aria-hidden />}
      </IconButton>
      <Slider
        className="w-36 gap-2"
        aria-label={t('recorded.volume')}
        min={0}
        max={100}
        step={5}
        value={sound.isMuted ? 0 : sound.volume}
        onChange={(event) => sound.setVolume(event.target.valueAsNumber)}
        shown={formatNumber(sound.isMuted ? 0 : sound.volume)}
      />
    </span>
  );
}

export function Speed({ playback }: { playback: Transport }) {
  const { t } = useTranslation();
  const { formatNumber } = useFormat();
  const speed = useSignal(playback.speed);
  return (
    <Select
      className="w-24 shrink-0"
      aria-label={t('recorded.speed')}
      value={String(speed)}
      onChange={(event) => playback.setSpeed(Number(event.target.value))}
      options={speeds.map((one) => ({
        value: String(one),
        label: t('recorded.times', { speed: formatNumber(one) }),
      }))}
    />
  );
}

export interface CommandButtonProps {
  command: PlayerCommand;
  icon: typeof Pause;
  /** What it does now; absent: what its key is called. */
  label?: string;
  disabled?: boolean;
  onCommand: (command: PlayerCommand) => void;
}

export function CommandButton(props: CommandButtonProps) {
  const { command, icon: Icon, label, disabled = false, onCommand } = props;
  const { t } = useTranslation();
  return (
    <IconButton
      label={label ?? t(`recorded.key.${command}`)}
      disabled={disabled}
      onClick={() => onCommand(command)}
    >
      <Icon aria-hidden />
    </IconButton>
  );
}

export interface PlayPauseProps {
  playback: Transport;
  onCommand: (command: PlayerCommand) => void;
}

export function PlayPause({ playback, onCommand }: PlayPauseProps) {
  const { t } = useTranslation();
  const isPlaying = useSignal(playback.isPlaying);
  const label = isPlaying ? t('recorded.pause') : t('recorded.play');
  const icon = isPlaying ? Pause : Play;
  return <CommandButton command="toggle" icon={icon} label={label} onCommand={onCommand} />;
}

export interface FullScreenButtonProps {
  isFull: boolean;
  onCommand: (command: PlayerCommand) => void;
}

export function FullScreenButton({ isFull, onCommand }: FullScreenButtonProps) {
  const { t } = useTranslation();
  const label = isFull ? t('live.exitFullscreen') : t('live.fullscreen');
  const icon = isFull ? Minimize : Maximize;
  return <CommandButton command="fullScreen" icon={icon} label={label} onCommand={onCommand} />;
}
