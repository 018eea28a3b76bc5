/** What a camera does, as badges: each has an icon and a word, colour only adds to them. */
import type { Camera } from '@nazar/contract/cameras.ts';
import { CircleDot, Clapperboard, ScanFace } from 'lucide-react';
import { useTranslation } from '#lib/i18n.ts';
import { Badge } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { detectsFaces, lacksSub } from './camera-words.ts';
import { useStreamViewers } from './detection/use-detecting.ts';

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

/** By itself, or because it was started by hand. */
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

export interface CameraNotesProps {
  camera: Camera;
  /** Given to those who may say where the sub-stream lies on the main picture, and where zones belong. */
  onZones?: ((camera: Camera) => void) | undefined;
}

/** What else is to be known of a camera that is used, and leads to where it is mended. */
export function CameraNotes({ camera, onZones }: CameraNotesProps) {
  const { t } = useTranslation();
  const { health } = camera;
  const isLive = camera.status === 'active' && health.state === 'live';
  const notes = [
    lacksSub(health) && isLive && { text: t('cameras.subFallback'), action: null },
    isLive &&
      health.aligned === false && {
        text: t('cameras.subUnaligned'),
        action: t('alignment.compare'),
      },
    camera.zones_turned && { text: t('cameras.zonesTurned'), action: t('zones.open') },
  ].filter((note) => note !== false);
  if (notes.length === 0) return null;
  return (
    <ul className="grid gap-1 text-meta text-muted">
      {notes.map(({ text, action }) => (
        <li key={text}>
          {text}{' '}
          {onZones && action !== null && (
            <Button look="link" className="text-meta!" onClick={() => onZones(camera)}>
              {action}
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}
