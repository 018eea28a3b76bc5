/**
 * The cameras one may see: the list, its filters, what may be done with a camera, and one of them on the
 * whole screen when the address names it.
 */
import { getRouteApi, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useState, type ReactElement } from 'react';
import { needSentences, useTranslation } from '#lib/i18n.ts';
import { isAdministrator, mayChangeCameras } from '#api/rights.ts';
import { usePreferences, useUser } from '#api/session.ts';
import { onDemand } from '#lib/on-demand.tsx';
import { isReloaded } from '#lib/reloaded.ts';
import { useSignal } from '#lib/signal.ts';
import { cameraDraft } from '#lib/storage.ts';
import { Page } from '#parts/page.tsx';
import { CoveredQueryView } from '#parts/query-view.tsx';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import { Pagination } from '#ui/pagination.tsx';
import { isFiltered, listSearch, noFilters } from './camera-filters.ts';
import { CameraList, CameraSkeletons, NoCameras } from './camera-list.tsx';
import type { CameraModalsProps, Modal } from './camera-modals.tsx';
import { CameraTools } from './camera-tools.tsx';
import { DetectionNotices } from './detection/detection-notices.tsx';
import { DetectionScope, useDetection } from './detection/detection-scope.tsx';
import { ListButtons } from './list-buttons.tsx';
import type { LiveScreenProps } from './live-screen.tsx';
import { PAGE_SIZE, type CameraPage } from './queries.ts';
import type { SelectionBarProps } from './several/selection-bar.tsx';
import type { Task } from './several/several-tasks.ts';
import { useSelection } from './several/use-selection.ts';
import { StaleBanner } from './stale-banner.tsx';
import { useCameraActions } from './use-camera-actions.ts';
import { useCameraFilters } from './use-camera-filters.ts';
import { useCameras } from './use-cameras.ts';
import type { Notice } from './use-status-action.ts';
import type { WallPageProps } from './wall-page.tsx';

const route = getRouteApi('/shell/cameras');

/** Forms and their schemas; the player. Neither is needed for the list. */
const { Component: CameraModals } = onDemand<CameraModalsProps>(async () => {
  const [loaded] = await Promise.all([
    import('./camera-modals.tsx'),
    needSentences('camera-modals'),
  ]);
  return loaded.CameraModals;
});
const { Component: LiveScreen } = onDemand<LiveScreenProps>(async () => {
  const [loaded] = await Promise.all([import('./live-screen.tsx'), needSentences('live-screen')]);
  return loaded.LiveScreen;
});
const { Component: SelectionBar } = onDemand<SelectionBarProps>(async () => {
  const [loaded] = await Promise.all([
    import('./several/selection-bar.tsx'),
    needSentences('selection-bar'),
  ]);
  return loaded.SelectionBar;
});

/** A notice goes after this time (CAM-031, CON-005). */
const BANNER_MS = 3500;

/** Above the page, so that nothing moves when it comes and goes. */
function NoticeBanner({ notice, onClose }: { notice: Notice; onClose: () => void }) {
  const { action } = notice;
  return (
    <div className="animate-appear fixed inset-x-4 bottom-4 z-30 rounded-control shadow-overlay sm:left-auto sm:max-w-md">
      <Banner
        tone={notice.tone}
        clearAfterMs={BANNER_MS}
        onClose={onClose}
        action={
          action && (
            <Button
              look="link"
              className="text-current underline"
              onClick={() => {
                onClose();
                action.choose();
              }}
            >
              {action.label}
            </Button>
          )
        }
      >
        {notice.text}
      </Banner>
    </div>
  );
}

/** Leads from the camera in the address back to the list. */
function useClose() {
  const navigate = useNavigate({ from: '/cameras' });
  return useCallback(
    () => void navigate({ to: '/cameras', search: listSearch, replace: true, resetScroll: false }),
    [navigate],
  );
}

interface OpenCameraProps {
  cameraId: string;
  say: (notice: Notice) => void;
}

/** The camera in the address, on the whole screen. */
function OpenCamera({ cameraId, say }: OpenCameraProps) {
  const { low_latency: lowLatency = false } = useSearch({ strict: false });
  const close = useClose();
  const unknown = useCallback(
    (text: string) => {
      say({ tone: 'error', text });
      close();
    },
    [say, close],
  );
  return (
    <LiveScreen cameraId={cameraId} lowLatency={lowLatency} onClose={close} onUnknown={unknown} />
  );
}

