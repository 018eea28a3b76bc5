/**
 * The wall: the cameras of a layout or all of them, as large as the window allows, left running all day. A tile
 * opens on the whole screen above it. The address holds the layout, the filters, the page and the kiosk.
 */
import { useCallback, useState } from 'react';
import { needSentences, useTranslation } from '#lib/i18n.ts';
import { onDemand } from '#lib/on-demand.tsx';
import { Page } from '#parts/page.tsx';
import { LiveSound } from '#parts/player/live-sound.tsx';
import { CoveredQueryView } from '#parts/query-view.tsx';
import { Banner } from '#ui/banner.tsx';
import { Pagination } from '#ui/pagination.tsx';
import type { LiveScreenProps } from './live-screen.tsx';
import { StaleBanner } from './stale-banner.tsx';
import { Kiosk, TourButton } from './wall/kiosk.tsx';
import { LayoutEditor } from './wall/layout-editor.tsx';
import { LeaveDraft } from './wall/leave-draft.tsx';
import { withCameras } from './wall/queries.ts';
import { TileGrid, type TileGridProps } from './wall/tile-grid.tsx';
import { useDraft } from './wall/use-draft.ts';
import { useTour } from './wall/use-tour.ts';
import { useWall, type Wall } from './wall/use-wall.ts';
import { WallActions } from './wall/wall-actions.tsx';
import { EmptyWall, WallSkeleton } from './wall/wall-states.tsx';
import { WallTools } from './wall/wall-tools.tsx';

const { Component: LiveScreen } = onDemand<LiveScreenProps>(async () => {
  const [loaded] = await Promise.all([import('./live-screen.tsx'), needSentences('live-screen')]);
  return loaded.LiveScreen;
});

export interface WallPageProps {
  /** The tile that is open on the whole screen. */
  cameraId: string | undefined;
  onClose: () => void;
}

interface WallHeadProps extends ReturnType<typeof useDraft> {
  wall: Wall;
}

/** What is shown, or the layout that is being arranged. */
function WallHead({ wall, draft, setDraft, edit }: WallHeadProps) {
  if (draft === null) return <WallTools wall={wall} />;
  const { change, cameras } = wall;
  return (
    <LayoutEditor
      draft={draft}
      onDraft={setDraft}
      cameras={cameras.data?.results ?? []}
      onCancel={() => setDraft(null)}
      onSaved={({ id }) => {
        setDraft(null);
        change({ layout: id, tiles: undefined, tour: undefined });
      }}
      onRemoved={() => {
        setDraft(null);
        change({ layout: undefined });
      }}
      onReload={edit}
    />
  );
}

interface WallTilesProps extends Omit<TileGridProps, 'knownAtMs'> {
  wall: Wall;
}

function WallTiles({ wall, ...grid }: WallTilesProps) {
  const { t } = useTranslation();
  const { cameras } = wall;
  return (
    <CoveredQueryView
      query={cameras}
      skeleton={<WallSkeleton />}
      failedTitle={t('cameras.loadFailed')}
    >
      {() =>
        grid.tiles.length === 0 && grid.draft === null ? (
          <EmptyWall wall={wall} />
        ) : (
          <TileGrid {...grid} knownAtMs={cameras.isError ? cameras.dataUpdatedAt : null} />
        )
      }
    </CoveredQueryView>
  );
}

export function WallPage({ cameraId, onClose }: WallPageProps) {
  const { t } = useTranslation();
  const isOpen = cameraId !== undefined;
  const wall = useWall(isOpen);
  const { address, change, cameras, layout, pages, page, tourSeconds } = wall;
  const arranged = useDraft(wall);
  const { draft, isChanged, setDraft, edit, create } = arranged;
  const [paused, setPaused] = useState(false);
  const [audibleId, setAudibleId] = useState<string | null>(null);
  const silence = useCallback(() => setAudibleId(null), []);
  const [lost, setLost] = useState<string | null>(null);
  const unknown = useCallback(
    (sentence: string) => {
      setLost(sentence);
      onClose();
    },
    [onClose],
  );
  const show = (next: number): void => change({ page: next === 1 ? undefined : next });
  const running = !paused && !isOpen && draft === null;
  useTour({ page, pages: pages.length, seconds: tourSeconds, running }, show);
  const tiles =
    draft === null
      ? (pages[page - 1] ?? [])
      : withCameras(draft.tiles, cameras.data?.results ?? []);
  const isKiosk = address.kiosk === 1 && draft === null;
  const hasTour = tourSeconds !== null && pages.length > 1;
  const setRunning = (next: boolean): void => setPaused(!next);

  const grid = (
    <WallTiles
      wall={wall}
      tiles={tiles}
      full={isKiosk}
      paused={isOpen}
      audibleId={audibleId}
      onListen={setAudibleId}
      draft={draft}
      onDraft={setDraft}
    />
  );
  const above = (
    <>
      {audibleId !== null && !isOpen && tiles.some(({ camera }) => camera.id === audibleId) && (
        <LiveSound key={audibleId} cameraId={audibleId} onEnded={silence} />
      )}
      {isOpen && (
        <LiveScreen key={cameraId} cameraId={cameraId} onClose={onClose} onUnknown={unknown} />
      )}
    </>
  );
  if (isKiosk) {
    return (
      <Kiosk
        title={layout?.name ?? t('wall.title')}
        page={page}
        pages={pages.length}
        onPage={show}
        running={hasTour ? running : null}
        onRunning={setRunning}
        onClose={() => change({ kiosk: undefined, page: address.page })}
      >
        {grid}
        {above}
      </Kiosk>
    );
  }
  return (
    <div data-full-bleed>
      <Page
        title={layout?.name ?? t('wall.title')}
        actions={
          draft === null && (
            <WallActions
              wall={wall}
              onEdit={edit}
              onCreate={create}
              tour={hasTour && <TourButton running={running} onRunning={setRunning} />}
            />
          )
        }
      >
        {lost !== null && (
          <Banner tone="error" onClose={() => setLost(null)}>
            {lost}
          </Banner>
        )}
        {cameras.isError && cameras.data !== undefined && (
          <StaleBanner at={cameras.dataUpdatedAt} query={cameras} />
        )}
        <WallHead wall={wall} {...arranged} />
        <LeaveDraft isChanged={isChanged} />
        <div>{grid}</div>
        {draft === null && <Pagination page={page} pages={pages.length} onPage={show} />}
        {above}
      </Page>
    </div>
  );
}
