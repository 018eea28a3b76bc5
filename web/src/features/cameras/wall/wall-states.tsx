/** Why the wall shows nothing, and what to do about it. */
import { LayoutDashboard, VideoOff } from 'lucide-react';
import { isAdministrator } from '#api/rights.ts';
import { useUser } from '#api/session.ts';
import { useTranslation } from '#lib/i18n.ts';
import { Button } from '#ui/button.tsx';
import { EmptyState, FilteredOut } from '#ui/empty-state.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import type { Wall } from './use-wall.ts';

export function WallSkeleton() {
  return (
    <div className="grid grid-cols-1 gap-1 sm:grid-cols-2 lg:grid-cols-3">
      {['one', 'two', 'three', 'four', 'five', 'six'].map((name) => (
        <Skeleton key={name} className="aspect-video !rounded-none" />
      ))}
    </div>
  );
}

export function EmptyWall({ wall }: { wall: Wall }) {
  const { t } = useTranslation();
  const seesAll = isAdministrator(useUser());
  const { address, change, layout, layoutMissing, cameras } = wall;
  const showAll = (
    <Button look="secondary" onClick={() => change({ layout: undefined })}>
      {t('wall.showAll')}
    </Button>
  );
  if (layoutMissing) {
    return (
      <EmptyState
        icon={<LayoutDashboard />}
        title={t('wall.layoutMissing')}
        text={t('wall.layoutMissingText')}
        action={showAll}
      />
    );
  }
  if (address.search !== undefined || address.group !== undefined) {
    return (
      <FilteredOut
        title={t('cameras.noneFound')}
        onClear={() => change({ search: undefined, group: undefined })}
      />
    );
  }
  if (layout !== null) {
    return (
      <EmptyState
        icon={<LayoutDashboard />}
        title={t('wall.layoutEmpty')}
        text={t('wall.layoutEmptyText')}
        action={showAll}
      />
    );
  }
  const someOff = (cameras.data?.results.length ?? 0) > 0;
  const none = seesAll ? 'cameras.empty' : 'cameras.emptyShared';
  return (
    <EmptyState
      icon={<VideoOff />}
      title={t(someOff ? 'wall.allOff' : none)}
      text={t(someOff ? 'wall.allOffText' : 'cameras.emptyText')}
    />
  );
}
