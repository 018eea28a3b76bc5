/** What a camera does, as badges: each has an icon and a word, colour only adds to them. */
import type { Camera } from '@nazar/contract/cameras.ts';
import { CircleDot, Clapperboard, ScanFace } from 'lucide-react';
import { useTranslation } from '#lib/i18n.ts';
import { cx } from '#lib/class-names.ts';
import { useHealthSentence } from '#parts/health-sentence.ts';
import { useRecordingSentence } from '#parts/recording-sentence.ts';
import { Badge } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { detectsFaces, lacksSub } from './camera-words.ts';
import { useStreamViewers } from './detection/use-detecting.ts';
import { healthDots } from './health-dots.ts';

export interface SwitchBadgeProps {
  camera: Camera;
  /** Under a heading that says what is on or off. */
  short?: boolean;
}

/** It is to be recorded and is not: the line beside it says why. */
const recordingFails: ReadonlySet<Camera['recording_state']> = new Set([
  'interrupted',
  'disk_full',
  'disk_away',
  'disk_hung',
  'disk_failing',
]);

/** CAM-015. */
export function RecordingBadge({ camera, short = false }: SwitchBadgeProps) {
  const { t } = useTranslation();
  const on = camera.is_recording;
  const words = on ? t('cameras.recording') : t('cameras.notRecording');
  const off = recordingFails.has(camera.recording_state) ? 'warning' : 'neutral';
  return (
    <Badge tone={on ? 'danger' : off} icon={<CircleDot aria-hidden />}>
      {short ? t(on ? 'cameras.on' : 'cameras.off') : words}
    </Badge>
  );
}

/** CAM-016: by itself, or because it was started by hand (NSH-021). */
export function DetectionBadge({ camera, short = false }: SwitchBadgeProps) {
  const { t } = useTranslation();
  const viewers = useStreamViewers(camera.id);
  const on = viewers > 0 || detectsFaces(camera);
  const words = on ? t('cameras.detectionOn') : t('cameras.detectionOff');
  return (
    <Badge tone={on ? 'recognized' : 'neutral'} icon={<ScanFace aria-hidden />}>
      {short ? t(on ? 'cameras.on' : 'cameras.off') : words}
    </Badge>
  );
}

export function DemoBadge({ className }: { className?: string }) {
  const { t } = useTranslation();
  return (
    <Badge
      tone="info"
      icon={<Clapperboard aria-hidden />}
      {...(className !== undefined && { className })}
    >
      {t('cameras.demo')}
    </Badge>
  );
}

const recordingDots: Record<Camera['recording_state'], string> = {
  off: 'bg-line-strong',
  recording: 'bg-danger',
  waiting: 'bg-info',
  interrupted: 'bg-unrecognized',
  disk_full: 'bg-unrecognized',
  disk_away: 'bg-unrecognized',
  disk_hung: 'bg-unrecognized',
  disk_failing: 'bg-unrecognized',
};

export interface HealthLineProps {
  camera: Camera;
  /** Given to those who may say where the sub-stream lies on the main picture. */
  onCompare?: ((camera: Camera) => void) | undefined;
}

/** What the ingest does and why; nothing for a camera that is not wanted to run. */
export function HealthLine({ camera, onCompare }: HealthLineProps) {
  const { t } = useTranslation();
  const { health } = camera;
  const sentence = useHealthSentence(health);
  if (camera.status !== 'active' || !camera.has_url) return null;
  return (
    <p className="flex items-baseline gap-2 text-meta text-muted">
      <span aria-hidden className={cx('size-2 shrink-0 rounded-full', healthDots[health.state])} />
      <span>
        {sentence}
        {lacksSub(health) && <> · {t('cameras.subFallback')}</>}
        {health.state === 'live' && health.aligned === false && (
          <>
            {' · '}
            {t('cameras.subUnaligned')}{' '}
            {onCompare && (
              <Button look="link" className="text-meta!" onClick={() => onCompare(camera)}>
                {t('alignment.compare')}
              </Button>
            )}
          </>
        )}
      </span>
    </p>
  );
}

/** Why it is recorded, or why not although it should be. */
export function RecordingLine({ camera }: { camera: Camera }) {
  const sentence = useRecordingSentence(camera);
  if (sentence === null) return null;
  return (
    <p className="flex items-baseline gap-2 text-meta text-muted">
      <span
        aria-hidden
        className={cx('size-2 shrink-0 rounded-full', recordingDots[camera.recording_state])}
      />
      {sentence}
    </p>
  );
}
