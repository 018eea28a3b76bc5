import type { Camera } from '@nazar/contract/cameras.ts';
import { Link } from '@tanstack/react-router';
import { Camera as CameraIcon } from 'lucide-react';
import { useTranslation, type Translate } from '#lib/i18n.ts';
import { CameraStatusBadge } from '#parts/camera-badges.tsx';
import { stillAddress } from '#parts/player/still-address.ts';
import { SecureImage } from '#parts/secure-image.tsx';
import { DataTable, type Column } from '#ui/data-list.tsx';
import { CameraStateLine } from '#parts/camera-state/camera-state-line.tsx';
import { useCameraState } from '#parts/camera-state/use-camera-state.ts';
import { CameraNotes, DemoBadge, DetectionBadge, RecordingBadge } from './camera-badges.tsx';
import { CameraMenu, type CameraActions } from './camera-menu.tsx';
import { SelectBox, SelectShown } from './several/select-box.tsx';
import type { Selection } from './several/use-selection.ts';
import { useResolution } from './camera-words.ts';
import { OnlineLine } from './filters/online-line.tsx';

interface CellProps {
  camera: Camera;
  /** When the list was asked for: the still is of that time. */
  asOf: number;
}

function Thumbnail({ camera, asOf }: CellProps) {
  const picture = camera.status === 'active' && camera.has_url;
  return (
    <SecureImage
      src={picture ? stillAddress(camera.id, asOf) : null}
      alt=""
      className="h-10 w-16 rounded-md bg-surface-3"
      fallback={
        <span className="grid h-10 w-16 place-items-center rounded-md bg-surface-3 text-muted">
          <CameraIcon aria-hidden className="size-4" />
        </span>
      }
    />
  );
}

function CameraCell({ camera, asOf }: CellProps) {
  const { t } = useTranslation();
  return (
    <Link
      to="/cameras/$cameraId"
      params={{ cameraId: camera.id }}
      search
      resetScroll={false}
      title={t('cameras.open', { name: camera.name })}
      className="group flex items-center gap-3"
    >
      <Thumbnail camera={camera} asOf={asOf} />
      <span className="grid min-w-0">
        <span className="flex flex-wrap items-center gap-x-2 font-medium group-hover:underline">
          {camera.name}
          {camera.is_demo && <DemoBadge />}
        </span>
        <span className="figures text-meta text-muted">
          {camera.ip_address === undefined || camera.ip_address === ''
            ? t('cameras.noIp')
            : camera.ip_address}
        </span>
      </span>
    </Link>
  );
}

function State({ camera, knownAtMs }: { camera: Camera; knownAtMs: number | null }) {
  return <CameraStateLine state={useCameraState(camera, { knownAtMs })} />;
}

function Resolution({ camera }: { camera: Camera }) {
  return <span className="figures">{useResolution(camera)}</span>;
}

export interface CameraTableProps {
  cameras: readonly Camera[];
  actions: CameraActions | null;
  selection: Selection | null;
  asOf: number;
  /** When the list was last asked for, where the server can't be asked now; null: it is of now. */
  knownAtMs: number | null;
}

const actionsColumn = (t: Translate, actions: CameraActions): Column<Camera> => ({
  key: 'actions',
  header: t('cameras.actions'),
  cell: (camera) => <CameraMenu camera={camera} actions={actions} />,
});

const selectColumn = (
  t: Translate,
  shown: readonly Camera[],
  selection: Selection,
): Column<Camera> => ({
  key: 'select',
  header: t('cameraSelection.title'),
  hideHeader: true,
  cell: (camera) => <SelectBox {...{ camera, shown, selection }} />,
});

function tableColumns(
  t: Translate,
  { cameras, actions, selection, asOf, knownAtMs }: CameraTableProps,
): Column<Camera>[] {
  return [
    ...(selection === null ? [] : [selectColumn(t, cameras, selection)]),
    {
      key: 'camera',
      header: t('cameras.camera'),
      cell: (camera) => <CameraCell camera={camera} asOf={asOf} />,
    },
    { key: 'location', header: t('camera.location'), cell: (camera) => camera.location },
    { key: 'type', header: t('camera.type'), cell: (camera) => t(`camera.types.${camera.type}`) },
    {
      key: 'resolution',
      header: t('camera.resolution'),
      cell: (camera) => <Resolution camera={camera} />,
    },
    {
      key: 'status',
      header: t('camera.status'),
      cell: (camera) => (
        <div className="grid justify-items-start gap-1">
          <CameraStatusBadge status={camera.status} />
          <State camera={camera} knownAtMs={knownAtMs} />
          <CameraNotes camera={camera} onZones={actions?.changes?.zones} />
          <OnlineLine camera={camera} />
        </div>
      ),
    },
    {
      key: 'recording',
      header: t('cameras.recordingColumn'),
      cell: (camera) => <RecordingBadge camera={camera} short />,
    },
    {
      key: 'detection',
      header: t('cameras.detectionColumn'),
      cell: (camera) => <DetectionBadge camera={camera} short />,
    },
    ...(actions === null ? [] : [actionsColumn(t, actions)]),
  ];
}

export function CameraTable(props: CameraTableProps) {
  const { t } = useTranslation();
  const { cameras, selection } = props;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      {selection !== null && (
        <div className="flex items-center gap-2 px-3">
          <SelectShown shown={cameras} selection={selection} />
        </div>
      )}
      <DataTable
        caption={t('cameras.title')}
        columns={tableColumns(t, props)}
        rows={cameras}
        rowKey={(camera) => camera.id}
      />
    </div>
  );
}
