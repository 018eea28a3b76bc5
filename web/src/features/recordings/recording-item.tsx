import type { Recording } from '@nazar/contract/recordings.ts';
import type { RecordingType } from '@nazar/contract/recording-states.ts';
import { Film, Lock, ScanFace } from 'lucide-react';
import { useTranslation } from '#lib/i18n.ts';
import { cx } from '#lib/class-names.ts';
import { SecureImage } from '#parts/secure-image.tsx';
import { Badge, type Tone } from '#ui/badge.tsx';
import { useProgress } from './use-progress.ts';
import { clockOf, useWords } from './recording-words.ts';

const tones: Readonly<Record<RecordingType, Tone>> = {
  continuous: 'info',
  manual: 'neutral',
  scheduled: 'success',
  motion: 'warning',
  test: 'neutral',
};

/** What is to be known of a recording before it is opened. */
export function RecordingBadges({ recording }: { recording: Recording }) {
  const { t } = useTranslation();
  const { type, faceCount, held } = recording;
  const progress = useProgress(recording);
  return (
    <span className="flex flex-wrap gap-1">
      <Badge tone={tones[type]}>{t(`recordings.type.${type}`)}</Badge>
      {faceCount > 0 && (
        <Badge tone="recognized" icon={<ScanFace aria-hidden />}>
          {t('recordings.faces', { count: faceCount })}
        </Badge>
      )}
      {progress === 'written' && <Badge tone="danger">{t('recordings.active')}</Badge>}
      {progress === 'interrupted' && <Badge tone="warning">{t('recordings.interrupted')}</Badge>}
      {held && (
        <Badge tone="neutral" icon={<Lock aria-hidden />}>
          {t('recordings.held')}
        </Badge>
      )}
    </span>
  );
}

export function Thumbnail({ recording: { thumbnail } }: { recording: Recording }) {
  return (
    <SecureImage
      src={thumbnail === '' ? null : thumbnail}
      alt=""
      className="h-14 w-24 shrink-0 rounded-control bg-[#0b0e14]"
      fallback={
        <span
          aria-hidden
          className="grid h-14 w-24 shrink-0 place-items-center rounded-control bg-surface-3 text-muted"
        >
          <Film className="size-5" />
        </span>
      }
    />
  );
}

export interface RecordingItemProps {
  recording: Recording;
  /** The day of the list: its date needs no mention. */
  day: string;
  selected: boolean;
  onSelect: (recording: Recording) => void;
}

/** One recording of the list; a click plays it. */
export function RecordingItem({ recording, day, selected, onSelect }: RecordingItemProps) {
  const { t } = useTranslation();
  const words = useWords();
  return (
    <li>
      <button
        type="button"
        aria-current={selected ? 'true' : undefined}
        onClick={() => onSelect(recording)}
        className={cx(
          'flex w-full items-center gap-3 rounded-control p-2 text-left',
          selected ? 'bg-primary-soft' : 'hover:bg-surface-2',
        )}
      >
        <Thumbnail recording={recording} />
        <span className="grid min-w-0 flex-1 grid-cols-1 gap-1">
          <span className="figures text-ui font-medium">{words.times(recording, day)}</span>
          <span className="figures text-meta text-muted">
            <span className="sr-only">{t('recordings.duration')} </span>
            {clockOf(recording.duration)} · {words.megabytes(recording.bytes)}
          </span>
          <RecordingBadges recording={recording} />
        </span>
      </button>
    </li>
  );
}