/** The wall brings its own sentences: few visits open it. */
const { Component: WallPage } = onDemand<WallPageProps>(async () => {
  const [loaded] = await Promise.all([import('./wall-page.tsx'), needSentences('wall-page')]);
  return loaded.WallPage;
});

// Its type stands here: the wall knows the address, whose type is that of this page's route.
export function CamerasPage(): ReactElement {
  const { view } = route.useSearch();
  const { cameraId } = useParams({ strict: false });
  const close = useClose();
  return (
    <DetectionScope>
      {view === 'wall' ? (
        <WallPage cameraId={cameraId} onClose={close} />
      ) : (
        <CameraListPage cameraId={cameraId} />
      )}
    </DetectionScope>
  );
}

/** A camera that was being added when the page was loaded again. */
const left = (): Modal | null =>
  isReloaded && cameraDraft.get() !== null ? { kind: 'add' } : null;

function CameraListPage({ cameraId }: { cameraId: string | undefined }) {
  const { t } = useTranslation();
  const mayChange = mayChangeCameras(useUser());
  const administrates = isAdministrator(useUser());
  const view = usePreferences().cameras_view;
  const { filters, filter } = useCameraFilters();
  const [modal, setModal] = useState<Modal | null>(() => (mayChange ? left() : null));
  const selection = useSelection();
  const [task, setTask] = useState<Task | null>(null);
  const [notice, setNotice] = useState<Notice | null>(null);
  // Detection by hand goes on when the live view closes, on the camera's card: it must stand there by then.
  const isDetecting = useSignal(useDetection().running) !== null;
  const { query, stale } = useCameras(filters, {
    isStill: modal !== null || task !== null,
    isCovered: cameraId !== undefined && !isDetecting,
  });
  const actions = useCameraActions(setNotice, setModal);
  const onAdd = mayChange ? (): void => setModal({ kind: 'add' }) : null;

  // Administrators find those of deleted cameras there, too.
  const mayFind = administrates || query.data?.results.some(({ may_play: may }) => may) === true;
  const page = filters.page ?? 1;
  const pages = Math.max(1, Math.ceil((query.data?.count ?? 0) / PAGE_SIZE));
  const beyond = query.data !== undefined && !query.isPlaceholderData && page > pages;
  useEffect(() => {
    // The last camera of the last page was deleted.
    if (beyond) filter({ page: pages === 1 ? undefined : pages });
  });

  const list = ({ results }: CameraPage) =>
    results.length === 0 ? (
      <NoCameras filtered={isFiltered(filters)} onClear={() => filter(noFilters)} onAdd={onAdd} />
    ) : (
      <CameraList
        cameras={results}
        view={view}
        actions={stale?.isCopy === true ? null : actions}
        selection={mayChange && stale?.isCopy !== true ? selection : null}
        paused={cameraId !== undefined}
        asOf={query.dataUpdatedAt}
        knownAtMs={stale?.at ?? null}
      />
    );
  return (
    <Page
      title={t('cameras.title')}
      actions={<ListButtons search={filters.search} mayFind={mayFind} onAdd={onAdd} />}
    >
      <CameraTools
        filters={filters}
        onFilter={filter}
        refreshing={query.isFetching}
        onRefresh={() => void query.refetch()}
      />
      {stale !== null && <StaleBanner at={stale.at} query={query} />}
      {stale === null ? (
        <CoveredQueryView
          query={query}
          skeleton={<CameraSkeletons />}
          failedTitle={t('cameras.loadFailed')}
        >
          {list}
        </CoveredQueryView>
      ) : (
        list(stale.page)
      )}
      <Pagination
        page={page}
        pages={pages}
        onPage={(next) => filter({ page: next === 1 ? undefined : next })}
      />
      {cameraId === undefined && <DetectionNotices say={setNotice} />}
      {mayChange && selection.isBegun && (
        <SelectionBar
          selection={selection}
          filters={filters}
          count={query.data?.count ?? 0}
          task={task}
          onTask={setTask}
        />
      )}
      {notice !== null && <NoticeBanner notice={notice} onClose={() => setNotice(null)} />}
      {modal !== null && (
        <CameraModals
          modal={modal}
          onClose={() => setModal(null)}
          onDone={(text) => {
            setModal(null);
            setNotice({ tone: 'success', text });
          }}
        />
      )}
      {cameraId !== undefined && <OpenCamera key={cameraId} cameraId={cameraId} say={setNotice} />}
    </Page>
  );
}
