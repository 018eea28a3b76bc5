/**
 * The wall (NSH-006): the cameras of a layout or all of them, as large as the window allows, left running all day. A tile
 * opens on the whole screen above it. The address holds the layout, the filters, the page and the kiosk.
 */
import { Link } from '@tanstack/react-router';
import { LayoutDashboard, List, Monitor, Plus } from 'lucide-react';
import { useCallback, useState } from 'react';
import { useTranslation } from '#lib/i18n.ts';
import { onDemand } from '#lib/on-demand.tsx';
import { useSeeing } from '#api/see-as.ts';
import { Page } from '#parts/page.tsx';
import { LiveSound } from '#parts/player/live-sound.tsx';
import { QueryView } from '#parts/query-view.tsx';
import { Banner } from '#ui/banner.tsx';
import { Button, buttonClass } from '#ui/button.tsx';
import { Pagination } from '#ui/pagination.tsx';
import type { LiveScreenProps } from './live-screen.tsx';
import { StaleBanner } from './stale-banner.tsx';
import { Kiosk, TourButton } from './wall/kiosk.tsx';
import { LayoutEditor } from './wall/layout-editor.tsx';
import { draftOf, withCameras, type Draft } from './wall/queries.ts';
import { TileGrid } from './wall/tile-grid.tsx';
import { useTour } from './wall/use-tour.ts';
import { USUAL_TILES, useWall, type Wall } from './wall/use-wall.ts';
import { EmptyWall, WallSkeleton } from './wall/wall-states.tsx';
import { WallTools } from './wall/wall-tools.tsx';

const { Component: LiveScreen } = onDemand<LiveScreenProps>(
  async () => (await import('./live-screen.tsx')).LiveScreen,
);

/** As many as a layout may have. */
const MOST_TILES = 36;

export interface WallPageProps {
  /** The tile that is open on the whole screen. */
  cameraId: string | undefined;
  onClose: () => void;
}

/** What the reader is arranging; null: they look. */
function useDraft(wall: Wall) {
  const [draft, setDraft] = useState<Draft | null>(null);
  const { change, layout, pages, tourSeconds, address } = wall;
  const begin = (next: Draft): void => {
    setDraft(next);
    // All cameras can be chosen from.
    change({ search: undefined, group: undefined });
  };
  const edit = (): void => {
    if (layout !== null) begin(draftOf(layout));
  };
  const create = (): void => {
    const shown = new Map(pages.flat().map((tile) => [tile.camera.id, tile]));
    begin({
      id: null,
      revision: 0,
      name: '',
      tiles_per_page: layout?.tiles_per_page ?? address.tiles ?? USUAL_TILES,
      tour_seconds: tourSeconds,
      is_shared: false,
      tiles: [...shown.values()]
        .slice(0, MOST_TILES)
        .map(({ camera, is_pinned }) => ({ camera_id: camera.id, is_pinned })),
    });
  };
  return { draft, setDraft, edit, create };
}

export function WallPage({ cameraId, onClose }: WallPageProps) {
  const { t } = useTranslation();
  const wall = useWall();
  const { address, change, cameras, layout, pages, page, tourSeconds } = wall;
  const { draft, setDraft, edit, create } = useDraft(wall);
  const [paused, setPaused] = useState(false);
  const [hears, setHears] = useState<string | null>(null);
  const silence = useCallback(() => setHears(null), []);
  const [lost, setLost] = useState<string | null>(null);
  const unknown = useCallback(
    (sentence: string) => {
      setLost(sentence);
      onClose();
    },
    [onClose],
  );
  const isOpen = cameraId !== undefined;
  const show = (next: number): void => change({ page: next === 1 ? undefined : next });
  const running = !paused && !isOpen && draft === null;
  useTour({ page, pages: pages.length, seconds: tourSeconds, running }, show);
  const isSeeing = useSeeing() !== null;
  const known = cameras.data?.results ?? [];
  const tiles = draft === null ? (pages[page - 1] ?? []) : withCameras(draft.tiles, known);
  const isKiosk = address.kiosk === 1 && draft === null;
  const hasTour = tourSeconds !== null && pages.length > 1;

  const grid = (
    <QueryView query={cameras} skeleton={<WallSkeleton />} failedTitle={t('cameras.loadFailed')}>
      {() =>
        tiles.length === 0 && draft === null ? (
          <EmptyWall wall={wall} />
        ) : (
          <TileGrid
            tiles={tiles}
            full={isKiosk}
            paused={isOpen}
            hears={hears}
            onHear={setHears}
            draft={draft}
            onDraft={setDraft}
          />
        )
      }
    </QueryView>
  );
  const above = (
    <>
      {hears !== null && !isOpen && tiles.some(({ camera }) => camera.id === hears) && (
        <LiveSound key={hears} cameraId={hears} onEnded={silence} />
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
        onRunning={(next) => setPaused(!next)}
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
            <>
              {hasTour && <TourButton running={running} onRunning={(next) => setPaused(!next)} />}
              <Link
                to="/cameras"
                search={({ search }) => (search === undefined ? {} : { search })}
                className={buttonClass('secondary')}
              >
                <List aria-hidden />
                {t('wall.cameraList')}
              </Link>
              {layout?.may_change === true && !isSeeing && (
                <Button look="secondary" onClick={edit}>
                  <LayoutDashboard aria-hidden />
                  {t('wall.edit')}
                </Button>
              )}
              {!isSeeing && pages.length > 0 && (
                <Button look="secondary" onClick={create}>
                  <Plus aria-hidden />
                  {t('wall.create')}
                </Button>
              )}
              <Button onClick={() => change({ kiosk: 1, page: address.page })}>
                <Monitor aria-hidden />
                {t('wall.kiosk')}
              </Button>
            </>
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
        {draft === null ? (
          <WallTools wall={wall} />
        ) : (
          <LayoutEditor
            draft={draft}
            onDraft={setDraft}
            cameras={known}
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
        )}
        <div>{grid}</div>
        {draft === null && <Pagination page={page} pages={pages.length} onPage={show} />}
        {above}
      </Page>
    </div>
  );
}
