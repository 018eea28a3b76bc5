/** The buttons of a player of recordings, each of which has a key, too. */
import {
  ChevronLeft,
  ChevronRight,
  Camera as CameraIcon,
  Keyboard,
  Maximize,
  Minimize,
  Pause,
  Play,
  RotateCcw,
  RotateCw,
  Volume2,
  VolumeX,
} from 'lucide-react';
import { useFormat } from '#lib/format.ts';
import { useTranslation } from '#lib/i18n.ts';
import { useSignal } from '#lib/signal.ts';
import { IconButton } from '#ui/icon-button.tsx';
import { Select } from '#ui/select.tsx';
import { Slider } from '#ui/slider.tsx';
import type { PlayerCommand } from './player-keys.ts';
import { speeds } from './player-keys.ts';
import type { RecordedPlayback } from './recorded-playback.ts';
import type { Sound } from './use-sound.ts';

export interface RecordedControlsProps {
  playback: RecordedPlayback;
  sound: Sound;
  isFull: boolean;
  /** Whether there is a picture to save or to leave. */
  hasPicture: boolean;
  onCommand: (command: PlayerCommand) => void;
}

/** The moment that is shown, in the reader's time. */
function Moment({ playback }: { playback: RecordedPlayback }) {
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

function Volume({ sound, hasSound }: { sound: Sound; hasSound: boolean }) {
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

function Speed({ playback }: { playback: RecordedPlayback }) {
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

export function RecordedControls({
  playback,
  sound,
  isFull,
  hasPicture,
  onCommand,
}: RecordedControlsProps) {
  const { t } = useTranslation();
  const isPlaying = useSignal(playback.isPlaying);
  const form = useSignal(playback.form);
  const button = (command: PlayerCommand, icon: typeof Play, disabled = false, label?: string) => {
    const Icon = icon;
    return (
      <IconButton
        label={label ?? t(`recorded.key.${command}`)}
        disabled={disabled}
        onClick={() => onCommand(command)}
      >
        <Icon aria-hidden />
      </IconButton>
    );
  };
  return (
    <div className="flex flex-wrap items-center gap-x-1 gap-y-1 px-2 py-1.5">
      {button('back', RotateCcw)}
      {button(
        'toggle',
        isPlaying ? Pause : Play,
        false,
        isPlaying ? t('recorded.pause') : t('recorded.play'),
      )}
      {button('ahead', RotateCw)}
      {!isPlaying && button('pictureBefore', ChevronLeft, !hasPicture)}
      {!isPlaying && button('pictureAfter', ChevronRight, !hasPicture)}
      <Moment playback={playback} />
      <span className="grow" />
      <Speed playback={playback} />
      <Volume sound={sound} hasSound={form?.hasSound === true} />
      {button('save', CameraIcon, !hasPicture)}
      {button('keys', Keyboard)}
      {button(
        'fullScreen',
        isFull ? Minimize : Maximize,
        false,
        isFull ? t('live.exitFullscreen') : t('live.fullscreen'),
      )}
    </div>
  );
}
