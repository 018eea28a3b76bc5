import type { Camera } from '@nazar/contract/cameras.ts';
import { Link } from '@tanstack/react-router';
import { MapPin } from 'lucide-react';
import { useTranslation } from '#lib/i18n.ts';
import { CameraStatusBadge } from '#parts/camera-badges.tsx';
import { CameraStateLine } from '#parts/camera-state/camera-state-line.tsx';
import { useWatchedCamera } from '#parts/camera-state/use-watched-camera.ts';
import { CameraNotes, DemoBadge, DetectionBadge, RecordingBadge } from './camera-badges.tsx';
import { CameraMenu, type CameraActions } from './camera-menu.tsx';
import { SelectBox } from './several/select-box.tsx';
import type { Selection } from './several/use-selection.ts';
import { useResolution } from './camera-words.ts';
import { OnlineLine } from './filters/online-line.tsx';
import { CameraPicture } from './detection/camera-picture.tsx';

export interface CameraCardProps {
  camera: Camera;
  /** Null: nothing can be done from a copy. */
  actions: CameraActions | null;
  /** The list it stands in. */
  shown: readonly Camera[];
  /** Null for those who may not change cameras. */
  selection: Selection | null;
  /** The live view is open above the list. */
  paused: boolean;
  /** When the list was last asked for, where the server can't be asked now; null: it is of now. */
  knownAtMs: number | null;
}

function CardFacts({ camera }: { camera: Camera }) {
  const { t } = useTranslation();
  const resolution = useResolution(camera);
  const facts = [
    { name: t('camera.type'), value: t(`camera.types.${camera.type}`) },
    { name: t('camera.resolution'), value: resolution },
    {
      name: t('camera.faceRecognition'),
      value: camera.enable_face_recognition ? t('cameras.enabled') : t('cameras.disabled'),
    },
  ];
  return (
    <dl className="grid gap-y-1 text-meta">
      {facts.map(({ name, value }) => (
        <div key={name} className="flex flex-wrap justify-between gap-x-3">
          <dt className="text-muted">{name}</dt>
          <dd className="figures font-medium">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

export function CameraCard(props: CameraCardProps) {
  const { camera, shown, actions, selection, paused, knownAtMs } = props;
  const { t } = useTranslation();
  const { state, onReport } = useWatchedCamera(camera, knownAtMs);
  const link = {
    to: '/cameras/$cameraId',
    params: { cameraId: camera.id },
    search: true,
    resetScroll: false,
  } as const;
  return (
    <article aria-label={camera.name} className="card flex flex-col overflow-hidden">
      <div className="relative">
        <CameraPicture
          place="card"
          camera={camera}
          stream="sub"
          paused={paused}
          onReport={onReport}
          isShort
          className="aspect-video"
        />
        {camera.is_demo && <DemoBadge className="absolute top-2 left-2" />}
        {/* The name below is the same link for keyboards and screen readers. */}
        <Link
          {...link}
          tabIndex={-1}
          aria-hidden
          className="absolute inset-0 cursor-pointer"
          data-testid="preview-link"
        />
      </div>
      <div className="flex flex-1 flex-col gap-3 p-3 sm:p-4">
        <div className="flex items-start gap-2">
          {selection !== null && <SelectBox {...{ camera, shown, selection }} />}
          <div className="min-w-0 flex-1">
            <h2 className="text-body font-semibold">
              <Link
                {...link}
                title={t('cameras.open', { name: camera.name })}
                className="hover:underline"
              >
                {camera.name}
              </Link>
            </h2>
            <p className="flex items-start gap-1 text-ui text-muted">
              <MapPin aria-hidden className="mt-0.5 size-3.5 shrink-0" />
              <span className="min-w-0">{camera.location}</span>
            </p>
          </div>
          {actions !== null && <CameraMenu camera={camera} actions={actions} />}
        </div>
        <div className="grid gap-1">
          <CameraStateLine state={state} />
          <CameraNotes camera={camera} onZones={actions?.changes?.zones} />
          <OnlineLine camera={camera} />
        </div>
        <CardFacts camera={camera} />
        <div className="mt-auto flex flex-wrap gap-1.5">
          <CameraStatusBadge status={camera.status} />
          <RecordingBadge camera={camera} />
          <DetectionBadge camera={camera} />
        </div>
      </div>
    </article>
  );
}
